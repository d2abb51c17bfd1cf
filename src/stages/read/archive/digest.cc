#include "read/archive/digest.h"

#include <array>

#include "base/ascii.h"
#include "base/bytes.h"
#include "base/hash.h"

namespace twinset {
namespace {

struct FormRow {
  DigestForm form;
  std::string_view label;
  size_t digits;
  std::string (*digest)(std::string_view bytes);
};
constexpr std::array<FormRow, kDigestForms - 1> kForms = {{
    {DigestForm::kSha1Base32, "sha1:", 32, Sha1},
    {DigestForm::kSha1Base16, "sha1:", 40, Sha1},
    {DigestForm::kSha256Base32, "sha256:", 52, Sha256},
    {DigestForm::kSha256Base16, "sha256:", 64, Sha256},
    {DigestForm::kMd5Base32, "md5:", 26, Md5},
    {DigestForm::kMd5Base16, "md5:", 32, Md5},
}};

bool IsBase32(DigestForm form) {
  return form == DigestForm::kSha1Base32 || form == DigestForm::kSha256Base32 ||
         form == DigestForm::kMd5Base32;
}

}  // namespace

DigestForm FormOfDigest(std::string_view digest) {
  const size_t label = digest.find(':') + 1;
  const size_t end = digest.find_last_not_of('=') + 1;
  for (const FormRow& row : kForms) {
    if (label == row.label.size() && end == label + row.digits &&
        EqualsIgnoreCase(digest.substr(0, label), row.label))
      return row.form;
  }
  return DigestForm::kUnknown;
}

DigestForm FormOf(DigestKind kind) {
  return kind == DigestKind::kSha256 ? DigestForm::kSha256Base16
                                     : DigestForm::kSha1Base32;
}

std::string PayloadDigest(std::string_view payload, DigestForm form) {
  for (const FormRow& row : kForms) {
    if (row.form != form) continue;
    const std::string digest = row.digest(payload);
    return std::string(row.label) +
           (IsBase32(form) ? ToBase32(digest).substr(0, row.digits)
                           : ToHex(digest));
  }
  return {};
}

}  // namespace twinset
