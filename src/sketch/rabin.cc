#include "sketch/rabin.h"

#include <string>

#include "sketch/sketcher.h"

namespace twinset::inline v1 {

namespace {

class RabinSketcher : public Sketcher {
 public:
  explicit RabinSketcher(RabinFingerprint rabin) : rabin_(rabin) {}
  std::string name() const override { return "rabin"; }
  SketchLayout layout() const override {
    return {.value_bits = 64, .values = 1};
  }
  void Compute(std::string_view features, Sketch* sketch) const override {
    const uint64_t value = rabin_.Of(features);
    *sketch = {static_cast<uint32_t>(value),
               static_cast<uint32_t>(value >> 32)};
  }

 private:
  RabinFingerprint rabin_;
};

}  // namespace

std::unique_ptr<Sketcher> MakeRabinSketcher() {
  return std::make_unique<RabinSketcher>(
      *RabinFingerprint::Create(kRabinPolynomial));
}

}  // namespace twinset::inline v1
