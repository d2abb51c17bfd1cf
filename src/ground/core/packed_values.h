// Values of few bits, packed: b-bit minwise hashing (Li and König, WWW 2010).
// See docs/methods/minhash.md.
#ifndef TWINSET_SRC_GROUND_CORE_PACKED_VALUES_H_
#define TWINSET_SRC_GROUND_CORE_PACKED_VALUES_H_

#include <cstddef>

#include "core/values.h"

namespace twinset {

// Words of `count` values of `bits` bits, 1 <= bits <= 32.
constexpr size_t PackedWords(size_t count, int bits) {
  return (count * static_cast<size_t>(bits) + 31) / 32;
}
// The low `bits` bits of every value; value i takes the bits from i * bits on,
// low bit first. Bits behind the last value are 0.
Sketch PackValues(SketchView values, int bits);
// Back: `count` values below 2^bits. `packed` has PackedWords words or more.
void UnpackValues(SketchView packed, size_t count, int bits, Sketch* values);
// How many of `count` values are equal at the same place.
size_t CountEqualPacked(SketchView a, SketchView b, size_t count, int bits);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_CORE_PACKED_VALUES_H_
