#include <vector>

#include "base/hash.h"
#include "kernels/kernels.h"
#include "sketch/minhash_family.h"
#include "sketch/place_sketcher.h"

namespace twinset {

namespace {

constexpr uint64_t kEmpty = ~uint64_t{0};

class OnePermutationSketcher : public PlaceSketcher {
 public:
  OnePermutationSketcher(size_t values, uint64_t seed) : PlaceSketcher(values) {
    SplitMix64 random(seed);
    multiplier_ = random.Next() | 1;
    addend_ = random.Next();
    salt_ = random.Next();
  }
  std::string name() const override { return "one-permutation"; }
  bool IgnoresRepeats() const override { return true; }
  void Compute(std::string_view features, Sketch* sketch) const override {
    thread_local std::vector<uint64_t> minima;
    minima.resize(values_);
    kernels::BinMinima(AsHashes(features), multiplier_, addend_, minima);
    sketch->resize(values_);
    for (size_t i = 0; i < values_; ++i) {
      const size_t from = minima[i] != kEmpty ? i : Lender(minima, i);
      (*sketch)[i] = static_cast<uint32_t>(Mix64(minima[from]));
    }
  }

 private:
  // So many random bins are asked, one after the other; then the least hash
  // among those that have a value decides. Both are the same draw for two
  // documents whose filled bins are the same, and neither prefers a bin.
  static constexpr uint64_t kAttempts = 64;

  // The bin that bin `empty` borrows from; 0 if all are empty.
  size_t Lender(const std::vector<uint64_t>& minima, size_t empty) const {
    const uint64_t salt = Mix64(salt_ + empty);
    for (uint64_t attempt = 0; attempt < kAttempts; ++attempt) {
      const size_t bin = (Mix64(salt + attempt) >> 32) * values_ >> 32;
      if (minima[bin] != kEmpty) return bin;
    }
    size_t best = 0;
    uint64_t least = kEmpty;
    for (size_t bin = 0; bin < values_; ++bin) {
      if (minima[bin] == kEmpty) continue;
      const uint64_t hash = Mix64(salt ^ Mix64(bin));
      if (hash < least) {
        least = hash;
        best = bin;
      }
    }
    return best;
  }

  uint64_t multiplier_, addend_, salt_;
};

}  // namespace

Result<std::unique_ptr<Sketcher>> MakeOnePermutationSketcher(int values,
                                                             uint64_t seed) {
  TWINSET_TRY(CheckSketchValues(values));
  return std::make_unique<OnePermutationSketcher>(static_cast<size_t>(values),
                                                  seed);
}

}  // namespace twinset
