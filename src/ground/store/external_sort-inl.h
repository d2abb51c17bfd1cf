// Implementation of external_sort.h; include that.
#ifndef TWINSET_SRC_GROUND_STORE_EXTERNAL_SORT_INL_H_
#define TWINSET_SRC_GROUND_STORE_EXTERNAL_SORT_INL_H_

#include <algorithm>

#include "store/external_sort.h"  // for tools that read this file alone

namespace twinset {

template <typename T>
void ExternalSorter<T>::SortBuffer() {
  SortRecords(records(), size_, options().threads);
  if (!options().unique) return;
  const T* const end = std::unique(
      records(), records() + size_,
      [](const T& earlier, const T& later) { return !(earlier < later); });
  size_ = static_cast<size_t>(end - records());
}

template <typename T>
void ExternalSorter<T>::BeginMerge() {
  heads_ = sources_.size();
  heap_ = std::make_unique<Head[]>(heads_);
  for (size_t i = 0; i < heads_; ++i) {
    heap_[i].source = static_cast<uint32_t>(i);
    Take(&sources_[i], &heap_[i].record);
  }
  for (size_t i = heads_ / 2; i-- > 0;) SiftDown(i);
}

template <typename T>
void ExternalSorter<T>::EndMerge() {
  heads_ = 0;
  heap_.reset();
  last_.reset();
}

// Restores the heap where the element at `hole` may be too large for its place.
template <typename T>
void ExternalSorter<T>::SiftDown(size_t hole) {
  const Head moving = heap_[hole];
  for (size_t child = 2 * hole + 1; child < heads_; child = 2 * hole + 1) {
    if (child + 1 < heads_ && heap_[child + 1].record < heap_[child].record)
      ++child;
    if (!(heap_[child].record < moving.record)) break;
    heap_[hole] = heap_[child];
    hole = child;
  }
  heap_[hole] = moving;
}

template <typename T>
Result<bool> ExternalSorter<T>::NextMerged(T* record) {
  if (heads_ == 0) return false;
  Head& head = heap_[0];
  *record = head.record;
  Source& source = sources_[head.source];
  bool more = true;
  if (source.next == source.end) {
    TWINSET_ASSIGN(more, NextBlock(&source));
  }
  if (more) {
    Take(&source, &head.record);
  } else {
    head = heap_[--heads_];
  }
  if (heads_ > 1) SiftDown(0);
  return true;
}

template <typename T>
Result<bool> ExternalSorter<T>::NextDistinct(T* record) {
  for (;;) {
    Result<bool> more = NextMerged(record);
    if (!more || !*more || !options().unique) return more;
    if (!last_.has_value() || *last_ < *record) break;
  }
  last_ = *record;
  return true;
}

template <typename T>
Status ExternalSorter<T>::MergeInto(RawRunWriter* writer) {
  T record{};
  for (;;) {
    TWINSET_ASSIGN(const bool more, NextDistinct(&record));
    if (!more) return {};
    TWINSET_TRY(writer->Append(&record));
    TellMerged();
  }
}

template <typename T>
Result<bool> ExternalSorter<T>::NextOfRuns(T* record) {
  if (!finished()) return tl::unexpected<Error>(NotFinished());
  Result<bool> more = NextDistinct(record);
  if (!more || *more) return more;
  TWINSET_TRY(GiveBack());
  return false;
}

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_STORE_EXTERNAL_SORT_INL_H_
