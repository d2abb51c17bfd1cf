// The indexes of the WHATWG Encoding Standard, unpacked on first use
// (docs/methods/clean-text.md).
#ifndef TWINSET_SRC_STAGES_TEXT_CHARSET_CHARSET_INDEX_H_
#define TWINSET_SRC_STAGES_TEXT_CHARSET_CHARSET_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace twinset::charset_internal {

// One code point >= U+0080 as UTF-8, or no code point (bytes[0] == 0).
struct EncodedPoint {
  char bytes[4] = {0, 0, 0, 0};

  bool exists() const { return bytes[0] != 0; }
  size_t size() const {  // only if it exists
    const auto lead = static_cast<unsigned char>(bytes[0]);
    return size_t{2} + (lead >= 0xE0) + (lead >= 0xF0);
  }
};

// `code_point` must be a scalar value >= U+0080.
EncodedPoint EncodePoint(char32_t code_point);

// By pointer. `widest` is the largest size() of an entry.
struct CodePointIndex {
  std::vector<EncodedPoint> points;
  size_t widest = 0;

  // The entry of `pointer`; none beyond the end.
  EncodedPoint At(size_t pointer) const {
    return pointer < points.size() ? points[pointer] : EncodedPoint{};
  }
};

// The index called `name` by the standard ("big5", "windows-1252"), or nullptr.
// Unpacked by the first caller, then shared. Thread-safe; cost of a later call:
// a search in 32 names.
const CodePointIndex* FindIndex(std::string_view name);

// "Index gb18030 ranges code point" of the standard; 0 stands for null.
char32_t Gb18030RangesCodePoint(uint32_t pointer);

// What the tables are made of, for the test of their identity.
struct Gb18030Range {
  uint32_t pointer;
  char32_t code_point;
};
struct PackedIndex {
  std::string_view name;
  uint32_t size;                // pointers
  std::string_view identifier;  // SHA-256 that the standard publishes
  std::string_view packed;
};
std::span<const PackedIndex> PackedIndexes();
std::span<const Gb18030Range> Gb18030Ranges();
std::string_view Gb18030RangesIdentifier();

}  // namespace twinset::charset_internal

#endif  // TWINSET_SRC_STAGES_TEXT_CHARSET_CHARSET_INDEX_H_
