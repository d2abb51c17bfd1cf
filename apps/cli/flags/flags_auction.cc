// Flags of `twinset auction`.
#include "cli/studies.h"
#include "flag_setters.h"

namespace twinset::cli {
namespace {

using namespace setters;  // NOLINT: the table reads better

AuctionOptions& Of(Request& request) { return request.study->auction.auction; }

template <auto Field>
Status Money(const Values& values, Request* request) {
  TWINSET_ASSIGN(Field(*request), ParseMoney(values.back()));
  return {};
}

}  // namespace

// clang-format off
std::vector<Flag> AuctionFlags() {
  return {
      {"--mechanism", 0, "NAME", "{}",
       "gsp: rank by bid, click-through rate and quality; a click costs what keeps the place, plus a cent. "
       "goto: rank by bid, pay the bid.",
       "gsp", kAuctionBit, FlagGroup::kStudy, ValueKind::kChoice, ChoiceNames<AuctionMechanism>(), false,
       Pick<[](Request& r) -> auto& { return Of(r).mechanism; }>},
      {"--query", 0, "TEXT", "ads whose keywords match this query take part",
       "Without the column keywords the file is the auction of just this query.",
       "(all ads)", kAuctionBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Text<[](Request& r) -> auto& { return Of(r).query; }>},
      {"--page", 0, "FILE", "ads that match the content of this page take part",
       "HTML or text. How well an ad matches multiplies its rank.",
       "(all ads)", kAuctionBit, FlagGroup::kStudy, ValueKind::kFile, {}, false,
       Text<[](Request& r) -> auto& { return Of(r).page; }>},
      {"--match", 0, "HOW", "the loosest match of a keyword: {}",
       "exact: the query is the keyword. phrase: it holds the keyword's words side by side. broad: it holds "
       "them anywhere. A column match in the file may ask for a stricter one.",
       "broad", kAuctionBit, FlagGroup::kStudy, ValueKind::kChoice, ChoiceNames<KeywordMatch>(), false,
       Pick<[](Request& r) -> auto& { return Of(r).match; }>},
      {"--least-match", 0, "SHARE", "with --page, least share of an ad's words on the page", "Weighted: rare words count more.",
       "0.5", kAuctionBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Share<[](Request& r) -> auto& { return Of(r).least_match; }>},
      {"--page-terms", 0, "N", "with --page, how many of its words stand for it", "",
       "50", kAuctionBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return Of(r).page_terms; }, 1, 100000>},
      {"--reserve", 0, "AMOUNT", "lower bids do not take part; the last one shown pays it", "",
       "0.01", kAuctionBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Money<[](Request& r) -> auto& { return Of(r).reserve_cents; }>},
      {"--increment", 0, "AMOUNT", "gsp: added to the price that keeps a place", "",
       "0.01", kAuctionBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Money<[](Request& r) -> auto& { return Of(r).increment_cents; }>},
      {"--rounding", 0, "HOW", "gsp: to the cent before the increment: {}", "",
       "nearest", kAuctionBit, FlagGroup::kStudy, ValueKind::kChoice, ChoiceNames<PriceRounding>(), false,
       Pick<[](Request& r) -> auto& { return Of(r).rounding; }>},
      {"--steps", 0, "", "derive weights, order and prices instead, step by step",
       "How each price comes about, as on a board: the ad rank behind it by the own weight, the increment, and "
       "what bounds it.",
       "", kAuctionBit, FlagGroup::kOutput, ValueKind::kNone, {}, false,
       Switch<[](Request& r) -> auto& { return r.steps; }>},
      {"--slots", 0, "N", "places for ads; 0: one for each", "",
       "0", kAuctionBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return Of(r).slots; }, 0, 1000000>},
      {"--prior-clicks", 0, "N", "clicks added to those of the file", "",
       "1", kAuctionBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Count<[](Request& r) -> auto& { return Of(r).prior_clicks; }>},
      {"--prior-impressions", 0, "N", "impressions added to those of the file",
       "Few impressions say little: with these the rate begins at 1 in 100. 0 for both takes rates as counted.",
       "100", kAuctionBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Count<[](Request& r) -> auto& { return Of(r).prior_impressions; }>},
      {"--factors", 0, "FILE", "CSV of quality factors by place, hour, load time and landing page", "",
       "(none)", kAuctionBit, FlagGroup::kStudy, ValueKind::kFile, {}, false,
       Text<[](Request& r) -> auto& { return Of(r).factors; }>},
      {"--place", 0, "NAME", "where the user is, for --factors", "",
       "(unknown)", kAuctionBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Text<[](Request& r) -> auto& { return Of(r).place; }>},
      {"--hour", 0, "H", "hour of the user's day, 0 to 23, for --factors", "",
       "(unknown)", kAuctionBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return Of(r).hour; }, 0, 23>},
      {"--trademarks", 0, "FILE", "CSV of terms that only their owners may bid on", "",
       "(none)", kAuctionBit, FlagGroup::kStudy, ValueKind::kFile, {}, false,
       Text<[](Request& r) -> auto& { return Of(r).trademarks; }>},
      {"--landings", 0, "FILE", "CSV of what ads on landing pages earn, to find arbitrage", "",
       "(none)", kAuctionBit, FlagGroup::kStudy, ValueKind::kFile, {}, false,
       Text<[](Request& r) -> auto& { return Of(r).landings; }>},
      {"--views", 0, "SHARE,...", "how often each place is seen, as 1,0.5: adds VCG prices",
       "The prices of Vickrey, Clarke and Groves, under which a truthful bid is best, as a contrast. gsp only.",
       "(no contrast)", kAuctionBit, FlagGroup::kStudy, ValueKind::kWord, {}, true,
       TextList<[](Request& r) -> auto& { return Of(r).views; }>},
      {"--skip-bad", 0, "", "leave bad rows out and list them instead of refusing the file",
       "A row that is missing changes the prices of others: by default nothing is computed then.", "",
       kAuctionBit, FlagGroup::kStudy, ValueKind::kNone, {}, false,
       Switch<[](Request& r) -> auto& { return Of(r).skip_bad; }>},
      {"--tail", 0, "N", "auction log: queries asked at most so often are rare", "",
       "5", kAuctionBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return r.study->query_log.tail; }, 1, 1000>},
      {"--replications", 0, "N", "auction log: of the comparison with chance; 0: none", "",
       "200", kAuctionBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return r.study->query_log.replications; }, 0, 100000>},
      {"--engine", 0, "ENGINE", "auction page: whose results stand beside the ads",
       "As 'twinset engine query' takes it.",
       "", kAuctionBit, FlagGroup::kStudy, ValueKind::kFile, {}, false,
       Text<[](Request& r) -> auto& { return r.study->auction.engine; }>},
      {"--results", 0, "N", "auction page: results asked for", "",
       "10", kAuctionBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return r.study->auction.results; }, 1, 1000>},
      {"--same", 0, "T", "auction page: resemblance from which results are collapsed", "",
       "0.9", kAuctionBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Share<[](Request& r) -> auto& { return r.study->auction.same; }>},
  };
}
// clang-format on

}  // namespace twinset::cli
