#include "core/sketch_layout.h"

#include <algorithm>
#include <bit>

#include "base/bytes.h"
#include "core/fingerprint.h"
#include "core/packed_values.h"

namespace twinset {

namespace {

size_t WordsOf(const SketchLayout& layout) {
  return layout.comparison == SketchLayout::kByBit
             ? FingerprintWords(layout.value_bits)
             : PackedWords(1, layout.value_bits);
}

size_t CountValues(const SketchLayout& layout, SketchView sketch) {
  if (layout.packed) {
    return sketch.size() == PackedWords(layout.values, layout.value_bits)
               ? layout.values
               : 0;
  }
  const size_t held = sketch.size() / WordsOf(layout);
  return layout.values == 0 ? held : std::min(held, layout.values);
}

uint64_t EqualPlaces(const SketchLayout& layout, SketchView a, SketchView b,
                     size_t count) {
  if (layout.packed) return CountEqualPacked(a, b, count, layout.value_bits);
  const size_t words = WordsOf(layout);
  uint64_t equal = 0;
  for (size_t i = 0; i < count; ++i) {
    bool same = true;
    for (size_t w = i * words; w < (i + 1) * words; ++w)
      same = same && a[w] == b[w];
    equal += same;
  }
  return equal;
}

// Values of at most two words, ascending.
uint64_t MembersOfBoth(const SketchLayout& layout, SketchView a, SketchView b,
                       size_t n, size_t m) {
  const size_t words = WordsOf(layout);
  const auto at = [words](SketchView sketch, size_t i) {
    const uint64_t low = sketch[i * words];
    return words == 1 ? low : low | uint64_t{sketch[i * words + 1]} << 32;
  };
  uint64_t common = 0;
  for (size_t i = 0, j = 0; i < n && j < m;) {
    const uint64_t x = at(a, i), y = at(b, j);
    common += x == y;
    i += x <= y;
    j += y <= x;
  }
  return common;
}

std::string WrittenWords(SketchView words, int bits) {
  std::string text;
  for (size_t w = words.size(); w-- > 0;) {
    const int width = std::min(32, bits - static_cast<int>(32 * w));
    text += ToHex(words[w], (width + 3) / 4);
  }
  return text;
}

std::string Described(const SketchLayout& layout) {
  std::string text = layout.values == 0 ? "any number of "
                                        : std::to_string(layout.values) + " ";
  if (layout.packed) text += "packed ";
  text += std::to_string(layout.value_bits) + "-bit values ";
  return text + (layout.comparison == SketchLayout::kByPlace  ? "by place"
                 : layout.comparison == SketchLayout::kAsSets ? "as a set"
                                                              : "by bit");
}

bool Suits(const SketchLayout& has, const SketchLayout& read) {
  if (has.comparison != read.comparison || has.packed != read.packed)
    return false;
  if (read.packed)
    return has.value_bits == read.value_bits && has.values == read.values;
  const bool same_width = read.comparison == SketchLayout::kByBit
                              ? has.value_bits == read.value_bits
                              : WordsOf(has) == WordsOf(read);
  return same_width && has.values >= read.values;
}

}  // namespace

Status CheckLayout(std::span<const SketchLayout> layouts, size_t sketch,
                   const SketchLayout& read, std::string_view reader) {
  const bool there = sketch < layouts.size();
  if (there && Suits(layouts[sketch], read)) return {};
  return Fail(ErrorCode::kInternal,
              "the parts of the method do not fit: " + std::string(reader) +
                  " reads sketch " + std::to_string(sketch) + " as " +
                  Described(read) + ", and it is " +
                  (there ? Described(layouts[sketch]) : "not there"));
}

std::vector<std::string> WrittenValues(const SketchLayout& layout,
                                       SketchView sketch) {
  std::vector<std::string> written;
  const size_t count = CountValues(layout, sketch);
  if (layout.packed) {
    Sketch values;
    if (count > 0) UnpackValues(sketch, count, layout.value_bits, &values);
    for (const uint32_t value : values)
      written.push_back(ToHex(value, (layout.value_bits + 3) / 4));
    return written;
  }
  const size_t words = WordsOf(layout);
  for (size_t i = 0; i < count; ++i) {
    const SketchView value = sketch.subspan(i * words, words);
    written.push_back(layout.comparison == SketchLayout::kByBit
                          ? FingerprintToHex(value, layout.value_bits)
                          : WrittenWords(value, layout.value_bits));
  }
  return written;
}

SketchAgreement CompareSketches(const SketchLayout& layout, SketchView a,
                                SketchView b) {
  const size_t n = CountValues(layout, a), m = CountValues(layout, b);
  if (layout.comparison == SketchLayout::kByPlace) {
    return {EqualPlaces(layout, a, b, std::min(n, m)), std::max(n, m), n, m};
  }
  if (layout.comparison == SketchLayout::kAsSets) {
    const uint64_t common = MembersOfBoth(layout, a, b, n, m);
    return {common, n + m - common, n, m};
  }
  const auto bits = static_cast<uint64_t>(layout.value_bits);
  SketchAgreement agreement{0, n + m == 0 ? 0 : bits, n * bits, m * bits};
  if (n == 0 || m == 0) return agreement;
  agreement.equal = bits;  // bits behind the last are 0 in both
  for (size_t w = 0; w < WordsOf(layout); ++w)
    agreement.equal -= static_cast<uint64_t>(std::popcount(a[w] ^ b[w]));
  return agreement;
}

}  // namespace twinset
