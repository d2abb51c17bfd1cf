// Which rows of blocks are rows of a menu: against the definition, block by
// block.
#include "pipeline/template/section_menus.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <tuple>

#include "base/hash.h"

namespace twinset {
namespace {

constexpr HashKey kKey = {1, 2};

// A page under construction.
struct Made {
  std::string text;
  SpooledPage page;

  // `hash` stands for the text.
  void Add(uint64_t hash, size_t code_points, bool linked) {
    SpooledBlock block;
    block.hash = hash;
    block.kept = true;
    block.linked = linked;
    block.begin = static_cast<uint32_t>(text.size());
    // Characters of three bytes.
    for (size_t i = 0; i < code_points; ++i) text += "\xE2\x82\xAC";
    block.end = static_cast<uint32_t>(text.size());
    page.blocks.push_back(block);
  }
  const SpooledPage& Page() {
    page.text = text;
    return page;
  }
};

using Row = std::tuple<uint32_t, uint32_t>;  // first, blocks

std::set<Row> RowsOf(Made* made) {
  MenuRows rows(kKey);
  std::set<Row> found;
  for (const MenuRow& row : rows.Of(made->Page()))
    found.insert({row.first, row.blocks});
  return found;
}

TEST(MenuRows, FourShortBlocksThatFollowEachOther) {
  Made made;
  for (uint64_t i = 1; i <= 3; ++i) made.Add(i, kEntryCodePoints, false);
  EXPECT_EQ(RowsOf(&made), (std::set<Row>{}));
  made.Add(4, 1, false);
  EXPECT_EQ(RowsOf(&made), (std::set<Row>{{0, 4}}));
  made.Add(5, kEntryCodePoints + 1, false);
  for (uint64_t i = 6; i <= 10; ++i) made.Add(i, 7, false);
  EXPECT_EQ(RowsOf(&made), (std::set<Row>{{0, 4}, {5, 4}, {6, 4}}));
}

TEST(MenuRows, ALongBlockOfLinksIsOneByItself) {
  Made made;
  made.Add(1, kEntryCodePoints + 1, true);
  made.Add(2, 3, true);
  EXPECT_EQ(RowsOf(&made), (std::set<Row>{{0, 1}}));
  made.Add(3, 3, false);
  made.Add(4, 3, false);
  EXPECT_EQ(RowsOf(&made), (std::set<Row>{{0, 1}, {0, 4}}));
}

TEST(MenuRows, AreEqualByTheirTextsInOrder) {
  const auto hash_of = [](std::vector<uint64_t> hashes, const HashKey& key) {
    Made made;
    for (const uint64_t hash : hashes) made.Add(hash, 3, false);
    MenuRows rows(key);
    return rows.Of(made.Page()).front().hash;
  };
  EXPECT_EQ(hash_of({1, 2, 3, 4}, kKey), hash_of({1, 2, 3, 4, 9}, kKey));
  EXPECT_NE(hash_of({1, 2, 3, 4}, kKey), hash_of({1, 2, 4, 3}, kKey));
  EXPECT_NE(hash_of({1, 2, 3, 4}, kKey), hash_of({1, 2, 3, 4}, {1, 3}));
}

TEST(MenuRows, TheRestIsWhatIsInNoEntry) {
  const auto rest_of = [](std::initializer_list<const char*> blocks,
                          const HashKey& key) {
    Made made;
    uint64_t hash = 0;
    for (const std::string block : blocks) {
      made.Add(++hash, 0, false);
      made.text += block;
      made.page.blocks.back().end = static_cast<uint32_t>(made.text.size());
    }
    MenuRows rows(key);
    rows.Of(made.Page());
    return rows.RestOf(made.Page());
  };
  const auto words = [](size_t count, const char* word) {
    std::string text;
    for (size_t i = 0; i < count; ++i) text += std::string(word) + " ";
    return text;
  };
  const std::string text = words(25, "many"), few = words(24, "many"),
                    other = words(25, "more");
  EXPECT_EQ(rest_of({"short", "text"}, kKey), 0u);
  EXPECT_EQ(rest_of({few.c_str()}, kKey), 0u);
  EXPECT_NE(rest_of({text.c_str()}, kKey), 0u);
  EXPECT_EQ(rest_of({"short", text.c_str(), "other"}, kKey),
            rest_of({text.c_str()}, {3, 4}));
  EXPECT_NE(rest_of({text.c_str()}, kKey), rest_of({other.c_str()}, kKey));
}

TEST(MenuJudge, AsksForPagesThatDiffer) {
  const auto is_menu = [](std::initializer_list<uint64_t> pages) {
    MenuJudge judge;
    for (const uint64_t alike : pages) judge.Add(alike);
    return judge.IsMenu();
  };
  EXPECT_FALSE(is_menu({1, 1, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_TRUE(is_menu({1, 1, 1, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_TRUE(is_menu({2, 2, 2, 2, 2}));
  EXPECT_FALSE(is_menu({10}));
  EXPECT_TRUE(is_menu({7, 1, 1, 1}));
  EXPECT_FALSE(is_menu({8, 1, 1}));
}

TEST(MenuRows, RandomPagesAsTheDefinitionSays) {
  SplitMix64 random(3);
  for (int i = 0; i < 2000; ++i) {
    Made made;
    std::vector<bool> entry, is_long;
    for (uint64_t blocks = random.Below(20); blocks > 0; --blocks) {
      const uint64_t hash = random.Below(8);  // 0: no text
      const bool linked = random.Below(3) == 0, big = random.Below(4) == 0;
      made.Add(hash, big ? 200 : 20, linked);
      entry.push_back(hash != 0 && (linked || !big));
      is_long.push_back(big);
    }
    std::set<Row> expected;
    for (size_t b = 0; b < entry.size(); ++b) {
      const auto first = static_cast<uint32_t>(b);
      if (entry[b] && is_long[b]) expected.insert({first, 1});
      if (b + 3 < entry.size() && entry[b] && entry[b + 1] && entry[b + 2] &&
          entry[b + 3])
        expected.insert({first, 4});
    }
    ASSERT_EQ(RowsOf(&made), expected);
  }
}

}  // namespace
}  // namespace twinset
