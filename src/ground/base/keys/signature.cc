#include "base/keys/signature.h"

#include <nettle/sha2.h>
#include <sodium.h>

#include <cstdint>
#include <utility>

#include "base/lists/list_text.h"

namespace twinset {

namespace {

// Nothing of libsodium that is used here draws random numbers or is chosen by
// the processor, so sodium_init is not called.
constexpr uint64_t kMostKeyFileBytes = 64 << 10;

// How Ed25519 keys begin in DER (RFC 8410): what stands before their 32 bytes.
// The first byte is of a sequence, the second is its length.
constexpr std::string_view kPrivatePrefix(
    "\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20", 16);
constexpr std::string_view kPublicPrefix(
    "\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00", 12);

sha256_ctx* ContextOf(void* state) { return static_cast<sha256_ctx*>(state); }

const uint8_t* BytesOf(std::string_view text) {
  return reinterpret_cast<const uint8_t*>(text.data());
}
uint8_t* BytesOf(std::string* text) {
  return reinterpret_cast<uint8_t*>(text->data());
}

void Wipe(std::string* secret) {
  sodium_memzero(secret->data(), secret->size());
  secret->clear();
}

// The bytes of the first block of this name in a PEM file (RFC 7468); empty if
// there is none.
std::string PemBlock(std::string_view text, const std::string& name) {
  const std::string begin = "-----BEGIN " + name + "-----";
  const size_t at = text.find(begin);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + begin.size());
  text = text.substr(0, text.find("-----END " + name + "-----"));
  std::string bytes(text.size(), '\0');
  size_t size = 0;
  if (sodium_base642bin(BytesOf(&bytes), bytes.size(), text.data(), text.size(),
                        "\r\n\t ", &size, nullptr,
                        sodium_base64_VARIANT_ORIGINAL) != 0)
    size = 0;
  bytes.resize(size);
  return bytes;
}

// The 32 bytes of the Ed25519 key that such a block holds; empty for any other.
// A private key may be followed by attributes and by its public key (RFC 5958),
// under the second version.
std::string RawKey(std::string bytes, std::string_view prefix) {
  std::string head = bytes.substr(0, prefix.size());
  if (prefix == kPrivatePrefix && head.size() == prefix.size()) {
    // A length above 127 has a longer form.
    const bool fits =
        bytes.size() < 130 && head[1] == static_cast<char>(bytes.size() - 2);
    head[1] = fits ? prefix[1] : '\0';
    if (head[4] == 1) head[4] = 0;  // the version
  }
  const bool is_key = head == prefix &&
                      bytes.size() >= prefix.size() + kPublicKeyBytes &&
                      (prefix == kPrivatePrefix ||
                       bytes.size() == prefix.size() + kPublicKeyBytes);
  std::string raw = is_key ? bytes.substr(prefix.size(), kPublicKeyBytes) : "";
  Wipe(&bytes);
  return raw;
}

}  // namespace

Sha256Stream::Sha256Stream() : state_(new sha256_ctx) {
  sha256_init(ContextOf(state_));
}

Sha256Stream::~Sha256Stream() { delete ContextOf(state_); }

Sha256Stream::Sha256Stream(Sha256Stream&& other) noexcept
    : state_(std::exchange(other.state_, nullptr)) {}

Sha256Stream& Sha256Stream::operator=(Sha256Stream&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}

void Sha256Stream::Update(std::string_view bytes) {
  sha256_update(ContextOf(state_), bytes.size(), BytesOf(bytes));
}

Sha256Value Sha256Stream::Digest() {
  Sha256Value value{};
  sha256_digest(ContextOf(state_), value.size(),
                reinterpret_cast<uint8_t*>(value.data()));
  return value;
}

Result<SigningKey> SigningKey::Read(const std::string& path) {
  TWINSET_ASSIGN(std::string text, ReadListText(path, kMostKeyFileBytes));
  std::string private_key =
      RawKey(PemBlock(text, "PRIVATE KEY"), kPrivatePrefix);
  Wipe(&text);
  if (private_key.empty())
    return Fail(ErrorCode::kUsage,
                "the file holds no Ed25519 private key without passphrase",
                path, "make one: openssl genpkey -algorithm ed25519 -out FILE");
  // The library's form of a key: the private one, and behind it the public one.
  std::string public_key(kPublicKeyBytes, '\0');
  std::string both(crypto_sign_ed25519_SECRETKEYBYTES, '\0');
  crypto_sign_ed25519_seed_keypair(BytesOf(&public_key), BytesOf(&both),
                                   BytesOf(private_key));
  Wipe(&private_key);
  return SigningKey(std::move(both), std::move(public_key));
}

SigningKey::SigningKey(SigningKey&& other) noexcept
    : private_key_(other.private_key_),
      public_key_(std::move(other.public_key_)) {
  Wipe(&other.private_key_);
}

SigningKey::~SigningKey() { Wipe(&private_key_); }

std::string SigningKey::Sign(std::string_view message) const {
  std::string signature(kSignatureBytes, '\0');
  crypto_sign_ed25519_detached(BytesOf(&signature), nullptr, BytesOf(message),
                               message.size(), BytesOf(private_key_));
  return signature;
}

Result<std::string> ReadPublicKey(const std::string& path) {
  TWINSET_ASSIGN(const std::string text, ReadListText(path, kMostKeyFileBytes));
  std::string raw = RawKey(PemBlock(text, "PUBLIC KEY"), kPublicPrefix);
  if (raw.empty())
    return Fail(ErrorCode::kUsage, "the file holds no Ed25519 public key", path,
                "write that of a private key: openssl pkey -in KEY -pubout "
                "-out FILE");
  return raw;
}

bool IsSignedBy(std::string_view public_key, std::string_view message,
                std::string_view signature) {
  return public_key.size() == kPublicKeyBytes &&
         signature.size() == kSignatureBytes &&
         crypto_sign_ed25519_verify_detached(BytesOf(signature),
                                             BytesOf(message), message.size(),
                                             BytesOf(public_key)) == 0;
}

}  // namespace twinset
