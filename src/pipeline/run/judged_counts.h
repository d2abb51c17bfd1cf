// How many listed pairs are of each kind (--kinds).
#ifndef TWINSET_SRC_PIPELINE_RUN_JUDGED_COUNTS_H_
#define TWINSET_SRC_PIPELINE_RUN_JUDGED_COUNTS_H_

#include <array>
#include <cstdint>

#include "twinset/json.h"
#include "twinset/judgements.h"
#include "verify/difference_kind.h"
#include "verify/pair_kind.h"

namespace twinset::inline v1 {

struct JudgedCounts {
  uint64_t pairs = 0;
  std::array<uint64_t, kDuplicateKinds> kinds{};
  std::array<uint64_t, kDifferenceKinds> differences{};
  std::array<uint64_t, 10> grades{};  // in tenths

  static void Fields(auto& counts, auto& field) {
    field("pairs", counts.pairs);
    field("kinds", counts.kinds);
    field("differences", counts.differences);
    field("grades", counts.grades);
  }
};

// With the names of the kinds.
JudgementCounts NamedCounts(const JudgedCounts& counts);
// For summary.json.
Json NamedCountsJson(const JudgedCounts& counts);

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_PIPELINE_RUN_JUDGED_COUNTS_H_
