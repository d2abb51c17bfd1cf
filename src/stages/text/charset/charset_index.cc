// Unpacking of charset_index.inc; the form is described in
// tools/gen_charset_indexes.
#include "text/charset/charset_index.h"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>

namespace twinset::charset_internal {
namespace {

#include "text/charset/charset_index.inc"

constexpr size_t kIndexes = std::size(kPackedIndexes);

// Reads the numbers of a packed index. The table is a constant of the program,
// checked by charset_index_test: no error can occur.
class Unpacker {
 public:
  explicit Unpacker(std::string_view packed) : packed_(packed) {}

  // The next character that is not a line end, or 0.
  char Peek() {
    while (at_ < packed_.size() && packed_[at_] == '\n') ++at_;
    return at_ < packed_.size() ? packed_[at_] : '\0';
  }
  void Skip() { ++at_; }
  uint32_t Number() {
    uint32_t value = 0;
    for (unsigned shift = 0;; shift += 5) {
      const uint32_t digit = static_cast<unsigned char>(Peek()) - uint32_t{'0'};
      Skip();
      value |= (digit & 31) << shift;
      if (digit < 32) return value;
    }
  }

 private:
  const std::string_view packed_;
  size_t at_ = 0;
};

CodePointIndex Unpack(const PackedIndex& packed) {
  CodePointIndex index;
  index.points.reserve(packed.size);
  Unpacker unpacker(packed.packed);
  char32_t next = 0;
  const auto add = [&] {
    index.points.push_back(EncodePoint(next++));
    index.widest = std::max(index.widest, index.points.back().size());
  };
  while (const char kind = unpacker.Peek()) {
    if (kind == '#') {
      unpacker.Skip();
      index.points.resize(index.points.size() + unpacker.Number());
    } else if (kind == '+') {
      unpacker.Skip();
      for (uint32_t left = unpacker.Number(); left > 0; --left) add();
    } else {
      const uint32_t number = unpacker.Number();
      next = (number & 1) != 0 ? next - (number >> 1) : next + (number >> 1);
      add();
    }
  }
  return index;
}

}  // namespace

EncodedPoint EncodePoint(char32_t c) {
  const auto tail = [](char32_t bits) {
    return static_cast<char>(0x80 | (bits & 0x3F));
  };
  if (c < 0x800) return {{static_cast<char>(0xC0 | (c >> 6)), tail(c), 0, 0}};
  if (c < 0x10000) {
    return {{static_cast<char>(0xE0 | (c >> 12)), tail(c >> 6), tail(c), 0}};
  }
  return {{static_cast<char>(0xF0 | (c >> 18)), tail(c >> 12), tail(c >> 6),
           tail(c)}};
}

const CodePointIndex* FindIndex(std::string_view name) {
  static std::array<std::once_flag, kIndexes> once;
  static std::array<CodePointIndex, kIndexes> indexes;
  for (size_t i = 0; i < kIndexes; ++i) {
    if (kPackedIndexes[i].name != name) continue;
    std::call_once(once[i], [i] { indexes[i] = Unpack(kPackedIndexes[i]); });
    return &indexes[i];
  }
  return nullptr;
}

char32_t Gb18030RangesCodePoint(uint32_t pointer) {
  if ((pointer > 39419 && pointer < 189000) || pointer > 1237575) return 0;
  if (pointer == 7457) return 0xE7C7;
  const Gb18030Range* const after =
      std::upper_bound(std::begin(kGb18030Ranges), std::end(kGb18030Ranges),
                       pointer, [](uint32_t value, const Gb18030Range& range) {
                         return value < range.pointer;
                       });
  const Gb18030Range& range = *(after - 1);  // the first begins at 0
  return range.code_point + (pointer - range.pointer);
}

std::span<const PackedIndex> PackedIndexes() { return kPackedIndexes; }
std::span<const Gb18030Range> Gb18030Ranges() { return kGb18030Ranges; }
std::string_view Gb18030RangesIdentifier() { return kGb18030RangesIdentifier; }

}  // namespace twinset::charset_internal
