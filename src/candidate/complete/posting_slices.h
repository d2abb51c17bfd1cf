// Postings in slices by their folds, each as large as memory holds, in memory
// while they fit and else in files (docs/methods/complete.md).
#ifndef TWINSET_SRC_CANDIDATE_COMPLETE_POSTING_SLICES_H_
#define TWINSET_SRC_CANDIDATE_COMPLETE_POSTING_SLICES_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "candidate/complete/prefix_postings.h"
#include "store/lazy_buffer.h"
#include "store/run_file.h"

namespace twinset::inline v1 {

// Where slices are kept: files DIRECTORY/NAME-N.run, removed when they are
// done with.
struct SliceOptions {
  std::string directory, name;
  uint64_t parameters_hash = 0;
};

// Postings that agree in their first bits, in a file. Removes it at the end.
class PostingFile {
 public:
  static Result<PostingFile> Create(const SliceOptions& options,
                                    const std::string& number);
  PostingFile(PostingFile&& other) noexcept;
  PostingFile& operator=(PostingFile&&) = delete;
  ~PostingFile();

  Status Append(const PrefixPosting& posting) {
    return writer_->Append(posting);
  }
  Status Finish();
  uint64_t count() const { return count_; }
  Result<RunReader<PrefixPosting>> Open() const;
  // At most count() postings from where the reader is; how many there were.
  static Result<size_t> Read(RunReader<PrefixPosting>* reader,
                             std::span<PrefixPosting> postings);

 private:
  PostingFile(std::string path, uint64_t hash, RunWriter<PrefixPosting> writer)
      : path_(std::move(path)), hash_(hash), writer_(std::move(writer)) {}
  std::string path_;
  uint64_t hash_ = 0, count_ = 0;
  std::optional<RunWriter<PrefixPosting>> writer_;
};

// `count` files (a power of two) by the `bits` of a fold after the first
// `bits_done`.
class PostingFiles {
 public:
  // How many files a share of the memory has blocks for, when so many threads
  // have files open.
  static size_t MostFiles(uint64_t memory_bytes, int threads);
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
  // Of a thread: a parcel of pairs, the groups of a sort, a block of a file.
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
// and the end. About `groups` of them, a power of two.
std::vector<uint64_t> GroupByFold(std::span<const PrefixPosting> from,
                                  std::span<PrefixPosting> to, int bits_done,
                                  size_t groups);

// Calls `body` with the postings of each fold, by size and document. Both spans
// have the same size; the contents of both are used up.
void ForEachFold(
    std::span<PrefixPosting> postings, std::span<PrefixPosting> room,
    int bits_done,
    const std::function<void(std::span<const PrefixPosting>)>& body);

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_CANDIDATE_COMPLETE_POSTING_SLICES_H_
