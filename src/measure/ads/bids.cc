#include "ads/bids.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "base/ascii.h"

namespace twinset::ads {
namespace {

constexpr uint64_t kMostCount = 1'000'000'000'000;

std::optional<uint64_t> ParseCount(std::string_view text) {
  uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value <= kMostCount ? std::optional(value) : std::nullopt;
}

std::string_view Cell(const CsvRow& row, std::string_view column) {
  return Trim(row[column], kBlanks);
}

std::vector<std::string> SplitBars(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find('|'), text.size());
    const std::string_view part = Trim(text.substr(0, end), kBlanks);
    if (!part.empty()) parts.emplace_back(part);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

// What is wrong with a value, for a message.
std::string Wrong(std::string_view column, std::string_view value,
                  std::string_view wanted) {
  std::string shown;
  for (const char c : value.substr(0, 40))
    shown += c >= ' ' && c < 127 ? c : '?';
  return std::string(column) + " '" + shown + "' is not " + std::string(wanted);
}

using Reason = std::optional<std::string>;  // nullopt: all is well

Reason ReadRatio(const CsvRow& row, std::string_view column, Ratio* value) {
  const std::string_view text = Cell(row, column);
  if (text.empty()) return std::nullopt;
  const auto ratio = ParseExactDecimal(text);
  if (!ratio)
    return Wrong(column, text, "a decimal number of at most 9 + 9 digits");
  *value = *ratio;
  return std::nullopt;
}

Reason ReadRate(const CsvTable& table, const CsvRow& row, const CtrPrior& prior,
                Ratio* rate) {
  if (table.Has("ctr")) {
    const std::string_view text = Cell(row, "ctr");
    const auto ratio = ParseExactDecimal(text);
    if (!ratio || ratio->num() > ratio->den())
      return Wrong("ctr", text, "a decimal number from 0 to 1");
    *rate = *ratio;
    return std::nullopt;
  }
  if (!table.Has("impressions")) return std::nullopt;
  const auto impressions = ParseCount(Cell(row, "impressions"));
  if (!impressions)
    return Wrong("impressions", row["impressions"], "a whole number");
  const auto clicks = ParseCount(Cell(row, "clicks"));
  if (!clicks) return Wrong("clicks", row["clicks"], "a whole number");
  if (*clicks > *impressions) return "more clicks than impressions";
  const auto smoothed = SmoothedRate(*clicks, *impressions, prior);
  if (!smoothed) return "the prior is too large";
  *rate = *smoothed;
  return std::nullopt;
}

Reason ReadBid(const CsvTable& table, const CsvRow& row, const CtrPrior& prior,
               Bid* bid) {
  bid->line = row.line();
  bid->advertiser = Cell(row, "advertiser");
  if (bid->advertiser.empty()) return "no advertiser";
  const auto cents = ParseCents(Cell(row, "bid"));
  if (!cents)
    return Wrong("bid", row["bid"], "an amount of whole cents up to 10000000");
  bid->cents = *cents;
  if (Reason reason = ReadRate(table, row, prior, &bid->rate)) return reason;
  Ratio landing = Ratio::One();
  if (Reason reason = ReadRatio(row, "quality", &bid->quality)) return reason;
  if (Reason reason = ReadRatio(row, "landing_quality", &landing))
    return reason;
  const auto quality = Times(bid->quality, landing);
  if (!quality) return "the quality factors have too many digits";
  bid->quality = *quality;
  if (!Cell(row, "load_ms").empty()) {
    const auto ms = ParseCount(Cell(row, "load_ms"));
    if (!ms) return Wrong("load_ms", row["load_ms"], "a whole number");
    bid->load_ms = static_cast<int64_t>(*ms);
  }
  if (!Cell(row, "match").empty()) {
    const auto match = FindChoice<Match>(Cell(row, "match"));
    if (!match) return Wrong("match", row["match"], "exact, phrase or broad");
    bid->match = *match;
  }
  bid->keywords = SplitBars(row["keywords"]);
  bid->title = Cell(row, "title");
  bid->text = Cell(row, "text");
  bid->landing = Cell(row, "landing");
  return std::nullopt;
}

// Rows of a table that may have no bad ones.
Status ForEachStrict(const CsvTable& table,
                     const std::function<Reason(const CsvRow&)>& read) {
  const auto fail = [&](uint64_t line, std::string reason) -> Status {
    return tl::unexpected<Error>(table.RowError(line, std::move(reason)));
  };
  return table.ForEach(
      [&](const CsvRow& row) -> Status {
        if (Reason reason = read(row)) return fail(row.line(), *reason);
        return {};
      },
      fail);
}

}  // namespace

std::optional<Ratio> SmoothedRate(uint64_t clicks, uint64_t impressions,
                                  const CtrPrior& prior) {
  if (clicks > impressions || prior.clicks > prior.impressions ||
      impressions > kMostCount || prior.impressions > kMostCount)
    return std::nullopt;
  if (impressions + prior.impressions == 0) return Ratio();
  return Ratio::Of(clicks + prior.clicks, impressions + prior.impressions);
}

const std::vector<std::string>& BidColumns() {
  static const std::vector<std::string> columns = {
      "advertiser",     "bid",   "ctr",  "impressions", "clicks",  "keywords",
      "match",          "title", "text", "landing",     "quality", "load_ms",
      "landing_quality"};
  return columns;
}

Result<BidFile> ReadBids(const CsvTable& table, const CtrPrior& prior,
                         const OnBadRow& on_bad) {
  TWINSET_TRY(table.Require("advertiser"));
  TWINSET_TRY(table.Require("bid"));
  if (table.Has("impressions") || table.Has("clicks")) {
    TWINSET_TRY(table.Require("impressions"));
    TWINSET_TRY(table.Require("clicks"));
    if (table.Has("ctr"))
      return Fail(ErrorCode::kUsage,
                  "there are both a ctr and clicks to compute it from",
                  table.where(), "leave one of them out");
  }
  BidFile file;
  file.has_keywords = table.Has("keywords");
  const auto bad = [&](uint64_t line, std::string reason) -> Status {
    if (!on_bad) {
      Error error = table.RowError(line, std::move(reason));
      error.remedy = "correct the row, or leave bad rows out with --skip-bad";
      return tl::unexpected<Error>(std::move(error));
    }
    ++file.rows;
    on_bad(line, reason);
    return {};
  };
  TWINSET_TRY(table.ForEach(
      [&](const CsvRow& row) -> Status {
        Bid bid;
        if (Reason reason = ReadBid(table, row, prior, &bid))
          return bad(row.line(), *reason);
        ++file.rows;
        file.bids.push_back(std::move(bid));
        return {};
      },
      bad));
  return file;
}

const std::vector<std::string>& FactorColumns() {
  static const std::vector<std::string> columns = {"advertiser", "factor",
                                                   "value", "times"};
  return columns;
}

namespace {

// "8-17", "22-5", "9".
bool ParseHours(std::string_view text, Factor* factor) {
  const size_t dash = std::min(text.find('-'), text.size());
  const auto first = ParseCount(Trim(text.substr(0, dash), kBlanks));
  const auto last = dash < text.size()
                        ? ParseCount(Trim(text.substr(dash + 1), kBlanks))
                        : first;
  if (!first || !last || *first > 23 || *last > 23) return false;
  factor->first_hour = static_cast<int>(*first);
  factor->last_hour = static_cast<int>(*last);
  return true;
}

Reason ReadFactor(const CsvRow& row, Factor* factor) {
  factor->advertiser = Cell(row, "advertiser");
  if (factor->advertiser.empty()) factor->advertiser = "*";
  factor->value = Cell(row, "value");
  const std::string_view kind = Cell(row, "factor");
  const auto times = ParseExactDecimal(Cell(row, "times"));
  if (!times) return Wrong("times", row["times"], "a decimal number");
  factor->times = *times;
  if (factor->value.empty()) return "no value";
  if (kind == "place") {
    factor->kind = Factor::kPlace;
  } else if (kind == "landing") {
    factor->kind = Factor::kLanding;
  } else if (kind == "hour") {
    factor->kind = Factor::kHour;
    if (!ParseHours(factor->value, factor))
      return Wrong("value", factor->value, "hours as 8-17");
  } else if (kind == "load") {
    factor->kind = Factor::kLoad;
    const auto ms = ParseCount(factor->value);
    if (!ms) return Wrong("value", factor->value, "a number of milliseconds");
    factor->least_ms = static_cast<int64_t>(*ms);
  } else {
    return Wrong("factor", kind, "place, hour, load or landing");
  }
  return std::nullopt;
}

bool Applies(const Factor& factor, const Bid& bid, const UserContext& user) {
  if (factor.advertiser != "*" && factor.advertiser != bid.advertiser)
    return false;
  switch (factor.kind) {
    case Factor::kPlace:
      return !user.place.empty() && factor.value == user.place;
    case Factor::kHour:
      if (user.hour < 0) return false;
      return factor.first_hour <= factor.last_hour
                 ? factor.first_hour <= user.hour &&
                       user.hour <= factor.last_hour
                 : factor.first_hour <= user.hour ||
                       user.hour <= factor.last_hour;
    case Factor::kLoad:
      return bid.load_ms >= factor.least_ms;
    case Factor::kLanding:
      return bid.landing.compare(0, factor.value.size(), factor.value) == 0;
  }
  return false;
}

// If factors apply by degrees, the more specific one counts.
bool MoreSpecific(const Factor& a, const Factor& b) {
  return a.kind == Factor::kLoad ? a.least_ms > b.least_ms
                                 : a.value.size() > b.value.size();
}

}  // namespace

Result<std::vector<Factor>> ReadFactors(const CsvTable& table) {
  for (const char* column : {"factor", "value", "times"})
    TWINSET_TRY(table.Require(column));
  std::vector<Factor> factors;
  TWINSET_TRY(ForEachStrict(table, [&](const CsvRow& row) {
    return ReadFactor(row, &factors.emplace_back());
  }));
  return factors;
}

std::optional<Ratio> QualityOf(const Bid& bid,
                               const std::vector<Factor>& factors,
                               const UserContext& user) {
  std::optional<Ratio> quality = bid.quality;
  const Factor* load = nullptr;
  const Factor* landing = nullptr;
  for (const Factor& factor : factors) {
    if (!Applies(factor, bid, user)) continue;
    const bool by_degrees =
        factor.kind == Factor::kLoad || factor.kind == Factor::kLanding;
    if (by_degrees) {
      const Factor*& best = factor.kind == Factor::kLoad ? load : landing;
      if (best == nullptr || MoreSpecific(factor, *best)) best = &factor;
      continue;
    }
    if (quality) quality = Times(*quality, factor.times);
  }
  for (const Factor* factor : {load, landing})
    if (quality && factor != nullptr) quality = Times(*quality, factor->times);
  return quality;
}

const std::vector<std::string>& TrademarkColumns() {
  static const std::vector<std::string> columns = {"term", "owner"};
  return columns;
}

Result<std::vector<Trademark>> ReadTrademarks(const CsvTable& table) {
  TWINSET_TRY(table.Require("term"));
  std::vector<Trademark> trademarks;
  TWINSET_TRY(ForEachStrict(table, [&](const CsvRow& row) -> Reason {
    if (Cell(row, "term").empty()) return "no term";
    trademarks.push_back(
        {std::string(Cell(row, "term")), SplitBars(row["owner"])});
    return std::nullopt;
  }));
  return trademarks;
}

const std::vector<std::string>& LandingColumns() {
  static const std::vector<std::string> columns = {"landing", "visits",
                                                   "ad_revenue"};
  return columns;
}

Result<std::vector<Landing>> ReadLandings(const CsvTable& table) {
  for (const std::string& column : LandingColumns())
    TWINSET_TRY(table.Require(column));
  std::vector<Landing> landings;
  TWINSET_TRY(ForEachStrict(table, [&](const CsvRow& row) -> Reason {
    Landing landing;
    landing.address = Cell(row, "landing");
    if (landing.address.empty()) return "no landing page";
    const auto visits = ParseCount(Cell(row, "visits"));
    if (!visits || *visits == 0)
      return Wrong("visits", row["visits"], "a whole number above 0");
    const auto cents = ParseCents(Cell(row, "ad_revenue"));
    if (!cents)
      return Wrong("ad_revenue", row["ad_revenue"], "an amount of whole cents");
    landing.visits = *visits;
    landing.revenue_cents = *cents;
    landings.push_back(std::move(landing));
    return std::nullopt;
  }));
  return landings;
}

bool IsArbitrage(int64_t price_cents, const Landing& landing) {
  return static_cast<Wide>(price_cents) * landing.visits <
         static_cast<Wide>(landing.revenue_cents);
}

}  // namespace twinset::ads
