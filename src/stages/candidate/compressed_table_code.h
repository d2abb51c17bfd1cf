// The prefix code of a compressed table, and bits in a row of bytes.
// See docs/methods/tables.md and src/stages/candidate/FORMAT.md.
#ifndef TWINSET_SRC_STAGES_CANDIDATE_COMPRESSED_TABLE_CODE_H_
#define TWINSET_SRC_STAGES_CANDIDATE_COMPRESSED_TABLE_CODE_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "base/bytes.h"
#include "twinset/error.h"

namespace twinset {

// Bits from the most significant of each byte on.
class BitWriter {
 public:
  BitWriter(char* to, size_t bytes) : to_(to), bits_(bytes * 8) {}
  bool Fits(int count) const {
    return at_ + static_cast<size_t>(count) <= bits_;
  }
  // The low `count` <= 64 bits of `value`, which fit.
  void Write(uint64_t value, int count);

 private:
  char* to_;
  size_t bits_, at_ = 0;
};

class BitReader {
 public:
  explicit BitReader(std::string_view bytes) : bytes_(bytes) {}
  // The next 64 bits, zeros behind the end.
  uint64_t Peek() const;
  void Skip(int count) { at_ += static_cast<size_t>(count); }
  uint64_t Read(int count) {
    if (count == 0) return 0;
    const uint64_t bits = Peek() >> (64 - count);
    Skip(count);
    return bits;
  }
  bool past_end() const { return at_ > bytes_.size() * 8; }

 private:
  std::string_view bytes_;
  size_t at_ = 0;
};

// A canonical Huffman code (Huffman 1952) of the places of the highest bit in
// which two neighbours differ, and of "none". Immutable.
class DifferenceCode {
 public:
  static constexpr int kSymbols = 65;
  static constexpr int kEqual = 64;    // the symbol of equal neighbours
  static constexpr int kMaxBits = 24;  // of one code
  using Lengths = std::array<uint8_t, kSymbols>;

  // The code of these frequencies, of which at least one is not 0.
  static DifferenceCode Of(std::array<uint64_t, kSymbols> counts);
  // kCorrupt unless the lengths are those of a complete prefix code, or of one
  // symbol, or all 0.
  static Result<DifferenceCode> FromLengths(const Lengths& lengths);

  const Lengths& lengths() const { return lengths_; }
  uint32_t code(int symbol) const {
    return codes_[static_cast<size_t>(symbol)];
  }
  // Takes one symbol; -1 when the bits are no code.
  int Read(BitReader* bits) const;

 private:
  void MakeCodes();
  Lengths lengths_{};
  std::array<uint32_t, kSymbols> codes_{};
  // By length: how many codes, the first of them, and the place of its symbol
  // in symbols_ (those that have a code, by length, then number).
  std::array<uint32_t, kMaxBits + 1> counts_{}, first_{}, place_{};
  std::array<uint8_t, kSymbols> symbols_{};
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_COMPRESSED_TABLE_CODE_H_
