// A match against several saved runs: the rows of each alone, one after the
// other.
#include "pipeline/match_each.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "base/file.h"
#include "base/test_dir.h"
#include "base/test_words.h"
#include "twinset/dedup.h"
#include "twinset/json.h"

namespace twinset {
namespace {

std::string Row(const std::string& id, const std::string& text) {
  return Json{{"id", id}, {"text", text}}.dump() + "\n";
}

class MatchEachTest : public testing::Test {
 protected:
  // Topics 0 to 9 in one run, 5 to 14 in the other, 3 to 17 are asked for.
  MatchEachTest() {
    std::string asked, first, second;
    for (int topic = 0; topic < 18; ++topic) {
      const std::string text = NumberedWords(topic * 1000, 80);
      const std::string id = std::to_string(topic);
      if (topic < 10) first += Row("f" + id, text + "first");
      if (topic >= 5 && topic < 15) second += Row("s" + id, text + "second");
      if (topic >= 3) asked += Row("a" + id, text + "asked");
    }
    asked += "{\"id\":1,\n" + Row("empty", "");
    EXPECT_TRUE(WriteWholeFile(Path("asked.jsonl"), asked));
    Save("first", first);
    Save("second", second);
  }

  std::string Path(const std::string& name) const {
    return dir_.path() + "/" + name;
  }
  void Save(const std::string& name, const std::string& rows) {
    ASSERT_TRUE(WriteWholeFile(Path(name + ".jsonl"), rows));
    DedupOptions options;
    options.input.inputs = {Path(name + ".jsonl")};
    options.out = Path(name + "-out");
    options.save = Path(name);
    ASSERT_TRUE(Dedup(options));
  }
  MatchOptions Options(const std::vector<std::string>& runs,
                       const std::string& out) const {
    MatchOptions options;
    options.input.inputs = {Path("asked.jsonl")};
    for (const std::string& run : runs) options.against.push_back(Path(run));
    options.out = Path(out);
    return options;
  }
  std::string Text(const std::string& name) const {
    return ReadWholeFile(Path(name)).value_or("none");
  }
  // The rows of a list, each with the run that it is of.
  std::string Named(const std::string& list, const std::string& run) const {
    std::string named;
    for (const char c : Text(list)) {
      if (c == '\n')
        named.insert(named.size() - 1, ",\"against\":\"" + Path(run) + "\"");
      named += c;
    }
    return named;
  }

  const TestDir dir_;
};

TEST_F(MatchEachTest, HasTheRowsOfEachAlone) {
  ASSERT_TRUE(Match(Options({"first"}, "1")));
  ASSERT_TRUE(Match(Options({"second"}, "2")));
  const auto both = Match(Options({"second", "first"}, "both"));
  ASSERT_TRUE(both) << both.error().ToString();
  for (const std::string list :
       {"pairs.jsonl", "best.jsonl", "quarantine.jsonl", "sources.jsonl",
        "revisits.jsonl"}) {
    EXPECT_EQ(Text("both/" + list),
              Named("2/" + list, "second") + Named("1/" + list, "first"))
        << list;
  }
  EXPECT_NE(Text("both/pairs.jsonl"), "");
  EXPECT_EQ(Text("both/empty.txt"), "empty\n");
  std::string dropped, kept;
  for (int topic = 3; topic < 18; ++topic)
    (topic < 15 ? dropped : kept) += "a" + std::to_string(topic) + "\n";
  EXPECT_EQ(Text("both/drop.txt"), dropped);
  EXPECT_EQ(Text("both/keep.txt"), kept + "empty\n");
  EXPECT_EQ(both->matched, 12u);
  EXPECT_EQ(both->dropped, 12u);
  EXPECT_EQ(both->pairs, 17u);
  EXPECT_EQ(both->documents_a, 16u);
  EXPECT_EQ(both->documents_b, 20u);
  const Json summary = Json::Parse(Text("both/summary.json"));
  EXPECT_EQ(summary["against"].size(), 2u);
  EXPECT_EQ(summary["against"][0]["run"], Json(Path("second")));
  EXPECT_EQ(summary["against"][1]["summary"]["pairs"], Json(7));
}

TEST_F(MatchEachTest, DropsNothingWhereItIsToldSo) {
  MatchOptions options = Options({"first", "second"}, "both");
  options.action = Action::kAnnotate;
  const auto both = Match(options);
  ASSERT_TRUE(both);
  EXPECT_EQ(both->matched, 12u);
  EXPECT_EQ(both->dropped, 0u);
  EXPECT_EQ(Text("both/drop.txt"), "");
}

TEST_F(MatchEachTest, RefusesBeforeAnythingIsDone) {
  MatchOptions options = Options({"first", "second"}, "both");
  options.report = true;
  EXPECT_EQ(Match(options).error().code, ErrorCode::kUsage);
  options = Options({"first", "second.jsonl"}, "both");
  EXPECT_EQ(Match(options).error().code, ErrorCode::kUsage);
  options = Options({"first", "second"}, "both");
  options.features.shingle = "word:3";
  EXPECT_EQ(Match(options).error().code, ErrorCode::kUsage);
  EXPECT_FALSE(FileExists(Path("both")));
  options = Options({"first", "second"}, "both");
  ASSERT_TRUE(Match(options));
  EXPECT_EQ(Match(options).error().code, ErrorCode::kUsage);
  options.overwrite = true;
  EXPECT_TRUE(Match(options));
}

}  // namespace
}  // namespace twinset
