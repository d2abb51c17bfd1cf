// An auction worked through as a lecture would on the board.
#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>
#include <vector>

#include "report/step_text.h"
#include "twinset/measure/auction.h"

namespace twinset {

namespace {

using Cells = std::vector<std::string>;

// Six digits, without zeros at the end.
std::string Number(double value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value,
                                 std::chars_format::general, 6)
                       .ptr;
  return {buffer, end};
}

double WeightOf(const AuctionAd& ad) {
  return ad.rate * ad.quality * ad.relevance;
}

std::string_view WhyLeftOut(AdOutcome outcome) {
  switch (outcome) {
    case AdOutcome::kBelowReserve:
      return "the bid is below the reserve, or 0";
    case AdOutcome::kNoClicks:
      return "it is never clicked: its weight is 0";
    case AdOutcome::kOtherAd:
      return "the advertiser is ranked with another ad";
    case AdOutcome::kNoMatch:
      return "it does not match";
    case AdOutcome::kTrademark:
      return "its keywords hold the trademarks of others";
    case AdOutcome::kShown:
    case AdOutcome::kNoSlot:
      break;
  }
  return "";
}

// Those ranked come first.
std::vector<AuctionAd> RankedOf(const AuctionResult& result) {
  std::vector<AuctionAd> ranked;
  std::copy_if(result.ads.begin(), result.ads.end(), std::back_inserter(ranked),
               [](const AuctionAd& ad) { return ad.rank > 0; });
  return ranked;
}

void AddWeights(const AuctionOptions& options, const AuctionResult& result,
                StepText* text) {
  const bool is_gsp = options.mechanism == AuctionMechanism::kGsp;
  const bool by_content = !options.page.empty();
  Cells columns = {"advertiser", ">line", ">bid"};
  if (is_gsp) {
    columns.insert(columns.end(), {">click-through rate", ">quality"});
    if (by_content) columns.push_back(">relevance");
    columns.insert(columns.end(), {">weight", ">ad rank"});
  }
  std::vector<Cells> rows;
  for (const AuctionAd& ad : result.ads) {
    Cells row = {Plain(ad.advertiser), std::to_string(ad.line),
                 MoneyText(ad.bid_cents)};
    if (is_gsp) {
      row.insert(row.end(), {Number(ad.rate), Number(ad.quality)});
      if (by_content) row.push_back(Number(ad.relevance));
      row.insert(row.end(), {Number(WeightOf(ad)), Number(ad.score)});
    }
    rows.push_back(std::move(row));
  }
  text->Heading("Bids");
  text->Paragraph(
      is_gsp ? std::string("The weight of an ad is click-through rate × "
                           "quality") +
                   (by_content ? " × relevance" : "") +
                   ", its ad rank bid × weight: what one view of it earns."
             : "Whoever bids more stands higher; nothing else counts.");
  text->Table(columns, std::move(rows));
}

void AddLeftOut(const AuctionResult& result, StepText* text) {
  std::vector<Cells> rows;
  for (const AuctionAd& ad : result.ads) {
    if (ad.rank > 0) continue;
    rows.push_back({Plain(ad.advertiser), std::to_string(ad.line),
                    std::string(WhyLeftOut(ad.outcome))});
  }
  if (rows.empty()) return;
  text->Heading("Not ranked");
  text->Table({"advertiser", ">line", "why"}, std::move(rows));
}

void AddOrder(const AuctionOptions& options,
              const std::vector<AuctionAd>& ranked, StepText* text) {
  const bool is_gsp = options.mechanism == AuctionMechanism::kGsp;
  std::vector<Cells> rows;
  for (const AuctionAd& ad : ranked)
    rows.push_back(
        {std::to_string(ad.rank), Plain(ad.advertiser),
         is_gsp ? Number(ad.score) : MoneyText(ad.bid_cents),
         ad.outcome == AdOutcome::kShown ? "shown" : "behind the last slot"});
  text->Heading(std::string("Order by ") + (is_gsp ? "ad rank" : "bid"));
  text->Table({">rank", "advertiser", is_gsp ? ">ad rank" : ">bid", ""},
              std::move(rows));
}

// What the ad at `at` pays, and by what; of bounds the one that decided.
std::string GspPriceText(const AuctionOptions& options,
                         const std::vector<AuctionAd>& ranked, size_t at) {
  const AuctionAd& ad = ranked[at];
  if (at + 1 == ranked.size()) return "nobody is behind it: the reserve";
  const AuctionAd& next = ranked[at + 1];
  std::string text = Number(next.score) + " / " + Number(WeightOf(ad)) + " = " +
                     Number(next.score / WeightOf(ad)) + ", + " +
                     MoneyText(options.increment_cents);
  const double wanted = 100 * next.score / WeightOf(ad) +
                        static_cast<double>(options.increment_cents);
  const auto paid = static_cast<double>(ad.price_cents);
  if (ad.price_cents == ad.bid_cents && wanted > paid + 1)
    text += "; at most the own bid";
  if (ad.price_cents == options.reserve_cents && wanted < paid - 1)
    text += "; at least the reserve";
  return text;
}

void AddPrices(const AuctionOptions& options,
               const std::vector<AuctionAd>& ranked, StepText* text) {
  const bool is_gsp = options.mechanism == AuctionMechanism::kGsp;
  Cells columns = {">rank", "advertiser", "price", ">a click costs"};
  if (!options.views.empty()) columns.push_back(">by VCG");
  std::vector<Cells> rows;
  for (size_t at = 0; at < ranked.size(); ++at) {
    const AuctionAd& ad = ranked[at];
    if (ad.outcome != AdOutcome::kShown) continue;
    rows.push_back({std::to_string(ad.rank), Plain(ad.advertiser),
                    is_gsp ? GspPriceText(options, ranked, at) : "the own bid",
                    "**" + MoneyText(ad.price_cents) + "**"});
    if (!options.views.empty())
      rows.back().push_back(ad.vcg_cents < 0 ? "" : MoneyText(ad.vcg_cents));
  }
  text->Heading("Prices");
  text->Paragraph(
      is_gsp ? "A click costs what keeps the place: the ad rank behind it by "
               "the own weight, to whole cents (" +
                   std::string(ChoiceName(options.rounding)) +
                   "), and the increment of " +
                   MoneyText(options.increment_cents) +
                   ". It costs at least the reserve of " +
                   MoneyText(options.reserve_cents) + ", at most the own bid."
             : "A click costs the own bid.");
  text->Table(columns, std::move(rows));
}

}  // namespace

WrittenSteps v1::AuctionSteps(const AuctionOptions& options,
                              const AuctionResult& result) {
  const std::vector<AuctionAd> ranked = RankedOf(result);
  StepText text;
  AddWeights(options, result, &text);
  AddLeftOut(result, &text);
  AddOrder(options, ranked, &text);
  AddPrices(options, ranked, &text);
  return text.Written();
}

}  // namespace twinset
