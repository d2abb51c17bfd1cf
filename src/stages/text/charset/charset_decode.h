// Inside of the decoders: the output buffer and the loop that all of them run
// in (charset_decode.cc, charset_multibyte.cc).
#ifndef TWINSET_SRC_STAGES_TEXT_CHARSET_CHARSET_DECODE_H_
#define TWINSET_SRC_STAGES_TEXT_CHARSET_CHARSET_DECODE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "text/charset/charset_index.h"

namespace twinset::charset_internal {

// Index of the first byte >= 0x80, or bytes.size().
size_t AsciiPrefix(std::string_view bytes);

// Writes UTF-8 into a string that it grows ahead of the writing. Every Put must
// be covered by room that Ensure made.
class Utf8Output {
 public:
  // Put and PutAscii write more bytes than they keep; a sequence may reach
  // beyond the block that room was made for.
  static constexpr size_t kSlack = 32;

  // `expected` bytes are likely to suffice.
  Utf8Output(size_t expected, std::string* out) : out_(*out) {
    out_.resize(expected + kSlack);
  }
  // Room for `size` further bytes.
  void Ensure(size_t size) {
    const size_t needed = used_ + size + kSlack;
    if (needed > out_.size()) out_.resize(std::max(needed, out_.size() * 2));
  }
  void Put(const EncodedPoint& point) {
    std::memcpy(out_.data() + used_, point.bytes, sizeof point.bytes);
    used_ += point.size();
  }
  void PutByte(unsigned char byte) { out_[used_++] = static_cast<char>(byte); }
  void PutCodePoint(char32_t code_point) {  // a scalar value
    if (code_point < 0x80) {
      PutByte(static_cast<unsigned char>(code_point));
    } else {
      Put(EncodePoint(code_point));
    }
  }
  void PutBad() {
    malformed_ = true;
    Put({{'\xEF', '\xBF', '\xBD', 0}});
  }
  // Copies the ASCII bytes from `at` to the first other one, or to `stop`;
  // returns where it stopped.
  size_t PutAscii(std::string_view bytes, size_t at, size_t stop) {
    while (at + 16 <= stop) {
      uint64_t words[2];
      std::memcpy(words, bytes.data() + at, 16);
      // Written in any case; what is not ASCII is overwritten later.
      std::memcpy(out_.data() + used_, words, 16);
      if (((words[0] | words[1]) & 0x8080808080808080u) != 0) break;
      at += 16;
      used_ += 16;
    }
    while (at < stop && static_cast<unsigned char>(bytes[at]) < 0x80) {
      out_[used_++] = bytes[at++];
    }
    return at;
  }
  // Cuts the string to what was written; true if there was no PutBad.
  bool Finish() {
    out_.resize(used_);
    return !malformed_;
  }

 private:
  std::string& out_;
  size_t used_ = 0;
  bool malformed_ = false;
};

// Decodes a whole document of an encoding in which a byte < 0x80 outside of a
// sequence is ASCII. step(bytes, at, &out) handles the sequence at `at`, whose
// first byte is >= 0x80: it returns how many bytes it consumes, at least one,
// and writes at most 3 bytes for each of them. `widest` is the usual growth of
// a byte >= 0x80. Returns whether nothing was malformed.
template <typename Step>
bool DecodeAsciiBased(std::string_view bytes, size_t first, size_t widest,
                      const Step& step, std::string* storage) {
  constexpr size_t kBlock = 4096;
  size_t high = 0;
  for (const char c : bytes.substr(first)) {
    high += static_cast<unsigned char>(c) >> 7;
  }
  const size_t size = bytes.size();
  Utf8Output out(size + high * (widest - 1) + 3 * std::min(kBlock, size),
                 storage);
  for (size_t at = 0; at < size;) {
    const size_t stop = std::min(size, at + kBlock);
    out.Ensure(3 * (stop - at));
    while (true) {
      at = out.PutAscii(bytes, at, stop);
      if (at >= stop) break;
      do {
        at += step(bytes, at, &out);
      } while (at < stop && static_cast<unsigned char>(bytes[at]) >= 0x80);
      if (at >= stop) break;
    }
  }
  return out.Finish();
}

// Decodes `bytes`, in which `first` is the first byte >= 0x80, from a legacy
// multi-byte encoding of the standard; `well_formed` says whether there was no
// U+FFFD to write. False if there is no such encoding.
bool DecodeMultiByte(std::string_view charset, std::string_view bytes,
                     size_t first, std::string* storage, bool* well_formed);

}  // namespace twinset::charset_internal

#endif  // TWINSET_SRC_STAGES_TEXT_CHARSET_CHARSET_DECODE_H_
