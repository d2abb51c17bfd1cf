// Digests of payloads as archives write them.
#ifndef TWINSET_SRC_STAGES_READ_ARCHIVE_DIGEST_H_
#define TWINSET_SRC_STAGES_READ_ARCHIVE_DIGEST_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "twinset/text_choices.h"

namespace twinset {

// By which algorithm and in which digits a digest is written.
enum class DigestForm : uint8_t {
  kUnknown,
  kSha1Base32,
  kSha1Base16,
  kSha256Base32,
  kSha256Base16,
  kMd5Base32,
  kMd5Base16,
};
inline constexpr size_t kDigestForms = 7;

// That of a digest as an archive writes it, "sha1:3I42H3S6...".
DigestForm FormOfDigest(std::string_view digest);
DigestForm FormOf(DigestKind kind);
// The digest of `payload` in a form that is not unknown: base32 in capitals
// and without padding, base16 in small letters.
std::string PayloadDigest(std::string_view payload, DigestForm form);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_ARCHIVE_DIGEST_H_
