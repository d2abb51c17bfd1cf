// Values for shingles whose hashes clash, against their texts.
#include "pipeline/read/text_check.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "base/bytes.h"
#include "base/hash.h"
#include "sketch/sketcher.h"

namespace twinset {
namespace {

using Element = std::tuple<uint64_t, uint32_t, std::string_view>;

// A text whose shingles have few hashes; some of these are not stored.
struct Text {
  std::vector<ShingleText> shingles;
  std::vector<uint64_t> hashes;  // stored, in the order of the text
  std::string stored;
  std::vector<Element> elements;  // of the stored ones, in that order
};

Text RandomText(SplitMix64* random, FeatureForm form, uint64_t clashes) {
  constexpr std::string_view kTexts[] = {"a", "b", "c", "d", "\xC3\xA9", "f"};
  Text text;
  for (uint64_t i = random->Below(12); i > 0; --i) {
    const uint64_t which = random->Below(6);
    // Equal texts have equal hashes, as those of a function have.
    text.shingles.push_back({which % clashes, 0, kTexts[which]});
  }
  const uint64_t left_out = random->Below(2 * clashes);
  for (const ShingleText& shingle : text.shingles) {
    if (shingle.hash == left_out) continue;
    text.hashes.push_back(shingle.hash);
    text.elements.emplace_back(shingle.hash, shingle.kind, shingle.text);
  }
  std::vector<uint64_t> stored = text.hashes;
  if (form != FeatureForm::kSequence) std::sort(stored.begin(), stored.end());
  if (form == FeatureForm::kShingles)
    stored.erase(std::unique(stored.begin(), stored.end()), stored.end());
  for (const uint64_t hash : stored) AppendLE(&text.stored, hash);
  return text;
}

std::vector<uint64_t> Values(const std::string& bytes) {
  const auto hashes = AsHashes(bytes);
  return {hashes.begin(), hashes.end()};
}

// How often each value comes in both, as its form counts them.
template <typename T>
size_t Common(const std::vector<T>& a, const std::vector<T>& b, bool as_set) {
  std::map<T, size_t> in_a, in_b;
  for (const T& value : a) ++in_a[value];
  for (const T& value : b) ++in_b[value];
  size_t common = 0;
  for (const auto& [value, count] : in_a)
    if (const auto at = in_b.find(value); at != in_b.end())
      common += as_set ? 1 : std::min(count, at->second);
  return common;
}

TEST(Distinguish, ValuesAreEqualWhereTextsAre) {
  SplitMix64 random(1);
  int clashed = 0;
  for (int round = 0; round < 600; ++round) {
    SCOPED_TRACE(round);
    const FeatureForm form =
        round % 2 == 0 ? FeatureForm::kShingles : FeatureForm::kSequence;
    const uint64_t clashes = 1 + random.Below(6);  // 6: every text has its own
    const Text a = RandomText(&random, form, clashes),
               b = RandomText(&random, form, clashes);
    std::map<uint64_t, std::set<std::string_view>> texts;
    for (const Text* text : {&a, &b})
      for (const auto& [hash, kind, of] : text->elements)
        texts[hash].insert(of);
    const bool clash = std::any_of(
        texts.begin(), texts.end(),
        [](const auto& of_hash) { return of_hash.second.size() > 1; });
    const auto distinct =
        Distinguish(form, {a.shingles, a.stored}, {b.shingles, b.stored});
    ASSERT_EQ(distinct.has_value(), clash);
    if (!clash) continue;
    ++clashed;
    const auto of_a = Values(distinct->a), of_b = Values(distinct->b);
    const bool as_set = form == FeatureForm::kShingles;
    EXPECT_EQ(Common(of_a, of_b, as_set),
              Common(a.elements, b.elements, as_set));
    if (as_set) {
      EXPECT_EQ(of_a.size(),
                std::set(a.elements.begin(), a.elements.end()).size());
      EXPECT_TRUE(std::is_sorted(of_a.begin(), of_a.end()));
      continue;
    }
    ASSERT_EQ(of_a.size(), a.elements.size());
    for (size_t i = 0; i < of_a.size(); ++i) {
      for (size_t j = 0; j < of_a.size(); ++j)
        EXPECT_EQ(of_a[i] == of_a[j], a.elements[i] == a.elements[j]);
      // One that stands under its hash alone keeps it.
      if (texts.at(a.hashes[i]).size() == 1) {
        EXPECT_EQ(of_a[i], a.hashes[i]);
      }
    }
  }
  EXPECT_GT(clashed, 100);
}

TEST(Distinguish, KindsOfShinglesAreToldApart) {
  std::string stored;
  AppendLE<uint64_t>(&stored, 5);
  const std::vector<ShingleText> words = {{5, 0, "x"}}, signs = {{5, 1, "x"}};
  EXPECT_FALSE(
      Distinguish(FeatureForm::kShingles, {words, stored}, {words, stored}));
  const auto distinct =
      Distinguish(FeatureForm::kShingles, {words, stored}, {signs, stored});
  ASSERT_TRUE(distinct);
  EXPECT_NE(distinct->a, distinct->b);
}

}  // namespace
}  // namespace twinset
