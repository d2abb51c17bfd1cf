#include "base/hash.h"

#include <openssl/evp.h>
#include <xxhash.h>

#include <new>

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

void Hasher64::Update(std::string_view bytes) {
  XXH3_64bits_update(static_cast<XXH3_state_t*>(state_), bytes.data(),
                     bytes.size());
}

uint64_t Hasher64::Digest() const {
  return XXH3_64bits_digest(static_cast<const XXH3_state_t*>(state_));
}

namespace {
std::string Digest(const EVP_MD* algorithm, std::string_view bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest, &size, algorithm, nullptr);
  return std::string(reinterpret_cast<const char*>(digest), size);
}
}  // namespace

std::string Sha1(std::string_view bytes) { return Digest(EVP_sha1(), bytes); }
std::string Sha256(std::string_view bytes) {
  return Digest(EVP_sha256(), bytes);
}

}  // namespace twinset
