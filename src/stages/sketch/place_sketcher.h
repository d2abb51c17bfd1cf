// What sketches share whose values are compared place by place.
#ifndef TWINSET_SRC_STAGES_SKETCH_PLACE_SKETCHER_H_
#define TWINSET_SRC_STAGES_SKETCH_PLACE_SKETCHER_H_

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

// `values` values of 32 bits that agree with the probability of the
// resemblance.
class PlaceSketcher : public Sketcher {
 public:
  explicit PlaceSketcher(size_t values) : values_(values) {}
  SketchLayout layout() const override { return {.values = values_}; }
  std::optional<double> StandardError(SketchView a,
                                      SketchView b) const override {
    const SketchAgreement agreement = CompareSketches(layout(), a, b);
    if (agreement.compared == 0) return std::nullopt;
    return ShareStandardError(agreement.share(), agreement.compared);
  }

 protected:
  const size_t values_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_SKETCH_PLACE_SKETCHER_H_
