// What the program says of pairs of whole pages: the kinds of duplicates and
// the three pairs that the literature shows as pictures, rebuilt with text of
// our own (docs/methods/kinds.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "twinset/explain.h"
#include "twinset/inspect.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;

Explanation Compare(const std::string& x, const std::string& y,
                    const std::string& content) {
  const std::string folder = TWINSET_SOURCE_DIR "/tests/golden/pages/";
  FeatureOptions features;
  features.content = *FindChoice<ContentMode>(content);
  auto explanation =
      Explain({folder + x + ".html", folder + y + ".html", {}, features});
  EXPECT_TRUE(explanation) << explanation.error().message;
  return explanation ? *std::move(explanation) : Explanation{};
}

DuplicateKind KindOf(const std::string& x, const std::string& y,
                     const std::string& content) {
  const DuplicateKind kind = Compare(x, y, content).duplicate_kind;
  EXPECT_EQ(kind, Compare(y, x, content).duplicate_kind) << x << " " << y;
  return kind;
}

TEST(PairKinds, FourCellsOfContentByLayout) {
  for (const char* content : {"main", "all"}) {
    EXPECT_EQ(KindOf("notice", "notice", content), DuplicateKind::kExact);
    EXPECT_EQ(KindOf("notice", "notice_again", content), DuplicateKind::kExact);
    EXPECT_EQ(KindOf("notice", "notice_updated", content),
              DuplicateKind::kLayout)
        << content;
    EXPECT_EQ(KindOf("notice", "notice_quoted", content),
              DuplicateKind::kPartial)
        << content;
  }
  // With the frames in the text the fourth cell cannot be told from the third.
  EXPECT_EQ(KindOf("notice", "notice_on_blog", "main"),
            DuplicateKind::kContent);
  EXPECT_EQ(KindOf("notice", "notice_on_blog", "all"), DuplicateKind::kPartial);
}

TEST(PairKinds, OutsideTheFourCells) {
  for (const char* content : {"main", "all"}) {
    EXPECT_EQ(KindOf("notice", "notice_other", content),
              DuplicateKind::kVisualOnly)
        << content;
    EXPECT_EQ(KindOf("notice", "other_blog", content),
              DuplicateKind::kDifferent)
        << content;
    EXPECT_EQ(KindOf("encyclopaedia", "score_sheet_may", content),
              DuplicateKind::kDifferent)
        << content;
  }
}

// A directory page, and the same listing in a portal's frame of menus, search
// fields and advertisements.
TEST(PairKinds, DirectoryInAPortalIsAContentDuplicate) {
  const Explanation main = Compare("directory", "directory_in_portal", "main");
  EXPECT_EQ(main.duplicate_kind, DuplicateKind::kContent);
  EXPECT_GE(main.jaccard, 0.9);
  EXPECT_LT(main.layout.value(), 0.2);
  EXPECT_GE(main.grade.probability, 0.8);
  // The frame alone keeps a comparison of all text from seeing it.
  const Explanation all = Compare("directory", "directory_in_portal", "all");
  EXPECT_EQ(all.duplicate_kind, DuplicateKind::kPartial);
  EXPECT_LT(all.jaccard, 0.9);
  EXPECT_LT(all.grade.probability, main.grade.probability);
}

// An encyclopaedia page, and the sixth of it that a site for phones shows.
TEST(PairKinds, SixthOfAnEncyclopaediaPageIsAPartialDuplicate) {
  for (const char* content : {"main", "all"}) {
    const Explanation pair =
        Compare("encyclopaedia", "encyclopaedia_on_phone", content);
    EXPECT_EQ(pair.duplicate_kind, DuplicateKind::kPartial) << content;
    EXPECT_LT(pair.jaccard, 0.2) << content;
    EXPECT_GE(pair.containment_ba, 0.9) << content;
    EXPECT_LT(pair.grade.probability, 0.2) << content;
    EXPECT_THAT(pair.grade.reason,
                HasSubstr("% of the shorter text stands in the longer one, "
                          "but only"));
  }
}

// Two games in one template.
TEST(PairKinds, ScoreSheetsAreVisualOnly) {
  for (const char* content : {"main", "all"}) {
    const Explanation pair =
        Compare("score_sheet_may", "score_sheet_april", content);
    EXPECT_EQ(pair.duplicate_kind, DuplicateKind::kVisualOnly) << content;
    EXPECT_EQ(pair.layout, 1.0) << content;
    EXPECT_LT(pair.jaccard, 0.2) << content;
    EXPECT_LT(pair.grade.probability, 0.1) << content;
    EXPECT_THAT(pair.grade.reason, HasSubstr("the same layout"));
  }
}

// Grade and kind have shingles of their own.
TEST(PairKinds, DoNotDependOnTheShinglesOfTheRun) {
  DocumentText x, y;
  x.text =
      "one two three four five six seven eight nine ten eleven twelve "
      "thirteen fourteen fifteen sixteen seventeen eighteen nineteen";
  y.text = x.text + " twenty";
  FeatureOptions features;
  const auto words = ExplainDocuments(x, y, features, {});
  features.shingle = "char:9";
  const auto characters = ExplainDocuments(x, y, features, {});
  ASSERT_TRUE(words);
  ASSERT_TRUE(characters);
  EXPECT_NE(words->jaccard, characters->jaccard);
  EXPECT_EQ(words->duplicate_kind, DuplicateKind::kContent);
  EXPECT_EQ(characters->duplicate_kind, words->duplicate_kind);
  EXPECT_EQ(characters->grade.probability, words->grade.probability);
  EXPECT_EQ(characters->grade.reason, words->grade.reason);
  EXPECT_EQ(words->layout, std::nullopt);
  EXPECT_EQ(characters->grade.features, words->grade.features);
}

TEST(PairKinds, LayoutOfPlainTextIsUnknownAndOfOnePageDifferent) {
  DocumentText x, y;
  x.text = y.text = "one two three four five six seven eight nine ten";
  auto pair = ExplainDocuments(x, y, {}, {});
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->duplicate_kind, DuplicateKind::kExact);
  EXPECT_EQ(pair->layout, std::nullopt);
  x.layout = {1, 2, 3};
  pair = ExplainDocuments(x, y, {}, {});
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->duplicate_kind, DuplicateKind::kContent);
  EXPECT_EQ(pair->layout, 0);
  y.layout = x.layout;
  pair = ExplainDocuments(x, y, {}, {});
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->duplicate_kind, DuplicateKind::kExact);
  EXPECT_EQ(pair->layout, 1);
}

}  // namespace
}  // namespace twinset
