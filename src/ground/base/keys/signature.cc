#include "base/keys/signature.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <memory>
#include <new>
#include <utility>

#include "base/lists/list_text.h"

namespace twinset {

namespace {

constexpr uint64_t kMostKeyFileBytes = 64 << 10;

EVP_MD_CTX* ContextOf(void* state) { return static_cast<EVP_MD_CTX*>(state); }

const unsigned char* BytesOf(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;
using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Context = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;

// A passphrase is never asked for: nobody may be there to type it.
int NoPassphrase(char*, int, int, void*) { return 0; }

Bio BioOf(const std::string& text) {
  Bio bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())),
          BIO_free);
  if (!bio) throw std::bad_alloc();
  return bio;
}

// The 32 bytes of an Ed25519 key; empty for a key of another kind.
std::string RawPublicKey(const EVP_PKEY* key) {
  if (key == nullptr || EVP_PKEY_id(key) != EVP_PKEY_ED25519) return {};
  std::string raw(kPublicKeyBytes, '\0');
  size_t size = raw.size();
  if (EVP_PKEY_get_raw_public_key(
          key, reinterpret_cast<unsigned char*>(raw.data()), &size) != 1 ||
      size != kPublicKeyBytes)
    return {};
  return raw;
}

}  // namespace

Sha256Stream::Sha256Stream() : state_(EVP_MD_CTX_new()) {
  if (state_ == nullptr ||
      EVP_DigestInit_ex(ContextOf(state_), EVP_sha256(), nullptr) != 1)
    throw std::bad_alloc();
}

Sha256Stream::~Sha256Stream() { EVP_MD_CTX_free(ContextOf(state_)); }

Sha256Stream::Sha256Stream(Sha256Stream&& other) noexcept
    : state_(std::exchange(other.state_, nullptr)) {}

Sha256Stream& Sha256Stream::operator=(Sha256Stream&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}

void Sha256Stream::Update(std::string_view bytes) {
  EVP_DigestUpdate(ContextOf(state_), bytes.data(), bytes.size());
}

Sha256Value Sha256Stream::Digest() {
  Sha256Value value{};
  EVP_DigestFinal_ex(ContextOf(state_),
                     reinterpret_cast<unsigned char*>(value.data()), nullptr);
  return value;
}

Result<Sha256Value> Sha256OfFile(const std::string& path,
                                 const std::atomic<bool>* stop) {
  TWINSET_ASSIGN(File file, File::OpenRead(path));
  Sha256Stream stream;
  std::string buffer(64 << 10, '\0');
  for (;;) {
    if (stop != nullptr && *stop)
      return Fail(ErrorCode::kInterrupted, "stopped while a file was hashed",
                  path);
    TWINSET_ASSIGN(const size_t size, file.Read(buffer.data(), buffer.size()));
    if (size == 0) return stream.Digest();
    stream.Update(std::string_view(buffer).substr(0, size));
  }
}

Result<SigningKey> SigningKey::Read(const std::string& path) {
  TWINSET_ASSIGN(const std::string text, ReadListText(path, kMostKeyFileBytes));
  Key key(PEM_read_bio_PrivateKey(BioOf(text).get(), nullptr, NoPassphrase,
                                  nullptr),
          EVP_PKEY_free);
  std::string public_key = RawPublicKey(key.get());
  if (public_key.empty())
    return Fail(ErrorCode::kUsage,
                "the file holds no Ed25519 private key without passphrase",
                path, "make one: openssl genpkey -algorithm ed25519 -out FILE");
  return SigningKey(key.release(), std::move(public_key));
}

SigningKey::SigningKey(SigningKey&& other) noexcept
    : key_(std::exchange(other.key_, nullptr)),
      public_key_(std::move(other.public_key_)) {}

SigningKey::~SigningKey() { EVP_PKEY_free(static_cast<EVP_PKEY*>(key_)); }

Result<std::string> SigningKey::Sign(std::string_view message) const {
  const Context context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  std::string signature(kSignatureBytes, '\0');
  size_t size = signature.size();
  if (!context ||
      EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr,
                         static_cast<EVP_PKEY*>(key_)) != 1 ||
      EVP_DigestSign(context.get(),
                     reinterpret_cast<unsigned char*>(signature.data()), &size,
                     BytesOf(message), message.size()) != 1 ||
      size != kSignatureBytes)
    return Fail(ErrorCode::kInternal, "libcrypto cannot sign");
  return signature;
}

Result<std::string> ReadPublicKey(const std::string& path) {
  TWINSET_ASSIGN(const std::string text, ReadListText(path, kMostKeyFileBytes));
  const Key key(
      PEM_read_bio_PUBKEY(BioOf(text).get(), nullptr, NoPassphrase, nullptr),
      EVP_PKEY_free);
  std::string raw = RawPublicKey(key.get());
  if (raw.empty())
    return Fail(ErrorCode::kUsage, "the file holds no Ed25519 public key", path,
                "write that of a private key: openssl pkey -in KEY -pubout "
                "-out FILE");
  return raw;
}

bool IsSignedBy(std::string_view public_key, std::string_view message,
                std::string_view signature) {
  if (public_key.size() != kPublicKeyBytes ||
      signature.size() != kSignatureBytes)
    return false;
  const Key key(
      EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr,
                                  BytesOf(public_key), public_key.size()),
      EVP_PKEY_free);
  const Context context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  return key && context &&
         EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr,
                              key.get()) == 1 &&
         EVP_DigestVerify(context.get(), BytesOf(signature), signature.size(),
                          BytesOf(message), message.size()) == 1;
}

}  // namespace twinset
