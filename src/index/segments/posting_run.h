// Postings of a range of entries: sorted, packed, written once
// (docs/formats/index.md).
#ifndef TWINSET_SRC_INDEX_SEGMENTS_POSTING_RUN_H_
#define TWINSET_SRC_INDEX_SEGMENTS_POSTING_RUN_H_

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/memory_budget.h"
#include "segments/index_key.h"
#include "store/lazy_buffer.h"
#include "twinset/error.h"

namespace twinset {

// A block of postings, and a page of the filter over the blocks before it.
inline constexpr size_t kIndexPageBytes = 4096;
inline constexpr uint64_t kBlocksPerFilter = 5;

class PostingRunWriter {
 public:
  static Result<PostingRunWriter> Create(const std::string& path,
                                         uint64_t parameters_hash);
  // Postings come in ascending order.
  Status Append(const IndexPosting& posting);
  Status Finish();
  uint64_t count() const { return count_; }

 private:
  Status FlushBlock();
  Status FlushFilter();
  Status WritePage(std::string page);

  File file_;
  std::string buffer_;
  std::vector<IndexPosting> block_;
  uint64_t most_delta_ = 0, least_value_ = 0, most_value_ = 0;  // of block_
  std::vector<uint64_t> filtered_;  // distinct keys since the last filter
  std::vector<uint64_t> first_keys_;
  uint64_t pages_ = 0, count_ = 0;
};

// Reads a finished run. Thread-safe but for cursors.
class PostingRun {
 public:
  // kCorrupt for damage; a block is checked when it is read. Takes 8 bytes for
  // each block from `budget`, and 4 KB for each five of them where they fit
  // into a half of it: then most keys that are not there cost no reading.
  static Result<std::unique_ptr<PostingRun>> Open(const std::string& path,
                                                  uint64_t parameters_hash,
                                                  MemoryBudget* budget);
  // Appends values of the key, ascending, until *values has `most`.
  Status Find(uint64_t key, size_t most, std::vector<uint64_t>* values) const;
  // Bit i is set if the run may have keys[i], of at most kScreened keys. What
  // is in memory is waited for once, not once for each key.
  static constexpr size_t kScreened = 64;
  uint64_t Screen(std::span<const uint64_t> keys) const;
  // Calls `each` with every posting in order.
  Status ForEach(const std::function<Status(const IndexPosting&)>& each) const;
  // Reads all pages of the filter; kCorrupt for damage.
  Status CheckFilters() const;
  uint64_t count() const { return count_; }
  const std::string& path() const { return file_.path(); }

  // One posting after the other. Holds a block.
  class Cursor {
   public:
    explicit Cursor(const PostingRun* run) : run_(run) {}
    // False at the end.
    Result<bool> Next(IndexPosting* posting);

   private:
    const PostingRun* run_;
    uint64_t next_block_ = 0;
    size_t at_ = 0;
    std::vector<IndexPosting> block_;
  };

 private:
  PostingRun() = default;
  Status Load(MemoryBudget* budget);
  Status LoadFilters(MemoryBudget* budget);
  Status ReadPage(uint64_t page, char* to) const;
  Status ReadBlock(uint64_t block, std::vector<IndexPosting>* postings) const;
  bool MayHave(uint64_t block, uint64_t key) const;
  const char* FilterOf(uint64_t block) const {
    return filters_.data() + block / kBlocksPerFilter * kIndexPageBytes;
  }
  // About where the first block stands that begins with the key or behind it.
  uint64_t GuessBlock(uint64_t key) const;
  // The block where a key begins, if it is there.
  uint64_t BlockOf(uint64_t key, uint64_t guess) const;

  File file_;
  uint64_t count_ = 0;
  std::vector<uint64_t> first_keys_;  // of each block
  // The first block of each kind of keys, and the end.
  std::array<uint64_t, IndexKey::kKinds + 1> first_blocks_ = {};
  LazyBuffer filters_;  // all pages, or none
  Reservation memory_, filter_memory_;
};

// Merges runs, the oldest first, into one at `path`; of keys that keep their
// last value, it is that of the newest run. Postings of which `keeps` is false
// are left out.
Status MergeRuns(const std::vector<const PostingRun*>& runs,
                 const std::string& path, uint64_t parameters_hash,
                 const std::function<bool(const IndexPosting&)>& keeps = {});

}  // namespace twinset

#endif  // TWINSET_SRC_INDEX_SEGMENTS_POSTING_RUN_H_
