#include "base/hash.h"

#include <nettle/md5.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>
#include <xxhash.h>

#include <new>
#include <utility>

namespace twinset {

uint64_t Hash64(std::string_view bytes, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

Hash128Value Hash128(std::string_view bytes, uint64_t seed) {
  const XXH128_hash_t hash =
      XXH3_128bits_withSeed(bytes.data(), bytes.size(), seed);
  return {hash.low64, hash.high64};
}

Hasher64::Hasher64() : state_(XXH3_createState()) {
  if (state_ == nullptr) throw std::bad_alloc();
  XXH3_64bits_reset(static_cast<XXH3_state_t*>(state_));
}

Hasher64::~Hasher64() { XXH3_freeState(static_cast<XXH3_state_t*>(state_)); }

Hasher64::Hasher64(Hasher64&& other) noexcept
    : state_(std::exchange(other.state_, nullptr)) {}

Hasher64& Hasher64::operator=(Hasher64&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}

void Hasher64::Update(std::string_view bytes) {
  XXH3_64bits_update(static_cast<XXH3_state_t*>(state_), bytes.data(),
                     bytes.size());
}

uint64_t Hasher64::Digest() const {
  return XXH3_64bits_digest(static_cast<const XXH3_state_t*>(state_));
}

namespace {

template <typename State, size_t kBytes>
std::string DigestOf(std::string_view bytes, void (*init)(State*),
                     void (*update)(State*, size_t, const uint8_t*),
                     void (*digest)(State*, size_t, uint8_t*)) {
  State state;
  init(&state);
  update(&state, bytes.size(), reinterpret_cast<const uint8_t*>(bytes.data()));
  std::string value(kBytes, '\0');
  digest(&state, kBytes, reinterpret_cast<uint8_t*>(value.data()));
  return value;
}

}  // namespace

std::string Md5(std::string_view bytes) {
  return DigestOf<md5_ctx, MD5_DIGEST_SIZE>(bytes, md5_init, md5_update,
                                            md5_digest);
}

std::string Sha1(std::string_view bytes) {
  return DigestOf<sha1_ctx, SHA1_DIGEST_SIZE>(bytes, sha1_init, sha1_update,
                                              sha1_digest);
}

std::string Sha256(std::string_view bytes) {
  return DigestOf<sha256_ctx, SHA256_DIGEST_SIZE>(bytes, sha256_init,
                                                  sha256_update, sha256_digest);
}

}  // namespace twinset
