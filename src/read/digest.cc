#include "read/digest.h"

#include "base/bytes.h"
#include "base/hash.h"

namespace twinset {

std::string PayloadDigest(std::string_view payload, const std::string& kind) {
  if (kind == "sha1-base32") return "sha1:" + ToBase32(Sha1(payload));
  if (kind == "sha256") return "sha256:" + ToHex(Sha256(payload));
  return {};
}

bool ValidDigestKind(std::string_view kind) {
  return kind == "sha1-base32" || kind == "sha256";
}

}  // namespace twinset
