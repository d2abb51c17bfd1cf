// Sorting of any number of fixed-size records in a stated amount of memory:
// sorted runs on disk, merged in as many passes as the memory needs.
#ifndef TWINSET_SRC_GROUND_STORE_EXTERNAL_SORT_H_
#define TWINSET_SRC_GROUND_STORE_EXTERNAL_SORT_H_

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/memory_budget.h"
#include "base/sort_records.h"
#include "store/lazy_buffer.h"
#include "store/run_file.h"
#include "twinset/error.h"

namespace twinset {

struct ExternalSortOptions {
  std::string
      directory;     // for run files NAME-0.run, NAME-1.run, ...; must exist
  std::string name;  // of this sort; unique within the directory
  uint64_t memory_bytes =
      1 << 20;  // buffer while adding; merge buffers while reading
  uint64_t parameters_hash = 0;  // goes into the headers of the runs
  bool unique = false;  // drop records equal to their predecessor (under <)
  int threads = 1;      // for sorting a full buffer
  // Told while runs are merged and before the last buffer is sorted: records
  // that were merged, and how many there are; may be null.
  std::function<void(uint64_t merged, uint64_t records)> told;
};

inline constexpr uint64_t kExternalSortMinimumBytes = 256 << 10;

// Usage: Add every record, Finish once, then Next until false. T is trivially
// copyable and has a total order `operator<`; records equal under it must be
// interchangeable (the sort is not stable), so that the output is a function of
// the set of records alone. What fits in memory_bytes never touches the disk.
// Runs are removed when their records have been read, and when the sorter is
// destroyed. Memory is resident only as far as records fill it; at the end of
// the records it is given back. Not thread-safe; a sorter that was moved from
// can only be destroyed.
//
// Cost: SortRecords of each full buffer (a radix sort for types with
// SortWords); with `unique` a buffer of mostly equal records is thinned out in
// memory. Each pass writes and reads every record once, with memory_bytes / 64
// KB (at most kMaxFanIn) runs a pass. An Add or Finish that failed for lack of
// disk space may be repeated; no record is lost.
template <typename T>
class ExternalSorter {
  static_assert(std::is_trivially_copyable_v<T> &&
                sizeof(T) <= kRunMaxElementBytes);

 public:
  // Open files a merge may hold; the usual limit of a process is 1024.
  static constexpr size_t kMaxFanIn = 128;

  // Reserves memory_bytes (at least 256 KB) from `budget`, which must outlive
  // the sorter.
  ExternalSorter(ExternalSortOptions options, MemoryBudget* budget);
  ExternalSorter(ExternalSorter&&) noexcept = default;
  ~ExternalSorter();

  Status Add(const T& record) {
    if (size_ == room_) TWINSET_TRY(MakeRoom());
    records()[size_++] = record;
    ++added_;
    return {};
  }
  Status Finish();
  // Copies the next record in order; false at the end.
  Result<bool> Next(T* record) {
    if (sorted_.empty()) return NextOfRuns(record);
    *record = sorted_.front();
    sorted_ = sorted_.subspan(1);
    return true;
  }

  uint64_t added() const { return added_; }

 private:
  struct Source {  // a run under merge
    std::optional<RunReader<T>> reader;
    std::span<const T> block;  // what is left of the block that was read last
  };
  struct Head {  // the current record of a source
    T record;
    uint32_t source;
  };

  T* records() { return reinterpret_cast<T*>(buffer_.data()); }
  std::string RunPath(size_t index) const {
    return options_.directory + "/" + options_.name + "-" +
           std::to_string(index) + ".run";
  }
  // Records in a full buffer; the block of the run writer comes out of the same
  // reservation.
  size_t capacity() const {
    return (reservation_.bytes() - kRunBlockBytes) / sizeof(T);
  }
  // Runs that `bytes` can merge: a block each, its place in the heap, and the
  // file's name.
  static size_t FanIn(uint64_t bytes) {
    constexpr uint64_t kEach =
        kRunBlockBytes + sizeof(Source) + sizeof(Head) + 256;
    return std::clamp<uint64_t>(bytes / kEach, 2, kMaxFanIn);
  }

  Status MakeRoom();
  void SortBuffer();
  Status OpenRuns(size_t count);
  void CloseSources();
  Result<bool> Read(Source* source, T* record);
  void SiftDown();
  Result<bool> NextMerged(T* record);
  Result<bool> NextDistinct(T* record);
  Result<bool> NextOfRuns(T* record);
  template <typename Append>
  Status WriteRun(const Append& append);
  Status Spill();
  Status MergePass(size_t count);
  void Tell() const {
    if (options_.told) options_.told(merged_, added_);
  }
  Status RemoveRuns(size_t count);

  ExternalSortOptions options_;
  Reservation reservation_;
  LazyBuffer buffer_;
  size_t size_ = 0;  // records in buffer_
  size_t room_ = 0;  // records buffer_ takes now; 0 until it is mapped
  std::span<const T> sorted_;  // what is still to be read of buffer_
  std::vector<std::string>
      runs_;  // paths of the runs still to be merged, oldest first
  size_t runs_created_ = 0;
  std::vector<Source> sources_;
  std::vector<Head> heap_;  // binary heap, smallest record first
  std::optional<T> last_;   // the record last returned by NextDistinct
  uint64_t added_ = 0, merged_ = 0;
  bool finished_ = false;
};

}  // namespace twinset

#include "store/external_sort-inl.h"

#endif  // TWINSET_SRC_GROUND_STORE_EXTERNAL_SORT_H_
