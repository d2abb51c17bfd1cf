#include "twinset/corpora/study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/test_dir.h"
#include "core/field_list.h"
#include "documents/page_text.h"
#include "transfer/mix_comparison.h"
#include "transfer/segments.h"
#include "twinset/json.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr char kExample[] = TWINSET_SOURCE_DIR "/examples/study/";

StudyOptions ExampleInto(const std::string& folder) {
  StudyOptions options;
  options.config = std::string(kExample) + "STUDY.toml";
  options.resources.memory_bytes = 256 << 20;
  options.resources.threads = 1;
  options.out = folder;
  return options;
}

// The example with fewer searches, quick.
StudyOptions SmallInto(const TestDir& dir, const std::string& folder,
                       const std::string& more = "") {
  const std::string at = "\"" + std::string(kExample);
  const std::string config = "content = [\"all\"]\n[a]\ninputs = " + at +
                             "a.jsonl\"\nqrels = " + at +
                             "a.qrels\"\n[b]\ninputs = " + at +
                             "b.jsonl\"\nsegment_pattern = '^b-(.)'\n" + more +
                             "[candidates]\nmixes = [\"word:2\"]\n";
  EXPECT_TRUE(WriteWholeFile(dir / "small.toml", config));
  StudyOptions options = ExampleInto(dir / folder);
  options.config = dir / "small.toml";
  return options;
}

// A row comes back from its JSON, but not without its first number.
template <typename Found>
void ExpectBack(const Json& rows) {
  ASSERT_FALSE(rows.empty());
  for (Json row : rows) {
    Found found;
    ASSERT_TRUE(FieldsFromJson(row, 0, &found)) << row.dump();
    EXPECT_EQ(FieldsToJson(found).dump(), row.dump());
    const std::string first = row.items().front().key;
    row.erase(first);
    EXPECT_FALSE(FieldsFromJson(row, 0, &found)) << row.dump();
  }
}

struct Page {
  std::string url, text;
};
std::map<std::string, Page> PagesOf(const std::string& name) {
  std::map<std::string, Page> pages;
  const std::string text = *ReadWholeFile(kExample + name);
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin);
    const Json row = Json::Parse(text.substr(begin, end - begin));
    pages[row.value("id", "")] = {row.value("url", ""), row.value("text", "")};
    begin = end + 1;
  }
  return pages;
}

// The example against a comparison of every page with every other.
TEST(Study, TheExampleIsAsANaiveComparisonSays) {
  const TestDir dir;
  const std::string at = "\"" + std::string(kExample);
  const auto result = RunStudy(SmallInto(
      dir, "out",
      "[control]\ninputs = " + at +
          "other.jsonl\"\n[retrieval]\ntopics = " + at + "topics.txt\"\n"));
  ASSERT_TRUE(result) << result.error().ToString();
  const Json study = SummaryJson(*result);
  const auto a = PagesOf("a.jsonl"), b = PagesOf("b.jsonl");
  const std::string qrels = *ReadWholeFile(std::string(kExample) + "a.qrels");
  const auto reader = TextReader::Make({});
  uint64_t same = 0, same_near = 0, near = 0, near_of_all = 0;
  for (const auto& [id, page] : a) {
    const bool judged = qrels.find(" " + id + " ") != std::string::npos;
    bool has_near = false;
    for (const auto& [other, there] : b) {
      const double j = reader->Resemblance(page.text, there.text);
      has_near |= j >= .9;
      if (judged && page.url == there.url) {
        ++same;
        same_near += j >= .9;
      }
    }
    near += judged && has_near;
    near_of_all += has_near;
  }
  ASSERT_GT(near, 5u);
  const Json& alike = study["addresses"]["judged"][0];
  EXPECT_EQ(alike["pairs"].get<uint64_t>(), same);
  EXPECT_EQ(alike["near_duplicates"]["part"].get<uint64_t>(), same_near);
  EXPECT_EQ(study["mixes"][0]["near_by_complete_join"].get<uint64_t>(), near);
  const Json& complete = study["searches"][0];
  EXPECT_EQ(complete["mix"], "complete");
  EXPECT_EQ(complete["all"]["near"].get<uint64_t>(), near_of_all);
  EXPECT_EQ(complete["all"]["found"].get<uint64_t>(), near_of_all);
  for (const Json& mix : study["mixes"][0]["mixes"]) {
    EXPECT_LE(mix["near"].get<uint64_t>(), near);
    EXPECT_LE(mix["near"].get<uint64_t>(), mix["found"].get<uint64_t>());
  }
  ASSERT_EQ(study["control"].size(), 1u);
  for (const Json& search : study["control"])
    EXPECT_EQ(search["all"]["near"].get<uint64_t>(), 0u);
  EXPECT_EQ(study["segments"].size(), 8u);
  EXPECT_TRUE(study["carry_over"]["mapped"]["tau_b"].is_number());
  EXPECT_TRUE(study["carry_over"]["anew"]["tau_b"].is_number());
  // A resumed study reads its steps back.
  ExpectBack<StudyJudgements>(Json::array({study["judgements"]}));
  ExpectBack<StudyAddresses>(Json::array({study["addresses"]}));
  ExpectBack<StudySearch>(study["searches"]);
  ExpectBack<StudySearch>(study["control"]);
  ExpectBack<StudyOf<StudyMixes>>(study["mixes"]);
  ExpectBack<StudyOf<StudyExtrapolation>>(study["extrapolation"]);
  ExpectBack<StudyOf<StudyTransfer>>(study["transfer"]);
  ExpectBack<StudyOf<StudyCarryOver>>(study["carry_over_by_content"]);
  ExpectBack<StudyParameters>(Json::array({study["parameters"]}));
}

// Pairs are drawn, "people" answer by the parity of a hash, and every count is
// made again from the files.
TEST(Study, LabelsOfPeopleStandBesideSimilarityAndGrade) {
  const TestDir dir;
  const auto drawn =
      RunStudy(SmallInto(dir, "drawn", "[assessment]\npairs = 12\n"));
  ASSERT_TRUE(drawn) << drawn.error().ToString();
  EXPECT_THAT(*ReadWholeFile(dir / "drawn/report.html"),
              HasSubstr("Pairs to assess"));
  const auto rows = [&](const std::string& name) {
    std::vector<Json> all;
    const std::string text = *ReadWholeFile(dir / name);
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = text.find('\n', begin);
      all.push_back(Json::Parse(text.substr(begin, end - begin)));
      begin = end + 1;
    }
    return all;
  };
  const auto pairs = rows("drawn/search.all.word2.assess.jsonl");
  ASSERT_EQ(pairs.size(), 12u);
  EXPECT_EQ(rows("drawn/search.all.complete.assess.jsonl").size(), 12u);
  EXPECT_TRUE(rows("drawn/labelled.all.jsonl").empty());
  Json labels = Json::array();
  uint64_t yes = 0, near = 0, graded = 0, agrees = 0;
  for (size_t i = 0; i < pairs.size(); ++i) {
    const bool is_yes = i % 3 != 0, is_unsure = i == 5;
    labels.push_back({{"pair", i + 1},
                      {"a", pairs[i]["a"]},
                      {"b", pairs[i]["b"]},
                      {"content", is_unsure ? "unsure"
                                  : is_yes  ? "yes"
                                            : "no"},
                      {"appearance", "yes"}});
    if (is_unsure) continue;
    const bool is_near = pairs[i].value("similarity", 0.0) >= .9;
    yes += is_yes;
    near += is_near;
    graded += pairs[i].value("grade", 0.0) >= .5;
    agrees += is_near == is_yes;
  }
  const Json file = {{"magic", "twinset-labels"},
                     {"version", 1},
                     {"sample", std::string(32, '0')},
                     {"assessor", "Ann"},
                     {"labels", labels}};
  ASSERT_TRUE(WriteWholeFile(dir / "ann.json", file.dump()));
  // Labels that cannot be taken are refused before anything is searched.
  ASSERT_TRUE(WriteWholeFile(dir / "twice.json", file.dump()));
  const auto refused = RunStudy(
      SmallInto(dir, "refused",
                "[assessment]\nlabels = [\"ann.json\", \"twice.json\"]\n"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
  EXPECT_FALSE(FileExists(dir / "refused/search.all.complete.assess.jsonl"));
  const auto judged = RunStudy(SmallInto(
      dir, "judged", "[assessment]\npairs = 12\nlabels = \"ann.json\"\n"));
  ASSERT_TRUE(judged) << judged.error().ToString();
  EXPECT_EQ(*ReadWholeFile(dir / "judged/search.all.word2.assess.jsonl"),
            *ReadWholeFile(dir / "drawn/search.all.word2.assess.jsonl"));
  ExpectBack<StudyOf<StudyAssessment>>(SummaryJson(*judged)["assessment"]);
  const Json step = SummaryJson(*judged)["assessment"][0];
  const Json& mix = step["mixes"][1];
  EXPECT_EQ(mix["mix"], "word:2");
  EXPECT_EQ(mix["labelled"].get<uint64_t>(), 12u);
  EXPECT_EQ(mix["unsure"].get<uint64_t>(), 1u);
  EXPECT_EQ(mix["by_people"]["part"].get<uint64_t>(), yes);
  EXPECT_EQ(mix["by_people"]["whole"].get<uint64_t>(), 11u);
  EXPECT_EQ(mix["by_similarity"]["part"].get<uint64_t>(), near);
  EXPECT_EQ(mix["by_grade"]["part"].get<uint64_t>(), graded);
  EXPECT_GT(graded, 0u);
  EXPECT_EQ(mix["similarity_agrees"]["part"].get<uint64_t>(), agrees);
  EXPECT_EQ(step["labelled_pairs"].get<uint64_t>(), 11u);
  EXPECT_EQ(rows("judged/labelled.all.jsonl").size(), 11u);
  std::map<std::string, uint64_t> links;
  for (const Json& row : step["transfer"])
    links[row.value("under", "")] = row["pairs"].get<uint64_t>();
  EXPECT_EQ(links,
            (std::map<std::string, uint64_t>{
                {"similarity", near}, {"grade", graded}, {"label", yes}}));
  EXPECT_THAT(*ReadWholeFile(dir / "judged/report.html"),
              HasSubstr("Transfer along the labelled pairs"));
}

// A collection that has nothing in common with B: every figure says none.
TEST(Study, UnrelatedCollectionsEndWithNone) {
  const TestDir dir;
  const std::string config =
      "content = [\"all\"]\n[a]\ninputs = \"" + std::string(kExample) +
      "a.jsonl\"\nqrels = \"" + kExample + "a.qrels\"\n[b]\ninputs = \"" +
      kExample + "other.jsonl\"\n[retrieval]\ntopics = \"" + dir / "t" +
      "\"\n[candidates]\nmixes = [\"word:2\"]\n";
  ASSERT_TRUE(WriteWholeFile(dir / "S.toml", config));
  ASSERT_TRUE(WriteWholeFile(dir / "t", "1:harbour boats alpha\n"));
  StudyOptions options = ExampleInto(dir / "out");
  options.config = dir / "S.toml";
  const auto result = RunStudy(options);
  ASSERT_TRUE(result) << result.error().ToString();
  const Json study = SummaryJson(*result);
  for (const Json& mix : study["mixes"][0]["mixes"])
    EXPECT_EQ(mix["near"].get<uint64_t>(), 0u);
  EXPECT_EQ(study["mixes"][0]["near_by_complete_join"].get<uint64_t>(), 0u);
  const Json& transfer = study["transfer"][0];
  EXPECT_EQ(transfer["judgements_with_target"]["part"].get<uint64_t>(), 0u);
  EXPECT_EQ(transfer["judgements_with_target"]["whole"].get<uint64_t>(), 94u);
  EXPECT_EQ(*ReadWholeFile(dir / "out/transferred.all.qrels"), "");
  EXPECT_TRUE(study["carry_over"]["none"].is_string());
  EXPECT_THAT(*ReadWholeFile(dir / "out/report.html"),
              HasSubstr("None of the judgements of A can be carried over"));
}

// What is not there is said: judged ids, addresses, segments, relevance.
TEST(Study, WhatASideLacksIsSaid) {
  const TestDir dir;
  const std::string text =
      "the village lies by the sea and has a harbour with nine boats ";
  ASSERT_TRUE(WriteWholeFile(
      dir / "a.jsonl", "{\"id\":\"a1\",\"url\":\"http://x/1\",\"text\":\"" +
                           text +
                           "\"}\n{\"id\":\"a2\",\"text\":\"nothing "
                           "like it stands anywhere else in the world\"}\n"));
  ASSERT_TRUE(WriteWholeFile(
      dir / "b.jsonl",
      "{\"id\":\"b1\",\"url\":\"http://x/1\",\"text\":\"" + text + "\"}\n"));
  ASSERT_TRUE(WriteWholeFile(dir / "q", "1 0 a1 0\n1 0 a2 2\n1 0 no 1\n"));
  const auto study = [&](const std::string& more, const std::string& out) {
    EXPECT_TRUE(WriteWholeFile(
        dir / "S.toml",
        "content = [\"all\"]\n[a]\ninputs = \"a.jsonl\"\nqrels = "
        "\"q\"\n[b]\ninputs = \"b.jsonl\"\n" +
            more + "[candidates]\nmixes = [\"word:2\"]\n"));
    StudyOptions options = ExampleInto(dir / out);
    options.config = dir / "S.toml";
    return RunStudy(options);
  };
  const auto result = study("", "out");
  ASSERT_TRUE(result) << result.error().ToString();
  const Json json = SummaryJson(*result);
  EXPECT_EQ(json["judgements"]["judged_in_a"]["part"].get<uint64_t>(), 2u);
  EXPECT_EQ(json["addresses"]["without_address"]["a"]["part"].get<uint64_t>(),
            1u);
  EXPECT_EQ(json["sides"].size(), 3u);
  EXPECT_THAT(result->warnings,
              ::testing::Contains(HasSubstr("1 of 3 judged documents")));
  EXPECT_THAT(*ReadWholeFile(dir / "out/report.html"),
              HasSubstr("No relevant judgement of A can be carried over"));
  const auto pattern = study("segment_pattern = 'en00'\n", "pattern");
  ASSERT_FALSE(pattern);
  EXPECT_THAT(pattern.error().message, HasSubstr("matches none of the 1 ids"));
  EXPECT_FALSE(FileExists(dir / "pattern"));
  ASSERT_TRUE(WriteWholeFile(dir / "q", "1 0 zz 1\n"));
  const auto strangers = study("", "strangers");
  ASSERT_FALSE(strangers);
  EXPECT_EQ(strangers.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(strangers.error().message,
              HasSubstr("'zz' of the judgements, 'a1' of A"));
}

// Five of twenty segments, as the thesis had them.
TEST(Study, APartIsReadWhereItIsWhole) {
  StudyPlan plan;
  plan.extrapolation.to = 20;
  FoundMasks masks{"word:2", {}, {}};
  for (int s = 0; s < 5; ++s)
    for (int i = 0; i < 10; ++i) masks.found.push_back(uint64_t{1} << s);
  masks.near.assign(masks.found.size(), 0);
  const Json fits = FieldsToJson(ExtrapolateMixes({masks}, 5, plan))["mixes"];
  const Json& whole = fits[0]["whole"];
  EXPECT_EQ(whole["segments"].get<uint64_t>(), 20u);
  EXPECT_NEAR(whole["line"]["value"].get<double>(), 200, 1e-6);
  EXPECT_NEAR(whole["saturating"]["value"].get<double>(), 200, .01);
  plan.extrapolation.to = 5;
  EXPECT_TRUE(
      FieldsToJson(ExtrapolateMixes({masks}, 5, plan))["mixes"][0]["whole"]
          .is_null());
}

TEST(Study, ItKeepsWhatIsFinishedAndHasTheSameBytes) {
  const TestDir dir;
  StudyOptions options = SmallInto(dir, "out");
  std::atomic<bool> stop = false;
  int steps = 0;
  options.stop = &stop;
  options.on_step = [&](const StudyStep&) { stop = ++steps == 3; };
  const auto stopped = RunStudy(options);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kInterrupted);
  stop = false;
  options.on_step = {};
  options.resume = true;
  const auto resumed = RunStudy(options);
  ASSERT_TRUE(resumed) << resumed.error().ToString();
  EXPECT_GE(resumed->kept, 2u);
  EXPECT_LT(resumed->kept, resumed->steps.size());
  StudyOptions other = SmallInto(dir, "other");
  other.resources.threads = 4;
  other.resources.memory_bytes = 64 << 20;
  const auto whole = RunStudy(other);
  ASSERT_TRUE(whole) << whole.error().ToString();
  EXPECT_EQ(SummaryJson(*whole), SummaryJson(*resumed));
  for (const char* file : {"numbers.csv", "page.json", "report.html",
                           "same_url.jsonl", "transferred.all.qrels"})
    EXPECT_EQ(*ReadWholeFile(dir / "out/" + file),
              *ReadWholeFile(dir / "other/" + file))
        << file;
  const auto again = RunStudy(options);
  ASSERT_FALSE(again);
  EXPECT_THAT(again.error().message, HasSubstr("nothing to resume"));
}

TEST(Study, AStepWhoseFileIsGoneIsTakenAgain) {
  const TestDir dir;
  StudyOptions options = SmallInto(dir, "out");
  const auto first = RunStudy(options);
  ASSERT_TRUE(first);
  ASSERT_TRUE(RemoveFile(dir / "out/study.json"));
  ASSERT_TRUE(RemoveFile(dir / "out/same_url.jsonl"));
  options.resume = true;
  const auto again = RunStudy(options);
  ASSERT_TRUE(again) << again.error().ToString();
  EXPECT_EQ(again->kept + 1, again->steps.size());
  EXPECT_EQ(SummaryJson(*again), SummaryJson(*first));
}

TEST(Study, ADamagedFileOfAFinishedStepIsNotUsed) {
  const TestDir dir;
  StudyOptions options = SmallInto(dir, "out");
  ASSERT_TRUE(RunStudy(options));
  ASSERT_TRUE(RemoveFile(dir / "out/study.json"));
  const std::string path = dir / "out/search.all.word2.documents.csv";
  std::string rows = *ReadWholeFile(path);
  rows[rows.size() / 2] ^= 1;
  ASSERT_TRUE(WriteWholeFile(path, rows));
  options.resume = true;
  const auto again = RunStudy(options);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kCorrupt);
}

TEST(Study, MasksComeBackAsTheyWere) {
  const TestDir dir;
  IdTable ids;
  for (const char* id : {"a", "b,c", "say \"x\"", "none", "\""})
    ids.NumberOf(id);
  const FoundMasks masks{"m", {1, 6, ~uint64_t{0}, 0, 2}, {1, 2, 8, 0, 0}};
  ASSERT_TRUE(WriteMasks(masks, ids, dir / "m.csv"));
  const auto read = ReadMasks("m", ids, dir / "m.csv");
  ASSERT_TRUE(read) << read.error().ToString();
  EXPECT_EQ(read->found, masks.found);
  EXPECT_EQ(read->near, masks.near);
  for (const char* bad : {"a,1,1\n", "a\n",
                          "z,0000000000000001,"
                          "0000000000000001\n",
                          ",,\n"}) {
    ASSERT_TRUE(WriteWholeFile(dir / "bad.csv",
                               std::string("document,found,near\n") + bad));
    EXPECT_FALSE(ReadMasks("m", ids, dir / "bad.csv")) << bad;
  }
}

TEST(Study, SegmentsByPatternAreInOrderOfTheirNames) {
  StudyPlan plan;
  plan.segment_pattern = "-(\\d+)-";
  auto segments = Segments::Make(plan, 1000);
  ASSERT_TRUE(segments);
  for (const char* id : {"x-07-1", "x-02-9", "odd", "x-07-2"})
    ASSERT_TRUE(segments->Add(id, 0));
  segments->Finish();
  EXPECT_THAT(segments->names(), ElementsAre("02", "07", "(none)"));
  EXPECT_THAT(segments->sizes(), ElementsAre(1, 2, 1));
  EXPECT_EQ(*segments->Of("other-07-"), 1u);
  EXPECT_FALSE(segments->Of("x-99-"));
  plan.segment_pattern = "(";
  EXPECT_FALSE(Segments::Make(plan, 1000));
}

TEST(Study, SegmentsByInputTakeBoundedMemory) {
  StudyPlan plan;
  plan.b.inputs = {"crawl/s0/", "crawl/s4"};
  auto segments = Segments::Make(plan, 40);
  ASSERT_TRUE(segments);
  EXPECT_THAT(segments->names(), ElementsAre("s0/", "s4"));
  ASSERT_TRUE(segments->Add("p", 1));
  ASSERT_TRUE(segments->Add("q", 0));
  const Status third = segments->Add("r", 0);
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().code, ErrorCode::kMemory);
  segments->Finish();
  EXPECT_EQ(*segments->Of("p"), 1u);
  EXPECT_EQ(*segments->Of("q"), 0u);
}

// Expressions end, whatever the ids are: of exponential time at one place, of
// moderate time at each of many places, and of deep recursion.
TEST(Study, APatternThatTakesTooLongIsRefused) {
  const std::pair<const char*, size_t> patterns[] = {
      {"(x+x+)+[yz]", 60}, {"x.*x.*[yz]", 1000}, {"(x(?1)?x?)[yz]", 100000}};
  for (const auto& [pattern, size] : patterns) {
    StudyPlan plan;
    plan.segment_pattern = pattern;
    auto segments = Segments::Make(plan, 1000);
    ASSERT_TRUE(segments) << pattern;
    const Status status = segments->Add(std::string(size, 'x'), 0);
    ASSERT_FALSE(status) << pattern;
    EXPECT_EQ(status.error().code, ErrorCode::kUsage);
    EXPECT_TRUE(segments->Add("x yz", 0)) << "the next id has all its steps";
  }
}

TEST(Study, APatternIsReadAsPerlReadsItInUnicode) {
  const struct {
    const char *pattern, *id, *name;
  } cases[] = {{"s(\\d+)", "s\u0663\u0664x", "\u0663\u0664"},
               {"^\\w+", "\u00e9t\u00e9-1", "\u00e9t\u00e9"},
               {"(?i)STRASSE|\u00c9(.)", "\u00e9\u4e2d", "\u4e2d"},
               {"a.c", "a\nc a\u2028c a\u00a0c", "a\u00a0c"},
               {"x(a)?", "x", kNoSegment},  // a group that has no part in it
               {"x()", "x", kNoSegment},    // an empty one
               {"a(.)b", "a\xff\x62", "\ufffd"},  // bytes that are no UTF-8
               {"(?<=p-)q+", "q p-qq", "qq"},
               {"[^/]+$", "a/b", "b"}};
  for (const auto& asked : cases) {
    StudyPlan plan;
    plan.segment_pattern = asked.pattern;
    auto segments = Segments::Make(plan, 1000);
    ASSERT_TRUE(segments) << segments.error().message;
    ASSERT_TRUE(segments->Add(asked.id, 0));
    EXPECT_THAT(segments->names(), ElementsAre(asked.name)) << asked.pattern;
  }
}

TEST(Study, APatternThatIsNoneIsRefusedWithItsPlace) {
  const std::pair<const char*, const char*> wrong[] = {
      {"(", "missing closing parenthesis, behind character 1"},
      {"\u00e9\u00e9)", "unmatched closing parenthesis, behind character 2"},
      {"a\\C", "behind character 3"},
      {"(?<=a*)b", "behind character"},
      {"a\xff", "UTF-8 error"}};
  for (const auto& [pattern, words] : wrong) {
    StudyPlan plan;
    plan.segment_pattern = pattern;
    const auto segments = Segments::Make(plan, 1000);
    ASSERT_FALSE(segments) << pattern;
    EXPECT_EQ(segments.error().code, ErrorCode::kUsage);
    EXPECT_THAT(segments.error().message, ::testing::HasSubstr(words));
  }
}

}  // namespace
}  // namespace twinset
