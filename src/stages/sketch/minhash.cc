#include <algorithm>
#include <vector>

#include "base/hash.h"
#include "kernels/kernels.h"
#include "sketch/place_sketcher.h"

namespace twinset {

namespace {

class MinHashSketcher : public PlaceSketcher {
 public:
  MinHashSketcher(size_t values, uint64_t seed) : PlaceSketcher(values) {
    SplitMix64 random(seed);
    for (size_t i = 0; i < values; ++i) {
      multipliers_.push_back(random.Next() | 1);
      addends_.push_back(random.Next());
    }
  }
  std::string name() const override { return "minhash"; }
  bool IgnoresRepeats() const override { return true; }
  void Compute(std::string_view features, Sketch* sketch) const override {
    sketch->resize(values_);
    kernels::MinHash(AsHashes(features), multipliers_, addends_,
                     sketch->data());
  }

 private:
  std::vector<uint64_t> multipliers_, addends_;
};

}  // namespace

Result<std::unique_ptr<Sketcher>> MakeMinHashSketcher(int permutations,
                                                      uint64_t seed) {
  if (permutations < 8 || permutations > 4096 || permutations % 8 != 0) {
    return Fail(ErrorCode::kUsage,
                "--permutations is " + std::to_string(permutations) +
                    " but must be a multiple of 8 from 8 to 4096");
  }
  return std::make_unique<MinHashSketcher>(static_cast<size_t>(permutations),
                                           seed);
}

}  // namespace twinset
