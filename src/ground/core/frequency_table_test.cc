#include "core/frequency_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/hash.h"

namespace twinset {
namespace {

// floor(65536 log2(x)) by libm, and how far it is from the next whole number:
// where that is less than the error of libm the two may differ.
struct Reference {
  uint32_t log;
  long double margin;
};
Reference ReferenceLog(uint64_t x) {
  const long double log = log2l(static_cast<long double>(x)) * 65536;
  const long double whole = floorl(log);
  return {static_cast<uint32_t>(whole), std::min(log - whole, whole + 1 - log)};
}

TEST(Log2Fixed, IsTheRoundedDownLogarithm) {
  for (uint64_t x = 1; x < 1 << 18; ++x) {
    const Reference reference = ReferenceLog(x);
    if (reference.margin > 1e-9L) {
      ASSERT_EQ(Log2Fixed(x), reference.log) << x;
    }
  }
  SplitMix64 random(5);
  for (int i = 0; i < 200000; ++i) {
    const uint64_t x = (random.Next() >> random.Below(64)) | 1;
    const Reference reference = ReferenceLog(x);
    if (reference.margin > 1e-9L) {
      ASSERT_EQ(Log2Fixed(x), reference.log) << x;
    }
  }
}

TEST(Log2Fixed, PowersOfTwoAreExactAndItNeverFalls) {
  for (int power = 0; power < 64; ++power)
    EXPECT_EQ(Log2Fixed(uint64_t{1} << power), power * 65536u);
  EXPECT_EQ(Log2Fixed(3), 103872u);   // 1.5849625 * 65536 = 103872.10
  EXPECT_EQ(Log2Fixed(10), 217705u);  // 3.3219281 * 65536 = 217705.88
  EXPECT_EQ(Log2Fixed(~uint64_t{0}), 64 * 65536u - 1);
  for (uint64_t x = 1; x < 100000; ++x)
    ASSERT_LE(Log2Fixed(x), Log2Fixed(x + 1)) << x;
}

FrequencyTable Small() { return {1000, {5, 70, 900}, {2, 1000, 250}}; }

TEST(FrequencyTable, FeaturesThatAreNotHeldOccurOnce) {
  const FrequencyTable table = Small();
  EXPECT_EQ(table.Frequency(5), 2u);
  EXPECT_EQ(table.Frequency(900), 250u);
  EXPECT_EQ(table.Frequency(6), 1u);
  EXPECT_EQ(table.Frequency(901), 1u);
  EXPECT_EQ(table.Idf(70), 0u);
  EXPECT_EQ(table.Idf(900), 2 * 65536u);
  EXPECT_EQ(table.Idf(4), Log2Fixed(1000));
  EXPECT_EQ(FrequencyTable().Frequency(1), 1u);
  EXPECT_EQ(FrequencyTable().Idf(1), 0u);
}

TEST(FrequencyTable, EncodedAndBack) {
  for (const FrequencyTable& table : {Small(), FrequencyTable()}) {
    Result<FrequencyTable> back = FrequencyTable::Decode(table.Encode());
    ASSERT_TRUE(back.has_value()) << back.error().ToString();
    EXPECT_EQ(back->documents(), table.documents());
    EXPECT_EQ(back->features(), table.features());
    EXPECT_EQ(back->frequencies(), table.frequencies());
  }
}

TEST(FrequencyTable, LayoutIsAsDocumented) {
  const std::string bytes = Small().Encode();
  ASSERT_EQ(bytes.size(), 32u + 3 * 12 + 8);
  EXPECT_EQ(bytes.substr(0, 8), "twinfreq");
  EXPECT_EQ(LoadLE<uint32_t>(bytes.data() + 8), 1u);
  EXPECT_EQ(LoadLE<uint64_t>(bytes.data() + 16), 1000u);
  EXPECT_EQ(LoadLE<uint64_t>(bytes.data() + 24), 3u);
  EXPECT_EQ(LoadLE<uint64_t>(bytes.data() + 40), 70u);
  EXPECT_EQ(LoadLE<uint32_t>(bytes.data() + 60), 1000u);
}

TEST(FrequencyTable, DamageIsFound) {
  const std::string good = Small().Encode();
  for (size_t i = 0; i < good.size(); ++i) {
    std::string bytes = good;
    bytes[i] = static_cast<char>(bytes[i] ^ (1 << (i % 8)));
    const Result<FrequencyTable> table = FrequencyTable::Decode(bytes);
    ASSERT_FALSE(table.has_value()) << i;
    EXPECT_EQ(table.error().code, ErrorCode::kCorrupt);
  }
  for (size_t size = 0; size < good.size(); ++size)
    EXPECT_FALSE(FrequencyTable::Decode(good.substr(0, size)).has_value());
  EXPECT_FALSE(FrequencyTable::Decode(good + "x").has_value());
}

// Bytes whose checksum is right but that say what cannot be.
TEST(FrequencyTable, NonsenseIsFound) {
  const FrequencyTable bad[] = {
      {1000, {5, 5}, {2, 2}},  // twice the same
      {1000, {6, 5}, {2, 2}},  // not ascending
      {1000, {5}, {0}},        // never
      {1000, {5}, {1001}},     // in more documents than there are
      {1000, {5, 6}, {2}},     // fewer frequencies than features
  };
  for (const FrequencyTable& table : bad)
    EXPECT_FALSE(FrequencyTable::Decode(table.Encode()).has_value());
  std::string bytes = Small().Encode();
  bytes.resize(bytes.size() - 8);
  StoreLE<uint64_t>(bytes.data() + 24, ~uint64_t{0} / 12);  // an absurd count
  AppendLE<uint64_t>(&bytes, Hash64(bytes));
  EXPECT_FALSE(FrequencyTable::Decode(bytes).has_value());
}

}  // namespace
}  // namespace twinset
