// Sorting of any number of fixed-size records in a stated amount of memory: sorted runs on disk,
// merged in as many passes as the memory needs.
#ifndef TWINSET_SRC_STORE_EXTERNAL_SORT_H_
#define TWINSET_SRC_STORE_EXTERNAL_SORT_H_

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/memory_budget.h"
#include "store/run_file.h"
#include "twinset/error.h"

namespace twinset {

struct ExternalSortOptions {
  std::string directory;            // for run files NAME-0.run, NAME-1.run, ...; must exist
  std::string name;                 // of this sort; unique within the directory
  uint64_t memory_bytes = 1 << 20;  // buffer while adding; merge buffers while reading
  uint64_t parameters_hash = 0;     // goes into the headers of the runs
  bool unique = false;              // drop records equal to their predecessor (under <)
  int threads = 1;                  // for sorting a full buffer
};

// Usage: Add every record, Finish once, then Next until false. T is trivially copyable and has a
// total order `operator<`; records equal under it must be interchangeable (the sort is not
// stable), so that the output is a function of the set of records alone. What fits in
// memory_bytes never touches the disk. Runs are removed when the sorter is destroyed.
// Not thread-safe.
template <typename T>
class ExternalSorter {
 public:
  // Reserves memory_bytes (at least 256 KB) from `budget`, which must outlive the sorter.
  ExternalSorter(ExternalSortOptions options, MemoryBudget* budget);
  ExternalSorter(ExternalSorter&&) = default;
  ~ExternalSorter();

  Status Add(const T& record);
  Status Finish();
  // Copies the next record in order; false at the end.
  Result<bool> Next(T* record);

  uint64_t added() const { return added_; }

 private:
  struct Source {  // one run under merge and its current record
    RunReader<T> reader;
    T record;
  };
  static bool Later(const Source& a, const Source& b) { return b.record < a.record; }

  std::string RunPath(size_t index) const {
    return options_.directory + "/" + options_.name + "-" + std::to_string(index) + ".run";
  }
  size_t capacity() const { return std::max<size_t>(1, reservation_.bytes() / sizeof(T)); }
  size_t fan_in() const {
    return std::max<size_t>(2, reservation_.bytes() / (kRunBlockBytes + sizeof(Source) + 256));
  }
  void SortBuffer();
  Status Spill();
  Status OpenMerge(size_t begin, size_t end);
  Result<bool> NextMerged(T* record);
  Status MergePass();

  ExternalSortOptions options_;
  Reservation reservation_;
  std::vector<T> buffer_;
  size_t position_ = 0;             // in buffer_, when everything stayed in memory
  std::vector<std::string> runs_;   // paths of the runs still to be merged
  size_t runs_created_ = 0;
  std::vector<Source> sources_;     // a heap by Later
  bool has_last_ = false;
  T last_{};
  uint64_t added_ = 0;
};

}  // namespace twinset

#include "store/external_sort-inl.h"

#endif  // TWINSET_SRC_STORE_EXTERNAL_SORT_H_
