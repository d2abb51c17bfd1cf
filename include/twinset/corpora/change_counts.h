// What a measurement of change counts (twinset/corpora/change.h): pages by what
// happened to them, curves of survival, near-duplicates over time.
#ifndef TWINSET_CORPORA_CHANGE_COUNTS_H_
#define TWINSET_CORPORA_CHANGE_COUNTS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "twinset/choices.h"
#include "twinset/corpora/study_counts.h"

namespace twinset {
inline namespace v1 {

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
    ChoiceTable<PageState>({{PageState::kExact, "exact"},
                            {PageState::kNear, "near"},
                            {PageState::kChanged, "changed"},
                            {PageState::kGone, "gone"},
                            {PageState::kMoved, "moved"},
                            {PageState::kRedirected, "redirected"},
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

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_CORPORA_CHANGE_COUNTS_H_
