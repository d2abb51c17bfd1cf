// What is said of a pair of documents beside its similarity.
#ifndef TWINSET_JUDGEMENTS_H_
#define TWINSET_JUDGEMENTS_H_

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace twinset::inline v1 {

// How many listed pairs of a run are of each kind. Every name is there, also
// those of no pair.
struct JudgementCounts {
  uint64_t pairs = 0;
  // What they share (docs/methods/kinds.md), and what differs
  // (docs/methods/kinds-of-difference.md).
  std::vector<std::pair<std::string, uint64_t>> duplicate_kinds, differences;
  // Place i: those whose grade (docs/methods/grade.md) is in [i/10, (i+1)/10).
  std::array<uint64_t, 10> grades{};
};

}  // namespace twinset::inline v1

#endif  // TWINSET_JUDGEMENTS_H_
