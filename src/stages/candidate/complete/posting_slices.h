// Postings in slices by their folds, each as large as memory holds, in memory
// while they fit and else in files (docs/methods/complete.md).
#ifndef TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_POSTING_SLICES_H_
#define TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_POSTING_SLICES_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "candidate/complete/prefix_postings.h"
#include "candidate/complete/slice_file.h"

namespace twinset {

// Postings that agree in their first bits.
using PostingFile = SliceFile<PrefixPosting>;

// `count` files (a power of two) by the `bits` of a fold after the first
// `bits_done`.
class PostingFiles {
 public:
  Status Create(const SliceOptions& options, const std::string& prefix,
                size_t count, int bits_done);
  Status Append(const PrefixPosting& posting);
  Status Finish();
  int bits_done() const { return bits_done_ + bits_; }
  std::vector<PostingFile>& files() { return files_; }

 private:
  std::vector<PostingFile> files_;
  int bits_ = 0, bits_done_ = 0;
};

// The memory of a join in equal parts for the threads that join slices side by
// side. Where it is small they are fewer than asked for.
class SliceMemory {
 public:
  // Memory of a thread: a parcel of pairs, the groups of a sort, a block of a
  // file.
  static constexpr uint64_t kBesideBytes = 320 << 10;

  SliceMemory() = default;
  SliceMemory(uint64_t memory_bytes, int threads);
  int threads() const { return threads_; }
  // Postings that a thread holds twice, beside kBesideBytes.
  size_t MostPostings() const {
    return (bytes_ - kBesideBytes) / (2 * sizeof(PrefixPosting));
  }
  // Files, a power of two, for as many postings: each is likely to fit a
  // thread. They have `blocks_bytes` for blocks; `writers` threads write.
  size_t FilesFor(uint64_t postings, uint64_t blocks_bytes, int writers) const;
  // The same for one of all threads.
  size_t PartsFor(uint64_t postings) const {
    return FilesFor(postings, bytes_ - kBesideBytes, threads_);
  }

 private:
  int threads_ = 1;
  uint64_t bytes_ = 0;  // of a thread
};

// Groups postings by the bits of a fold after the first `bits_done`: moves them
// from `from` to `to` (of the same size) and returns where each group begins,
// and the end. About `groups` of them, a power of two. Those of a group keep
// their order, on any number of threads.
std::vector<uint64_t> GroupByFold(std::span<const PrefixPosting> from,
                                  std::span<PrefixPosting> to, int bits_done,
                                  size_t groups, int threads = 1);

// Calls `body` with the postings of each fold, by size and document, which it
// may change. Both spans have the same size; the contents of both are used up.
void ForEachFold(std::span<PrefixPosting> postings,
                 std::span<PrefixPosting> room, int bits_done,
                 const std::function<void(std::span<PrefixPosting>)>& body);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_POSTING_SLICES_H_
