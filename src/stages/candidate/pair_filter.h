// What sketches say of a candidate before it is verified: a method's own
// decision, as "at most 3 bits differ" or "two of six super-shingles agree".
#ifndef TWINSET_SRC_STAGES_CANDIDATE_PAIR_FILTER_H_
#define TWINSET_SRC_STAGES_CANDIDATE_PAIR_FILTER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/sketch_layout.h"
#include "core/values.h"
#include "twinset/error.h"

namespace twinset {

// Immutable; thread-safe. `a` and `b` hold one sketch for each sketcher of the
// method; a is of the document that was read first. Symmetric unless said
// otherwise.
class PairFilter {
 public:
  virtual ~PairFilter() = default;
  virtual bool Passes(std::span<const SketchView> a,
                      std::span<const SketchView> b) const = 0;
  // Returns an error unless it can read sketches of these layouts, those of a
  // method (CheckLayout).
  virtual Status Check(std::span<const SketchLayout> layouts) const = 0;
};

// At most `distance` of the first `bits` bits of sketch number `sketch` differ.
std::unique_ptr<PairFilter> MakeHammingFilter(size_t sketch, int bits,
                                              int distance);

// At least `agree` values of sketch number `sketch`, of `words` 32-bit words
// each, are equal at the same place. Sketches of different lengths never pass.
std::unique_ptr<PairFilter> MakeAgreementFilter(size_t sketch, size_t words,
                                                size_t agree);

// At least `agree` of the distinct 64-bit values of sketch number `sketch`
// (ascending, two words each, low half first) are in both, and those are at
// least `share` of what `of` says. Not symmetric with SetShare::kFirst.
std::unique_ptr<PairFilter> MakeOverlapFilter(size_t sketch, size_t agree,
                                              double share, SetShare of);

// Passes what both pass: Henzinger's combination (SIGIR 2006).
std::unique_ptr<PairFilter> MakeBothFilter(std::unique_ptr<PairFilter> first,
                                           std::unique_ptr<PairFilter> second);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_PAIR_FILTER_H_
