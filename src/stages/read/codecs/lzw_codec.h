// The files that compress(1) writes (.Z).
#ifndef TWINSET_SRC_STAGES_READ_CODECS_LZW_CODEC_H_
#define TWINSET_SRC_STAGES_READ_CODECS_LZW_CODEC_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "read/codec.h"

namespace twinset {

// LZW with codes of 9 to 16 bits (Welch 1984), as compress 4.0 writes it. It
// has no checksum and no end mark: it ends where the bytes do. Memory: 260 KB.
class LzwCodec : public Codec {
 public:
  bool Reset() override;
  Step Decode(std::string_view in, char* out, size_t out_size) override;
  bool MayEnd() const override { return header_ == kHeaderBytes; }

 private:
  static constexpr int kHeaderBytes = 3, kLeastBits = 9, kMostBits = 16;
  static constexpr uint32_t kClear = 256, kNone = 0xffffffff;

  bool TakeCode(std::string_view in, Step* step, uint32_t* code);
  bool Expand(uint32_t code);
  void Widen(int width);

  int header_ = 0;  // bytes of it read
  int max_bits_ = kMostBits;
  bool clears_ = false;  // code 256 empties the table
  int width_ = kLeastBits;
  uint32_t next_ = kClear;  // first free entry
  uint32_t before_ = kNone;
  uint8_t first_ = 0;  // byte of the string of before_
  uint64_t bits_ = 0;  // read and not taken
  int bit_count_ = 0;
  // Codes come in groups of eight, which a change of their width cuts off.
  int in_group_ = 0;   // codes taken of the group
  int skip_bits_ = 0;  // left of a group that was cut off
  std::vector<uint16_t> prefix_;
  std::vector<uint8_t> suffix_;
  std::string pending_;  // decoded and not given out, the last byte first
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_CODECS_LZW_CODEC_H_
