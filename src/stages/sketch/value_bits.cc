#include <algorithm>
#include <string>

#include "core/packed_values.h"
#include "sketch/minhash_family.h"

namespace twinset {

namespace {

class ValueBitsSketcher : public Sketcher {
 public:
  ValueBitsSketcher(std::unique_ptr<Sketcher> inner, size_t values, int bits)
      : inner_(std::move(inner)), values_(values), bits_(bits) {}
  std::string name() const override { return inner_->name(); }
  bool IgnoresRepeats() const override { return inner_->IgnoresRepeats(); }
  void Compute(std::string_view features, Sketch* sketch) const override {
    thread_local Sketch whole;
    inner_->Compute(features, &whole);
    *sketch = PackValues(whole, bits_);
  }
  SketchLayout layout() const override {
    return {.value_bits = bits_, .values = values_, .packed = true};
  }
  double Estimate(SketchView a, SketchView b) const override {
    const double share = CompareSketches(layout(), a, b).share();
    return std::max(0.0, (share - Chance()) / (1 - Chance()));
  }
  std::optional<double> StandardError(SketchView a,
                                      SketchView b) const override {
    const SketchAgreement agreement = CompareSketches(layout(), a, b);
    if (agreement.compared == 0) return std::nullopt;
    return ShareStandardError(agreement.share(), agreement.compared) /
           (1 - Chance());
  }

 private:
  // That the bits of different values agree (Li and Koenig 2010).
  double Chance() const {
    return 1.0 / static_cast<double>(uint64_t{1} << bits_);
  }

  std::unique_ptr<Sketcher> inner_;
  size_t values_;
  int bits_;
};

}  // namespace

Result<std::unique_ptr<Sketcher>> MakeValueBitsSketcher(
    std::unique_ptr<Sketcher> inner, int values, int bits) {
  if (bits < 1 || bits > 32) {
    return Fail(ErrorCode::kUsage, "--value-bits is " + std::to_string(bits) +
                                       " but must be from 1 to 32");
  }
  if (bits == 32) return inner;
  return std::make_unique<ValueBitsSketcher>(std::move(inner),
                                             static_cast<size_t>(values), bits);
}

}  // namespace twinset
