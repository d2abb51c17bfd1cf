#include "kernels/keyed_tokens.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "base/hash.h"
#include "kernels/kernels.h"

namespace twinset::kernels {
namespace {

constexpr HashKey kKey = {0x0123456789abcdef, 0xfedcba9876543210};

struct Tokens {
  std::string text;
  std::vector<uint32_t> begins, ends;
  void Add(const std::string& token) {
    begins.push_back(static_cast<uint32_t>(text.size()));
    text += token;
    ends.push_back(static_cast<uint32_t>(text.size()));
    text += ' ';
  }
  std::vector<uint64_t> Hashes(const TokenKey& key, bool naive) {
    std::string padded = text + std::string(kPaddingBytes, 'x');
    std::vector<uint64_t> hashes(begins.size());
    (naive ? reference::HashTokensKeyed : HashTokensKeyed)(
        key, padded.data(), begins.data(), ends.data(), begins.size(),
        hashes.data());
    return hashes;
  }
};

TEST(KeyedTokensTest, AllTargetsEqualTheReference) {
  SplitMix64 random(41);
  Tokens tokens;
  for (size_t size = 0; size <= 70; ++size) {
    for (int i = 0; i < 20; ++i) {
      std::string token;
      for (size_t j = 0; j < size; ++j)
        token += static_cast<char>(random.Below(256));
      tokens.Add(token);
    }
  }
  const TokenKey key(kKey);
  const auto expected = tokens.Hashes(key, true);
  for (const std::string& target : Targets()) {
    ASSERT_TRUE(ForceTarget(target).has_value());
    EXPECT_EQ(tokens.Hashes(key, false), expected) << target;
  }
  ASSERT_TRUE(ForceTarget("").has_value());
}

// FIPS 197, appendix B: the state at the start of rounds 1 and 5.
TEST(KeyedTokensTest, RoundsAreThoseOfAes) {
  const uint8_t state[16] = {0x19, 0x3d, 0xe3, 0xbe, 0xa0, 0xf4, 0xe2, 0x2b,
                             0x9a, 0xc6, 0x8d, 0x2a, 0xe9, 0xf8, 0x48, 0x08};
  const uint8_t keys[4][16] = {
      {0xa0, 0xfa, 0xfe, 0x17, 0x88, 0x54, 0x2c, 0xb1, 0x23, 0xa3, 0x39, 0x39,
       0x2a, 0x6c, 0x76, 0x05},
      {0xf2, 0xc2, 0x95, 0xf2, 0x7a, 0x96, 0xb9, 0x43, 0x59, 0x35, 0x80, 0x7a,
       0x73, 0x59, 0xf6, 0x7f},
      {0x3d, 0x80, 0x47, 0x7d, 0x47, 0x16, 0xfe, 0x3e, 0x1e, 0x23, 0x7e, 0x44,
       0x6d, 0x7a, 0x88, 0x3b},
      {0xef, 0x44, 0xa5, 0x41, 0xa8, 0x52, 0x5b, 0x7f, 0xb6, 0x71, 0x25, 0x3b,
       0xdb, 0x0b, 0xad, 0x00}};
  TokenKey key(kKey);
  std::copy(std::begin(state), std::end(state), key.begin[0]);
  for (int round = 0; round < 4; ++round)
    std::copy(std::begin(keys[round]), std::end(keys[round]),
              key.rounds[round]);
  Tokens tokens;
  tokens.Add("");
  EXPECT_EQ(tokens.Hashes(key, true)[0], 0xc06363c8e87f92e0u);
  EXPECT_EQ(tokens.Hashes(key, false)[0], tokens.Hashes(key, true)[0]);
}

TEST(KeyedTokensTest, BytesLengthAndKeyCount) {
  std::set<uint64_t> seen;
  size_t made = 0;
  for (const HashKey& secret : {kKey, HashKey{1, 0}, HashKey{0, 1}}) {
    Tokens tokens;
    for (size_t size = 0; size <= 33; ++size) {
      tokens.Add(std::string(size, '\0'));
      for (size_t i = 0; i < size; ++i) {
        std::string token(size, '\0');
        token[i] = static_cast<char>(size);  // what the length byte would be
        tokens.Add(token);
      }
    }
    for (const uint64_t hash : tokens.Hashes(TokenKey(secret), false))
      seen.insert(hash);
    made += tokens.begins.size();
  }
  EXPECT_EQ(seen.size(), made);
}

}  // namespace
}  // namespace twinset::kernels
