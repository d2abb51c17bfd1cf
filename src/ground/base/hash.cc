#include "base/hash.h"

#include <openssl/evp.h>
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

// Fetched once: looking an algorithm up by name costs more than a short digest.
// Never freed, as threads may end after the statics of this file.
const EVP_MD* Fetched(const char* name, const EVP_MD* legacy) {
  const EVP_MD* fetched = EVP_MD_fetch(nullptr, name, nullptr);
  return fetched != nullptr ? fetched : legacy;
}

std::string Digest(const EVP_MD* algorithm, std::string_view bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  // Fails only without memory or without the algorithm.
  if (EVP_Digest(bytes.data(), bytes.size(), digest, &size, algorithm,
                 nullptr) != 1) {
    throw std::bad_alloc();
  }
  return std::string(reinterpret_cast<const char*>(digest), size);
}

}  // namespace

std::string Md5(std::string_view bytes) {
  static const EVP_MD* const algorithm = Fetched("MD5", EVP_md5());
  return Digest(algorithm, bytes);
}

std::string Sha1(std::string_view bytes) {
  static const EVP_MD* const algorithm = Fetched("SHA1", EVP_sha1());
  return Digest(algorithm, bytes);
}

std::string Sha256(std::string_view bytes) {
  static const EVP_MD* const algorithm = Fetched("SHA256", EVP_sha256());
  return Digest(algorithm, bytes);
}

}  // namespace twinset
