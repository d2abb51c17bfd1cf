// How the values of a sketch stand in its words, and how two sketches compare.
#ifndef TWINSET_SRC_GROUND_CORE_SKETCH_LAYOUT_H_
#define TWINSET_SRC_GROUND_CORE_SKETCH_LAYOUT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/values.h"
#include "twinset/error.h"

namespace twinset {

struct SketchLayout {
  enum Comparison {
    kByPlace,  // values at the same place
    kAsSets,   // values wherever they stand: ascending and distinct
    kByBit,    // the bits of its one value, a fingerprint (core/fingerprint.h)
  };
  Comparison comparison = kByPlace;
  // Width of a value. Each takes whole words, low word first; with `packed`
  // (core/packed_values.h) the values follow each other without gaps.
  int value_bits = 32;
  // Values of a sketch; 0: as many as its words hold. Words behind the last
  // value are no part of the written form.
  size_t values = 0;
  bool packed = false;
};

// kInternal, in words, unless sketch number `sketch` of a method whose sketches
// have these layouts is what `reader`, a part of the method, reads: compared in
// the same way, with values in as many words (of as many bits where they are
// packed or a fingerprint), and with `values` of them at least (as many where
// they are packed); 0 takes any number.
Status CheckLayout(std::span<const SketchLayout> layouts, size_t sketch,
                   const SketchLayout& read, std::string_view reader);

// The written form of each value: hexadecimal, big-endian, in as few digits as
// hold its bits. A sketch without words has no values.
std::vector<std::string> WrittenValues(const SketchLayout& layout,
                                       SketchView sketch);

// What the share of the common members of two sets refers to:
enum class SetShare : uint8_t {
  kUnion,    // the members of any: resemblance
  kSmaller,  // the members of the smaller set: the larger containment
  kFirst,    // the members of the first set: its containment in the second
};

// What two sketches of one layout have in common. Without any value: all 0.
struct SketchAgreement {
  uint64_t equal = 0;           // places, members of both sets, or bits
  uint64_t compared = 0;        // places of the longer, members of any, or bits
  uint64_t of_a = 0, of_b = 0;  // values of each, or bits
  double share() const {
    return compared == 0
               ? 0.0
               : static_cast<double>(equal) / static_cast<double>(compared);
  }
  // How many values a share of sets is of.
  uint64_t Whole(SetShare of) const {
    return of == SetShare::kUnion     ? compared
           : of == SetShare::kSmaller ? std::min(of_a, of_b)
                                      : of_a;
  }
};
SketchAgreement CompareSketches(const SketchLayout& layout, SketchView a,
                                SketchView b);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_CORE_SKETCH_LAYOUT_H_
