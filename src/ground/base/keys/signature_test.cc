#include "base/keys/signature.h"

#include <gtest/gtest.h>

#include "base/bytes.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/test_dir.h"

namespace twinset {
namespace {

// RFC 8032, section 7.1, tests 1 and 2, as the keys in PEM files.
constexpr char kPrivate1[] =
    "-----BEGIN PRIVATE KEY-----\n"
    "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n"
    "-----END PRIVATE KEY-----\n";
constexpr char kPublic1[] =
    "-----BEGIN PUBLIC KEY-----\n"
    "MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n"
    "-----END PUBLIC KEY-----\n";
constexpr std::string_view kPublicHex1 =
    "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
constexpr std::string_view kSignatureOfNothing1 =
    "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
    "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b";

TEST(Signature, KnownAnswerOfTheRfc) {
  const TestDir dir;
  ASSERT_TRUE(WriteWholeFile(dir / "key", kPrivate1));
  ASSERT_TRUE(WriteWholeFile(dir / "pub", kPublic1));
  const auto key = SigningKey::Read(dir / "key");
  ASSERT_TRUE(key) << key.error().ToString();
  EXPECT_EQ(ToHex(key->public_key()), kPublicHex1);
  const auto pub = ReadPublicKey(dir / "pub");
  ASSERT_TRUE(pub) << pub.error().ToString();
  EXPECT_EQ(*pub, key->public_key());
  const std::string signature = key->Sign("");
  EXPECT_EQ(ToHex(signature), kSignatureOfNothing1);
  EXPECT_TRUE(IsSignedBy(*pub, "", signature));
}

// The second version of RFC 5958, which has the public key too, behind other
// lines and with the line ends of Windows.
TEST(Signature, KeysOfTheSecondVersionAreRead) {
  const TestDir dir;
  ASSERT_TRUE(WriteWholeFile(
      dir / "key",
      "made by hand\r\n-----BEGIN PRIVATE KEY-----\r\n"
      "MFECAQEwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\r\n"
      "gSEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\r\n"
      "-----END PRIVATE KEY-----\r\n"));
  const auto key = SigningKey::Read(dir / "key");
  ASSERT_TRUE(key) << key.error().ToString();
  EXPECT_EQ(ToHex(key->public_key()), kPublicHex1);
}

// Each bit of what stands before the key is looked at, and so is each length.
TEST(Signature, FilesOfOtherKeysAreRefused) {
  const TestDir dir;
  const std::string text = kPrivate1;
  const size_t begin = text.find('\n') + 1;
  for (size_t i = 0; i < 20; ++i) {  // 15 bytes
    std::string other = text;
    other[begin + i] = other[begin + i] == 'A' ? 'z' : 'A';
    ASSERT_TRUE(WriteWholeFile(dir / "key", other));
    EXPECT_FALSE(SigningKey::Read(dir / "key")) << i;
  }
  for (size_t kept = 0; kept < 63; ++kept) {
    ASSERT_TRUE(WriteWholeFile(
        dir / "key", text.substr(0, begin + kept) + text.substr(begin + 64)));
    EXPECT_FALSE(SigningKey::Read(dir / "key")) << kept;
  }
}

TEST(Signature, AnyOtherByteIsRefused) {
  const TestDir dir;
  ASSERT_TRUE(WriteWholeFile(dir / "key", kPrivate1));
  const auto key = SigningKey::Read(dir / "key");
  ASSERT_TRUE(key);
  const std::string message = "twins";
  const std::string signature = key->Sign(message);
  EXPECT_TRUE(IsSignedBy(key->public_key(), message, signature));
  EXPECT_FALSE(IsSignedBy(key->public_key(), "twinz", signature));
  for (size_t i = 0; i < signature.size(); ++i) {
    std::string other = signature;
    other[i] = static_cast<char>(other[i] ^ 1);
    EXPECT_FALSE(IsSignedBy(key->public_key(), message, other)) << i;
  }
  EXPECT_FALSE(IsSignedBy(std::string(32, 'k'), message, signature));
  EXPECT_FALSE(IsSignedBy("", message, ""));
}

TEST(Signature, FilesWithoutKeyAreRefused) {
  const TestDir dir;
  ASSERT_TRUE(WriteWholeFile(dir / "none", "no key"));
  ASSERT_TRUE(WriteWholeFile(dir / "public", kPublic1));
  EXPECT_EQ(SigningKey::Read(dir / "none").error().code, ErrorCode::kUsage);
  EXPECT_EQ(SigningKey::Read(dir / "public").error().code, ErrorCode::kUsage);
  EXPECT_EQ(ReadPublicKey(dir / "none").error().code, ErrorCode::kUsage);
  EXPECT_EQ(ReadPublicKey(dir / "absent").error().code, ErrorCode::kIo);
}

TEST(Signature, StreamHasTheDigestOfTheWhole) {
  std::string bytes;
  for (size_t i = 0; i < 200'000; ++i) bytes += static_cast<char>(Mix64(i));
  Sha256Stream stream;
  for (size_t at = 0; at < bytes.size(); at += 777)
    stream.Update(std::string_view(bytes).substr(at, 777));
  const Sha256Value value = stream.Digest();
  EXPECT_EQ(std::string(value.data(), value.size()), Sha256(bytes));
}

}  // namespace
}  // namespace twinset
