// What changed between snapshots of one web: pages, their text and links, how
// long both live, and which pages are worth another visit
// (docs/methods/change.md).
#ifndef TWINSET_CHANGE_H_
#define TWINSET_CHANGE_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "twinset/choices.h"
#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/options.h"
#include "twinset/progress.h"
#include "twinset/qrels.h"
#include "twinset/result_page.h"
#include "twinset/sides.h"
#include "twinset/text_choices.h"
#include "twinset/version.h"

namespace twinset {
inline namespace v1 {

struct ChangeOptions {
  InputOptions input;  // how snapshots are written; its inputs are not used
  std::vector<std::string> snapshots;  // files or folders, in order of time
  // One date per snapshot, ascending: RFC 3339, a date alone, or 14 digits. If
  // empty, the latest date of its records dates each snapshot.
  std::vector<std::string> dates;
  FeatureOptions features;
  ResourceOptions resources;  // tmp: where the work folder is
  double near = 0.9;          // least Jaccard of a page that is nearly the same
  // New text lasts if this many further captures still have it.
  int lasting = 2;
  // File with the visits of addresses, in lines url,count; empty: none.
  std::string visits;
  std::string out;  // result folder; empty: none
  bool overwrite = false;
  bool report = false;  // also report.html; needs out
  const std::atomic<bool>* stop = nullptr;
  ProgressSink on_progress;
};

// What happened to an address from one snapshot to the next.
enum class PageState : uint8_t {
  kExact,       // the same text: equal sets of shingles
  kNear,        // a similarity of at least `near`
  kChanged,     // a lower one
  kGone,        // the address is gone
  kMoved,       // it is gone, and a new address has the text, or nearly so
  kRedirected,  // it is gone, and now leads to another address
  kNew,         // there for the first time
  kReturned,    // there again, after a snapshot without it
};
template <>
inline constexpr auto kChoices<PageState> =
    std::to_array<NamedChoice<PageState>>({{PageState::kExact, "exact"},
                                           {PageState::kNear, "near"},
                                           {PageState::kChanged, "changed"},
                                           {PageState::kGone, "gone"},
                                           {PageState::kMoved, "moved"},
                                           {PageState::kRedirected,
                                            "redirected"},
                                           {PageState::kNew, "new"},
                                           {PageState::kReturned, "returned"}});
inline constexpr size_t kPageStates = 8;

// From a snapshot to the one behind it.
struct ChangeStep {
  std::string from, to;                           // dates
  std::array<uint64_t, kPageStates> states = {};  // by PageState
  // These four count only pages that both snapshots have.
  double mean_jaccard = 0, mean_dice = 0;
  uint64_t links_added = 0, links_removed = 0;
  // Moved pages whose text is nearly, but not exactly, the same.
  uint64_t moved_near = 0;
  // Redirected pages that lead to a page of the snapshot, and those among them
  // that lead to their own text, or nearly so.
  uint64_t redirects_followed = 0, redirects_near = 0;

  uint64_t of(PageState state) const {
    return states[static_cast<size_t>(state)];
  }
  uint64_t in_both() const {
    return of(PageState::kExact) + of(PageState::kNear) +
           of(PageState::kChanged);
  }

  static void Fields(auto& step, auto& field) {
    field("from", step.from);
    field("to", step.to);
    field.template ByChoice<PageState>(step.states);
    field.Rounded("mean_jaccard", step.mean_jaccard, 6);
    field.Rounded("mean_dice", step.mean_dice, 6);
    field("links_added", step.links_added);
    field("links_removed", step.links_removed);
    field("moved_near", step.moved_near);
    field("redirects_followed", step.redirects_followed);
    field("redirects_near", step.redirects_near);
  }
};

// A curve of survival. Lengths are in days.
struct ChangeCurve {
  // "address": until it is gone for good; "unchanged": until the text first
  // differs; "fragment": of shingles that came while the page was watched.
  std::string what;
  std::string group;  // "all", "tld:org", "depth:2"
  uint64_t watched = 0, ends = 0;
  struct Step {
    double days = 0;
    uint64_t at_risk = 0, ends = 0;
    double survival = 0, low = 0, high = 0;  // 95 %, pointwise
  };
  std::vector<Step> steps;
  std::optional<double> half_life, half_life_low, half_life_high;

  static void Fields(auto& curve, auto& field) {
    field("what", curve.what);
    field("group", curve.group);
    field("watched", curve.watched);
    field("ends", curve.ends);
    field.OrNull("half_life_days", curve.half_life);
    field.OrNull("low", curve.half_life_low);
    field.OrNull("high", curve.half_life_high);
  }
};

// Kendall's tau_b between the share of changed captures of a page and a trait
// of the page.
struct ChangeCorrelation {
  // "depth", "pages_of_host"; "visits" if a log is given; "amount", the mean
  // 1 - Jaccard of the changes, for pages that change.
  std::string with;
  uint64_t pages = 0;
  // Absent when all values of one side are equal. p is two-sided, by the normal
  // law.
  std::optional<double> tau, p;

  static void Fields(auto& row, auto& field) {
    field("with", row.with);
    field("pages", row.pages);
    field.OrNull("tau_b", row.tau, 6);
    field.OrNull("p", row.p, 9);
  }
};

// How many visits of a log go where.
struct ChangeVisits {
  uint64_t of_pages = 0;   // to an address of some snapshot
  uint64_t elsewhere = 0;  // to other addresses
  // To pages of the last snapshot that have text; and those among them to
  // content that the snapshot has at another address too.
  uint64_t of_last = 0, of_shared = 0;
  LineCounts lines;  // of the log

  static void Fields(auto& visits, auto& field) {
    field("of_pages", visits.of_pages);
    field("elsewhere", visits.elsewhere);
    field("of_last", visits.of_last);
    field("of_shared", visits.of_shared);
    field("lines", visits.lines.lines);
    field("used", visits.lines.used);
    field("left_out", visits.lines.left_out);
  }
};

// Near-duplicates (two of six super-shingles are equal) of a snapshot, and what
// happened to them later.
struct ChangeStability {
  uint64_t pairs = 0;  // distinct pairs
  // Pairs that were not compared, and may be missing, because too many pages
  // share one of their super-shingles.
  uint64_t left_out = 0;
  // later[k - 1] describes the k-th snapshot after a pair was found, summed
  // over all pairs of all snapshots that so many others follow.
  struct Later {
    uint64_t snapshots = 0;  // k
    uint64_t still = 0;      // the two are still near-duplicates
    uint64_t apart = 0;      // both are there, but no near-duplicates any more
    uint64_t gone = 0;       // one of them or both are gone

    static void Fields(auto& later, auto& field) {
      field("later", later.snapshots);
      field("still", later.still);
      field("apart", later.apart);
      field("gone", later.gone);
    }
  };
  std::vector<Later> later;

  static void Fields(auto& stability, auto& field) {
    field("pairs", stability.pairs);
    field("left_out", stability.left_out);
    field("later", stability.later);
  }
};

// What decided the result.
struct ChangeParameters {
  double near = 0;
  int lasting = 0;
  TokenRule tokens = TokenRule::kUnicode;
  std::string shingle;
  ContentMode content = ContentMode::kMain;

  static void Fields(auto& parameters, auto& field) {
    field("near", parameters.near);
    field("lasting", parameters.lasting);
    field("tokens", parameters.tokens);
    field("shingle", parameters.shingle);
    field("content", parameters.content);
  }
};

struct ChangeResult {
  std::vector<std::string> dates;  // of the snapshots
  std::vector<ChangeStep> steps;   // one less than snapshots
  std::vector<ChangeCurve> curves;
  std::vector<ChangeCorrelation> correlations;
  uint64_t captures = 0;  // pages of all snapshots
  uint64_t pages = 0;     // different addresses
  uint64_t repeated = 0;  // captures that a later one of the snapshot replaced
  uint64_t quarantined = 0;
  // Records that say that a page did not change; and those among them that were
  // passed over, because they refer to another address or to no capture.
  uint64_t revisits = 0, unknown_revisits = 0;
  uint64_t redirects = 0;  // records that lead elsewhere, of all snapshots
  // Pages that count as gone but were not compared with every page that shares
  // a shingle with them. No other page can have moved without being found.
  uint64_t moves_left_out = 0;
  ChangeStability stability;
  std::optional<ChangeVisits> visits;  // nothing without a log
  std::vector<SideRead> sides;         // the snapshots, then the log
  uint64_t worth = 0;  // pages with a value above 0 in recrawl.csv
  std::vector<std::string> warnings;
  ChangeParameters parameters;
  ResultPage page;

  static void Fields(auto& result, auto& field) {
    field.Derived("version", std::string(kVersion));
    field("dates", result.dates);
    field.Derived("sides", SidesJson(result.sides));
    field("captures", result.captures);
    field("pages", result.pages);
    field("repeated", result.repeated);
    field("quarantined", result.quarantined);
    field("revisits", result.revisits);
    field("unknown_revisits", result.unknown_revisits);
    field("redirects", result.redirects);
    field("moves_left_out", result.moves_left_out);
    field("worth_a_visit", result.worth);
    field("steps", result.steps);
    field("curves", result.curves);
    field("change_rate_with", result.correlations);
    field("near_duplicates", result.stability);
    field("parameters", result.parameters);
    field("warnings", result.warnings);
    field("visits", result.visits);
  }
};

// What summary.json holds.
Json SummaryJson(const ChangeResult& result);

// Errors: kUsage for bad options, for dates that do not ascend and for a
// snapshot without a date; the errors of reading; kInterrupted. The result
// counts records that are not documents; quarantine.jsonl lists those in
// quarantine. Memory: that of `resources`, whatever the size of the snapshots.
Result<ChangeResult> MeasureChange(const ChangeOptions& options);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_CHANGE_H_
