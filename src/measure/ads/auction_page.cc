#include "ads/auction_page.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/field_list.h"
#include "report/html_report.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace ads {
namespace {

constexpr size_t kNameBytes = 40;

std::string NotesOf(const AuctionAd& ad) {
  std::string notes;
  const auto note = [&notes](const std::string& text) {
    notes += (notes.empty() ? "" : "; ") + text;
  };
  if (ad.outcome != AdOutcome::kShown)
    note(std::string(ChoiceName(ad.outcome)));
  if (ad.match)
    note(ad.match_text() + " '" + Shortened(ad.keyword, kNameBytes) + "'");
  if (!ad.trademark.empty())
    note("'" + Shortened(ad.trademark, kNameBytes) +
         "' is another's trademark");
  if (ad.vcg_cents >= 0) note("VCG " + MoneyText(ad.vcg_cents));
  if (ad.arbitrage)
    note("arbitrage: its landing page earns " +
         FixedText(ad.earned_cents / 100, 2) + " a visit");
  return notes;
}

html::Table AdsTable(const AuctionResult& result) {
  html::Table table;
  table.columns = {
      {"rank", true},    {"price", true}, {"bid", true}, {"weight", true},
      {"ad rank", true}, {"advertiser"},  {""}};
  for (const AuctionAd& ad : result.ads)
    table.rows.push_back(
        {ad.rank > 0 ? html::Cell::Count(ad.rank) : html::Cell::None(),
         ad.outcome == AdOutcome::kShown
             ? html::Cell{MoneyText(ad.price_cents), true}
             : html::Cell::None(),
         {MoneyText(ad.bid_cents), true},
         html::Cell::Rounded(ad.rate * ad.quality * ad.relevance),
         html::Cell::Rounded(ad.score),
         html::Cell::Text(Shortened(ad.advertiser, kNameBytes)),
         html::Cell::Text(NotesOf(ad))});
  const bool any_note =
      std::any_of(result.ads.begin(), result.ads.end(),
                  [](const auto& ad) { return !NotesOf(ad).empty(); });
  if (!any_note) table.columns.pop_back();
  return table;
}

// Who asks the rare queries.
std::string VerdictInWords(const TailUsers& users) {
  constexpr const char* kWords[] = {
      "Nobody asks such queries.",
      "Who asks such queries is not decided: chance leaves no room.",
      "Such queries come from nearly every user.",
      "Such queries come from a few users.",
      "Such queries come neither from every user nor from a few."};
  return std::string(kWords[static_cast<size_t>(users.verdict)]) +
         " The users with one are " + FixedText(users.ratio, 2) +
         " times as many as chance gives.";
}

html::Table UsersTable(const TailUsers& users) {
  html::Table table;
  table.caption = "Rare queries of " + CountText(users.users, "user") +
                  ", and what chance gives";
  table.columns = {{"share of"},
                   {"observed", true},
                   {"by chance", true},
                   {"low", true},
                   {"high", true}};
  const auto add = [&table](const std::string& name,
                            const ShareAgainstChance& share) {
    auto& row = table.rows.emplace_back();
    row.push_back(html::Cell::Text(name));
    for (const double part :
         {share.observed, share.expected, share.low, share.high})
      row.push_back({FixedText(100 * part, 2) + " %", true});
  };
  for (const TailUsers::Row& row : users.rows)
    add("users of whose queries more than " + PercentText(row.above) +
            " are rare",
        row.share);
  add("rare queries of a tenth of the users", users.top_tenth);
  return table;
}

}  // namespace

KeptPage AuctionPage(const AuctionResult& result) {
  const auto shown = std::count_if(
      result.ads.begin(), result.ads.end(),
      [](const auto& ad) { return ad.outcome == AdOutcome::kShown; });
  const std::string of = CountText(result.ads.size(), "ad");
  KeptPage page("auction", "Auction");
  if (shown == 0)
    page.Add(html::Lead{"None of " + of + " is shown.", ""});
  else
    page.Add(html::Lead{Shortened(result.ads[0].advertiser, kNameBytes) +
                            " is shown first and pays " +
                            MoneyText(result.ads[0].price_cents) + " a click.",
                        NumberText(static_cast<uint64_t>(shown)) + " of " + of +
                            (shown == 1 ? " is" : " are") +
                            " shown, ranked by " +
                            (result.mechanism == AuctionMechanism::kGoto
                                 ? "bid."
                                 : "bid times weight.")});
  page.Add(AdsTable(result));
  return page;
}

KeptPage QueryLogPage(const QueryLogResult& log) {
  KeptPage page("auction", "The long tail of a log");
  page.Add(html::Lead{
      ShareInWords(log.rare_queries, log.queries) +
          " of the traffic is of queries that are asked at most " +
          CountText(log.tail, "time") + ".",
      CountText(log.queries, "query", "queries") + ", " +
          NumberText(log.types) + " of them different; " +
          ShareText(log.rare_types, log.types) +
          " of the different ones are rare, with " +
          ShareText(log.rare_queries, log.queries) + " of the traffic." +
          (log.users ? " " + VerdictInWords(*log.users) : "")});
  html::Table table;
  table.caption =
      "Traffic by tenth of the different queries, most frequent first";
  table.columns = {{"tenth", true}, {"traffic", true}};
  for (const QueryDecile& decile : log.deciles)
    table.rows.push_back({html::Cell::Count(table.rows.size() + 1),
                          html::Cell::Percent(decile.queries, log.queries)});
  page.Add(std::move(table));
  if (log.users) page.Add(UsersTable(*log.users));
  return page;
}

KeptPage SearchPageTold(const SearchPageInfo& info) {
  KeptPage page("auction", "A search page");
  page.Add(html::Lead{
      "The page shows " + NumberText(info.shown) + " of " +
          CountText(info.results, "result") + " and " +
          CountText(info.ads, "ad") + "; " + NumberText(info.collapsed) +
          (info.collapsed == 1 ? " result is" : " results are") + " collapsed.",
      ""});
  return page;
}

}  // namespace ads

Json v1::SummaryJson(const AuctionResult& result) {
  return FieldsToJson(result);
}

Json v1::SummaryJson(const QueryLogResult& result) {
  return FieldsToJson(result);
}

Json v1::SummaryJson(const SearchPageInfo& info) { return FieldsToJson(info); }

}  // namespace twinset
