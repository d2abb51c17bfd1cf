#include <algorithm>
#include <vector>

#include "base/hash.h"
#include "base/math/primes.h"
#include "sketch/minhash_family.h"
#include "sketch/place_sketcher.h"

namespace twinset {

namespace {

// x mod p by a multiplication.
struct Modulus {
  uint64_t prime = 0;
  uint64_t reciprocal = 0;  // floor(2^64 / p) or one less
  uint64_t salt = 0;        // of the mixing form

  // The quotient estimated from the reciprocal is at most one too small.
  uint32_t Of(uint64_t x) const {
    const auto quotient = static_cast<uint64_t>(
        static_cast<unsigned __int128>(x) * reciprocal >> 64);
    const uint64_t rest = x - quotient * prime;
    // Below the prime, rest - prime wraps around and is the larger one.
    return static_cast<uint32_t>(std::min(rest, rest - prime));
  }
};

class RabinMinHashSketcher : public PlaceSketcher {
 public:
  RabinMinHashSketcher(size_t values, uint64_t seed, bool mixed)
      : PlaceSketcher(values), mixed_(mixed) {
    SplitMix64 random(seed);
    for (size_t i = 0; i < values; ++i) {
      Modulus modulus;
      modulus.prime = RandomPrime(32, &random);
      modulus.reciprocal = ~uint64_t{0} / modulus.prime;
      modulus.salt = mixed ? random.Next() : 0;
      moduli_.push_back(modulus);
    }
  }
  std::string name() const override { return "rabin-minhash"; }
  void Compute(std::string_view features, Sketch* sketch) const override {
    const auto shingles = AsHashes(features);
    sketch->resize(values_);
    for (size_t i = 0; i < values_; ++i) {
      const Modulus modulus = moduli_[i];
      uint32_t least = ~uint32_t{0};
      if (mixed_) {
        for (const uint64_t x : shingles)
          least = std::min(least, modulus.Of(Mix64(x + modulus.salt)));
      } else {
        for (const uint64_t x : shingles)
          least = std::min(least, modulus.Of(x));
      }
      (*sketch)[i] = least;
    }
  }

 private:
  bool mixed_;
  std::vector<Modulus> moduli_;
};

}  // namespace

Result<std::unique_ptr<Sketcher>> MakeRabinMinHashSketcher(int values,
                                                           uint64_t seed,
                                                           bool mixed) {
  TWINSET_TRY(CheckSketchValues(values));
  return std::make_unique<RabinMinHashSketcher>(static_cast<size_t>(values),
                                                seed, mixed);
}

}  // namespace twinset
