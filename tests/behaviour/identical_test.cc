// Identical documents are found by every method that `methods` lists, with
// classes and without, whatever the method's sketches see in them.
#include <gtest/gtest.h>

#include "support/dedup_fixture.h"
#include "twinset/dedup.h"
#include "twinset/methods.h"

namespace twinset::testing {
namespace {

using Pairs = std::set<std::pair<std::string, std::string>>;

// Texts of which many sketches see nothing: one word, numbers, Han, repeats,
// few words; and ordinary ones.
std::vector<std::string> Texts() {
  std::vector<std::string> texts = {
      "word",
      "the of and",
      "17 4 2025 12 9 88 16 2 1999 7 301",
      "搜索引擎网页去重",
      "a a a a a a a a a a a a a a a a",
      "éé ñß жук 123 δέλτα",
      "x1 x2 x3 x4 x5 x6 x7",
  };
  const SyntheticCorpus random(31, 20, 60);
  std::set<std::string> seen;
  for (const std::string& text : random.texts) {
    if (seen.insert(text).second) texts.push_back(text);
  }
  return texts;
}

std::string Rows(const std::string& prefix, const std::string& more) {
  std::string rows;
  const auto texts = Texts();
  for (size_t i = 0; i < texts.size(); ++i) {
    rows += R"({"id":")" + prefix + std::to_string(i) + R"(","text":")" +
            texts[i] + '"' + more + "}\n";
  }
  return rows;
}

Pairs Identical(const std::string& a, const std::string& b) {
  Pairs pairs;
  for (size_t i = 0; i < Texts().size(); ++i)
    pairs.emplace(a + std::to_string(i), b + std::to_string(i));
  return pairs;
}

class IdenticalTest : public ::testing::TestWithParam<std::string> {
 protected:
  DedupOptions Options(const std::string& text) {
    Write(folder_ / "in.jsonl", text);
    DedupOptions options = OptionsFor(folder_ / "in.jsonl", folder_ / "out");
    options.method.name = GetParam();
    options.method.threshold = 0.9;
    options.overwrite = true;
    return options;
  }
  // What is identical and in no pair.
  Pairs Missed(const Pairs& identical) {
    Pairs missed = identical;
    for (const Json& row : ReadRows(folder_ / "out/pairs.jsonl"))
      missed.erase({row["a"].get<std::string>(), row["b"].get<std::string>()});
    return missed;
  }
  TemporaryFolder folder_;
};

TEST_P(IdenticalTest, MatchFindsTheCorpusInItself) {
  MatchOptions options;
  CopyParts<RunOptions, ComparisonOptions>(Options(Rows("d", "")), &options);
  options.against = options.input.inputs;
  const auto summary = Match(options);
  ASSERT_TRUE(summary) << summary.error().ToString();
  EXPECT_EQ(summary->matched, Texts().size());
  EXPECT_EQ(Missed(Identical("d", "d")), Pairs());
}

TEST_P(IdenticalTest, DedupAcrossAndWithinAWindow) {
  DedupOptions options = Options(Rows("a", R"(,"side":1,"date":"2020-01-01")") +
                                 Rows("b", R"(,"side":2,"date":"2020-01-05")"));
  options.across = "side";
  MustDedup(options);
  EXPECT_EQ(Missed(Identical("a", "b")), Pairs());
  options.across.clear();
  options.window = "date:4d";
  MustDedup(options);
  EXPECT_EQ(Missed(Identical("a", "b")), Pairs());
  options.window = "date:3d";
  MustDedup(options);
  EXPECT_EQ(Missed(Identical("a", "b")), Identical("a", "b"));
}

TEST_P(IdenticalTest, DedupOfADoubledCorpus) {
  MustDedup(Options(Rows("a", "") + Rows("b", "")));
  EXPECT_EQ(Missed(Identical("a", "b")), Pairs());
}

// A page that stands everywhere: no pair for each two, but one for each.
TEST_P(IdenticalTest, NoneOfALargeGroupIsLeftWithoutAPair) {
  std::string rows;
  for (int i = 0; i < 60; ++i) {
    const bool side = i >= 17 && i < 51;
    rows += R"({"id":"d)" + std::to_string(i) + R"(","text":"not found 404",)" +
            R"("side":)" + std::to_string(side) + R"(,"date":"2020-03-)" +
            std::to_string(10 + i / 3) + "\"}\n";
  }
  DedupOptions options = Options(rows);
  const bool complete = GetParam() == "complete";  // it expands them
  if (!complete) options.method.bucket_limit = 8;
  options.action = Action::kAnnotate;
  for (const char* window : {"", "date:30d"}) {
    options.across = "side";
    options.window = window;
    MustDedup(options);
    std::set<std::string> paired;
    for (const Json& row : ReadRows(folder_ / "out/pairs.jsonl")) {
      paired.insert(row["a"].get<std::string>());
      paired.insert(row["b"].get<std::string>());
    }
    EXPECT_EQ(paired.size(), 60u) << window;
  }
  if (complete) return;
  EXPECT_GE(
      Json::parse(Read(folder_ / "out/summary.json"))["hot_buckets"]["members"],
      60);
}

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (const MethodInfo& method : Methods()) names.push_back(method.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(EveryMethod, IdenticalTest,
                         ::testing::ValuesIn(Names()), [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// Estimates too: what the sketches see differently is equal all the same.
TEST(IdenticalEstimates, EqualShinglesOfUnequalSketchesAreOne) {
  TemporaryFolder folder;
  Write(folder / "a.jsonl", R"({"id":"a","text":"x y z x y z x y z"})"
                            "\n");
  Write(folder / "b.jsonl",
        R"({"id":"b","text":"x y z x y z x y z x y z x y z x y z"})"
        "\n");
  auto options =
      FileOptionsFor<MatchOptions>(folder / "a.jsonl", folder / "out");
  options.features.shingle = "word:2";
  options.method.name = "simhash";
  options.method.sketch_shingle = "word:1+word:9";
  options.method.distance = 0;
  options.overwrite = true;
  options.against = {folder / "b.jsonl"};
  for (const bool verify : {true, false}) {
    options.method.verify = verify;
    const auto summary = Match(options);
    ASSERT_TRUE(summary) << summary.error().ToString();
    const auto rows = ReadRows(folder / "out/pairs.jsonl");
    ASSERT_EQ(rows.size(), 1u) << verify;
    EXPECT_EQ(rows[0]["similarity"], 1.0);
  }
}

TEST(IdenticalEstimates, FlaggedDocumentsStandInTheSummaryOfMatch) {
  TemporaryFolder folder;
  Write(folder / "a.jsonl", "{\"text\":\"two words\"}\n");
  auto options =
      FileOptionsFor<MatchOptions>(folder / "a.jsonl", folder / "out");
  options.method.name = "i-match";
  options.against = {folder / "a.jsonl"};
  const auto summary = Match(options);
  ASSERT_TRUE(summary) << summary.error().ToString();
  EXPECT_EQ(summary->matched, 1u);
  EXPECT_EQ(Json::parse(summary->json.dump())["flagged"], 2);
}

}  // namespace
}  // namespace twinset::testing
