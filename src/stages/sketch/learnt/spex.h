// SPEX: the chunks that several documents of a corpus share, found in passes
// over hashed counters, without storing the others (Bernstein and Zobel, A
// scalable system for identifying co-derivative documents, SPIRE 2004). See
// docs/methods/spex.md.
#ifndef TWINSET_SRC_STAGES_SKETCH_LEARNT_SPEX_H_
#define TWINSET_SRC_STAGES_SKETCH_LEARNT_SPEX_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory_budget.h"
#include "sketch/sketcher.h"

namespace twinset {

inline constexpr int kMaxSpexLength = 64;
// log2 of the counters of a pass: a constant of the method, so that its results
// never depend on the memory of a machine.
inline constexpr int kSpexTableBits = 26;

// The hash of `length` token hashes that follow each other.
uint64_t SpexChunk(const uint64_t* tokens, size_t length);

// Which slots of a table are flagged: counted in two documents or more.
class SpexFlags {
 public:
  SpexFlags() = default;
  explicit SpexFlags(int table_bits)
      : table_bits_(table_bits),
        words_(((size_t{1} << table_bits) + 63) / 64) {}

  int table_bits() const { return table_bits_; }
  uint64_t SlotOf(uint64_t chunk) const { return chunk >> (64 - table_bits_); }
  void Set(uint64_t slot) { words_[slot / 64] |= uint64_t{1} << slot % 64; }
  bool At(uint64_t slot) const { return words_[slot / 64] >> slot % 64 & 1; }
  bool Has(uint64_t chunk) const { return At(SlotOf(chunk)); }
  uint64_t count() const;  // of flagged slots

 private:
  friend class SpexModel;
  int table_bits_ = 0;
  std::vector<uint64_t> words_;
};

// What the passes leave: the flags of the chunks of the last length, and of
// those one token shorter. Immutable; thread-safe.
class SpexModel {
 public:
  SpexModel(int length, SpexFlags shorter, SpexFlags last)
      : length_(length), shorter_(std::move(shorter)), last_(std::move(last)) {}

  int length() const { return length_; }
  // The flags of chunks of length() - 1 and length() tokens.
  const SpexFlags& shorter() const { return shorter_; }
  const SpexFlags& last() const { return last_; }
  // Appends the chunks of a document that count as duplicated, in text order:
  // every chunk that another document has too, and with collisions some more. A
  // text shorter than `length` is one chunk.
  void Chunks(std::span<const uint64_t> tokens,
              std::vector<uint64_t>* chunks) const;

  // The stored form, with a checksum; kCorrupt when the bytes are not one.
  std::string Encode() const;
  static Result<SpexModel> Decode(std::string_view bytes);

 private:
  int length_;
  SpexFlags shorter_, last_;
};

// Usage: for length 1 to `length`, every document through Add, then EndPass;
// then Finish. Memory: 2^table_bits counters of 2 bits, and a bit each for the
// pass before. Not thread-safe.
class SpexBuilder {
 public:
  // kUsage unless length is in 2..kMaxSpexLength and table_bits in 6..30;
  // kMemory when the tables do not fit the budget.
  static Result<SpexBuilder> Create(int length, int table_bits,
                                    MemoryBudget* budget);

  // The token hashes of a document in the order of the text. Repeats of a chunk
  // inside a document count once.
  void Add(std::span<const uint64_t> tokens);
  void EndPass();
  SpexModel Finish();

  // Counters above 0 at the end of each pass.
  const std::vector<uint64_t>& occupancy() const { return occupancy_; }

 private:
  SpexBuilder(int length, int table_bits, Reservation memory);
  void Count(uint64_t slot);

  int length_, table_bits_;
  Reservation memory_;
  int pass_ = 1;                    // the length of the chunks that are counted
  std::vector<uint64_t> counters_;  // 32 per word
  SpexFlags shorter_, last_;
  std::vector<uint64_t> slots_;  // of the document at hand
  std::vector<uint64_t> occupancy_;
};

// Features are token hashes in the order of the text; the sketch is the
// document's chunks by the model, distinct, ascending, two words each.
// Estimate: the resemblance of two such sets.
std::unique_ptr<Sketcher> MakeSpexSketcher(SpexModel model);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_SKETCH_LEARNT_SPEX_H_
