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
#include "twinset/options.h"
#include "twinset/qrels.h"

namespace twinset::inline v1 {

struct ChangeOptions {
  InputOptions input;  // how snapshots are written; its inputs are not used
  std::vector<std::string> snapshots;  // files or folders, in order of time
  // One a snapshot, ascending: RFC 3339, a date alone, or 14 digits. Empty: the
  // latest date of the records of each.
  std::vector<std::string> dates;
  FeatureOptions features;
  ResourceOptions resources;  // tmp: where the work folder is
  double near = 0.9;          // least Jaccard of a page that is nearly the same
  // New text lasts when it is still there in so many further captures.
  int lasting = 2;
  // File of lines url,count: visits of addresses; empty: none.
  std::string visits;
  std::string out;  // result folder; empty: none
  bool overwrite = false;
  bool report = false;  // also report.html; needs out
  const std::atomic<bool>* stop = nullptr;
};

// What became of an address from one snapshot to the next.
enum class PageState : uint8_t {
  kExact,       // the same text: equal sets of shingles
  kNear,        // a similarity of at least `near`
  kChanged,     // a lower one
  kGone,        // not there any more
  kMoved,       // the same: the text, or nearly it, stands at an address that
                // was not there
  kRedirected,  // the same: the address leads to another one
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
  // Of pages in both.
  double mean_jaccard = 0, mean_dice = 0;
  uint64_t links_added = 0, links_removed = 0;
  // Of the moved pages, those whose text is nearly the same.
  uint64_t moved_near = 0;
  // Of the redirected pages, those that lead to a page of the snapshot, and of
  // these the ones that find (nearly) their text there.
  uint64_t redirects_followed = 0, redirects_near = 0;

  uint64_t of(PageState state) const {
    return states[static_cast<size_t>(state)];
  }
  uint64_t in_both() const {
    return of(PageState::kExact) + of(PageState::kNear) +
           of(PageState::kChanged);
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
};

// Kendall's tau_b of the share of changed captures with a trait of the page.
struct ChangeCorrelation {
  // "depth", "pages_of_host", "visits" where there is a log; "amount": mean
  // 1 - Jaccard of its changes, of pages that change.
  std::string with;
  uint64_t pages = 0;
  // Nothing when one side is all ties. p: two-sided, by the normal law.
  std::optional<double> tau, p;
};

// Visits of a log by where they go.
struct ChangeVisits {
  uint64_t of_pages = 0;   // to an address of some snapshot
  uint64_t elsewhere = 0;  // to others
  // To pages of the last snapshot that have text, and of these to content that
  // stands there at another address too.
  uint64_t of_last = 0, of_shared = 0;
};

// Near-duplicates (two of six super-shingles equal) of a snapshot, and what
// became of them.
struct ChangeStability {
  uint64_t pairs = 0;  // different ones
  // Pairs of pages that share one super-shingle with more pages than are
  // compared, and so may be missing.
  uint64_t left_out = 0;
  // [k - 1]: at the k-th snapshot later, of all pairs of all snapshots that
  // have so many behind them.
  struct Later {
    uint64_t still = 0;  // near-duplicates
    uint64_t apart = 0;  // both there, and no near-duplicates any more
    uint64_t gone = 0;   // one or both not there
  };
  std::vector<Later> later;
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
  // Records that say that a page is as it was before; those of them that were
  // passed over, as they are of another address, or no capture comes before.
  uint64_t revisits = 0, unknown_revisits = 0;
  uint64_t redirects = 0;  // records that lead elsewhere, of all snapshots
  // Pages that count as gone and were not compared with every page that shares
  // a shingle with them: no more have moved without being found.
  uint64_t moves_left_out = 0;
  ChangeStability stability;
  std::optional<ChangeVisits> visits;
  LineCounts visit_lines;
  std::vector<SideRead> sides;  // the snapshots
  uint64_t worth = 0;           // pages with a value above 0 in recrawl.csv
  std::vector<std::string> warnings;
  std::string summary_json;
};

// Errors: kUsage for bad options, dates that do not ascend and a snapshot
// without any; the errors of reading; kInterrupted. Records that are not
// documents are counted, and those in quarantine listed in quarantine.jsonl.
// Memory: that of `resources`, whatever the size of the snapshots.
Result<ChangeResult> MeasureChange(const ChangeOptions& options);

// The finding in two sentences: how many pages are the same a snapshot later,
// and what became of the others.
struct ChangeFinding {
  std::string strong, text;
};
ChangeFinding FindingOf(const ChangeOptions& options,
                        const ChangeResult& result);

}  // namespace twinset::inline v1

#endif  // TWINSET_CHANGE_H_
