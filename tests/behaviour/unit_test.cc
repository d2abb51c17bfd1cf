// --unit: what is listed, cut and written, by hand.
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <set>

#include "support/dedup_fixture.h"

namespace twinset::testing {
namespace {

CutOptions OptionsOf(const std::string& input, const std::string& out,
                     UnitKind unit) {
  auto options = FileOptionsFor<CutOptions>(input, out);
  options.unit = unit;
  options.content = ContentMode::kAll;
  return options;
}

class UnitTest : public ::testing::Test {
 protected:
  void TearDown() override { SetFileFault({}); }
  TemporaryFolder folder_;
};

constexpr char kNews[] =
    R"({"id":"a","text":"The harbour was closed for two days.\n\nRead more in our weekly letter today!","k":1.50})"
    "\n"
    R"({"id":"b","text":"READ MORE: in our weekly letter, today.\n\nA new bridge opens in spring. The harbour was closed for two days. \u00e9","k":{"x":[1, 2]}})"
    "\n"
    R"({"id":"b","text":"Read more in our weekly letter today"})"
    "\n";

TEST_F(UnitTest, Golden) {
  Write(folder_ / "in.jsonl", kNews);
  CutOptions options =
      OptionsOf(folder_ / "in.jsonl", folder_ / "out", UnitKind::kParagraph);
  options.write = folder_ / "written";
  const CutSummary summary = MustCut(options);
  EXPECT_EQ(summary.documents, 3u);
  EXPECT_EQ(summary.units, 5u);
  EXPECT_EQ(summary.repeated, 1u);
  EXPECT_EQ(summary.cut, 2u);
  EXPECT_EQ(summary.tokens_cut, 14u);
  EXPECT_EQ(
      Read(folder_ / "out/units.jsonl"),
      R"({"text":"Read more in our weekly letter today!","tokens":7,"count":3,"documents":3,"id":"a","source":"in.jsonl","ordinal":0,"unit":1,"begin":38,"end":75})"
      "\n");
  EXPECT_EQ(
      Read(folder_ / "out/cuts.jsonl"),
      R"({"id":"b","source":"in.jsonl","ordinal":1,"unit":0,"begin":0,"end":41,"source_begin":0,"source_end":41,"tokens":7,"first_id":"a","first_unit":1})"
      "\n"
      R"({"id":"b#2","source":"in.jsonl","ordinal":2,"unit":0,"begin":0,"end":36,"source_begin":0,"source_end":36,"tokens":7,"first_id":"a","first_unit":1})"
      "\n");
  EXPECT_EQ(Read(folder_ / "out/empty.txt"), "b#2\n");
  // Everything but the text stays as it was written.
  const std::string lines = Read(folder_ / "written/in.jsonl");
  const std::string first(kNews, std::string(kNews).find('\n') + 1);
  EXPECT_EQ(
      lines,
      first +
          "{\"id\":\"b\",\"text\":\"A new bridge opens in spring. The harbour "
          "was closed for two days. \xC3\xA9\",\"k\":{\"x\":[1, 2]}}\n"
          "{\"id\":\"b\",\"text\":\"\"}\n");
}

// Units are compared in pieces; what differs in the last byte is not equal.
TEST_F(UnitTest, LongUnitsAreEqualToTheirLastByte) {
  std::string rows;
  for (size_t length = 80; length < 280; ++length) {
    for (const char last : {'x', 'y', 'x'}) {
      Json row = {{"text", "a b c d " + std::string(length - 9, 'w') + last}};
      rows += row.dump() + "\n";
    }
  }
  Write(folder_ / "in.jsonl", rows);
  MustCut(OptionsOf(folder_ / "in.jsonl", folder_ / "out", UnitKind::kLine));
  const auto cuts = ReadRows(folder_ / "out/cuts.jsonl");
  ASSERT_EQ(cuts.size(), 200u);
  for (size_t i = 0; i < cuts.size(); ++i) {
    EXPECT_EQ(cuts[i]["ordinal"], 3 * i + 2);
    EXPECT_EQ(cuts[i]["first_id"], "in.jsonl:" + std::to_string(3 * i));
  }
}

TEST_F(UnitTest, SentencesAreCutInsideParagraphs) {
  Write(folder_ / "in.jsonl", kNews);
  CutOptions options =
      OptionsOf(folder_ / "in.jsonl", folder_ / "out", UnitKind::kSentence);
  options.write = folder_ / "written";
  options.unit_action = UnitAction::kDropAll;
  MustCut(options);
  const auto rows = ReadRows(folder_ / "written/in.jsonl");
  EXPECT_EQ(rows[0]["text"], "");
  EXPECT_EQ(rows[1]["text"], "A new bridge opens in spring. \xC3\xA9");
  EXPECT_EQ(rows[2]["text"], "");
}

TEST_F(UnitTest, ScriptsWithoutSpacesCountCharacters) {
  Json chinese = {
      {"id", "zh"},
      {"text", "今天天气很好。我们去公园。\n今天天气很好。短。\n短。"}};
  Json thai = {{"id", "th"}, {"text", "สวัสดีครับ\nสวัสดีครับ"}};
  Write(folder_ / "in.jsonl", chinese.dump() + "\n" + thai.dump() + "\n");
  CutOptions options =
      OptionsOf(folder_ / "in.jsonl", folder_ / "out", UnitKind::kSentence);
  options.write = folder_ / "written";
  MustCut(options);
  auto rows = ReadRows(folder_ / "written/in.jsonl");
  EXPECT_EQ(rows[0]["text"], "今天天气很好。我们去公园。\n短。\n短。");
  options.unit = UnitKind::kLine;
  options.overwrite = true;
  MustCut(options);
  rows = ReadRows(folder_ / "written/in.jsonl");
  EXPECT_EQ(rows[1]["text"], "สวัสดีครับ\n");
}

TEST_F(UnitTest, RowsOfTablesAndTextFilesAreWrittenInTheirFormat) {
  std::filesystem::create_directories(folder_ / "in");
  Write(folder_ / "in/a.csv",
        "\xEF\xBB\xBF\r\nid,text,note\r\n1,one two three four five,x\r\n\r\n"
        "2,\"one two three four five\nsix, \"\"seven\"\"\",y\r\nbad\r\n"
        "3,One two three four five,\r\n");
  Write(folder_ / "in/b.tsv",
        "text\tid\none two three four five\t4\nbrand new text of five\t5");
  Write(folder_ / "in/c.txt",
        "Nothing like it was ever seen.\r\none two three four five\r\nEnd\r\n");
  Write(folder_ / "in/too-long.txt", std::string(2000, 'x'));
  CutOptions options =
      OptionsOf(folder_ / "in", folder_ / "out", UnitKind::kLine);
  options.input.max_document_bytes = 1000;
  options.write = folder_ / "written";
  MustCut(options);
  EXPECT_FALSE(FileExists(folder_ / "written/in/too-long.txt"));
  EXPECT_EQ(Read(folder_ / "written/in/a.csv"),
            "\xEF\xBB\xBF\r\nid,text,note\r\n1,one two three four five,x\r\n"
            "\r\n2,\"six, \"\"seven\"\"\",y\r\n3,,\r\n");
  EXPECT_EQ(Read(folder_ / "written/in/b.tsv"),
            "text\tid\n\t4\nbrand new text of five\t5");
  EXPECT_EQ(Read(folder_ / "written/in/c.txt"),
            "Nothing like it was ever seen.\r\nEnd\r\n");
  EXPECT_EQ(Json::parse(Read(folder_ / "out/summary.json"))["written"].dump(),
            R"({"records":6,"changed":4,"left_out":2})");
}

TEST_F(UnitTest, TheHeaderOfATableStaysWithoutItsFirstRow) {
  Write(folder_ / "in.csv",
        "id,text\nbad\n1,one two three four five\n2,one two three four five\n");
  CutOptions options =
      OptionsOf(folder_ / "in.csv", folder_ / "out", UnitKind::kLine);
  options.write = folder_ / "written";
  MustCut(options);
  EXPECT_EQ(Read(folder_ / "written/in.csv"),
            "id,text\n1,one two three four five\n2,\n");
}

TEST_F(UnitTest, CutsOfPagesLeadBackToTheSource) {
  std::filesystem::create_directories(folder_ / "in");
  const std::string page =
      "<html><body><p>An opening paragraph of many words.</p>\n"
      "<div>Subscribe to our letter &amp; win a prize!</div><p>End</p></body>"
      "</html>";
  Write(folder_ / "in/a.html", page);
  Write(folder_ / "in/b.html",
        "<body><h1>Another page</h1><p>subscribe to our letter win a prize</p>"
        "<p>Its own text stands here for good.</p></body>");
  CutOptions options =
      OptionsOf(folder_ / "in", folder_ / "out", UnitKind::kParagraph);
  options.unit_action = UnitAction::kDropAll;
  MustCut(options);
  const auto cuts = ReadRows(folder_ / "out/cuts.jsonl");
  ASSERT_EQ(cuts.size(), 2u);
  EXPECT_EQ(cuts[0]["id"], "a.html");
  const size_t begin = cuts[0]["source_begin"], end = cuts[0]["source_end"];
  const std::string quoted = page.substr(begin, end - begin);
  EXPECT_EQ(quoted.substr(0, 43),
            "Subscribe to our letter &amp; win a prize!<");
  // Markup is not cut.
  options.write = folder_ / "written";
  options.overwrite = true;
  const auto refused = Cut(options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
  EXPECT_NE(refused.error().message.find("cannot cut HTML"), std::string::npos);
  EXPECT_TRUE(FileExists(folder_ / "out/summary.json"));  // nothing was touched
}

TEST_F(UnitTest, BadOptionsAreRefused) {
  Write(folder_ / "in.jsonl", kNews);
  const auto refused = [&](const std::function<void(CutOptions*)>& change) {
    CutOptions options =
        OptionsOf(folder_ / "in.jsonl", folder_ / "out", UnitKind::kLine);
    change(&options);
    const auto result = Cut(options);
    EXPECT_FALSE(FileExists(folder_ / "out"));
    return result ? "accepted" : result.error().message;
  };
  EXPECT_EQ(refused([](auto* o) { o->tokens = TokenRule::kLowerSpace; }),
            "--unit needs tokens with their places in the text, which --tokens "
            "lower-space does not keep");
  EXPECT_EQ(refused([&](auto* o) {
              o->write = folder_ / "w";
              o->unit_action = UnitAction::kList;
            }),
            "--write has nothing to do with --unit-action list");
  EXPECT_EQ(refused([&](auto* o) {
              o->write = folder_ / "w";
              o->input.html_field = "text";
            }),
            "--write with --unit cannot cut the markup of --html-field");
}

TEST_F(UnitTest, CsvResults) {
  Write(folder_ / "in.jsonl", kNews);
  CutOptions options =
      OptionsOf(folder_ / "in.jsonl", folder_ / "out", UnitKind::kSentence);
  options.output_format = OutputFormat::kCsv;
  MustCut(options);
  const auto units = ReadLines(folder_ / "out/units.csv");
  ASSERT_EQ(units.size(), 3u);
  EXPECT_EQ(units[0],
            "text,tokens,count,documents,id,source,ordinal,unit,begin,end");
  EXPECT_EQ(units[2],
            "Read more in our weekly letter today!,7,3,3,a,in.jsonl,0,1,38,75");
  EXPECT_EQ(ReadLines(folder_ / "out/cuts.csv").size(), 4u);
}

std::string RepeatedLines() {
  SplitMix64 random(3);
  std::string rows;
  for (int d = 0; d < 200; ++d) {
    Json row = {{"id", d}, {"text", ""}};
    for (uint64_t n = random.Below(8); n > 0; --n) {
      row["text"] = row["text"].get<std::string>() + "Line number " +
                    std::to_string(random.Below(300)) + " of the corpus.\n";
    }
    rows += row.dump() + "\n";
  }
  return rows;
}

// The forms of units, whose stages differ.
const std::vector<std::pair<std::string, std::function<void(CutOptions*)>>>
    kForms = {{"lines", [](CutOptions*) {}},
              {"windows", [](CutOptions* o) { o->unit_window = 2; }},
              {"similar",
               [](CutOptions* o) {
                 o->threshold = 0.6;
                 o->shingle = "word:1";
               }},
              {"substrings", [](CutOptions* o) {
                 o->unit = UnitKind::kSubstring;
                 o->min_tokens = 6;
               }}};

class AnyUnitTest : public UnitTest {
 protected:
  struct Results {
    std::map<std::string, std::string> promised;
    std::string written, attributes;
    friend bool operator==(const Results&, const Results&) = default;
  };
  // What a run leaves in `out` and beside it.
  CutOptions OptionsIn(const std::string& out,
                       const std::function<void(CutOptions*)>& form) {
    CutOptions options = OptionsOf(folder_ / "in.jsonl", out, UnitKind::kLine);
    form(&options);
    options.write = out + "-written";
    options.attributes = out + "-marks.jsonl";
    return options;
  }
  static Results ResultsOf(const CutOptions& options) {
    return {PromisedBytes(options.out), Read(options.write + "/in.jsonl"),
            Read(options.attributes)};
  }
};

TEST_F(AnyUnitTest, AFullDiskAtAnyWriteLosesNothing) {
  Write(folder_ / "in.jsonl", RepeatedLines());
  const int points = std::getenv("TWINSET_LONG") != nullptr ? 60 : 6;
  for (const auto& [name, form] : kForms) {
    SCOPED_TRACE(name);
    std::atomic<int> writes = 0;
    SetFileFault([&](const std::string&, size_t) { return ++writes, 0; });
    const CutOptions whole = OptionsIn(folder_ / name, form);
    EXPECT_GT(MustCut(whole).cut, 5u);
    const Results expected = ResultsOf(whole);
    const int total = writes;
    ASSERT_GT(total, 20);
    for (int i = 0; i < points; ++i) {
      const int fail_at = 1 + i * (total - 1) / (points - 1);
      CutOptions options =
          OptionsIn(folder_ / (name + std::to_string(fail_at)), form);
      writes = 0;
      SetFileFault([&](const std::string&, size_t) {
        return ++writes >= fail_at ? ENOSPC : 0;
      });
      const auto failed = Cut(options);
      SetFileFault({});
      ASSERT_FALSE(failed) << "write " << fail_at;
      EXPECT_EQ(failed.error().code, ErrorCode::kIo);
      options.resume = true;
      if (!Cut(options)) {
        options.resume = false;
        options.overwrite = true;
        MustCut(options);
      }
      ASSERT_EQ(ResultsOf(options), expected) << "write " << fail_at;
    }
  }
}

TEST_F(AnyUnitTest, AStopInAnyStepIsGoneOnWith) {
  Write(folder_ / "in.jsonl", RepeatedLines());
  for (const auto& [name, form] : kForms) {
    SCOPED_TRACE(name);
    using Step = std::pair<std::string, std::string>;
    std::set<Step> steps;
    CutOptions whole = OptionsIn(folder_ / name, form);
    whole.on_progress = [&](const Progress& progress) {
      steps.emplace(progress.stage, progress.step);
    };
    MustCut(whole);
    const Results expected = ResultsOf(whole);
    uint64_t stopped = 0;
    for (const Step& step : steps) {
      std::atomic<bool> stop = false;
      CutOptions options = OptionsIn(
          folder_ / (name + "-" + step.first + "-" + step.second), form);
      options.stop = &stop;
      options.on_progress = [&](const Progress& progress) {
        stop = stop || Step(progress.stage, progress.step) == step;
      };
      const auto run = Cut(options);
      if (!run) {
        ++stopped;
        ASSERT_EQ(run.error().code, ErrorCode::kInterrupted)
            << run.error().ToString();
        options.stop = nullptr;
        options.resume = true;
        MustCut(options);
      }
      ASSERT_EQ(ResultsOf(options), expected) << step.first << step.second;
    }
    EXPECT_GT(stopped, 3u);
  }
}

// The stages of documents, over units: those that are done are not done again.
TEST_F(AnyUnitTest, AComparisonOfSimilarUnitsGoesOnInItsMiddle) {
  Write(folder_ / "in.jsonl", RepeatedLines());
  const auto& form = kForms[2].second;
  const CutOptions whole = OptionsIn(folder_ / "whole", form);
  MustCut(whole);
  std::atomic<bool> stop = false;
  CutOptions options = OptionsIn(folder_ / "stopped", form);
  options.stop = &stop;
  options.on_progress = [&](const Progress& progress) {
    stop = stop || (progress.stage == "unit" && progress.step == "verify");
  };
  ASSERT_FALSE(Cut(options));
  options.stop = nullptr;
  options.resume = true;
  std::set<std::string> steps;
  options.on_progress = [&](const Progress& progress) {
    if (progress.stage == "unit") steps.insert(progress.step);
  };
  MustCut(options);
  EXPECT_TRUE(steps.contains("cluster"));
  for (const char* done : {"read", "order", "candidate"})
    EXPECT_FALSE(steps.contains(done)) << done;
  EXPECT_EQ(ResultsOf(options), ResultsOf(whole));
}

}  // namespace
}  // namespace twinset::testing
