// Signatures of files: SHA-256 of long streams, and Ed25519 (RFC 8032) with
// keys as PEM files.
#ifndef TWINSET_SRC_GROUND_BASE_KEYS_SIGNATURE_H_
#define TWINSET_SRC_GROUND_BASE_KEYS_SIGNATURE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "twinset/error.h"

namespace twinset {

using Sha256Value = std::array<char, 32>;

// Incremental form of Sha256. Movable, not thread-safe.
class Sha256Stream {
 public:
  Sha256Stream();
  ~Sha256Stream();
  Sha256Stream(Sha256Stream&& other) noexcept;
  Sha256Stream& operator=(Sha256Stream&& other) noexcept;
  void Update(std::string_view bytes);
  // The digest of all that was added; nothing may be added afterwards.
  Sha256Value Digest();

 private:
  void* state_;
};

inline constexpr size_t kPublicKeyBytes = 32, kSignatureBytes = 64;

// Signs with the private key in the PEM file at `path` (PKCS #8, as `openssl
// genpkey -algorithm ed25519` writes it). kUsage for a file that holds no such
// key, or one under a passphrase; kIo. Not thread-safe.
class SigningKey {
 public:
  static Result<SigningKey> Read(const std::string& path);
  SigningKey(SigningKey&& other) noexcept;
  SigningKey& operator=(SigningKey&&) = delete;
  ~SigningKey();
  const std::string& public_key() const { return public_key_; }
  std::string Sign(std::string_view message) const;

 private:
  SigningKey(std::string private_key, std::string public_key)
      : private_key_(std::move(private_key)),
        public_key_(std::move(public_key)) {}
  std::string private_key_;  // wiped when it goes
  std::string public_key_;
};

// The bytes of the public key in the PEM file at `path` (as `openssl pkey
// -pubout` writes it). kUsage for a file that holds no such key; kIo.
Result<std::string> ReadPublicKey(const std::string& path);

// Returns true iff `signature` was made of `message` by the owner of
// `public_key`.
bool IsSignedBy(std::string_view public_key, std::string_view message,
                std::string_view signature);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_KEYS_SIGNATURE_H_
