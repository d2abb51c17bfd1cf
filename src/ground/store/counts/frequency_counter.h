// Counts in how many documents each feature occurs, in a stated amount of
// memory (docs/methods/common-text.md).
#ifndef TWINSET_SRC_GROUND_STORE_COUNTS_FREQUENCY_COUNTER_H_
#define TWINSET_SRC_GROUND_STORE_COUNTS_FREQUENCY_COUNTER_H_

#include <span>

#include "core/frequency_table.h"
#include "store/external_sort.h"

namespace twinset {

// Not thread-safe.
class FrequencyCounter {
 public:
  // Sorts in options.memory_bytes of `budget`, which must outlive it.
  FrequencyCounter(const ExternalSortOptions& options, MemoryBudget* budget);

  // The features of one document, ascending; repeats count once.
  Status Add(std::span<const uint64_t> features);

  // The features of highest frequency, at least 2: at most
  // FrequencyTable::kMaxFeatures, all of one frequency or none. While it works
  // it takes 28 bytes per feature that is held beside the sort, even beyond the
  // budget. Once, after the last Add.
  Result<FrequencyTable> Finish();

 private:
  ExternalSorter<uint64_t> occurrences_;
  MemoryBudget* budget_;
  uint64_t documents_ = 0;
};

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_STORE_COUNTS_FREQUENCY_COUNTER_H_
