// Digests of payloads as archives write them.
#ifndef TWINSET_SRC_READ_DIGEST_H_
#define TWINSET_SRC_READ_DIGEST_H_

#include <string>
#include <string_view>

#include "twinset/text_choices.h"

namespace twinset::inline v1 {

// "sha1:" + base32, or "sha256:" + lower-case hex.
std::string PayloadDigest(std::string_view payload, DigestKind kind);

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_READ_DIGEST_H_
