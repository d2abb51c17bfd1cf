#include "base/hash.h"

#include <gtest/gtest.h>

#include <set>

#include "base/bytes.h"

namespace twinset {
namespace {

// The published vectors of SplitMix64 (seeds 0 and 1234567).
TEST(SplitMix64, KnownAnswers) {
  SplitMix64 zero(0);
  EXPECT_EQ(zero.Next(), 0xe220a8397b1dcdafull);
  EXPECT_EQ(zero.Next(), 0x6e789e6aa1b965f4ull);
  EXPECT_EQ(zero.Next(), 0x06c45d188009454full);
  SplitMix64 other(1234567);
  EXPECT_EQ(other.Next(), 6457827717110365317ull);
  EXPECT_EQ(other.Next(), 3203168211198807973ull);
  EXPECT_EQ(other.Next(), 9817491932198370423ull);
  static_assert(Mix64(0) == 0);
}

TEST(SplitMix64, BelowStaysBelowAndReachesEverything) {
  SplitMix64 random(5);
  EXPECT_EQ(random.Below(1), 0u);
  std::set<uint64_t> seen;
  for (int i = 0; i < 1000; ++i) {
    const uint64_t value = random.Below(10);
    ASSERT_LT(value, 10u);
    seen.insert(value);
  }
  EXPECT_EQ(seen.size(), 10u);
  for (int i = 0; i < 100; ++i)
    ASSERT_LT(random.Below(~uint64_t{0}), ~uint64_t{0});
}

// Values of the XXH3 reference implementation 0.8; files depend on them.
TEST(Hash64, KnownAnswers) {
  EXPECT_EQ(Hash64(""), 0x2d06800538d394c2ull);
  EXPECT_EQ(Hash64("a"), 0xe6c632b61e964e1full);
  EXPECT_EQ(Hash64("abc"), 0x78af5f94892f3950ull);
}

TEST(Hash128, KnownAnswers) {
  const Hash128Value empty = Hash128("");
  EXPECT_EQ(empty.high, 0x99aa06d3014798d8ull);
  EXPECT_EQ(empty.low, 0x6001c324468d497full);
  EXPECT_EQ(Hash128("abc"), Hash128("abc"));
  EXPECT_NE(Hash128("abc"), Hash128("abd"));
}

TEST(Hash64, SeedAndEveryByteMatter) {
  std::string bytes(300, 'x');
  std::set<uint64_t> seen = {Hash64(bytes), Hash64(bytes, 1), Hash64(bytes, 2)};
  for (char& byte : bytes) {
    byte ^= 1;
    seen.insert(Hash64(bytes));
    byte ^= 1;
  }
  EXPECT_EQ(seen.size(), 303u);
  EXPECT_NE(Hash128(bytes), Hash128(bytes, 1));
}

TEST(Hasher64, EqualsHash64HoweverTheBytesAreCut) {
  SplitMix64 random(3);
  for (size_t size : {0, 1, 16, 17, 128, 240, 241, 1024, 5000}) {
    std::string bytes;
    for (size_t i = 0; i < size; ++i) bytes += static_cast<char>(random.Next());
    for (int round = 0; round < 8; ++round) {
      Hasher64 hasher;
      for (size_t at = 0; at < size;) {
        const size_t step = std::min<size_t>(size - at, random.Below(size) + 1);
        hasher.Update(std::string_view(bytes).substr(at, step));
        at += step;
      }
      EXPECT_EQ(hasher.Digest(), Hash64(bytes)) << size;
    }
  }
}

// The first and the third stand in RFC 1321.
TEST(Md5, KnownAnswers) {
  EXPECT_EQ(ToHex(Md5("")), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(ToHex(Md5("hello world")), "5eb63bbbe01eeed093cb22bb8f5acdc3");
  EXPECT_EQ(ToHex(Md5("abc")), "900150983cd24fb0d6963f7d28e17f72");
}

// FIPS 180-4 examples.
TEST(Sha1, KnownAnswers) {
  EXPECT_EQ(ToHex(Sha1("")), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(ToHex(Sha1("abc")), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(
      ToHex(Sha1("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
      "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
  EXPECT_EQ(ToHex(Sha1(std::string(1000000, 'a'))),
            "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

TEST(Sha256, KnownAnswers) {
  EXPECT_EQ(ToHex(Sha256("")),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(ToHex(Sha256("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(
      ToHex(Sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(ToHex(Sha256(std::string(1000000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

}  // namespace
}  // namespace twinset
