#include "sketch/rabin.h"

#include <optional>
#include <string>
#include <utility>

#include "sketch/sketcher.h"

namespace twinset {

namespace {

class RabinSketcher : public Sketcher {
 public:
  RabinSketcher(RabinFingerprint rabin, std::string modulus)
      : rabin_(rabin), modulus_(std::move(modulus)) {}
  std::string name() const override { return "rabin"; }
  SketchLayout layout() const override {
    return {.value_bits = 64, .values = 1};
  }
  std::string DrawnModulus() const override { return modulus_; }
  void Compute(std::string_view features, Sketch* sketch) const override {
    const uint64_t value = rabin_.Of(features);
    *sketch = {static_cast<uint32_t>(value),
               static_cast<uint32_t>(value >> 32)};
  }

 private:
  RabinFingerprint rabin_;
  std::string modulus_;  // empty: that of the spec
};

}  // namespace

Gf2Polynomial SeededPolynomial(uint64_t seed) {
  SplitMix64 random(seed);
  return *DrawIrreducible(64, &random);
}

std::unique_ptr<Sketcher> MakeRabinSketcher(std::optional<uint64_t> seed) {
  const Gf2Polynomial polynomial =
      seed ? SeededPolynomial(*seed) : kRabinPolynomial;
  return std::make_unique<RabinSketcher>(*RabinFingerprint::Create(polynomial),
                                         seed ? ToText(polynomial) : "");
}

}  // namespace twinset
