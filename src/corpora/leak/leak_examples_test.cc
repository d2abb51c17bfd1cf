// Which items the page shows, against lists of all of them.
#include "leak/leak_examples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/hash.h"

namespace twinset {
namespace {

// The first of each split, then the second of each, and so on, up to the most
// that are shown; in the order of the items.
std::vector<size_t> Naive(const std::vector<size_t>& splits) {
  std::vector<std::vector<size_t>> by_rank;
  std::map<size_t, size_t> ranks;
  for (size_t item = 0; item < splits.size(); ++item) {
    const size_t rank = ranks[splits[item]]++;
    if (rank >= by_rank.size()) by_rank.resize(rank + 1);
    by_rank[rank].push_back(item);
  }
  std::vector<size_t> shown;
  for (auto& items : by_rank) {
    std::stable_sort(items.begin(), items.end(),
                     [&](size_t x, size_t y) { return splits[x] < splits[y]; });
    for (const size_t item : items)
      if (shown.size() < LeakExamples::kMost) shown.push_back(item);
  }
  std::sort(shown.begin(), shown.end());
  return shown;
}

TEST(LeakExamples, EverySplitIsShownBeforeAnyTwice) {
  SplitMix64 random(1);
  for (int round = 0; round < 300; ++round) {
    std::vector<size_t> splits(random.Below(60));
    const uint64_t kinds = 1 + random.Below(30);
    for (size_t& split : splits) split = random.Below(kinds);
    LeakExamples examples;
    for (size_t item = 0; item < splits.size(); ++item)
      examples.Offer(item, splits[item]);
    examples.Choose();
    std::vector<size_t> shown;
    for (const LeakExample& example : examples.examples())
      shown.push_back(example.item);
    ASSERT_EQ(shown, Naive(splits));
    ASSERT_EQ(examples.empty(), splits.empty());
    for (size_t item = 0; item < splits.size(); ++item) {
      const LeakExample* const found = examples.Find(item);
      ASSERT_EQ(found != nullptr,
                std::binary_search(shown.begin(), shown.end(), item));
      ASSERT_TRUE(found == nullptr || found->item == item);
    }
    if (!shown.empty()) {
      ASSERT_EQ(examples.last_item(), shown.back());
    }
  }
}

TEST(LeakExamples, TheLongestPassagesStayInTheirOrder) {
  SplitMix64 random(2);
  for (int round = 0; round < 300; ++round) {
    struct Passage {
      uint64_t begin, words;
    };
    std::vector<Passage> all(random.Below(9));
    LeakExample example;
    for (size_t i = 0; i < all.size(); ++i) {
      all[i] = {10 * i, 1 + random.Below(4)};
      LeakExamples::AddPassage(Json{{"tokens", all[i].words},
                                    {"a_begin", all[i].begin},
                                    {"a_end", all[i].begin + 5},
                                    {"b_begin", 7},
                                    {"b_end", 9}},
                               &example);
    }
    // The first of equally long ones stay.
    std::stable_sort(all.begin(), all.end(),
                     [](auto& x, auto& y) { return x.words > y.words; });
    all.resize(std::min(all.size(), LeakExamples::kMostPassages));
    std::sort(all.begin(), all.end(),
              [](auto& x, auto& y) { return x.begin < y.begin; });
    ASSERT_EQ(example.passages.size(), all.size());
    for (size_t i = 0; i < all.size(); ++i) {
      EXPECT_EQ(example.passages[i].words, all[i].words);
      EXPECT_EQ(example.passages[i].item.begin, all[i].begin);
      EXPECT_EQ(example.passages[i].item.end, all[i].begin + 5);
      EXPECT_EQ(example.passages[i].document.begin, 7u);
      EXPECT_EQ(example.passages[i].document.end, 9u);
    }
  }
}

TEST(LeakExamples, TextsAreSeenBySide) {
  LeakExample example;
  LeakExamples::AddPassage(Json{{"tokens", 2},
                                {"a_begin", 1},
                                {"a_end", 3},
                                {"b_begin", 2},
                                {"b_end", 4}},
                           &example);
  LeakExamples::SeeItem("abcd", &example);
  EXPECT_FALSE(example.has_document);
  LeakExamples::SetDocument(LeakExamples::WindowsIn("xxbcx", example),
                            &example);
  EXPECT_TRUE(example.has_document);
  EXPECT_EQ(example.passages[0].item.head, "bc");
  EXPECT_EQ(example.passages[0].document.before, "xx");
  EXPECT_EQ(example.passages[0].document.head, "bc");
}

}  // namespace
}  // namespace twinset
