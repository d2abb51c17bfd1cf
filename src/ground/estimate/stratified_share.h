// A share of a population of which every stratum was sampled by itself
// (docs/methods/assessment.md). Only + - * / and sqrt: the same doubles on
// every machine.
#ifndef TWINSET_SRC_GROUND_ESTIMATE_STRATIFIED_SHARE_H_
#define TWINSET_SRC_GROUND_ESTIMATE_STRATIFIED_SHARE_H_

#include <cstdint>
#include <span>

#include "estimate/intervals.h"

namespace twinset {

struct Stratum {
  double weight = 0;  // its size; weights are known up to a factor
  uint64_t successes = 0, trials = 0;
};

struct StratifiedShare {
  double share = 0;    // of the strata with trials, weighted
  Interval interval;   // of all strata
  double covered = 0;  // share of the weight that has trials
};

// Sum of weight x share, with the interval of squares added: the distance of
// each end is the root of the sum of the squared distances that the ends of the
// strata's Wilson intervals have, times their weights (Zou and Donner,
// "Construction of confidence limits about effect measures", Statistics in
// Medicine 2008). Of one stratum it is Wilson's. A stratum without trials may
// have any share: it adds 0 to the lower end and its weight to the upper one.
// [0, 1] without any trial.
StratifiedShare StratifiedWilson(std::span<const Stratum> strata,
                                 double z = kZ95);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_ESTIMATE_STRATIFIED_SHARE_H_
