// Hashes of all windows of n tokens of a text, and the anchors by which windows
// that could be equal find each other (docs/methods/units.md).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_UNITS_WINDOW_HASH_H_
#define TWINSET_SRC_DEDUP_PIPELINE_UNITS_WINDOW_HASH_H_

#include <cstdint>
#include <vector>

#include "base/hash.h"
#include "base/keyed_hash.h"

namespace twinset {

// What the classes here hold for windows of so many tokens, and whoever holds
// back one place for each.
constexpr uint64_t WindowMemory(uint64_t tokens) { return 40 * tokens; }

// Numbers modulo the prime 2^61 - 1.
inline constexpr uint64_t kWindowPrime = (uint64_t{1} << 61) - 1;

// The polynomial of the last n numbers at a secret place, by Karp and Rabin:
// two different windows have the same one with a chance of n / 2^61.
class RollingPolynomial {
 public:
  // `base`: drawn at random; below the prime.
  RollingPolynomial(uint64_t base, uint64_t n);
  // Takes number `in`; `out` is the one n before it, or 0. Below the prime.
  uint64_t Add(uint64_t in, uint64_t out) {
    value_ = Reduced(Product(value_, base_) + in +
                     (kWindowPrime - Product(out, top_)));
    return value_;
  }
  void Clear() { value_ = 0; }

 private:
  static uint64_t Reduced(uint64_t x) {
    x = (x & kWindowPrime) + (x >> 61);
    return x >= kWindowPrime ? x - kWindowPrime : x;
  }
  static uint64_t Product(uint64_t x, uint64_t y) {
    const auto product = static_cast<unsigned __int128>(x) * y;
    return Reduced((static_cast<uint64_t>(product) & kWindowPrime) +
                   static_cast<uint64_t>(product >> 61));
  }
  uint64_t base_, top_ = 1;  // top_: base_ to the power of n
  uint64_t value_ = 0;
};

// The numbers of the last n tokens.
class LastTokens {
 public:
  explicit LastTokens(uint64_t n) : ring_(n) {}
  // The number that was taken n tokens ago, or 0; puts `number` in its place.
  uint64_t Exchange(uint64_t number) {
    const uint64_t old = ring_[at_];
    ring_[at_] = number;
    at_ = at_ + 1 == ring_.size() ? 0 : at_ + 1;
    return old;
  }
  void Clear() {
    ring_.assign(ring_.size(), 0);
    at_ = 0;
  }

 private:
  std::vector<uint64_t> ring_;
  size_t at_ = 0;
};

// A number for each token, below the prime, under the secret of the run.
class TokenNumbers {
 public:
  // `attempt`: another one gives other numbers.
  explicit TokenNumbers(const HashKey& key, uint64_t attempt = 0);
  uint64_t operator()(std::string_view token) const {
    return SipHash13(key_, token) % kWindowPrime;
  }

 private:
  HashKey key_;
};

// The hash of each window of n tokens.
class WindowHash {
 public:
  // `attempt`: another one gives other hashes.
  WindowHash(const HashKey& key, uint64_t attempt, uint64_t n);
  // The window that ends with this token, if so many were taken.
  Hash128Value Add(uint64_t token) {
    const uint64_t out = last_.Exchange(token);
    return {low_.Add(token, out), high_.Add(token, out)};
  }
  void Clear();

 private:
  WindowHash(KeyStream keys, uint64_t n);
  LastTokens last_;
  RollingPolynomial low_, high_;
};

// Chooses an anchor in each window of n tokens: one of the places where the
// hash of n / 2 tokens is least in the window. So equal windows have anchors of
// equal value, and two windows that do not overlap have two different anchors.
// Neighbours mostly have the same one, also where one token is repeated
// (Schleimer, Wilkerson and Aiken, "Winnowing", SIGMOD 2003: robust winnowing):
// of a long text of random tokens, about one token in n / 4 is an anchor.
class AnchorPicker {
 public:
  struct Anchor {
    uint64_t value = 0;
    uint64_t token = 0;  // the last one of its n / 2, from 0
    friend bool operator==(const Anchor&, const Anchor&) = default;
  };
  AnchorPicker(const HashKey& key, uint64_t n);
  // Takes the next token. The anchor of the window that it ends; null before n
  // tokens were taken. Anchors do not descend.
  const Anchor* Add(uint64_t token);
  void Clear();

 private:
  Anchor* At(uint64_t number) { return &least_[number & (least_.size() - 1)]; }
  uint64_t n_, gram_;
  LastTokens last_;
  RollingPolynomial hash_;
  uint64_t taken_ = 0;
  // Those that may be chosen yet: values and tokens ascend. A ring, of which
  // front_ and back_ count all that came and went.
  std::vector<Anchor> least_;
  uint64_t front_ = 0, back_ = 0;
  Anchor chosen_;
  bool has_chosen_ = false;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_UNITS_WINDOW_HASH_H_
