// Published answers on Hamming distances and joins: small enough to stand here
// (tests of seomoz/simhash-cpp at 1eb4a0a, facts only).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/test_dir.h"
#include "candidate/hamming_join_values.h"
#include "twinset/hamming.h"

namespace twinset {
namespace {

struct Found {
  size_t pairs = 0, clusters = 0;
};

// Clusters are those of two and more.
Found FindAll(const std::vector<uint64_t>& keys, int radius) {
  TestDir dir;
  std::string bytes;
  for (const uint64_t key : keys) AppendLE(&bytes, key);
  EXPECT_TRUE(WriteWholeFile(dir / "keys", bytes));
  HammingOptions options;
  options.inputs = {dir / "keys"};
  options.distance = radius;
  options.resources.memory_bytes = 64 << 20;
  std::vector<size_t> parents(keys.size());
  for (size_t i = 0; i < parents.size(); ++i) parents[i] = i;
  const auto root = [&](size_t i) {
    while (parents[i] != i) i = parents[i];
    return i;
  };
  const auto summary =
      FindHammingPairs(options, [&](uint64_t a, uint64_t b, int distance) {
        EXPECT_EQ(DifferingBits(keys[a], keys[b]), distance);
        parents[root(b)] = root(a);
        return true;
      });
  EXPECT_TRUE(summary) << summary.error().ToString();
  if (!summary) return {};
  std::vector<size_t> sizes(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) ++sizes[root(i)];
  Found found;
  found.pairs = summary->pairs;
  for (const size_t size : sizes) found.clusters += size > 1;
  return found;
}

TEST(HammingGoldenTest, Distances) {
  EXPECT_EQ(DifferingBits(uint64_t{0xDEADBEEF}, uint64_t{0xDEADBEAD}), 2);
  EXPECT_EQ(DifferingBits(uint64_t{20}, uint64_t{10}), 4);
  EXPECT_EQ(DifferingBits(Wide{20} << 64 | 20, Wide{10} << 64 | 10), 8);
}

TEST(HammingGoldenTest, FindAllOfFourBytes) {
  std::vector<uint64_t> keys;
  for (int k = 0; k < 4; ++k)
    for (const uint64_t byte : {0xFF, 0xEF, 0xEE, 0xCE, 0x33})
      keys.push_back(byte << (8 * k));
  const Found found = FindAll(keys, 3);
  EXPECT_EQ(found.pairs, 24u);
  EXPECT_EQ(found.clusters, 4u);
}

TEST(HammingGoldenTest, FindAllOfTriangles) {
  std::vector<uint64_t> keys;
  for (const char* bits :
       {"00000000", "10101000", "10100010", "10001010", "00101010", "01010100",
        "01010001", "01000101", "00010101"})
    keys.push_back(std::stoull(bits, nullptr, 2));
  const Found found = FindAll(keys, 3);
  EXPECT_EQ(found.pairs, 20u);
  EXPECT_EQ(found.clusters, 1u);
}

// A worked example of block-permuted tables: eight fingerprints of 8 bits
// within 2.
TEST(HammingGoldenTest, ExampleOfEightDocuments) {
  EXPECT_EQ(FindAll({0b10101010, 0b11110110, 0b10101011, 0b10100000, 0b10011100,
                     0b00010110, 0b11110000, 0b00011100},
                    2)
                .pairs,
            6u);
  // With the second as its printed keys have it.
  EXPECT_EQ(FindAll({0b10101010, 0b11111010, 0b10101011, 0b10100000, 0b10011100,
                     0b00010110, 0b11110000, 0b00011100},
                    2)
                .pairs,
            7u);
}

}  // namespace
}  // namespace twinset
