// The choices of `tune` that follow from a law alone, without thresholds of
// similarity: how long fingerprints must be, how many lexica there must be
// (docs/methods/tune.md).
#ifndef TWINSET_SRC_DEDUP_EVALUATE_TUNE_LAWS_H_
#define TWINSET_SRC_DEDUP_EVALUATE_TUNE_LAWS_H_

#include "methods/registry.h"
#include "twinset/error.h"
#include "twinset/tune.h"

namespace twinset {

// Is the method chosen by such a law?
inline bool IsOfLawAlone(CandidateLaw law) {
  return law == CandidateLaw::kCopies || law == CandidateLaw::kLexicons;
}

// kUsage when something was asked that this law does not answer.
Status CheckQuestions(const TuneOptions& options, CandidateLaw law);

// Lengths of fingerprints for options.collisions, and what may be expected of
// those of `method.bits` bits. kUsage for numbers that the laws do not take.
Status TuneCopies(const TuneOptions& options, TuneResult* result);

// The fewest lexica that find texts which differ in options.differing_terms
// terms with options.recall; a number of lexica that was given is kept. kUsage
// when none that the method takes are enough.
Status TuneLexicons(const TuneOptions& options, TuneResult* result);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_EVALUATE_TUNE_LAWS_H_
