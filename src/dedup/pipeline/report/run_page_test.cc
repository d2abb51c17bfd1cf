#include "pipeline/report/run_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <tuple>

#include "base/file.h"
#include "base/hash.h"
#include "base/test_dir.h"
#include "documents/document_options.h"
#include "pipeline/report/pair_excerpt.h"
#include "pipeline/report/result_rows.h"
#include "report/row_writer.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

TEST(RunPageTest, AnySummaryGivesAPage) {
  const TestDir dir;
  for (const char* summary :
       {"{}", R"({"documents":{"read":0},"records":{},"sources":[],"run":{}})",
        R"({"documents":{"a":1},"records":{}})", R"({"units":{"repeated":3}})",
        R"({"complete":false,"warnings":["<x>"],"clusters":3,
           "documents":{"read":9,"dropped":12,"kept":"<x>"},
           "largest_clusters":[{}],"most_frequent":[{}],
           "sources":[{"source":"<x>","dropped":1},{}]})"}) {
    const auto story = GatherRun(dir.path(), Json::Parse(summary), {});
    ASSERT_TRUE(story) << summary;
    auto page = MakeRunPage(*story);
    ASSERT_TRUE(page);
    const std::string html = page->Drawn().Finish();
    EXPECT_THAT(html, EndsWith("</html>\n"));
    EXPECT_EQ(html.find("<x>"), html.npos);
  }
}

TEST(PairDrawTest, OrderOfRowsDoesNotMatter) {
  std::vector<std::pair<std::string, double>> rows;
  for (int i = 0; i < 500; ++i)
    rows.emplace_back("d" + std::to_string(i), .8 + .2 * (i % 41) / 40);
  const auto drawn = [&](uint64_t seed) {
    PairDraw sample(.8, seed);
    for (const auto& [name, similarity] : rows)
      sample.Add("a", name, similarity, Json::object());
    std::vector<std::pair<double, std::string>> names;
    for (const DrawnPair& pair : sample.Take())
      names.emplace_back(pair.similarity, pair.b);
    return names;
  };
  const auto first = drawn(1);
  EXPECT_EQ(first.size(), 9u);  // two of each quarter, one of the equal ones
  EXPECT_TRUE(std::is_sorted(
      first.begin(), first.end(),
      [](const auto& x, const auto& y) { return x.first < y.first; }));
  EXPECT_EQ(first.back().first, 1);
  std::reverse(rows.begin(), rows.end());
  EXPECT_EQ(drawn(1), first);
  EXPECT_NE(drawn(2), first);
}

TEST(PairDrawTest, ATypicalPairIsFirst) {
  for (const bool backwards : {false, true}) {
    PairDraw sample(.8, 1);
    sample.BeginNear(.905);
    for (int i = 0; i < 500; ++i) {
      const int n = backwards ? 499 - i : i;
      sample.Add("a", "d" + std::to_string(n), .8 + .2 * n / 500,
                 Json::object());
    }
    const std::vector<DrawnPair> pairs = sample.Take();
    ASSERT_GT(pairs.size(), 3u);
    EXPECT_TRUE(pairs[0].b == "d262" || pairs[0].b == "d263") << pairs[0].b;
    EXPECT_TRUE(std::is_sorted(pairs.begin() + 1, pairs.end(),
                               [](const auto& x, const auto& y) {
                                 return x.similarity < y.similarity;
                               }));
    std::set<std::string> names;
    for (const DrawnPair& pair : pairs) names.insert(pair.b);
    EXPECT_EQ(names.size(), pairs.size());
  }
}

// Two families: a large one that the threshold just lets in, and pairs that are
// more alike. The median decides, not the least similarity.
TEST(RunPageTest, TheFirstPairIsTypicalAndAlikeIsNotTheSame) {
  const TestDir dir;
  std::string rows;
  const double similarities[] = {.81, .82, .9, .95, .96, 1, 1, 1};
  int n = 0;
  for (const double similarity : similarities) {
    const std::string id = std::to_string(n++);
    const std::string tail =
        R"(,"size":2,"source":"s","ordinal":1,"url":"","date":""})";
    rows += R"({"id":"a)" + id + R"(","cluster":"a)" + id +
            R"(","is_representative":true,"similarity":1)" + tail + "\n";
    rows += R"({"id":"b)" + id + R"(","cluster":"a)" + id +
            R"(","is_representative":false,"similarity":)" +
            std::to_string(similarity) + tail + "\n";
  }
  ASSERT_TRUE(WriteWholeFile(dir.path() + "/clusters.jsonl", rows));
  const auto story = GatherRun(
      dir.path(),
      Json::Parse(
          R"({"documents":{"read":16},"records":{},"sources":[],"run":{}})"),
      {});
  ASSERT_TRUE(story);
  ASSERT_FALSE(story->pairs.empty());
  EXPECT_EQ(story->pairs[0].pair.similarity, .9);
  auto page = MakeRunPage(*story);
  ASSERT_TRUE(page);
  const std::string html = page->Drawn().Finish();
  const size_t said = html.find("Alike is not the same");
  EXPECT_LT(said, html.find("0.900 alike"));
  EXPECT_EQ(html.find("Alike is not the same", said + 1), html.npos);
  EXPECT_LT(html.find("0.900 alike"), html.find("0.810 alike"));
}

TEST(PairDrawTest, EveryKindIsShown) {
  PairDraw sample(.8, 1);
  for (int i = 0; i < 1000; ++i) {
    const Json row = {{"difference", i == 700 ? "rare" : "common"}};
    sample.Add("a", std::to_string(i), .9, row);
  }
  std::set<std::string> kinds;
  for (const DrawnPair& pair : sample.Take())
    kinds.insert(pair.row["difference"].get<std::string>());
  EXPECT_THAT(kinds, ElementsAre("common", "rare"));
}

TEST(PairDrawTest, KindsAreBounded) {
  PairDraw sample(.8, 1);
  for (int i = 0; i < 1000; ++i)
    sample.Add("a", std::to_string(i), .9,
               Json{{"duplicate_kind", std::to_string(i)}});
  EXPECT_LE(sample.Take().size(), 40u);
}

TEST(TypicalPairsTest, TakesThePlacesOfTheSortedList) {
  for (const size_t count : {1, 2, 3, 7, 60}) {
    std::vector<std::pair<double, std::string>> rows;
    for (size_t i = 0; i < count; ++i)
      rows.emplace_back(.5 + static_cast<double>(i * 37 % 11) / 50,
                        "b" + std::to_string(i));
    TypicalPairs typical;
    for (const auto& [similarity, b] : rows)
      typical.Count(similarity, Json::object());
    typical.Choose(true);
    for (const auto& [similarity, b] : rows)
      typical.Take("a", b, similarity, Json::object());
    std::stable_sort(
        rows.begin(), rows.end(),
        [](const auto& x, const auto& y) { return x.first < y.first; });
    std::vector<std::string> naive, taken;
    for (const size_t sixth : {1, 3, 5}) {
      const std::string& b = rows[count * sixth / 6].second;
      if (naive.empty() || naive.back() != b) naive.push_back(b);
    }
    const auto groups = std::move(typical).Groups();
    ASSERT_EQ(groups.size(), 1u);
    EXPECT_EQ(groups[0].pairs, count);
    for (const DrawnPair& pair : groups[0].shown) taken.push_back(pair.b);
    EXPECT_EQ(taken, naive) << count;
  }
}

TEST(TypicalPairsTest, KindsAreBoundedAndFullOnesComeFirst) {
  TypicalPairs typical;
  const auto each = [&](const auto& body) {
    for (int i = 0; i < 1000; ++i)
      body(i % 2 == 0 ? .9 : 1.0, Json{{"duplicate_kind", std::to_string(i)}});
  };
  each([&](double x, const Json& row) { typical.Count(x, row); });
  typical.Choose(true);
  each([&](double x, const Json& row) { typical.Take("a", "b", x, row); });
  EXPECT_EQ(typical.others(), 1000 - TypicalPairs::kMostGroups);
  const auto groups = std::move(typical).Groups();
  ASSERT_EQ(groups.size(), TypicalPairs::kMostGroups);
  EXPECT_TRUE(groups.front().is_full);
  EXPECT_FALSE(groups.back().is_full);
  for (const PairGroup& group : groups) EXPECT_EQ(group.shown.size(), 1u);
}

std::string TextOf(const std::vector<html::Piece>& pieces) {
  std::string text;
  for (const html::Piece& piece : pieces) {
    const char* mark = piece.kind == html::Piece::kInserted  ? "+"
                       : piece.kind == html::Piece::kDeleted ? "-"
                       : piece.kind == html::Piece::kSkipped ? "~"
                                                             : "";
    text += mark + piece.text + mark;
  }
  return text;
}

TEST(PairExcerptTest, DifferencesAreMarkedAndTheRestIsFolded) {
  const auto extractor = MakeExtractor({});
  ASSERT_TRUE(extractor);
  std::string same;
  for (int i = 0; i < 200; ++i) same += "word" + std::to_string(i) + " ";
  const PairExcerpt excerpt =
      ExcerptOfPair("begin  here " + same + "the $5.00 price\n ends",
                    "begin here " + same + "the $6.50 price ends", **extractor);
  EXPECT_EQ(excerpt.differences, 1u);
  EXPECT_EQ(excerpt.hidden, 0u);
  EXPECT_THAT(TextOf(excerpt.left), HasSubstr("characters alike"));
  EXPECT_THAT(TextOf(excerpt.left), EndsWith("the +$5.00+ price ends"));
  EXPECT_THAT(TextOf(excerpt.right), EndsWith("the -$6.50- price ends"));
  EXPECT_LT(TextOf(excerpt.left).size(), 500u);
}

TEST(PairExcerptTest, AnExcerptIsShortHoweverMuchDiffers) {
  const auto extractor = MakeExtractor({});
  ASSERT_TRUE(extractor);
  std::string left, right;
  for (int i = 0; i < 20'000; ++i) {
    left += "x" + std::to_string(i) + " ";
    right += (i % 7 == 0 ? "y" : "x") + std::to_string(i) + " ";
  }
  const PairExcerpt excerpt = ExcerptOfPair(left, right, **extractor);
  EXPECT_GT(excerpt.hidden, 1000u);
  EXPECT_LT(TextOf(excerpt.left).size() + TextOf(excerpt.right).size(), 8000u);
  const PairExcerpt same = ExcerptOfPair(left, left, **extractor);
  EXPECT_TRUE(same.is_same);
  EXPECT_LT(TextOf(same.left).size(), 1000u);
  EXPECT_TRUE(ExcerptOfPair("", "", **extractor).is_same);
}

TEST(PairExcerptTest, BlanksAreNoDifference) {
  const auto extractor = MakeExtractor({});
  ASSERT_TRUE(extractor);
  const std::string left = "one, two three-four five \xE2\x80\xA6 six",
                    right =
                        "one,two\xC2\xA0\xC2\xA0  three - four\xE3\x80\x80 "
                        "\xE2\x80\xAF"
                        "five\xE2\x80\x83\xE2\x80\xA6\xC2\x85"
                        "six";
  EXPECT_TRUE(ExcerptOfPair(left, right, **extractor).is_same);
  TextWindow a, b;
  a.end = left.size(), b.end = right.size();
  FillWindow(left, &a);
  FillWindow(right, &b);
  html::TextPair pair;
  AddPassage(a, b, **extractor, &pair);
  for (const html::Piece& piece : pair.right.text)
    EXPECT_EQ(piece.kind, html::Piece::kMarked) << piece.text;
  EXPECT_EQ(TextOf(pair.right.text),
            "one,two three - four five \xE2\x80\xA6 six");
  EXPECT_FALSE(
      ExcerptOfPair("one two \xC2\xA5 5", "one two 5", **extractor).is_same);
}

TEST(PairExcerptTest, PassagesAreMarkedWithoutWhatDiffers) {
  const auto extractor = MakeExtractor({});
  ASSERT_TRUE(extractor);
  const std::string left = "One two three four five six seven, and eight.",
                    right = "zero two three FOUR nine six seven eleven";
  TextWindow a, b;
  a.begin = 4, a.end = 33;
  b.begin = 5, b.end = 34;
  FillWindow(left, &a);
  FillWindow(right, &b);
  html::TextPair pair;
  AddPassage(a, b, **extractor, &pair);
  std::string marked, other;
  for (const html::Piece& piece : pair.right.text)
    (piece.kind == html::Piece::kMarked ? marked : other) += piece.text;
  EXPECT_EQ(marked, "two three six seven");
  EXPECT_EQ(other, "zero  FOUR nine eleven");
  EXPECT_THAT(PassagesNote(pair, 1, 6), HasSubstr("6 words. What differs"));
}

TEST(ResultRowsTest, CsvAndJsonLinesGiveTheSameRows) {
  const TestDir dir;
  ASSERT_TRUE(WriteWholeFile(dir.path() + "/x.jsonl",
                             "{\"id\":\"1\",\"similarity\":0.5,"
                             "\"is_representative\":true}\n"
                             "{\"id\":\"a,\\n\\\"b\",\"similarity\":1,"
                             "\"is_representative\":false}\n"));
  ASSERT_TRUE(WriteWholeFile(dir.path() + "/y.csv",
                             "id,similarity,is_representative\n1,0.5,true\n"
                             "\"a,\n\"\"b\",1,false\n"));
  std::vector<std::string> rows[2];
  for (const size_t i : {0, 1}) {
    ASSERT_TRUE(
        ForEachResultRow(dir.path(), i == 0 ? "x" : "y", [&](const Json& row) {
          rows[i].push_back(row.dump());
          return true;
        }));
  }
  EXPECT_EQ(rows[0].size(), 2u);
  EXPECT_EQ(rows[0], rows[1]);
  ASSERT_TRUE(WriteWholeFile(dir.path() + "/x.jsonl", "{\"id\":"));
  EXPECT_FALSE(
      ForEachResultRow(dir.path(), "x", [](const Json&) { return true; }));
}

// Rows of any values come back from either form; a list that is cut in a row
// is refused, and one that is cut behind a row has the rows before.
TEST(ResultRowsTest, CutListsAreRefusedWhereARowIsNoRow) {
  const TestDir dir;
  SplitMix64 random(1);
  std::string lines, table = "id,note,similarity\n";
  std::vector<size_t> line_ends = {0}, table_ends = {0, table.size()};
  for (int i = 0; i < 8; ++i) {
    std::string id = "i", note;
    for (uint64_t k = random.Below(6); k > 0; --k)
      note += ",\"\n\r x"[random.Below(6)];
    lines +=
        Json{{"id", id}, {"note", note}, {"similarity", 0.5}}.dump() + "\n";
    AppendCsvField(&table, id);
    table += ',';
    AppendCsvField(&table, note);
    table += ",0.5\n";
    line_ends.push_back(lines.size());
    table_ends.push_back(table.size());
  }
  const auto rows_of = [&](const std::string& name) -> Result<size_t> {
    size_t rows = 0;
    TWINSET_TRY(ForEachResultRow(dir.path(), name, [&](const Json& row) {
      EXPECT_EQ(row["id"], "i");
      EXPECT_EQ(row["similarity"], 0.5);
      ++rows;
      return true;
    }));
    return rows;
  };
  for (const auto& [name, text, ends] :
       {std::tuple("x.jsonl", &lines, &line_ends),
        std::tuple("y.csv", &table, &table_ends)}) {
    for (size_t size = 0; size <= text->size(); ++size) {
      const auto at = std::lower_bound(ends->begin(), ends->end(), size);
      // The last line end may be missing.
      const bool is_whole = *at == size || *at == size + 1;
      const bool is_table = ends == &table_ends;
      // Nothing tells a cut heading or last value from a whole one.
      if (!is_whole && is_table && (size < (*ends)[1] || *at - size < 5))
        continue;
      std::ofstream(dir / name, std::ios::binary) << text->substr(0, size);
      const auto rows = rows_of(std::string(name, 1));
      ASSERT_EQ(rows.has_value(), is_whole) << name << " " << size;
      if (!rows) {
        EXPECT_EQ(rows.error().code, ErrorCode::kCorrupt);
        continue;
      }
      const auto before = static_cast<size_t>(at - ends->begin());
      EXPECT_EQ(*rows, before - (is_table && before > 0))
          << name << " " << size;
    }
  }
}

TEST(ResultRowsTest, NumbersAreThoseOfTheRows) {
  const TestDir dir;
  std::string rows;
  for (const char* id :
       {"a", "\"similarity\":7", "\\\"similarity\":7,", "{}"}) {
    for (const double similarity : {.8, 1.0, 0.9473684210526315}) {
      rows +=
          Json{{"a", id}, {"similarity", similarity}, {"b", id}}.dump() + "\n";
    }
  }
  rows += "{\"a\":\"none\"}\n";
  ASSERT_TRUE(WriteWholeFile(dir.path() + "/x.jsonl", rows));
  std::vector<double> naive, fast;
  ASSERT_TRUE(ForEachResultRow(dir.path(), "x", [&](const Json& row) {
    naive.push_back(row["similarity"].get<double>());
    return true;
  }));
  ASSERT_TRUE(ForEachResultNumber(dir.path(), "x", "similarity",
                                  [&](double x) { fast.push_back(x); }));
  EXPECT_EQ(fast.size(), 13u);
  EXPECT_EQ(fast, naive);
  ASSERT_TRUE(WriteWholeFile(dir.path() + "/x.jsonl", "{\"similarity\":1"));
  EXPECT_FALSE(
      ForEachResultNumber(dir.path(), "x", "similarity", [](double) {}));
}

}  // namespace
}  // namespace twinset
