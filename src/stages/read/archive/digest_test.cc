#include "read/archive/digest.h"

#include <gtest/gtest.h>

#include <string>

namespace twinset {
namespace {

// The digests of nothing are known answers of the algorithms.
TEST(Digest, IsWrittenAsArchivesWriteIt) {
  const std::pair<DigestForm, const char*> known[] = {
      {DigestForm::kSha1Base32, "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"},
      {DigestForm::kSha1Base16,
       "sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709"},
      {DigestForm::kSha256Base32,
       "sha256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ"},
      {DigestForm::kSha256Base16,
       "sha256:"
       "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {DigestForm::kMd5Base32, "md5:2QOYZWMPACZAJ2MABGMOZ6CCPY"},
      {DigestForm::kMd5Base16, "md5:d41d8cd98f00b204e9800998ecf8427e"}};
  for (const auto& [form, text] : known) {
    EXPECT_EQ(PayloadDigest("", form), text);
    EXPECT_EQ(FormOfDigest(text), form) << text;
  }
  EXPECT_EQ(PayloadDigest("", DigestForm::kUnknown), "");
}

TEST(Digest, FormsAreKnownByLabelAndLength) {
  EXPECT_EQ(FormOfDigest("SHA1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"),
            DigestForm::kSha1Base32);
  EXPECT_EQ(FormOfDigest("md5:2QOYZWMPACZAJ2MABGMOZ6CCPY======"),
            DigestForm::kMd5Base32);
  for (const char* other : {"", "sha1", "sha1:", "sha1:3I42",
                            "blake3:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
                            "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "===="}) {
    EXPECT_EQ(FormOfDigest(other), DigestForm::kUnknown) << other;
  }
}

}  // namespace
}  // namespace twinset
