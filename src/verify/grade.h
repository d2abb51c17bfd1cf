// How likely a reader would call a pair near-duplicates
// (docs/methods/grade.md).
#ifndef TWINSET_SRC_VERIFY_GRADE_H_
#define TWINSET_SRC_VERIFY_GRADE_H_

#include <array>
#include <cstdint>
#include <string>

#include "verify/pair_kind.h"

namespace twinset {

struct PairGrade {
  uint32_t per_mille = 0;  // the probability, 0 to 999
  std::string reason;      // one line for a person
};

// What the model sees of a pair, in 1/65536. Each feature speaks for a
// near-duplicate when it is large.
enum GradeFeature : uint8_t {
  kGradeJaccard,      // of the word 5-shingles
  kGradeSmaller,      // the smaller containment of them
  kGradeLarger,       // the larger containment of them
  kGradeS3,           // of the word 8-shingles
  kGradeLength,       // tokens of the shorter text / tokens of the longer one
  kGradeCloseLength,  // the part of kGradeLength above 0.8, stretched to 0..1
  kGradeLayout,       // 2 J - 1 of the layouts; 0 where they are not known
  kGradeFeatures
};
// "jaccard", "smaller_containment", ...
const char* GradeFeatureName(GradeFeature feature);
std::array<int64_t, kGradeFeatures> GradeFeaturesOf(const PairFacts& facts);

// Integers only: the same on every machine. Symmetric in the two documents.
// Rises with every feature (each weight is >= 0). Equal tokens are 999 by
// definition; a text without tokens is like none: 0.
PairGrade GradePair(const PairFacts& facts);

}  // namespace twinset

#endif  // TWINSET_SRC_VERIFY_GRADE_H_
