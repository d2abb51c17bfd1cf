#include "read/digest.h"

#include "base/bytes.h"
#include "base/hash.h"

namespace twinset::inline v1 {

std::string PayloadDigest(std::string_view payload, DigestKind kind) {
  return kind == DigestKind::kSha256 ? "sha256:" + ToHex(Sha256(payload))
                                     : "sha1:" + ToBase32(Sha1(payload));
}

}  // namespace twinset::inline v1
