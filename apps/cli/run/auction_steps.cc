#include "cli/run/auction_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "cli/values.h"

namespace twinset::cli {
namespace {

using Cells = std::vector<std::string>;

// A cell of a table: bars part cells.
std::string InCell(const std::string& text) {
  std::string cell;
  for (const char c : Printable(text)) {
    if (c == '|') cell += '\\';
    cell += c;
  }
  return cell;
}

std::string Row(const Cells& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) row += " " + cell + " |";
  return row + "\n";
}

// Of `columns` those that begin with '>' are numbers.
std::string Table(const Cells& columns, const std::vector<Cells>& rows) {
  Cells names;
  std::string rule = "|";
  for (const std::string& column : columns) {
    const bool is_number = column.starts_with('>');
    names.push_back(column.substr(is_number ? 1 : 0));
    rule += is_number ? "--:|" : "---|";
  }
  std::string text = "\n" + Row(names) + rule + "\n";
  for (const Cells& row : rows) text += Row(row);
  return text;
}

std::string Number(double value) { return fmt::format("{:.6g}", value); }

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

std::string WeightsText(const AuctionOptions& options,
                        const AuctionResult& result) {
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
    Cells row = {InCell(ad.advertiser), std::to_string(ad.line),
                 MoneyText(ad.bid_cents)};
    if (is_gsp) {
      row.insert(row.end(), {Number(ad.rate), Number(ad.quality)});
      if (by_content) row.push_back(Number(ad.relevance));
      row.insert(row.end(), {Number(WeightOf(ad)), Number(ad.score)});
    }
    rows.push_back(std::move(row));
  }
  std::string text = "### Bids\n\n";
  if (is_gsp)
    text += fmt::format(
        "The weight of an ad is click-through rate × quality{}, its ad rank "
        "bid × weight: what one view of it earns.\n",
        by_content ? " × relevance" : "");
  else
    text += "Whoever bids more stands higher; nothing else counts.\n";
  return text + Table(columns, rows);
}

std::string LeftOutText(const AuctionResult& result) {
  std::vector<Cells> rows;
  for (const AuctionAd& ad : result.ads) {
    if (ad.rank > 0) continue;
    rows.push_back({InCell(ad.advertiser), std::to_string(ad.line),
                    std::string(WhyLeftOut(ad.outcome))});
  }
  if (rows.empty()) return "";
  return "\n### Not ranked\n" + Table({"advertiser", ">line", "why"}, rows);
}

std::string OrderText(const AuctionOptions& options,
                      const std::vector<AuctionAd>& ranked) {
  const bool is_gsp = options.mechanism == AuctionMechanism::kGsp;
  std::vector<Cells> rows;
  for (const AuctionAd& ad : ranked)
    rows.push_back(
        {std::to_string(ad.rank), InCell(ad.advertiser),
         is_gsp ? Number(ad.score) : MoneyText(ad.bid_cents),
         ad.outcome == AdOutcome::kShown ? "shown" : "behind the last slot"});
  return fmt::format("\n### Order by {}\n", is_gsp ? "ad rank" : "bid") +
         Table({">rank", "advertiser", is_gsp ? ">ad rank" : ">bid", ""}, rows);
}

// What the ad at `at` pays, and by what; of bounds the one that decided.
std::string GspPriceText(const AuctionOptions& options,
                         const std::vector<AuctionAd>& ranked, size_t at) {
  const AuctionAd& ad = ranked[at];
  if (at + 1 == ranked.size()) return "nobody is behind it: the reserve";
  const AuctionAd& next = ranked[at + 1];
  std::string text = fmt::format(
      "{} / {} = {}, + {}", Number(next.score), Number(WeightOf(ad)),
      Number(next.score / WeightOf(ad)), MoneyText(options.increment_cents));
  const double wanted = 100 * next.score / WeightOf(ad) +
                        static_cast<double>(options.increment_cents);
  const auto paid = static_cast<double>(ad.price_cents);
  if (ad.price_cents == ad.bid_cents && wanted > paid + 1)
    text += "; at most the own bid";
  if (ad.price_cents == options.reserve_cents && wanted < paid - 1)
    text += "; at least the reserve";
  return text;
}

std::string PricesText(const AuctionOptions& options,
                       const std::vector<AuctionAd>& ranked) {
  const bool is_gsp = options.mechanism == AuctionMechanism::kGsp;
  Cells columns = {">rank", "advertiser", "price", ">a click costs"};
  if (!options.views.empty()) columns.push_back(">by VCG");
  std::vector<Cells> rows;
  for (size_t at = 0; at < ranked.size(); ++at) {
    const AuctionAd& ad = ranked[at];
    if (ad.outcome != AdOutcome::kShown) continue;
    rows.push_back({std::to_string(ad.rank), InCell(ad.advertiser),
                    is_gsp ? GspPriceText(options, ranked, at) : "the own bid",
                    "**" + MoneyText(ad.price_cents) + "**"});
    if (!options.views.empty())
      rows.back().push_back(ad.vcg_cents < 0 ? "" : MoneyText(ad.vcg_cents));
  }
  std::string text = "\n### Prices\n\n";
  if (is_gsp)
    text += fmt::format(
        "A click costs what keeps the place: the ad rank behind it by the own "
        "weight, to whole cents ({}), and the increment of {}. It costs at "
        "least the reserve of {}, at most the own bid.\n",
        ChoiceName(options.rounding), MoneyText(options.increment_cents),
        MoneyText(options.reserve_cents));
  else
    text += "A click costs the own bid.\n";
  return text + Table(columns, rows);
}

}  // namespace

std::string AuctionSteps(const AuctionOptions& options,
                         const AuctionResult& result) {
  const std::vector<AuctionAd> ranked = RankedOf(result);
  return WeightsText(options, result) + LeftOutText(result) +
         OrderText(options, ranked) + PricesText(options, ranked);
}

}  // namespace twinset::cli
