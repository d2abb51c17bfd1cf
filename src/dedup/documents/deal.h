// Which records of a run's inputs each of its shards reads
// (docs/formats/shard.md): every record is one shard's, and what a shard gets
// follows from the sizes of the files alone.
#ifndef TWINSET_SRC_DEDUP_DOCUMENTS_DEAL_H_
#define TWINSET_SRC_DEDUP_DOCUMENTS_DEAL_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "read/input_list.h"
#include "twinset/shards.h"

namespace twinset {

// "3/64"
std::string ShardText(const Shard& shard);

// The shards that read one file: `shards` of them, from number `first` on.
struct FileShare {
  uint32_t first = 0, shards = 1;
  friend bool operator==(const FileShare&, const FileShare&) = default;
};

// The files stand in a row, each as wide as its bytes and one more, and the row
// is cut into as many equal parts as there are shards. A file is read by the
// shard whose part holds its middle. One that is wider than a part is read by
// all shards whose parts it touches: they take turns, a block of records each.
// So shards follow each other as their files do. Not thread-safe.
class Deal {
 public:
  static constexpr uint64_t kBlockRecords = 4096;

  // `files` outlives this. shard.of == 0: there is but one reader.
  Deal(const InputList& files, const Shard& shard);

  // Ascending files cost a step each.
  FileShare Of(size_t file);
  // Returns true iff this shard reads some of the file.
  bool Reads(size_t file);

  // Records of a file are numbered from 0 as its reader hands them out. The
  // first from `record` on that is this shard's, and the end of its block.
  // Only for files that it reads.
  std::pair<uint64_t, uint64_t> NextBlock(size_t file, uint64_t record);

  // Who reads record number `record` of a file that is shared like this.
  static uint32_t ShardOf(const FileShare& share, uint64_t record) {
    return share.first +
           static_cast<uint32_t>(record / kBlockRecords % share.shards);
  }
  // The share of a file that covers [begin, end) of a row of `total`.
  static FileShare ShareOf(uint64_t begin, uint64_t end, uint64_t total,
                           uint32_t of);

 private:
  static uint64_t WidthOf(const InputFile& file) { return file.state.size + 1; }

  const InputList& files_;
  const Shard shard_;
  uint64_t total_ = 0;
  size_t at_ = std::numeric_limits<size_t>::max();  // the file of share_
  uint64_t end_ = 0;                                // where it ends in the row
  FileShare share_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_DOCUMENTS_DEAL_H_
