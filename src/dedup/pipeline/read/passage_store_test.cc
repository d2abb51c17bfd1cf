#include "pipeline/read/passage_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/hash.h"
#include "base/utf8.h"

namespace twinset {
namespace {

Plan PlanWithKey(HashKey key) {
  Plan plan;
  plan.features.key = key;
  plan.features.extractors.push_back(std::make_unique<FeatureExtractor>(
      TokenRule::kUnicode, *ParseShingles("word:8"), key));
  return plan;
}

// Code points in front of a byte, counted from the begin.
uint32_t NaiveCount(std::string_view text, size_t offset) {
  return static_cast<uint32_t>(
      offset - static_cast<size_t>(std::count_if(
                   text.begin(), text.begin() + static_cast<ptrdiff_t>(offset),
                   IsContinuation)));
}

std::string RandomText(SplitMix64* random, size_t words) {
  constexpr const char* kPieces[] = {
      "rose ",  "Grün\n", "\xE6\xBC\xA2",  "\xF0\x9F\x98\x80",
      "1,000 ", "- ",     "\xEF\xAC\x83 ", "e\xCC\x81t\xC3\xA9 "};
  std::string text;
  for (size_t i = 0; i < words; ++i)
    text += kPieces[random->Below(std::size(kPieces))];
  return text;
}

TEST(PassageStore, GivesBackTheTokensAndWhereTheyStand) {
  SplitMix64 random(1);
  const Plan plan = PlanWithKey({1, 2});
  for (const size_t words : {0, 1, 2, 30, 400, 400, 400}) {
    const std::string text = RandomText(&random, words);
    const std::vector<Token> tokens = plan.features.extractors[0]->Tokens(text);
    std::string bytes;
    AppendPassages(plan, text, {}, tokens.size(), &bytes);
    EXPECT_LE(bytes.size(), 11 * tokens.size());
    EXPECT_LE(tokens.size(), MostPassageTokens(bytes.size()));
    const auto hashes = DecodePassageHashes(bytes);
    ASSERT_TRUE(hashes);
    ASSERT_EQ(hashes->size(), tokens.size());
    std::vector<uint32_t> numbers(tokens.size());
    std::iota(numbers.begin(), numbers.end(), 0u);
    const auto places = DecodePassagePlaces(bytes, numbers);
    ASSERT_TRUE(places);
    ASSERT_EQ(places->size(), tokens.size());
    for (size_t i = 0; i < tokens.size(); ++i) {
      EXPECT_EQ((*places)[i].begin, NaiveCount(text, tokens[i].begin));
      EXPECT_EQ((*places)[i].end, NaiveCount(text, tokens[i].end));
      for (size_t j = 0; j < std::min<size_t>(i, 40); ++j) {
        EXPECT_EQ((*hashes)[i] == (*hashes)[j],
                  tokens[i].text == tokens[j].text);
      }
    }
    // Some of them, one twice, and one that is not there.
    if (words < 30) continue;
    const uint32_t few[] = {3, 3, 17};
    const auto some = DecodePassagePlaces(bytes, few);
    ASSERT_TRUE(some);
    EXPECT_EQ(*some, (std::vector{(*places)[3], (*places)[3], (*places)[17]}));
    const uint32_t beyond[] = {static_cast<uint32_t>(tokens.size())};
    EXPECT_FALSE(DecodePassagePlaces(bytes, beyond));
  }
}

TEST(PassageStore, HashesAreOfTheSecret) {
  std::string one, other, again;
  AppendPassages(PlanWithKey({1, 2}), "a rose", {}, 2, &one);
  AppendPassages(PlanWithKey({1, 3}), "a rose", {}, 2, &other);
  AppendPassages(PlanWithKey({1, 2}), "a rose", {}, 2, &again);
  EXPECT_EQ(one, again);
  EXPECT_NE(*DecodePassageHashes(one), *DecodePassageHashes(other));
  const uint32_t both[] = {0, 1};
  EXPECT_EQ(*DecodePassagePlaces(one, both), *DecodePassagePlaces(other, both));
}

TEST(PassageStore, EveryTruncationIsFoundUnlessItEndsATokenExactly) {
  std::string bytes;
  AppendPassages(PlanWithKey({1, 2}), "one two three", {}, 3, &bytes);
  ASSERT_EQ(bytes.size(), 30u);
  for (size_t size = 0; size <= bytes.size(); ++size) {
    const auto stored = DecodePassageHashes(bytes.substr(0, size));
    ASSERT_EQ(stored.has_value(), size % 10 == 0) << size;
    const auto code = stored ? ErrorCode::kCorrupt : stored.error().code;
    EXPECT_EQ(code, ErrorCode::kCorrupt);
  }
}

}  // namespace
}  // namespace twinset
