#include "verify/core_sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/hash.h"

namespace twinset {
namespace {

using Set = std::vector<uint64_t>;
using Spans = std::vector<std::span<const uint64_t>>;

// Makes sets of `cores` elements that each has with probability `part` of 8,
// and some of its own; the elements 0 and all-ones among them.
std::vector<Set> Sets(size_t count, uint64_t cores, uint64_t part,
                      uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<Set> sets;
  for (size_t i = 0; i < count; ++i) {
    Set set;
    for (uint64_t n = 0; n < cores; ++n) {
      if (random.Below(8) < part)
        set.push_back(n < 2 ? ~uint64_t{0} + n : Mix64(n));
    }
    for (uint64_t own = random.Below(20); own > 0; --own)
      set.push_back(random.Below(40) * 1000 + 7);
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
    sets.push_back(std::move(set));
  }
  return sets;
}

TEST(SetCore, CountsWhatSetsShare) {
  for (const uint64_t cores : {20, 64, 65, 700, 6000}) {
    const auto sets = Sets(60, cores, 6, cores);
    const SetCore core = SetCore::Of(Spans(sets.begin(), sets.end() - 20));
    ASSERT_FALSE(core.empty());
    EXPECT_LE(core.words(), size_t{64});
    std::vector<Set> encoded;
    for (const Set& set : sets) encoded.push_back(core.Encode(set));
    for (size_t i = 0; i < sets.size(); ++i) {
      for (size_t j = 0; j < sets.size(); ++j) {
        Set both;
        std::set_intersection(sets[i].begin(), sets[i].end(), sets[j].begin(),
                              sets[j].end(), std::back_inserter(both));
        const size_t common = both.size();
        for (const size_t least : {size_t{0}, size_t{1}, common, common + 1}) {
          ASSERT_EQ(core.Common(encoded[i], encoded[j], least),
                    common < least ? 0 : common);
        }
      }
    }
  }
}

TEST(SetCore, IsEmptyWhereSetsShareLittle) {
  EXPECT_TRUE(SetCore::Of({}).empty());
  std::vector<Set> sets;
  for (uint64_t i = 0; i < 100; ++i)
    sets.push_back({i * 3 + 100, i * 3 + 101, i * 3 + 102, 1000});
  EXPECT_TRUE(SetCore::Of(Spans(sets.begin(), sets.end())).empty());
}

}  // namespace
}  // namespace twinset
