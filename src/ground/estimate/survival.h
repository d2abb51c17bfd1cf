// Survival from lifetimes that were not all seen to end: the product-limit
// estimate of Kaplan and Meier (JASA 1958) (docs/methods/change.md).
#ifndef TWINSET_SRC_GROUND_ESTIMATE_SURVIVAL_H_
#define TWINSET_SRC_GROUND_ESTIMATE_SURVIVAL_H_

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "estimate/intervals.h"

namespace twinset {

// Lifetimes by their length: how many ended after it, and how many were seen
// so long and no longer. Memory: the different lengths.
class Lifetimes {
 public:
  void AddEnd(int64_t length, uint64_t count = 1);
  void AddCensored(int64_t length, uint64_t count = 1);

  struct Count {
    uint64_t ends = 0, censored = 0;
  };
  const std::map<int64_t, Count>& by_length() const { return by_length_; }
  uint64_t size() const { return size_; }
  uint64_t ends() const { return ends_; }

 private:
  std::map<int64_t, Count> by_length_;
  uint64_t size_ = 0, ends_ = 0;
};

// The curve falls at `length` from the step before to `survival`.
struct SurvivalStep {
  int64_t length = 0;
  uint64_t at_risk = 0, ends = 0;
  double survival = 1, low = 0, high = 1;
};

// One step for each length at which lifetimes end. What is censored at a length
// outlives the ends there. The band is pointwise: Greenwood's variance on the
// scale log(-log S), so that it stays within [0, 1]; where S is 0 the formula
// has no value, and the band is that of the step before down to 0.
std::vector<SurvivalStep> SurvivalCurve(const Lifetimes& lifetimes,
                                        double z = kZ95);

// The least length at which at most half are left, and the same of both ends
// of the band; nothing where the curve (the end) stays above a half.
struct HalfLife {
  std::optional<int64_t> median, low, high;
};
HalfLife HalfLifeOf(const std::vector<SurvivalStep>& curve);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_ESTIMATE_SURVIVAL_H_
