// Which suspects of a containment search have a fold among their rarest: an
// inverted index in memory (docs/methods/containment-search.md).
#ifndef TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_FOLD_INDEX_H_
#define TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_FOLD_INDEX_H_

#include <cstdint>
#include <functional>
#include <span>

#include "store/lazy_buffer.h"
#include "twinset/error.h"

namespace twinset {

// A document that has a fold: by its place in the order of the join.
struct FoldPosting {
  uint32_t place = 0;
  uint16_t low = 0;  // the low half of the fold
};

// Postings in buckets by the high bits of the fold, in a bucket by place.
class FoldIndex {
 public:
  // The folds of the document at `place` that are indexed.
  using IndexedOf = std::function<std::span<const uint32_t>(uint32_t place)>;

  static uint64_t BytesFor(uint64_t postings);
  // `of` is asked from several threads. At most 2^32 - 1 postings.
  Status Build(uint32_t places, const IndexedOf& of, int threads);

  // The postings that agree with `fold` in its high bits: of `fold` itself are
  // those with its low half.
  std::span<const FoldPosting> Bucket(uint32_t fold) const {
    const uint32_t* begin = Begins() + (fold >> shift_);
    return {Postings() + begin[0], Postings() + begin[1]};
  }
  void PrefetchBegin(uint32_t fold) const {
    __builtin_prefetch(Begins() + (fold >> shift_));
  }
  void PrefetchBucket(uint32_t fold) const {
    __builtin_prefetch(Postings() + Begins()[fold >> shift_]);
  }

 private:
  const uint32_t* Begins() const {
    return reinterpret_cast<const uint32_t*>(begins_.data());
  }
  const FoldPosting* Postings() const {
    return reinterpret_cast<const FoldPosting*>(postings_.data());
  }

  LazyBuffer begins_;  // one more than buckets
  LazyBuffer postings_;
  int shift_ = 16;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_FOLD_INDEX_H_
