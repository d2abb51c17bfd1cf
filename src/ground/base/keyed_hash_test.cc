#include "base/keyed_hash.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace twinset {
namespace {

constexpr HashKey kCounting = {0x0706050403020100, 0x0f0e0d0c0b0a0908};

std::string Counting(size_t size) {
  std::string bytes;
  for (size_t i = 0; i < size; ++i) bytes += static_cast<char>(i);
  return bytes;
}

// The vectors of the paper's authors: key 00..0f, input 00, 01, ...
TEST(KeyedHashTest, SipHash24HasThePublishedValues) {
  EXPECT_EQ(SipHash24(kCounting, Counting(0)), 0x726fdb47dd0e0e31u);
  EXPECT_EQ(SipHash24(kCounting, Counting(1)), 0x74f839c593dc67fdu);
  EXPECT_EQ(SipHash24(kCounting, Counting(8)), 0x93f5f5799a932462u);
  EXPECT_EQ(SipHash24(kCounting, Counting(15)), 0xa129ca6149be45e5u);
}

TEST(KeyedHashTest, SipHash13HasThePublishedValues) {
  EXPECT_EQ(SipHash13(kCounting, Counting(0)), 0xabac0158050fc4dcu);
  EXPECT_EQ(SipHash13(kCounting, Counting(1)), 0xc9f49bf37d57ca93u);
}

TEST(KeyedHashTest, EveryByteTheLengthAndTheKeyCount) {
  std::set<uint64_t> seen;
  size_t made = 0;
  for (size_t size = 0; size < 40; ++size) {
    const std::string zeros(size, '\0');
    for (const HashKey key : {kCounting, HashKey{1, 0}, HashKey{0, 1}}) {
      seen.insert(SipHash13(key, zeros));
      seen.insert(KeyedDigest(key)(zeros).low);
      seen.insert(KeyedDigest(key)(zeros).high);
      made += 3;
      for (size_t i = 0; i < size; ++i, ++made) {
        std::string other = zeros;
        other[i] = 1;
        seen.insert(SipHash13(key, other));
      }
    }
  }
  EXPECT_EQ(seen.size(), made);
}

TEST(KeyedHashTest, KeysAreDrawnWrittenAndRead) {
  const HashKey key = *DrawHashKey();
  EXPECT_NE(key, *DrawHashKey());
  const std::string digits = WriteHashKey(key);
  EXPECT_EQ(digits.size(), 32u);
  HashKey read;
  ASSERT_TRUE(ReadHashKey(digits, &read));
  EXPECT_EQ(read, key);
  EXPECT_EQ(WriteHashKey({0x0123456789abcdef, 0xfedcba9876543210}),
            "0123456789abcdeffedcba9876543210");
  EXPECT_FALSE(ReadHashKey(digits.substr(1), &read));
  EXPECT_FALSE(ReadHashKey(digits + "0", &read));
  EXPECT_FALSE(ReadHashKey("0123456789abcdeffedcba987654321g", &read));
}

TEST(KeyedHashTest, StreamsOfAKeyDiffer) {
  std::set<uint64_t> seen;
  for (uint64_t stream = 0; stream < 10; ++stream) {
    KeyStream keys(kCounting, stream);
    for (int i = 0; i < 10; ++i) seen.insert(keys.Next());
  }
  EXPECT_EQ(seen.size(), 100u);
}

// XXH3 gives both names one value of 64 bits.
TEST(EqualityHash, TellsApartWhatThePublicHashDoesNot) {
  constexpr std::string_view kA = "kbahbejnlbimabfj", kB = "klgleojbdiilhopn";
  ASSERT_EQ(Hash64(kA), Hash64(kB));
  const EqualityHash& process = EqualityHash::OfProcess();
  const EqualityHash own(HashKey{1, 2});
  for (const EqualityHash* hash : {&process, &own}) {
    EXPECT_NE(hash->Short(kA), hash->Short(kB));
    EXPECT_NE(hash->Long(kA), hash->Long(kB));
    EXPECT_NE(hash->Ordered(kA), hash->Ordered(kB));
    EXPECT_EQ(hash->Long(kA), hash->Long(std::string(kA)));
    EXPECT_NE(hash->Ordered(kA, 0).low, hash->Ordered(kA, 1).low);
  }
  EXPECT_NE(process.Short(kA), own.Short(kA));
}

TEST(EqualityHash, HasAPublicOrder) {
  const EqualityHash one(HashKey{1, 2}), other(HashKey{3, 4});
  EXPECT_EQ(one.Ordered("a", 7).high, other.Ordered("a", 7).high);
  EXPECT_EQ(one.Ordered("a", 7).high, Hash128("a", 7).high);
  EXPECT_NE(one.Ordered("a", 7).low, other.Ordered("a", 7).low);
}

}  // namespace
}  // namespace twinset
