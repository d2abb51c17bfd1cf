// The question itself: does a comparison of retrieval systems carry over from
// A to B (docs/methods/transfer-study.md)?
#ifndef TWINSET_SRC_CORPORA_TRANSFER_CARRY_OVER_H_
#define TWINSET_SRC_CORPORA_TRANSFER_CARRY_OVER_H_

#include <atomic>
#include <string>
#include <vector>

#include "transfer/study_plan.h"
#include "twinset/corpora/study_transfer.h"
#include "twinset/error.h"
#include "twinset/options.h"

namespace twinset {

struct CarryInput {
  const StudyPlan* plan = nullptr;
  ContentMode content = ContentMode::kAll;
  std::string pairs;        // near-duplicates: {"a","b","similarity"}
  std::string transferred;  // judgements of B
  std::string work;         // folder for work files
  ResourceOptions resources;
  const std::atomic<bool>* stop = nullptr;
};

// Judgements carried along pairs into the file `transferred`, by grade and
// topic.
Result<StudyTransfer> CarryJudgements(const CarryInput& input);

// Eight systems over an index of A and of B, and three conditions kept apart:
// A's rankings under A's judgements; these rankings with B's ids under the
// transferred judgements; new rankings of B under the transferred judgements,
// as they are and condensed to judged documents. Each against the first: tau_b,
// swaps, and systems. Then the same with fewer transferred judgements: shares
// of the judged documents of B, drawn with the seed.
Result<StudyCarryOver> CompareSystems(const CarryInput& input);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_TRANSFER_CARRY_OVER_H_
