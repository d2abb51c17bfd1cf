// What sketches share whose values are compared place by place.
#ifndef TWINSET_SRC_SKETCH_PLACE_SKETCHER_H_
#define TWINSET_SRC_SKETCH_PLACE_SKETCHER_H_

#include <algorithm>
#include <string>

#include "sketch/sketcher.h"

namespace twinset {

inline constexpr int kMaxSketchValues = 4096;

inline Status CheckSketchValues(int values) {
  if (values >= 1 && values <= kMaxSketchValues) return {};
  return Fail(ErrorCode::kUsage, "--permutations is " + std::to_string(values) +
                                     " but must be from 1 to " +
                                     std::to_string(kMaxSketchValues));
}

class PlaceSketcher : public Sketcher {
 public:
  // The share of equal values.
  double Estimate(SketchView a, SketchView b) const override {
    const size_t count = std::min(a.size(), b.size());
    size_t equal = 0;
    for (size_t i = 0; i < count; ++i) equal += a[i] == b[i];
    return count == 0 ? 0.0
                      : static_cast<double>(equal) / static_cast<double>(count);
  }
};

}  // namespace twinset

#endif  // TWINSET_SRC_SKETCH_PLACE_SKETCHER_H_
