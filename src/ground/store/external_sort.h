// Sorting of any number of fixed-size records in a stated amount of memory:
// sorted runs on disk, merged in as many passes as the memory needs.
#ifndef TWINSET_SRC_GROUND_STORE_EXTERNAL_SORT_H_
#define TWINSET_SRC_GROUND_STORE_EXTERNAL_SORT_H_

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
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

// What a sort does whatever its records are: its memory, its runs, when they
// are merged. Of the code that follows each type of records, of which there are
// eighty, only what compares them is left. For ExternalSorter alone.
class RawSorter {
 public:
  // Open files a merge may hold; the usual limit of a process is 1024.
  static constexpr size_t kMaxFanIn = 128;

  uint64_t added() const { return added_; }

 protected:
  struct Source {  // a run under merge
    std::optional<RawRunReader> reader;
    const char* next = nullptr;  // what is left of the block read last
    const char* end = nullptr;
  };

  RawSorter(ExternalSortOptions options, MemoryBudget* budget,
            size_t record_bytes);
  RawSorter(RawSorter&&) noexcept = default;
  ~RawSorter();

  // ---- what is told of the records ----

  // Sorts the first `size_` records of the buffer, drops those that are not to
  // stay, and sets `size_`.
  virtual void SortBuffer() = 0;
  // Takes the first record of each source; none of them is empty.
  virtual void BeginMerge() = 0;
  // Appends all records of the sources in order, and tells of them.
  virtual Status MergeInto(RawRunWriter* writer) = 0;
  virtual void EndMerge() = 0;

  // ---- what is done for them ----

  Status MakeRoom();
  Status Finish();
  // Reads the next block of a source of which all was read; false at the end.
  static Result<bool> NextBlock(Source* source);
  void TellMerged() {
    constexpr uint64_t kTellEvery = 1 << 16;
    if (++merged_ % kTellEvery == 0) Tell();
  }
  bool finished() const { return finished_; }
  static Error NotFinished();
  // Gives back all that the sort holds. The records have been read.
  Status GiveBack();

  char* buffer() { return buffer_.data(); }
  const ExternalSortOptions& options() const { return options_; }

  size_t size_ = 0;  // records in the buffer
  size_t room_ = 0;  // records the buffer takes now; 0 until it is mapped
  // A finished sort that stayed in memory reads the buffer's records from here.
  size_t next_ = 0, ready_ = 0;
  std::vector<Source> sources_;
  uint64_t added_ = 0;

 private:
  // Records in a full buffer; the block of the run writer comes out of the same
  // reservation.
  size_t Capacity() const {
    return (reservation_.bytes() - kRunBlockBytes) / record_bytes_;
  }
  // Runs that `bytes` can merge: a block each, its place in the heap, and the
  // file's name.
  size_t FanIn(uint64_t bytes) const;
  Status OpenRuns(size_t count);
  void CloseSources();
  Status WriteRun(const std::function<Status(RawRunWriter*)>& append);
  Status Spill();
  Status MergePass(size_t count);
  Status RemoveRuns(size_t count);
  void Tell() const {
    if (options_.told) options_.told(merged_, added_);
  }

  ExternalSortOptions options_;
  Reservation reservation_;
  LazyBuffer buffer_;
  size_t record_bytes_;
  std::vector<std::string>
      runs_;  // paths of the runs still to be merged, oldest first
  size_t runs_created_ = 0;
  uint64_t merged_ = 0;
  bool finished_ = false;
};

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
class ExternalSorter final : public RawSorter {
  static_assert(std::is_trivially_copyable_v<T> &&
                sizeof(T) <= kRunMaxElementBytes);

 public:
  // Reserves memory_bytes (at least 256 KB) from `budget`, which must outlive
  // the sorter.
  ExternalSorter(ExternalSortOptions options, MemoryBudget* budget)
      : RawSorter(std::move(options), budget, sizeof(T)) {}

  Status Add(const T& record) {
    if (size_ == room_) TWINSET_TRY(MakeRoom());
    records()[size_++] = record;
    ++added_;
    return {};
  }
  Status Finish() { return RawSorter::Finish(); }
  // Copies the next record in order; false at the end.
  Result<bool> Next(T* record) {
    if (next_ == ready_) return NextOfRuns(record);
    *record = records()[next_++];
    return true;
  }

 private:
  struct Head {  // the current record of a source
    T record;
    uint32_t source;
  };

  T* records() { return reinterpret_cast<T*>(buffer()); }

  void SortBuffer() override;
  void BeginMerge() override;
  Status MergeInto(RawRunWriter* writer) override;
  void EndMerge() override;

  static void Take(Source* source, T* record) {
    std::memcpy(record, source->next, sizeof(T));
    source->next += sizeof(T);
  }
  void SiftDown(size_t hole);
  Result<bool> NextMerged(T* record);
  Result<bool> NextDistinct(T* record);
  Result<bool> NextOfRuns(T* record);

  std::unique_ptr<Head[]> heap_;  // binary, smallest record first
  size_t heads_ = 0;
  std::optional<T> last_;  // the record last returned by NextDistinct
};

}  // namespace twinset

#include "store/external_sort-inl.h"

#endif  // TWINSET_SRC_GROUND_STORE_EXTERNAL_SORT_H_
