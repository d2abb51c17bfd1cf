#include "leak/short_items.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "base/hash.h"

namespace twinset {
namespace {

// All places of all items, also of items inside each other and of equal ones.
TEST(ShortItemsByDefinitionTest, PlacesOfAllSmallTexts) {
  SplitMix64 random(5);
  for (int trial = 0; trial < 200; ++trial) {
    ShortItems items;
    std::vector<std::vector<std::string>> all;
    for (uint64_t n = random.Below(6); n > 0; --n) {
      std::vector<std::string> tokens(1 + random.Below(3));
      for (std::string& token : tokens)
        token = std::string(1, "ab"[random.Below(2)]);
      items.Add(all.size(), tokens);
      all.push_back(tokens);
    }
    EXPECT_EQ(items.empty(), all.empty());
    std::vector<std::string> text(random.Below(9));
    for (std::string& token : text)
      token = std::string(1, "abc"[random.Below(3)]);
    const size_t from = random.Below(text.size() + 1);
    const size_t until = from + random.Below(12);
    std::multiset<std::tuple<size_t, size_t, size_t>> expected, found;
    for (size_t item = 0; item < all.size(); ++item)
      for (size_t at = from; at < std::min(until, text.size()); ++at)
        if (at + all[item].size() <= text.size() &&
            std::equal(all[item].begin(), all[item].end(),
                       text.begin() + static_cast<ptrdiff_t>(at)))
          expected.emplace(item, at, all[item].size());
    items.Find(text, from, until,
               [&](std::span<const size_t> numbers, size_t at, size_t count) {
                 for (const size_t item : numbers)
                   found.emplace(item, at, count);
               });
    EXPECT_EQ(found, expected);
  }
}

}  // namespace
}  // namespace twinset
