// Any bytes as the PEM file of a key: what is read as a private key signs, and
// only its own signature of its own message counts.
#include "base/keys/signature.h"
#include "scratch_file.h"
#include "target.h"

TWINSET_FUZZ_TARGET(pem_key) {
  using namespace twinset;  // NOLINT: the target's subject
  const std::string path = ScratchFolder() + "/key";
  WriteScratch(path, {reinterpret_cast<const char*>(data), size});
  const auto public_key = ReadPublicKey(path);
  Require(!public_key || public_key->size() == kPublicKeyBytes);
  const auto key = SigningKey::Read(path);
  if (!key) return 0;
  std::string signature = key->Sign("message");
  Require(IsSignedBy(key->public_key(), "message", signature));
  Require(!IsSignedBy(key->public_key(), "massage", signature));
  signature[size % signature.size()] ^= 1;
  Require(!IsSignedBy(key->public_key(), "message", signature));
  return 0;
}
