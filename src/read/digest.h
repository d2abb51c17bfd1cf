// Digests of payloads as archives write them.
#ifndef TWINSET_SRC_READ_DIGEST_H_
#define TWINSET_SRC_READ_DIGEST_H_

#include <string>
#include <string_view>

namespace twinset {

// "sha1:" + base32 for kind "sha1-base32", "sha256:" + lower-case hex for kind
// "sha256"; empty for any other kind (ValidDigestKind tells beforehand).
std::string PayloadDigest(std::string_view payload, const std::string& kind);
bool ValidDigestKind(std::string_view kind);

}  // namespace twinset

#endif  // TWINSET_SRC_READ_DIGEST_H_
