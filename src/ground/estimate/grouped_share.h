// Shares whose trials come in groups that succeed or fail together
// (docs/methods/intervals.md). Only + - * / and sqrt: the same doubles on every
// machine.
#ifndef TWINSET_SRC_GROUND_ESTIMATE_GROUPED_SHARE_H_
#define TWINSET_SRC_GROUND_ESTIMATE_GROUPED_SHARE_H_

#include <cstdint>
#include <optional>

#include "estimate/intervals.h"

namespace twinset {

// Groups that are worth fewer bear no interval.
inline constexpr double kLeastGroups = 3;

// The successes among the trials of independent groups.
class GroupedTrials {
 public:
  // A group; successes <= trials. One without trials does not count.
  void Add(uint64_t trials, uint64_t successes);

  uint64_t trials() const { return static_cast<uint64_t>(trials_); }
  uint64_t successes() const { return static_cast<uint64_t>(successes_); }
  // Groups of equal size that tell as much, if each succeeds or fails as a
  // whole: (sum of trials)^2 / sum of trials^2 (Kish 1965).
  double worth() const;

  // Independent trials that would make the share as sure: at most as the share
  // varies between groups, and as trials of one group agree (the intraclass
  // correlation); and at most worth() where few groups hold all successes or
  // all failures, since then the others were not seen to vary.
  double EffectiveTrials() const;

  // 95 %: Wilson's of the effective trials, with Student's quantile of the
  // groups; plainly Wilson's when every group has one trial, [0, 1] without
  // any. None where the groups are worth fewer than kLeastGroups.
  std::optional<Interval> Share95() const;

 private:
  double groups_ = 0, trials_ = 0, successes_ = 0;
  // Sums over the groups of the products of trials t and successes s.
  double tt_ = 0, ts_ = 0, ss_ = 0, ss_by_t_ = 0;
};

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_ESTIMATE_GROUPED_SHARE_H_
