// Sorted fingerprints in blocks of 1024 bytes: lossless, and any value is found
// by one look into an index and one block (Manku, Jain and Das Sarma, WWW 2007,
// section 3.2).
// See docs/methods/tables.md and src/stages/candidate/FORMAT.md.
#ifndef TWINSET_SRC_STAGES_CANDIDATE_COMPRESSED_TABLE_H_
#define TWINSET_SRC_STAGES_CANDIDATE_COMPRESSED_TABLE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/memory_budget.h"
#include "candidate/compressed_table_code.h"
#include "candidate/tables.h"
#include "twinset/error.h"

namespace twinset {

// Ascending 64-bit values, repeats included. Immutable; thread-safe.
class CompressedTable {
 public:
  static constexpr size_t kBlockBytes = 1024;

  // In memory, of ascending values.
  static CompressedTable Build(std::span<const uint64_t> values);
  // As a file.
  Status Write(const std::string& path, uint64_t parameters_hash) const;
  // Blocks stay on disk; code and index are read and checked. kCorrupt and
  // kUnsupported as any file of twinset.
  static Result<CompressedTable> Open(const std::string& path,
                                      uint64_t parameters_hash);

  uint64_t count() const { return count_; }
  uint64_t blocks() const { return index_.size(); }
  // The bytes of blocks and index.
  uint64_t bytes() const {
    return index_.size() * (kBlockBytes + sizeof(IndexEntry));
  }
  // Calls body(value, rank) for each value of [low, high] in order; rank counts
  // all values from 0. Reads the blocks that may hold such values. kCorrupt for
  // a damaged block.
  Status ForEach(
      uint64_t low, uint64_t high,
      const std::function<void(uint64_t value, uint64_t rank)>& body) const;
  // Every value, block by block, without the index.
  Status Scan(const std::function<void(uint64_t value)>& body) const;

 private:
  struct IndexEntry {
    uint64_t last = 0;   // value of the block
    uint64_t first = 0;  // rank of its first value
  };

  Status CheckIndex(const std::string& path) const;
  uint64_t CountOf(size_t block) const {
    return (block + 1 < index_.size() ? index_[block + 1].first : count_) -
           index_[block].first;
  }
  Status Decode(size_t block, std::vector<uint64_t>* values) const;

  uint64_t count_ = 0;
  std::optional<DifferenceCode> code_;
  std::vector<IndexEntry> index_;
  std::string data_;  // the blocks, unless they are in
  File file_;
  uint64_t file_offset_ = 0;
};

// Online search: the rows near a fingerprint, by the permuted tables of a
// design, each compressed. Immutable; thread-safe.
class CompressedTables {
 public:
  struct Near {
    uint64_t row = 0;
    int distance = 0;
    friend bool operator==(const Near&, const Near&) = default;
  };

  // `fingerprints` by row, of design.bits <= 64 bits. kMemory when tables and
  // the two working arrays do not fit `budget`, which must outlive the tables.
  static Result<CompressedTables> Build(TableDesign design,
                                        std::span<const uint64_t> fingerprints,
                                        MemoryBudget* budget);

  // Rows within the design's distance of `query`, ascending.
  Result<std::vector<Near>> Find(uint64_t query) const;
  // The bytes of all tables, without rows.
  uint64_t bytes() const;

 private:
  TableDesign design_;
  std::vector<CompressedTable> tables_;  // of distinct permuted fingerprints
  CompressedTable sorted_;               // all fingerprints
  std::vector<uint32_t> rows_;           // of each value of sorted_
  std::vector<Reservation> paid_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_COMPRESSED_TABLE_H_
