#include "sketch/peer_minhash.h"

#include <algorithm>
#include <random>
#include <utility>

#include "sketch/place_sketcher.h"

namespace twinset {
namespace {

constexpr uint64_t kMersenne61 = (uint64_t{1} << 61) - 1;
constexpr uint32_t kMaxValue = 0xffffffff;

// NumPy's legacy generator: MT19937 seeded by one word, and integers below a
// bound by masking and rejecting (RandomState.randint; the stream is frozen by
// NumPy's NEP 19).
class NumpyRandomState {
 public:
  explicit NumpyRandomState(uint32_t seed) : words_(seed) {}
  uint32_t Word() { return static_cast<uint32_t>(words_()); }
  // Uniform in [low, low + range], 2^32 <= range: two words a try, high first.
  uint64_t Wide(uint64_t low, uint64_t range) {
    uint64_t mask = range;
    for (int shift = 1; shift < 64; shift *= 2) mask |= mask >> shift;
    for (;;) {
      const uint64_t high = Word();
      const uint64_t value = (high << 32 | Word()) & mask;
      if (value <= range) return low + value;
    }
  }

 private:
  std::mt19937 words_;
};

void DrawModular(bool interleaved, size_t count, NumpyRandomState* random,
                 PeerConstants* constants) {
  const auto draw_a = [&] {
    constants->a.push_back(random->Wide(1, kMersenne61 - 2));
  };
  const auto draw_b = [&] {
    constants->b.push_back(random->Wide(0, kMersenne61 - 1));
  };
  for (size_t i = 0; i < count; ++i) {
    draw_a();
    if (interleaved) draw_b();
  }
  while (constants->b.size() < count) draw_b();
}

void DrawAffine(size_t count, NumpyRandomState* random,
                PeerConstants* constants) {
  for (size_t i = 0; i < count; ++i) {
    // randint below 2^31 takes the low 31 bits of a word.
    constants->a.push_back((random->Word() & 0x7fffffffu) * 2u + 1u);
  }
  for (size_t i = 0; i < count; ++i) constants->b.push_back(random->Word());
}

uint64_t ModMersenne61(uint64_t x) {
  const uint64_t folded = (x & kMersenne61) + (x >> 61);
  return folded >= kMersenne61 ? folded - kMersenne61 : folded;
}

// The 32-bit finaliser of MurmurHash3 (Appleby, public domain).
uint32_t Finalise32(uint32_t x) {
  x = (x ^ x >> 16) * 0x85EBCA6Bu;
  x = (x ^ x >> 13) * 0xC2B2AE35u;
  return x ^ x >> 16;
}

class PeerMinHashSketcher : public PlaceSketcher {
 public:
  PeerMinHashSketcher(std::string name, bool affine, PeerConstants constants)
      : PlaceSketcher(constants.a.size()),
        name_(std::move(name)),
        affine_(affine),
        constants_(std::move(constants)) {}
  std::string name() const override { return "minhash-" + name_; }

  void Compute(std::string_view features, Sketch* sketch) const override {
    sketch->assign(values_, kMaxValue);
    for (const uint64_t feature : AsHashes(features)) {
      const uint64_t x =
          affine_ ? Finalise32(static_cast<uint32_t>(feature)) : feature;
      for (size_t i = 0; i < values_; ++i) {
        const uint64_t y = constants_.a[i] * x + constants_.b[i];
        const auto value =
            static_cast<uint32_t>(affine_ ? y : ModMersenne61(y));
        (*sketch)[i] = std::min((*sketch)[i], value);
      }
    }
  }

 private:
  std::string name_;
  bool affine_;
  PeerConstants constants_;
};

}  // namespace

Result<PeerConstants> MakePeerConstants(HashFamily family, int permutations,
                                        uint64_t seed) {
  const std::string name(ChoiceName(family));
  if (family == HashFamily::kSpec || family == HashFamily::kMixed) {
    return Fail(ErrorCode::kUsage,
                "no other package's hash family is called '" + name + "'", "",
                "use one of: datasketch, datasketch-2, text-dedup");
  }
  if (permutations < 1 || permutations > kMaxSketchValues) {
    return Fail(ErrorCode::kUsage, "--permutations must be from 1 to 4096");
  }
  if (seed > kMaxValue) {
    return Fail(ErrorCode::kUsage,
                "--hash-family " + name +
                    " takes a --seed below 4294967296, as NumPy does",
                "", "give one, or --hash-family spec");
  }
  NumpyRandomState random(static_cast<uint32_t>(seed));
  const auto count = static_cast<size_t>(permutations);
  PeerConstants constants;
  if (family == HashFamily::kDatasketch2) {
    DrawAffine(count, &random, &constants);
  } else {
    DrawModular(family == HashFamily::kDatasketch, count, &random, &constants);
  }
  return constants;
}

Result<std::unique_ptr<Sketcher>> MakePeerMinHashSketcher(HashFamily family,
                                                          int permutations,
                                                          uint64_t seed) {
  TWINSET_ASSIGN(PeerConstants constants,
                 MakePeerConstants(family, permutations, seed));
  return std::make_unique<PeerMinHashSketcher>(
      std::string(ChoiceName(family)), family == HashFamily::kDatasketch2,
      std::move(constants));
}

}  // namespace twinset
