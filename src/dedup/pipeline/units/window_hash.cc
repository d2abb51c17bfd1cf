#include "pipeline/units/window_hash.h"

#include <algorithm>
#include <bit>

namespace twinset {

namespace {

// Streams of constants that are drawn from the secret of the run.
constexpr uint64_t kTokenStream = 0x6e656b6f74;     // "token"
constexpr uint64_t kAnchorStream = 0x726f68636e61;  // "anchor"
constexpr uint64_t kWindowStream = 0x776f646e6977;  // "window"

// Not 0 or 1, which would forget the order.
uint64_t DrawBase(KeyStream* keys) {
  return 2 + keys->Next() % (kWindowPrime - 2);
}

uint64_t GramOf(uint64_t n) { return std::max<uint64_t>(1, n / 2); }

uint64_t FirstBase(const HashKey& key, uint64_t stream) {
  KeyStream keys(key, stream);
  return DrawBase(&keys);
}

}  // namespace

RollingPolynomial::RollingPolynomial(uint64_t base, uint64_t n) : base_(base) {
  for (uint64_t i = 0; i < n; ++i) top_ = Product(top_, base_);
}

TokenNumbers::TokenNumbers(const HashKey& key, uint64_t attempt)
    : key_(KeyStream(key, kTokenStream + attempt).NextKey()) {}

WindowHash::WindowHash(const HashKey& key, uint64_t attempt, uint64_t n)
    : WindowHash(KeyStream(key, kWindowStream + attempt), n) {}

WindowHash::WindowHash(KeyStream keys, uint64_t n)
    : last_(n), low_(DrawBase(&keys), n), high_(DrawBase(&keys), n) {}

void WindowHash::Clear() {
  last_.Clear();
  low_.Clear();
  high_.Clear();
}

AnchorPicker::AnchorPicker(const HashKey& key, uint64_t n)
    : n_(n),
      gram_(GramOf(n)),
      last_(gram_),
      hash_(FirstBase(key, kAnchorStream), gram_),
      least_(std::bit_ceil(n - gram_ + 2)) {}

const AnchorPicker::Anchor* AnchorPicker::Add(uint64_t token) {
  // Mixed, because polynomials of small numbers are small.
  const uint64_t value = Mix64(hash_.Add(token, last_.Exchange(token)));
  const uint64_t at = taken_++;
  if (taken_ < gram_) return nullptr;
  while (back_ > front_ && At(back_ - 1)->value >= value) --back_;
  *At(back_++) = {value, at};
  if (taken_ < n_) return nullptr;
  // The grams of the window end from here on.
  const uint64_t first = taken_ - n_ + gram_ - 1;
  while (At(front_)->token < first) ++front_;
  const bool stays = has_chosen_ && chosen_.token >= first &&
                     chosen_.value == At(front_)->value;
  if (!stays) chosen_ = *At(front_);
  has_chosen_ = true;
  return &chosen_;
}

void AnchorPicker::Clear() {
  last_.Clear();
  hash_.Clear();
  taken_ = 0;
  front_ = back_ = 0;
  has_chosen_ = false;
}

}  // namespace twinset
