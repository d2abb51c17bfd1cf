// How likely a reader would call a pair near-duplicates
// (docs/methods/grade.md).
#ifndef TWINSET_SRC_STAGES_VERIFY_GRADE_H_
#define TWINSET_SRC_STAGES_VERIFY_GRADE_H_

#include <cstdint>
#include <string>

#include "verify/pair_kind.h"

namespace twinset {

struct PairGrade {
  uint32_t per_mille = 0;  // the probability, 0 to 999
  int64_t jaccard = 0;     // what it follows from, in 1/65536
  std::string reason;      // one line for a person
};

// A calibrated Jaccard of `content`: rises with it and with nothing else, so
// it orders pairs as Jaccard does. Integers only: the same on every machine.
// Symmetric in the two documents. Equal tokens are 999 by definition; a text
// without tokens is like none: 0. The reason names further facts, which do not
// move the probability.
PairGrade GradePair(const PairFacts& facts);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_VERIFY_GRADE_H_
