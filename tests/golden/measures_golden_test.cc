// The worked example of the measures: three sentences about London. Numbers of
// the lecture; see docs/methods/measures.md.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/hash.h"
#include "support/dedup_fixture.h"
#include "twinset/explain.h"
#include "verify/edit.h"

namespace twinset::testing {
namespace {

const char* const kLondon[] = {"Jack London traveled to Oakland",
                               "Jack London traveled to the city of Oakland",
                               "Jack traveled from Oakland to London"};

Explanation Explained(int x, int y) {
  FeatureOptions features;
  features.shingle = "word:2";
  auto explanation =
      ExplainTexts(kLondon[x], kLondon[y], features, MethodOptions());
  EXPECT_TRUE(explanation.has_value());
  return std::move(explanation).value();
}

TEST(MeasuresGoldenTest, London) {
  const struct {
    int x, y;
    uint64_t common, all, words, characters;
    double cosine;
  } rows[] = {{0, 1, 3, 8, 3, 12, .7906},
              {0, 2, 0, 9, 4, 20, .9129},
              {1, 2, 0, 12, 6, 26, .7217}};
  for (const auto& row : rows) {
    const Explanation e = Explained(row.x, row.y);
    EXPECT_EQ(e.common, row.common);
    EXPECT_EQ(e.shingles_x + e.shingles_y - e.common, row.all);
    EXPECT_EQ(e.jaccard,
              static_cast<double>(row.common) / static_cast<double>(row.all));
    EXPECT_EQ(e.edit_distance, row.words);
    EXPECT_EQ(e.edit_chars_distance, row.characters);
    EXPECT_TRUE(e.edit_chars_exact);
    EXPECT_NEAR(e.cosine, row.cosine, 5e-5);
    std::vector<uint64_t> a, b;
    for (const char* c = kLondon[row.x]; *c != 0; ++c)
      a.push_back(static_cast<uint64_t>(std::tolower(*c)));
    for (const char* c = kLondon[row.y]; *c != 0; ++c)
      b.push_back(static_cast<uint64_t>(std::tolower(*c)));
    EXPECT_EQ(EditDistance(a, b, 1 << 20).distance, row.characters);
    EXPECT_EQ(BoundedEditDistance(a, b, 100), row.characters);
  }
  const Explanation first = Explained(0, 1);
  EXPECT_EQ(first.containment_ab, .75);
  EXPECT_NEAR(first.containment_ba, .4286, 5e-5);
  EXPECT_NEAR(first.dice, .5455, 5e-5);
  EXPECT_EQ(first.s3, first.dice);
}

// As --measure of a run: the score in pairs.jsonl of each pair of sentences, or
// -1 where it is none at the threshold.
std::vector<double> Scores(const std::string& measure, double threshold) {
  TemporaryFolder folder;
  std::string rows;
  for (int i = 0; i < 3; ++i) {
    Json row;
    row["id"] = std::to_string(i);
    row["text"] = kLondon[i];
    rows += row.dump() + "\n";
  }
  Write(folder / "in.jsonl", rows);
  DedupOptions options = OptionsFor(folder / "in.jsonl", folder / "out");
  options.features.shingle = measure == "cosine-tf" ? "word:1" : "word:2";
  options.method.measure = *FindChoice<Measure>(measure);
  options.method.threshold = threshold;
  MustDedup(options);
  std::vector<double> scores(3, -1);
  for (const Json& row : ReadRows(folder / "out/pairs.jsonl")) {
    const int a = std::stoi(row["a"].get<std::string>());
    const int b = std::stoi(row["b"].get<std::string>());
    scores[static_cast<size_t>(a + b - 1)] = row["similarity"].get<double>();
  }
  return scores;
}

TEST(MeasuresGoldenTest, LondonThroughARun) {
  EXPECT_EQ(Scores("jaccard", .1), (std::vector<double>{.375, -1, -1}));
  EXPECT_EQ(Scores("jaccard", .375), (std::vector<double>{.375, -1, -1}));
  EXPECT_EQ(Scores("jaccard", .376), (std::vector<double>{-1, -1, -1}));
  EXPECT_EQ(Scores("containment", .75), (std::vector<double>{.75, -1, -1}));
  EXPECT_EQ(Scores("dice", .5), (std::vector<double>{6.0 / 11, -1, -1}));
  EXPECT_EQ(Scores("s3", .5), (std::vector<double>{6.0 / 11, -1, -1}));
  const std::vector<double> cosine = Scores("cosine-tf", .75);
  EXPECT_NEAR(cosine[0], .7906, 5e-5);
  EXPECT_NEAR(cosine[1], .9129, 5e-5);
  EXPECT_EQ(cosine[2], -1);
  // 3 edits of 8 words, 4 of 6, 6 of 8.
  EXPECT_EQ(Scores("edit", .25),
            (std::vector<double>{5.0 / 8, 2.0 / 6, 2.0 / 8}));
  EXPECT_EQ(Scores("edit", .5), (std::vector<double>{5.0 / 8, -1, -1}));
  // 12 edits of 43 characters, 20 of 36, 26 of 43.
  EXPECT_EQ(Scores("edit-chars", .25),
            (std::vector<double>{31.0 / 43, 16.0 / 36, 17.0 / 43}));
  EXPECT_EQ(Scores("edit-chars", .5), (std::vector<double>{31.0 / 43, -1, -1}));
  // No two have the same length.
  EXPECT_EQ(Scores("hamming", .1), (std::vector<double>{-1, -1, -1}));
  EXPECT_EQ(Scores("hamming-chars", .1), (std::vector<double>{-1, -1, -1}));
}

}  // namespace
}  // namespace twinset::testing
