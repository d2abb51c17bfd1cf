// Sponsored search: which ads are shown beside the results of a query or on a
// page, in which order, and at what price per click. Also: a search page that
// shows results and ads (docs/methods/auction.md).
#ifndef TWINSET_MEASURE_AUCTION_H_
#define TWINSET_MEASURE_AUCTION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/choices.h"
#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/measure/choices.h"
#include "twinset/options.h"
#include "twinset/results.h"
#include "twinset/steps.h"

namespace twinset {
inline namespace v1 {

// Reads an amount such as 1.51 or $0.38 and returns cents. kUsage for anything
// else.
Result<int64_t> ParseMoney(std::string_view text);
// Writes cents as "1.51".
std::string MoneyText(int64_t cents);

struct AuctionOptions {
  std::string bids = {};  // CSV (docs/methods/auction.md)
  AuctionMechanism mechanism = AuctionMechanism::kGsp;
  PriceRounding rounding = PriceRounding::kNearest;  // then the increment
  int64_t reserve_cents = 1;  // lower bids do not take part
  int64_t increment_cents = 1;
  uint32_t slots = 0;  // places shown; 0: one for each ad
  // Added to the clicks and impressions of the file before the clicks are
  // divided by the impressions: a Beta prior of clicks and impressions -
  // clicks.
  uint64_t prior_clicks = 1, prior_impressions = 100;

  std::string query = {};  // ads whose keywords match take part
  std::string page = {};   // or those that match this file's content
  KeywordMatch match = KeywordMatch::kBroad;  // the loosest
  double least_match = 0.5;     // --page: share of an ad's term weights
  uint32_t page_terms = 50;     // --page: how many terms represent the page
  std::string place = {};       // of the user, for the factors
  int hour = -1;                // 0 to 23; -1: unknown
  std::string factors = {};     // CSV of quality factors
  std::string trademarks = {};  // CSV of terms and their owners
  std::string landings = {};    // CSV of what the ads on landing pages earn

  // Views of each slot relative to the first ("1,0.5"). When set, the result
  // also has the prices of Vickrey, Clarke and Groves, for contrast. gsp only.
  std::vector<std::string> views = {};
  bool skip_bad = false;  // leave bad rows out instead of refusing the file
  FeatureOptions features = {};  // tokens
  uint64_t memory_bytes = 0;     // 0: 60 % of what is available
};

// A row of the bids file that is not a valid bid.
struct BadBid {
  uint64_t line = 0;
  std::string reason;

  static void Fields(auto& bad, auto& field) {
    field("line", bad.line);
    field("reason", bad.reason);
  }
};

enum class AdOutcome : uint8_t {
  kShown,
  kBelowReserve,
  kNoClicks,  // gsp: never clicked, or a factor of 0
  kOtherAd,   // the same advertiser is ranked above with another ad
  kNoSlot,    // ranked, behind the last slot
  kNoMatch,
  kTrademark,
};
template <>
inline constexpr auto kChoices<AdOutcome> =
    ChoiceTable<AdOutcome>({{AdOutcome::kShown, "shown"},
                            {AdOutcome::kBelowReserve, "below-reserve"},
                            {AdOutcome::kNoClicks, "no-clicks"},
                            {AdOutcome::kOtherAd, "other-ad"},
                            {AdOutcome::kNoSlot, "no-slot"},
                            {AdOutcome::kNoMatch, "no-match"},
                            {AdOutcome::kTrademark, "trademark"}});

struct AuctionAd {
  uint64_t line = 0;  // of the bids
  std::string advertiser, title, text, landing;
  int64_t bid_cents = 0;
  double rate = 0;       // click-through rate, smoothed where counted
  double quality = 1;    // product of all factors
  double relevance = 1;  // --page: the match, which multiplies the rank
  double score = 0;      // ranks ads: goto the bid, gsp bid * the three above
  uint32_t rank = 0;     // from 1; 0: not ranked
  int64_t price_cents = 0;  // of a click, if shown
  int64_t vcg_cents = -1;   // with `views`; -1: none
  AdOutcome outcome = AdOutcome::kNoClicks;
  std::string keyword;                // that matched
  std::optional<KeywordMatch> match;  // of the keyword
  bool by_content = false;            // compared with the page instead (--page)
  std::string trademark;              // that refused a keyword
  // True when a click costs less than the ads of the landing page earn.
  bool arbitrage = false;
  double earned_cents = -1;  // per visit to the landing page; -1: unknown

  static void Fields(auto& ad, auto& field) {
    const auto if_any = [](bool any, auto value) {
      return any ? std::optional(std::move(value)) : std::nullopt;
    };
    const auto text = [&](const char* name, const std::string& value) {
      field.Derived(name, if_any(!value.empty(), value));
    };
    const bool is_shown = ad.outcome == AdOutcome::kShown;
    const bool has_match = ad.match || ad.by_content;
    field("advertiser", ad.advertiser);
    field("line", ad.line);
    field.Derived("bid", MoneyText(ad.bid_cents));
    field("ctr", ad.rate);
    field("quality", ad.quality);
    field("relevance", ad.relevance);
    field("ad_rank", ad.score);
    field.OrNull("rank", if_any(ad.rank > 0, ad.rank));
    field("outcome", ad.outcome);
    field.OrNull("price", if_any(is_shown, MoneyText(ad.price_cents)));
    field.Derived("vcg_price",
                  if_any(ad.vcg_cents >= 0, MoneyText(ad.vcg_cents)));
    field.Derived("match", if_any(has_match, ad.match_text()));
    text("keyword", ad.keyword);
    text("trademark", ad.trademark);
    text("title", ad.title);
    text("text", ad.text);
    text("landing", ad.landing);
    field.Derived("earned_cents",
                  if_any(ad.earned_cents >= 0, ad.earned_cents));
    field.Derived("arbitrage", if_any(ad.earned_cents >= 0, ad.arbitrage));
  }
  // "exact", "content"; empty: nothing was asked to match.
  std::string match_text() const {
    return by_content ? "content"
           : match    ? std::string(ChoiceName(*match))
                      : "";
  }
};

// A term of the page beside whose content ads are shown.
struct AuctionTerm {
  std::string term;
  uint64_t weight = 0;

  static void Fields(auto& row, auto& field) {
    field("term", row.term);
    field("weight", row.weight);
  }
};

struct AuctionResult {
  static constexpr bool kSummaryIsLine = true, kShowsAllRows = true;
  AuctionMechanism mechanism = AuctionMechanism::kGsp;
  int64_t reserve_cents = 1;
  std::vector<AuctionAd> ads;  // shown in rank, then the others by line
  uint64_t rows = 0;           // of the bids
  uint64_t refused_keywords = 0;
  std::vector<BadBid> bad;              // with skip_bad
  std::vector<AuctionTerm> page_terms;  // heaviest first (--page)
  std::vector<std::string> warnings;
  ResultPage page;

  static void Fields(auto& result, auto& field) {
    field("mechanism", result.mechanism);
    field("rows", result.rows);
    field.Derived("reserve", MoneyText(result.reserve_cents));
    field("refused_keywords", result.refused_keywords);
    field("bad_rows", result.bad);
    field("ads", result.ads);
    if (!result.page_terms.empty()) field("page_terms", result.page_terms);
  }
};

// kUsage for bad options or bad rows (with their line); kIo. The same files and
// options give the same result on any machine.
Result<AuctionResult> HoldAuction(const AuctionOptions& options);
// What --json prints.
Json SummaryJson(const AuctionResult& result);

// How the auction went: weights, who is left out, the order, and how each price
// comes about.
WrittenSteps AuctionSteps(const AuctionOptions& options,
                          const AuctionResult& result);

// ---- A search page ----

struct SearchPageOptions {
  AuctionOptions auction = {};  // its query is the page's
  std::string engine = {};      // as 'twinset engine query' takes it
  uint32_t results = 10;        // of the engine, shown or collapsed
  double same = 0.9;            // resemblance from which results are collapsed
  std::string out = {};         // the file
  bool overwrite = false;
};

struct SearchPageInfo {
  static constexpr bool kSummaryIsLine = true;
  uint64_t hits = 0;  // as the engine claims
  bool hits_known = false;
  uint64_t results = 0;    // that the engine gave
  uint64_t shown = 0;      // of them, on their own
  uint64_t collapsed = 0;  // of them, collapsed under a similar one
  uint64_t unread = 0;     // of them, those whose page could not be had
  uint64_t ads = 0;
  ResultPage page;  // what is told of it

  static void Fields(auto& info, auto& field) {
    field("results", info.results);
    field("shown", info.shown);
    field("collapsed", info.collapsed);
    field("unread", info.unread);
    field("ads", info.ads);
    field.OrNull("hits",
                 info.hits_known ? std::optional(info.hits) : std::nullopt);
  }
};

// Writes a self-contained page of HTML: the results of the engine and, beside
// them, marked and apart, the ads. Ads never change the results.
Result<SearchPageInfo> WriteSearchPage(const SearchPageOptions& options);
Json SummaryJson(const SearchPageInfo& info);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_MEASURE_AUCTION_H_
