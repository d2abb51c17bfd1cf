// How often leading elements occur, where memory does not hold a counter for
// each of them (docs/methods/complete.md).
#ifndef TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_LEADING_COUNTS_H_
#define TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_LEADING_COUNTS_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "candidate/complete/short_count.h"
#include "candidate/complete/slice_file.h"
#include "store/run_file.h"
#include "twinset/error.h"

namespace twinset {

// Elements go to files in the order of the documents, one for each range of
// hashes. Then one range after the other is counted with all of the memory
// (Rarity), and the count of each element goes to another file in the same
// order, which is read in step with the documents. Counts may say more than
// there are, never less.
//
// Usage: Create, Append of every document, Count, Read of every document in the
// same order. Not thread-safe; Count uses threads inside.
//
// Cost: 4 bytes per element are written and read twice, one byte is written and
// read once. A block of memory for each file, beside what Count takes.
class LeadingCounts {
 public:
  struct Options {
    std::string directory;
    uint64_t parameters_hash = 0;
    uint64_t elements = 0;         // that lead, about
    double leading = 1;            // of all hashes, a multiple of 1/16
    uint64_t memory_bytes = 0;     // of Count, at least 3 MB
    bool two_collections = false;  // shared means: both have it
    int threads = 1;
  };
  Status Create(const Options& options);
  // What the files take beside Count.
  uint64_t BlockBytes() const { return ranges_ * kRunBlockBytes; }

  // The leading elements of the next document, ascending; equal folds (48 bits)
  // count once. `scope` is mixed into the folds; it leaves the first four bits.
  Status Append(std::span<const uint64_t> elements, uint64_t scope,
                bool stored);
  // Ends with kInterrupted once `stop` is set.
  Status Count(const std::atomic<bool>* stop);
  // Reads the counts of what Append was given for the next document, a byte for
  // each of its distinct folds: 0 if no two documents (of the two collections)
  // have it, else ShortCount<kBits>.
  static constexpr int kBits = 4;
  Status Read(std::span<const uint64_t> elements, uint64_t scope,
              std::vector<uint8_t>* counts);

 private:
  // The next bytes of a file of counts.
  class Reader {
   public:
    Reader(RunReader<uint8_t> file, std::string path)
        : file_(std::move(file)), path_(std::move(path)) {}
    Status Read(size_t count, std::vector<uint8_t>* to);

   private:
    RunReader<uint8_t> file_;
    std::string path_;
    std::span<const uint8_t> block_;  // what is left of it
  };

  template <typename Body>
  Status ForEachRange(std::span<const uint64_t> elements, uint64_t scope,
                      const Body& body) const;
  Status CountRange(size_t range, const std::atomic<bool>* stop);

  Options options_;
  int bits_ = 0;  // of a fold that tell its range
  size_t ranges_ = 0;
  int threads_ = 1;
  std::vector<SliceFile<uint32_t>> elements_;
  std::vector<std::optional<SliceFile<uint8_t>>> counts_;
  std::vector<Reader> readers_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_LEADING_COUNTS_H_
