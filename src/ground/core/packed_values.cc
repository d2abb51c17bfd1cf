#include "core/packed_values.h"

namespace twinset {

namespace {

uint32_t Mask(int bits) {
  return static_cast<uint32_t>((uint64_t{1} << bits) - 1);
}

// The bits from `place` on; a value spans two words at most.
uint32_t At(SketchView packed, size_t place, uint32_t mask) {
  const size_t word = place / 32;
  const uint64_t low = packed[word];
  const uint64_t high = word + 1 < packed.size() ? packed[word + 1] : 0;
  return static_cast<uint32_t>((high << 32 | low) >> place % 32) & mask;
}

}  // namespace

Sketch PackValues(SketchView values, int bits) {
  Sketch packed(PackedWords(values.size(), bits));
  const uint32_t mask = Mask(bits);
  size_t place = 0;
  for (const uint32_t value : values) {
    const uint64_t shifted = uint64_t{value & mask} << place % 32;
    packed[place / 32] |= static_cast<uint32_t>(shifted);
    if (shifted >> 32 != 0)
      packed[place / 32 + 1] |= static_cast<uint32_t>(shifted >> 32);
    place += static_cast<size_t>(bits);
  }
  return packed;
}

void UnpackValues(SketchView packed, size_t count, int bits, Sketch* values) {
  values->resize(count);
  const uint32_t mask = Mask(bits);
  for (size_t i = 0; i < count; ++i)
    (*values)[i] = At(packed, i * static_cast<size_t>(bits), mask);
}

size_t CountEqualPacked(SketchView a, SketchView b, size_t count, int bits) {
  const uint32_t mask = Mask(bits);
  size_t equal = 0, place = 0;
  for (size_t i = 0; i < count; ++i, place += static_cast<size_t>(bits))
    equal += At(a, place, mask) == At(b, place, mask);
  return equal;
}

}  // namespace twinset
