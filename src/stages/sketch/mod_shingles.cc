#include <algorithm>
#include <bit>
#include <string>

#include "sketch/minhash_family.h"

namespace twinset {

namespace {

// Is x a multiple of d? By one multiplication: for d = odd * 2^twos, x / d is
// the number whose product with d is x, and that is at most (2^64 - 1) / d
// (Granlund and Montgomery 1994, section 9).
class Divisor {
 public:
  explicit Divisor(uint64_t d)
      : twos_(std::countr_zero(d)), limit_(~uint64_t{0} / d) {
    const uint64_t odd = d >> twos_;
    inverse_ = odd;  // of odd mod 8; every step doubles the bits
    for (int bits = 3; bits < 64; bits *= 2) inverse_ *= 2 - odd * inverse_;
  }
  bool Divides(uint64_t x) const {
    return std::rotr(x * inverse_, twos_) <= limit_;
  }

 private:
  int twos_;
  uint64_t limit_, inverse_ = 0;
};

class ModShingleSketcher : public Sketcher {
 public:
  ModShingleSketcher(uint64_t modulus, SetShare of)
      : divisor_(modulus), of_(of) {}
  std::string name() const override { return "mod-shingles"; }
  SketchLayout layout() const override {
    return {.comparison = SketchLayout::kAsSets, .value_bits = 64};
  }
  void Compute(std::string_view features, Sketch* sketch) const override {
    sketch->clear();
    for (const uint64_t x : AsHashes(features)) {
      if (!divisor_.Divides(x)) continue;
      sketch->push_back(static_cast<uint32_t>(x));
      sketch->push_back(static_cast<uint32_t>(x >> 32));
    }
  }
  double Estimate(SketchView a, SketchView b) const override {
    const SketchAgreement agreement = CompareSketches(layout(), a, b);
    const uint64_t sampled = agreement.Whole(of_);
    return sampled == 0 ? 0.0
                        : static_cast<double>(agreement.equal) /
                              static_cast<double>(sampled);
  }
  // The kept shingles are a random sample of those that are compared.
  std::optional<double> StandardError(SketchView a,
                                      SketchView b) const override {
    const uint64_t sampled = CompareSketches(layout(), a, b).Whole(of_);
    if (sampled == 0) return std::nullopt;
    return ShareStandardError(Estimate(a, b), sampled);
  }

 private:
  Divisor divisor_;
  SetShare of_;
};

}  // namespace

Result<std::unique_ptr<Sketcher>> MakeModShingleSketcher(int64_t modulus,
                                                         SetShare of) {
  if (modulus < 1) {
    return Fail(ErrorCode::kUsage, "--modulus is " + std::to_string(modulus) +
                                       " but must be 1 or more");
  }
  return std::make_unique<ModShingleSketcher>(static_cast<uint64_t>(modulus),
                                              of);
}

}  // namespace twinset
