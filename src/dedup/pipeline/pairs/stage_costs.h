// What a stage is about to cost: said before it is paid, and in forecasts
// (pipeline/forecast_run.h).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_PAIRS_STAGE_COSTS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_PAIRS_STAGE_COSTS_H_

#include <optional>
#include <string>
#include <string_view>

#include "pipeline/run/run.h"

namespace twinset {

struct StageCost {
  std::string_view stage;
  double steps = 0;
  std::string unit;    // what a step is, in the plural
  double seconds = 0;  // about
  std::string remedy;  // flags that cost less, in words; may be empty
};

// Documents that look for partners, and those among which they look: the first
// ones of classes of equal documents.
struct Seekers {
  double asking = 0, others = 0;
};

// The cost of finding candidates, if the method says what that takes; for a
// match, between two collections.
std::optional<StageCost> CandidateCost(const CandidateWork& work,
                                       const Seekers& seekers,
                                       bool two_collections, int threads);
// The same for a run whose order stage is done.
std::optional<StageCost> CandidateCost(const Run& run);

// The cost of comparing this many pairs in this many seconds.
StageCost VerifyCost(const PlanOptions& options, double pairs, double seconds);
// The cost of comparing the pairs of candidates.run, by the first of them:
// those that fit a fraction of a second are compared. Nothing for few pairs.
Result<std::optional<StageCost>> VerifyCost(Run* run);

// One line: "candidate: 8,749,000 look-ups, about 12 min 5 s; ...".
std::string CostText(const StageCost& cost);

// Tells on_notice of a cost from notice_seconds on.
void TellCost(const Run& run, const std::optional<StageCost>& cost);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_PAIRS_STAGE_COSTS_H_
