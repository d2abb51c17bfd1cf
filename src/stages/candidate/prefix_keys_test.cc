#include "candidate/prefix_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "base/hash.h"

namespace twinset {
namespace {

Sketch SketchOf(const std::set<uint64_t>& values) {
  Sketch sketch;
  for (const uint64_t value : values) {
    sketch.push_back(static_cast<uint32_t>(value));
    sketch.push_back(static_cast<uint32_t>(value >> 32));
  }
  return sketch;
}

TEST(PrefixKeys, Length) {
  EXPECT_EQ(PrefixLength(0, 0.5), 0u);
  EXPECT_EQ(PrefixLength(1, 0.5), 1u);
  EXPECT_EQ(PrefixLength(10, 0.8), 3u);
  EXPECT_EQ(PrefixLength(10, 1), 1u);
  EXPECT_EQ(PrefixLength(7, 0.01), 7u);
  EXPECT_FALSE(MakePrefixKeys(0, 0).has_value());
  EXPECT_FALSE(MakePrefixKeys(0, 1.1).has_value());
}

// Random sets over a small universe: whatever resembles enough shares a key.
TEST(PrefixKeys, NoPairIsMissed) {
  SplitMix64 random(11);
  int alike = 0;
  for (int round = 0; round < 20000; ++round) {
    const double share = 0.05 * static_cast<double>(1 + random.Below(20));
    const auto keys = *MakePrefixKeys(0, share);
    std::set<uint64_t> a, b;
    const uint64_t size = 1 + random.Below(30);
    for (uint64_t i = 0; i < size; ++i) {
      const uint64_t value = Mix64(1 + random.Below(60));
      const uint64_t where = random.Below(10);
      if (where != 0) a.insert(value);
      if (where != 1) b.insert(value);
    }
    if (a.empty() || b.empty()) continue;
    std::vector<uint64_t> common, x, y;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(),
                          std::back_inserter(common));
    const double all = static_cast<double>(a.size() + b.size() - common.size());
    if (static_cast<double>(common.size()) / all < share) continue;
    ++alike;
    keys->Keys(std::vector<Sketch>{SketchOf(a)}, 3, &x);
    keys->Keys(std::vector<Sketch>{SketchOf(b)}, 3, &y);
    EXPECT_EQ(x.size(), PrefixLength(a.size(), share));
    EXPECT_TRUE(std::find_first_of(x.begin(), x.end(), y.begin(), y.end()) !=
                x.end());
  }
  EXPECT_GT(alike, 5000);
}

}  // namespace
}  // namespace twinset
