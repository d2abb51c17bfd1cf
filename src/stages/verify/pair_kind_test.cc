#include "verify/pair_kind.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace twinset {
namespace {

constexpr Overlap kSameLayout = {40, 40, 38};
constexpr Overlap kOtherLayout = {40, 50, 9};
constexpr Overlap kNoMarkup = {};
constexpr Overlap kOnlyOneHasMarkup = {40, 0, 0};

// Two texts of 100 and `b` shingles with `common` in common.
PairFacts Facts(uint64_t b, uint64_t common, const Overlap& layout) {
  PairFacts facts;
  facts.tokens_a = 104;
  facts.tokens_b = b + 4;
  facts.content = {100, b, common};
  facts.layout = layout;
  return facts;
}

PairFacts EqualTexts(const Overlap& layout) {
  PairFacts facts = Facts(100, 100, layout);
  facts.same_tokens = true;
  return facts;
}

std::string Name(const PairFacts& facts, const KindRules& rules = {}) {
  return std::string(ChoiceName(ClassifyPair(facts, rules)));
}

TEST(PairKind, FourCellsAndTheTwoOutside) {
  EXPECT_EQ(Name(EqualTexts(kSameLayout)), "exact duplicate");
  EXPECT_EQ(Name(EqualTexts(kOtherLayout)), "content duplicate");
  EXPECT_EQ(Name(Facts(100, 70, kSameLayout)), "layout duplicate");
  EXPECT_EQ(Name(Facts(100, 70, kOtherLayout)), "partial duplicate");
  EXPECT_EQ(Name(Facts(100, 5, kSameLayout)), "visual only");
  EXPECT_EQ(Name(Facts(100, 5, kOtherLayout)), "different");
}

TEST(PairKind, NearlySameContentCountsAsSameOnlyBetweenLayouts) {
  const uint64_t common = 96;  // J = 96 / 104
  EXPECT_EQ(Name(Facts(100, common, kOtherLayout)), "content duplicate");
  EXPECT_EQ(Name(Facts(100, common, kSameLayout)), "layout duplicate");
  EXPECT_EQ(Name(Facts(100, common, kNoMarkup)), "content duplicate");
}

TEST(PairKind, APartIsFoundByTheLargerContainment) {
  // 600 shingles, 90 of the other's 100 among them: J = 90 / 610.
  EXPECT_EQ(Name(Facts(600, 90, kOtherLayout)), "partial duplicate");
  EXPECT_EQ(Name(Facts(600, 90, kSameLayout)), "layout duplicate");
  EXPECT_EQ(Name(Facts(600, 64, kOtherLayout)), "different");
  EXPECT_EQ(Name(Facts(600, 65, kOtherLayout)), "partial duplicate");
}

TEST(PairKind, AFewShinglesAreNoImportantPart) {
  EXPECT_EQ(Name(Facts(7, 7, kOtherLayout)), "different");
  EXPECT_EQ(Name(Facts(7, 7, kSameLayout)), "visual only");
  EXPECT_EQ(Name(Facts(8, 8, kOtherLayout)), "partial duplicate");
  // But equal texts are the same however short.
  PairFacts facts;
  facts.tokens_a = facts.tokens_b = 1;
  facts.content = {1, 1, 1};
  facts.same_tokens = true;
  EXPECT_EQ(Name(facts), "exact duplicate");
}

TEST(PairKind, WithoutMarkupOnlyEqualTextsAreExact) {
  EXPECT_EQ(Name(EqualTexts(kNoMarkup)), "exact duplicate");
  EXPECT_EQ(Name(Facts(100, 70, kNoMarkup)), "partial duplicate");
  EXPECT_EQ(Name(Facts(100, 5, kNoMarkup)), "different");
  EXPECT_EQ(Name(EqualTexts(kOnlyOneHasMarkup)), "content duplicate");
}

TEST(PairKind, SimplePagesHaveNoAppearanceOfTheirOwn) {
  EXPECT_EQ(Name(Facts(100, 0, {7, 7, 7})), "different");
  EXPECT_EQ(Name(Facts(100, 0, {8, 7, 7})), "different");
  EXPECT_EQ(Name(Facts(100, 0, {8, 8, 8})), "visual only");
  EXPECT_EQ(Name(EqualTexts({1, 1, 1})), "exact duplicate");
}

TEST(PairKind, TablesOfOneShapeAreAnAppearanceOfTheirOwn) {
  PairFacts facts = Facts(100, 0, {2, 2, 2});
  facts.cells = {21, 21, 21};
  EXPECT_EQ(Name(facts), "visual only");
  facts.cells = {7, 7, 7};
  EXPECT_EQ(Name(facts), "different");
  facts.cells = {21, 25, 11};
  EXPECT_EQ(Name(facts), "different");
  // Tables alone make no layout the same.
  facts = Facts(100, 0, kOtherLayout);
  facts.cells = {21, 21, 21};
  EXPECT_EQ(Name(facts), "different");
}

TEST(PairKind, TextsWithoutTokensShareNoContent) {
  PairFacts facts;
  facts.same_tokens = true;
  EXPECT_EQ(Name(facts), "different");
  facts.layout = kSameLayout;
  EXPECT_EQ(Name(facts), "visual only");
  facts.tokens_a = 1;
  EXPECT_EQ(Name(facts), "visual only");
}

TEST(PairKind, RulesAreParameters) {
  KindRules rules;
  rules.same_layout = 0.1;
  EXPECT_EQ(Name(EqualTexts(kOtherLayout), rules), "exact duplicate");
  rules.important_part = 0.05;
  rules.important_shingles = 5;
  EXPECT_EQ(Name(Facts(100, 5, kOtherLayout), rules), "layout duplicate");
  rules.same_layout = 0.99;
  rules.same_content = 0.02;
  EXPECT_EQ(Name(Facts(100, 5, kOtherLayout), rules), "content duplicate");
}

// Every small combination: the kind is symmetric, and it is the cell of the two
// relations.
TEST(PairKind, IsSymmetricAndAFunctionOfTheRelations) {
  const KindRules rules;
  std::set<DuplicateKind> seen;
  for (uint64_t a = 0; a <= 30; a += 3) {
    for (uint64_t b = 0; b <= 30; b += 3) {
      for (uint64_t common = 0; common <= std::min(a, b); ++common) {
        for (const Overlap& layout :
             {kSameLayout, kOtherLayout, kNoMarkup, kOnlyOneHasMarkup}) {
          PairFacts facts;
          facts.tokens_a = a;
          facts.tokens_b = b;
          facts.same_tokens = a == b && common == a;
          facts.content = {a, b, common};
          facts.layout = layout;
          PairFacts turned = facts;
          std::swap(turned.tokens_a, turned.tokens_b);
          std::swap(turned.content.a, turned.content.b);
          std::swap(turned.layout.a, turned.layout.b);
          const DuplicateKind kind = ClassifyPair(facts);
          ASSERT_EQ(kind, ClassifyPair(turned));
          seen.insert(kind);
          const LayoutRelation look = RelateLayouts(layout, rules);
          const ContentRelation content = RelateContents(facts, look, rules);
          const bool is_duplicate = kind != DuplicateKind::kVisualOnly &&
                                    kind != DuplicateKind::kDifferent;
          ASSERT_EQ(is_duplicate, content != ContentRelation::kNone);
          const bool needs_same_look = kind == DuplicateKind::kLayout ||
                                       kind == DuplicateKind::kVisualOnly;
          ASSERT_TRUE(!needs_same_look || look == LayoutRelation::kSame);
        }
      }
    }
  }
  EXPECT_EQ(seen.size(), 6u);
}

}  // namespace
}  // namespace twinset
