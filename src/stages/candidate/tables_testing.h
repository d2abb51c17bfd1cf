// The keys of tables by their definition, for tests.
#ifndef TWINSET_SRC_STAGES_CANDIDATE_TABLES_TESTING_H_
#define TWINSET_SRC_STAGES_CANDIDATE_TABLES_TESTING_H_

#include <cstdint>

#include "candidate/tables.h"

namespace twinset {

// The key of a sketch in one table as a number, leading place highest; the
// first 64 bits of a longer one.
inline uint64_t TableKey(const PermutedTable& table, int bits,
                         SketchView sketch) {
  uint64_t key = 0;
  int taken = 0;
  for (const BitRun& run : table.key) {
    for (int place = run.begin; place < run.begin + run.length; ++place) {
      if (taken++ == 64) return key;
      const size_t bit = FingerprintBit(bits, place);
      key = key << 1 | (sketch[bit / 32] >> (bit % 32) & 1);
    }
  }
  return key;
}

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_TABLES_TESTING_H_
