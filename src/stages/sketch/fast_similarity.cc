#include <vector>

#include "base/hash.h"
#include "kernels/kernels.h"
#include "sketch/minhash_family.h"
#include "sketch/place_sketcher.h"

namespace twinset {

namespace {

class FastSimilaritySketcher : public PlaceSketcher {
 public:
  FastSimilaritySketcher(size_t values, uint64_t seed) : PlaceSketcher(values) {
    SplitMix64 random(seed);
    for (size_t i = 0; i < 2 * values; ++i) {
      multipliers_.push_back(random.Next() | 1);
      addends_.push_back(random.Next());
    }
  }
  std::string name() const override { return "fss"; }
  bool IgnoresRepeats() const override { return true; }
  void Compute(std::string_view features, Sketch* sketch) const override {
    thread_local std::vector<uint64_t> keys;
    keys.resize(values_);
    kernels::FastSimilarity(AsHashes(features), multipliers_, addends_, keys);
    // A key says in which round and where; mixed, few bits of it will do.
    sketch->resize(values_);
    for (size_t i = 0; i < values_; ++i)
      (*sketch)[i] = static_cast<uint32_t>(Mix64(keys[i]));
  }

 private:
  std::vector<uint64_t> multipliers_, addends_;
};

}  // namespace

Result<std::unique_ptr<Sketcher>> MakeFastSimilaritySketcher(int values,
                                                             uint64_t seed) {
  TWINSET_TRY(CheckSketchValues(values));
  return std::make_unique<FastSimilaritySketcher>(static_cast<size_t>(values),
                                                  seed);
}

}  // namespace twinset
