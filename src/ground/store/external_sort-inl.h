// Implementation of external_sort.h; include that.
#ifndef TWINSET_SRC_GROUND_STORE_EXTERNAL_SORT_INL_H_
#define TWINSET_SRC_GROUND_STORE_EXTERNAL_SORT_INL_H_

#include "store/external_sort.h"  // for tools that read this file alone

namespace twinset {

template <typename T>
ExternalSorter<T>::ExternalSorter(ExternalSortOptions options,
                                  MemoryBudget* budget)
    : options_(std::move(options)),
      reservation_(budget->ReserveUpTo(
          std::max(options_.memory_bytes, kExternalSortMinimumBytes),
          kExternalSortMinimumBytes)) {}

// A run that cannot be removed here goes with its folder; there is nobody to
// tell.
template <typename T>
ExternalSorter<T>::~ExternalSorter() {
  for (const std::string& path : runs_) (void)RemoveFile(path);
}

template <typename T>
Status ExternalSorter<T>::MakeRoom() {
  if (finished_)
    return Fail(ErrorCode::kInternal, "record added to a finished sort");
  if (!reservation_.ok())
    return Fail(ErrorCode::kInternal, "record added to a moved-from sort");
  if (size_ > 0) {
    SortBuffer();
    // Enough equal records are gone to sort the rest again with what comes.
    return size_ <= capacity() / 2 ? Status() : Spill();
  }
  TWINSET_ASSIGN(buffer_, LazyBuffer::Map(capacity() * sizeof(T)));
  room_ = capacity();
  return {};
}

template <typename T>
void ExternalSorter<T>::SortBuffer() {
  SortRecords(records(), size_, options_.threads);
  if (!options_.unique) return;
  const T* const end = std::unique(
      records(), records() + size_,
      [](const T& earlier, const T& later) { return !(earlier < later); });
  size_ = static_cast<size_t>(end - records());
}

// Opens the `count` oldest runs for merging.
template <typename T>
Status ExternalSorter<T>::OpenRuns(size_t count) {
  CloseSources();
  sources_.reserve(count);
  heap_.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    TWINSET_ASSIGN(auto reader,
                   RunReader<T>::Open(runs_[i], options_.parameters_hash));
    Source source;
    source.reader.emplace(std::move(reader));
    T record{};
    TWINSET_ASSIGN(const bool more, Read(&source, &record));
    if (!more) continue;
    heap_.push_back({record, static_cast<uint32_t>(sources_.size())});
    sources_.push_back(std::move(source));
  }
  std::make_heap(heap_.begin(), heap_.end(), [](const Head& a, const Head& b) {
    return b.record < a.record;
  });
  return {};
}

template <typename T>
void ExternalSorter<T>::CloseSources() {
  sources_.clear();
  heap_.clear();
  last_.reset();
}

template <typename T>
Result<bool> ExternalSorter<T>::Read(Source* source, T* record) {
  if (source->block.empty()) {
    TWINSET_ASSIGN(source->block, source->reader->NextBlock());
    if (source->block.empty()) return false;
  }
  *record = source->block.front();
  source->block = source->block.subspan(1);
  return true;
}

// Restores the heap after its first element grew.
template <typename T>
void ExternalSorter<T>::SiftDown() {
  const Head moving = heap_[0];
  size_t hole = 0;
  for (size_t child = 1; child < heap_.size(); child = 2 * hole + 1) {
    if (child + 1 < heap_.size() &&
        heap_[child + 1].record < heap_[child].record)
      ++child;
    if (!(heap_[child].record < moving.record)) break;
    heap_[hole] = heap_[child];
    hole = child;
  }
  heap_[hole] = moving;
}

template <typename T>
Result<bool> ExternalSorter<T>::NextMerged(T* record) {
  if (heap_.empty()) return false;
  Head& head = heap_[0];
  *record = head.record;
  Source& source = sources_[head.source];
  TWINSET_ASSIGN(const bool more, Read(&source, &head.record));
  if (!more) {
    source.reader.reset();
    head = heap_.back();
    heap_.pop_back();
  }
  if (heap_.size() > 1) SiftDown();
  return true;
}

template <typename T>
Result<bool> ExternalSorter<T>::NextDistinct(T* record) {
  for (;;) {
    TWINSET_ASSIGN(const bool more, NextMerged(record));
    if (!more) return false;
    if (!options_.unique) return true;
    if (!last_.has_value() || *last_ < *record) break;
  }
  last_ = *record;
  return true;
}

// Makes one more run of what `append` gives its writer. A failed one leaves no
// file.
template <typename T>
template <typename Append>
Status ExternalSorter<T>::WriteRun(const Append& append) {
  const std::string path = RunPath(runs_created_++);
  const auto write = [&]() -> Status {
    TWINSET_ASSIGN(auto writer,
                   RunWriter<T>::Create(path, options_.parameters_hash));
    TWINSET_TRY(append(&writer));
    return writer.Finish(/*sync=*/false);
  };
  runs_.push_back(path);
  Status written = write();
  if (!written) {
    (void)RemoveFile(path);  // `written` says what is wrong
    runs_.pop_back();
  }
  return written;
}

// Writes the buffer, which is sorted.
template <typename T>
Status ExternalSorter<T>::Spill() {
  TWINSET_TRY(WriteRun([&](RunWriter<T>* writer) {
    return writer->Append(std::span<const T>(records(), size_));
  }));
  size_ = 0;
  return {};
}

// Replaces the `count` oldest runs by their merge, which becomes the youngest.
template <typename T>
Status ExternalSorter<T>::MergePass(size_t count) {
  TWINSET_TRY(OpenRuns(count));
  const Status written = WriteRun([&](RunWriter<T>* writer) -> Status {
    T record{};
    for (;;) {
      TWINSET_ASSIGN(const bool more, NextDistinct(&record));
      if (!more) return {};
      TWINSET_TRY(writer->Append(record));
      constexpr uint64_t kTellEvery = 1 << 16;
      if (++merged_ % kTellEvery == 0) Tell();
    }
  });
  CloseSources();
  TWINSET_TRY(written);
  return RemoveRuns(count);
}

template <typename T>
Status ExternalSorter<T>::RemoveRuns(size_t count) {
  for (size_t i = 0; i < count; ++i) {
    TWINSET_TRY(RemoveFile(runs_[i]));
  }
  runs_.erase(runs_.begin(),
              runs_.begin() + static_cast<std::ptrdiff_t>(count));
  return {};
}

template <typename T>
Status ExternalSorter<T>::Finish() {
  if (finished_) return Fail(ErrorCode::kInternal, "sort finished twice");
  Tell();
  SortBuffer();
  if (runs_.empty()) {
    sorted_ = {records(), size_};
  } else {
    if (size_ > 0) TWINSET_TRY(Spill());
    buffer_.Reset();  // the readers take its place
    room_ = 0;
    // A pass that writes has one block less for reading. Each takes just as
    // many runs as bring the rest down to one final merge.
    const size_t final_runs = FanIn(reservation_.bytes());
    const size_t pass_runs = FanIn(reservation_.bytes() - kRunBlockBytes);
    while (runs_.size() > final_runs) {
      TWINSET_TRY(
          MergePass(std::min(pass_runs, runs_.size() - final_runs + 1)));
    }
    TWINSET_TRY(OpenRuns(runs_.size()));
  }
  finished_ = true;
  room_ = size_;  // a further Add fails
  return {};
}

template <typename T>
Result<bool> ExternalSorter<T>::NextOfRuns(T* record) {
  if (!finished_)
    return Fail(ErrorCode::kInternal, "sort read before it was finished");
  TWINSET_ASSIGN(const bool more, NextDistinct(record));
  if (more) return true;
  CloseSources();
  buffer_.Reset();
  size_ = room_ = 0;
  reservation_.Reset();
  TWINSET_TRY(RemoveRuns(runs_.size()));
  return false;
}

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_STORE_EXTERNAL_SORT_INL_H_
