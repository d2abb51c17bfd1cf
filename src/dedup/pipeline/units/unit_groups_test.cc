#include "pipeline/units/unit_groups.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/hash.h"
#include "pipeline/read/unit_store.h"

namespace twinset {
namespace {

struct Found {
  std::vector<std::pair<UnitPlace, UnitPlace>> places;  // first, place
  std::vector<RepeatedUnit> repeated;
};

class UnitGroupsTest : public ::testing::Test {
 protected:
  UnitGroups Make(uint64_t max_bytes, const RepeatRule& rule = {}) {
    return UnitGroups(
        rule, max_bytes, &budget_,
        [this](const UnitPlace& first, const UnitPlace& place) -> Status {
          found_.places.emplace_back(first, place);
          return {};
        },
        [this](const RepeatedUnit& unit) -> Status {
          found_.repeated.push_back(unit);
          return {};
        });
  }
  MemoryBudget budget_{64 << 20};
  Found found_;
};

TEST_F(UnitGroupsTest, TellsPlacesAndCounts) {
  UnitGroups groups = Make(1 << 20);
  ASSERT_TRUE(groups.Add(0, {0, 1}, "x"));
  ASSERT_TRUE(groups.Add(1, {0, 2}, "x"));  // another hash: not compared
  ASSERT_TRUE(groups.Add(1, {0, 5}, "x"));
  ASSERT_TRUE(groups.Add(1, {3, 0}, "x"));
  ASSERT_TRUE(groups.Finish());
  ASSERT_EQ(found_.repeated.size(), 1u);
  EXPECT_EQ(found_.repeated[0].first, (UnitPlace{0, 2}));
  EXPECT_EQ(found_.repeated[0].count, 3u);
  EXPECT_EQ(found_.repeated[0].documents, 2u);
  ASSERT_EQ(found_.places.size(), 3u);
  EXPECT_EQ(found_.places[0].second, (UnitPlace{0, 2}));
  EXPECT_EQ(found_.places[1].second, (UnitPlace{0, 5}));
  EXPECT_EQ(found_.places[2].second, (UnitPlace{3, 0}));
  EXPECT_EQ(groups.collisions(), 0u);
}

TEST_F(UnitGroupsTest, TooFewPlacesAndPlacesThatOverlapAreNotRepeated) {
  UnitGroups groups = Make(1 << 20, {3, 3});
  for (const uint64_t unit : {0, 4}) ASSERT_TRUE(groups.Add(1, {0, unit}, "x"));
  for (const uint64_t unit : {7, 8, 9})  // all overlap
    ASSERT_TRUE(groups.Add(2, {0, unit}, "y"));
  for (const uint64_t unit : {0, 1, 2})
    ASSERT_TRUE(groups.Add(3, {1, unit}, "z"));
  ASSERT_TRUE(groups.Add(3, {4, 2}, "z"));
  ASSERT_TRUE(groups.Finish());
  ASSERT_EQ(found_.repeated.size(), 1u);
  EXPECT_EQ(found_.repeated[0].first, (UnitPlace{1, 0}));
  EXPECT_EQ(found_.repeated[0].count, 4u);
  EXPECT_EQ(found_.repeated[0].documents, 2u);
  EXPECT_EQ(found_.repeated[0].length, 3u);
  ASSERT_EQ(found_.places.size(), 4u);
  for (const uint64_t i : {0, 1, 2})
    EXPECT_EQ(found_.places[i].second, (UnitPlace{1, i}));
}

// Few hashes for many texts: as if somebody had made collisions.
TEST_F(UnitGroupsTest, EqualHashesOfDifferentTextsAreKeptApart) {
  SplitMix64 random(1);
  UnitGroups groups = Make(1 << 20);
  std::map<std::pair<uint64_t, std::string>, std::vector<UnitPlace>> expected;
  for (uint64_t group = 0; group < 50; ++group) {
    for (uint64_t i = random.Below(100); i > 0; --i) {
      const UnitPlace place{200 - i, random.Below(3)};
      const std::string text(1 + random.Below(20), 'x');
      expected[{group, text}].push_back(place);
      ASSERT_TRUE(groups.Add(group, place, text));
    }
  }
  ASSERT_TRUE(groups.Finish());
  std::map<UnitPlace, uint64_t> counts;
  size_t places = 0, repeated = 0;
  for (const auto& [text, all] : expected) {
    if (all.size() == 1) continue;
    ++repeated;
    places += all.size();
  }
  EXPECT_EQ(found_.repeated.size(), repeated);
  EXPECT_EQ(found_.places.size(), places);
  EXPECT_EQ(groups.collisions(), 0u);
}

TEST_F(UnitGroupsTest, BeyondTheRoomCollisionsAreCountedAndNotReported) {
  UnitGroups groups = Make(10);
  ASSERT_TRUE(groups.Add(0, {0, 0}, std::string(100, 'a')));  // always taken
  ASSERT_TRUE(groups.Add(0, {1, 0}, "b"));
  ASSERT_TRUE(groups.Add(0, {2, 0}, "b"));
  ASSERT_TRUE(groups.Add(0, {3, 0}, std::string(100, 'a')));
  for (uint64_t i = 0; i < 100; ++i)
    ASSERT_TRUE(groups.Add(1, {4 + i, 0},
                           std::string(1, static_cast<char>('a' + i % 11))));
  ASSERT_TRUE(groups.Finish());
  EXPECT_EQ(groups.collisions(), 2u + 9u);  // the eleventh has no room
  EXPECT_EQ(found_.repeated.size(), 11u);
  UnitGroups many = Make(1 << 20);
  for (uint64_t i = 0; i < UnitGroups::kMaxTexts + 5; ++i)
    ASSERT_TRUE(many.Add(0, {i, 0}, std::to_string(i)));
  EXPECT_EQ(many.collisions(), 5u);
}

TEST(UnitStore, WhatWasStoredIsReadBack) {
  CleanText clean;
  clean.text = "  One two three four.\nfive\n\xE6\x9D\xB1\xE4\xBA\xAC x y!\n";
  UnitScratch scratch;
  std::string bytes;
  const UnitRule rule = {ShingleKind::kLine, TokenRule::kUnicode, 3};
  const UnitCounts counts = EncodeUnits(rule, clean, &scratch, &bytes);
  EXPECT_EQ(counts.units, 3u);
  EXPECT_EQ(counts.tokens, 9u);
  auto units = StoredUnits::Open(bytes);
  ASSERT_TRUE(units);
  EXPECT_EQ(units->units(), 3u);
  EXPECT_EQ(units->tokens(), 9u);
  EXPECT_EQ(units->stored(), 2u);
  StoredUnit unit;
  ASSERT_TRUE(*units->Next(&unit));
  EXPECT_EQ(unit.number, 0u);
  EXPECT_EQ(unit.begin, 0u);
  EXPECT_EQ(unit.end, 22u);
  EXPECT_EQ(unit.normalised, "one two three four");
  EXPECT_EQ(unit.excerpt, "One two three four.");
  ASSERT_TRUE(*units->Next(&unit));
  EXPECT_EQ(unit.number, 2u);
  EXPECT_EQ(unit.begin, 27u);
  EXPECT_EQ(unit.end, 35u);
  EXPECT_EQ(unit.source_end, clean.text.size());
  EXPECT_EQ(unit.tokens, 4u);
  EXPECT_FALSE(*units->Next(&unit));
}

TEST(UnitStore, LongUnitsAreQuotedByTheirBeginning) {
  CleanText clean;
  for (int i = 0; i < 150; ++i) clean.text += "\xE6\x9D\xB1";
  UnitScratch scratch;
  std::string bytes;
  EncodeUnits({ShingleKind::kLine, TokenRule::kUnicode, 1}, clean, &scratch,
              &bytes);
  auto units = StoredUnits::Open(bytes);
  ASSERT_TRUE(units);
  StoredUnit unit;
  ASSERT_TRUE(*units->Next(&unit));
  EXPECT_EQ(unit.excerpt, clean.text.substr(0, 3 * kExcerptCodePoints));
}

TEST(UnitStore, DamageIsAnErrorOrOtherTextsButNothingWorse) {
  CleanText clean;
  clean.text = "one two three\nfour five six\nseven eight nine\n";
  UnitScratch scratch;
  std::string good;
  EncodeUnits({ShingleKind::kLine, TokenRule::kUnicode, 1}, clean, &scratch,
              &good);
  SplitMix64 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes = good.substr(0, random.Below(good.size() + 1));
    if (!bytes.empty())
      bytes[random.Below(bytes.size())] = static_cast<char>(random.Next());
    auto units = StoredUnits::Open(bytes);
    StoredUnit unit;
    for (int i = 0; units && i < 1000; ++i) {
      const auto more = units->Next(&unit);
      if (!more || !*more) break;
      EXPECT_LE(unit.normalised.size() + unit.excerpt.size(), bytes.size());
    }
  }
}

}  // namespace
}  // namespace twinset
