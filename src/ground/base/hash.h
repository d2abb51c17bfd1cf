// The hash functions every layer shares. All are fixed by the spec
// (docs/spec/1.md): their values appear in files.
#ifndef TWINSET_SRC_GROUND_BASE_HASH_H_
#define TWINSET_SRC_GROUND_BASE_HASH_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace twinset {

// The finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): a bijection
// on 64 bits.
constexpr uint64_t Mix64(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

// SplitMix64: the seeded generator of every constant and every test. Not for
// secrets.
class SplitMix64 {
 public:
  explicit constexpr SplitMix64(uint64_t seed) : state_(seed) {}
  constexpr uint64_t Next() {
    state_ += 0x9e3779b97f4a7c15ull;
    return Mix64(state_);
  }
  // Uniform in [0, bound), bound > 0; bias below 2^-64 * bound.
  constexpr uint64_t Below(uint64_t bound) {
    return static_cast<uint64_t>(
        (static_cast<unsigned __int128>(Next()) * bound) >> 64);
  }

 private:
  uint64_t state_;
};

struct Hash128Value {
  uint64_t low = 0;
  uint64_t high = 0;
  friend bool operator==(const Hash128Value&, const Hash128Value&) = default;
  friend auto operator<=>(const Hash128Value&, const Hash128Value&) = default;
};

// XXH3, 64 bits and 128 bits, with a seed.
uint64_t Hash64(std::string_view bytes, uint64_t seed = 0);
Hash128Value Hash128(std::string_view bytes, uint64_t seed = 0);

// Incremental form of Hash64 with seed 0.
class Hasher64 {
 public:
  Hasher64();
  ~Hasher64();
  Hasher64(Hasher64&& other) noexcept;
  Hasher64& operator=(Hasher64&& other) noexcept;
  void Update(std::string_view bytes);
  uint64_t Digest() const;

 private:
  void* state_;
};

// Cryptographic digests, raw bytes (16, 20 and 32 of them).
std::string Md5(std::string_view bytes);
std::string Sha1(std::string_view bytes);
std::string Sha256(std::string_view bytes);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_HASH_H_
