// Engines from documents to answers: what is built is what is asked, every
// switch is seen, and what is wrong is refused with a remedy.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/test_dir.h"
#include "engine/engine_folder.h"
#include "engine/open_engine.h"
#include "twinset/measure/engine.h"

namespace twinset {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class BuildEngineTest : public testing::Test {
 protected:
  BuildEngineTest() {
    Write(
        "rows.jsonl",
        R"({"id":"1","url":"http://a/","text":"The red Fox","spam":false,"rank":1})"
        "\n"
        R"({"id":"2","url":"http://a/x","text":"red paint, red wine","spam":true,"rank":3})"
        "\n"
        R"({"id":"3","url":"http://a/x/y/z","text":"a fox in red","rank":2,"kind":"deep"})"
        "\n"
        R"({"id":"4","text":"no address but red"})"
        "\n"
        R"({"id":"5","url":"http://a/","text":"red again"})"
        "\n"
        "not a row\n");
    options_.input.inputs = {dir_ / "rows.jsonl"};
    options_.out = dir_ / "engine";
  }

  void Write(const std::string& name, const std::string& bytes) {
    ASSERT_TRUE(WriteWholeFile(dir_ / name, bytes));
  }
  // Defaults but for the input.
  void StartAnew(const std::string& name) {
    EngineBuildOptions fresh;
    fresh.input = options_.input;
    fresh.out = dir_ / name;
    options_ = fresh;
  }
  EngineBuildCounts Build() {
    const auto counts = BuildEngine(options_);
    EXPECT_TRUE(counts) << counts.error().ToString();
    return counts ? *counts : EngineBuildCounts();
  }
  Error BuildError() {
    const auto counts = BuildEngine(options_);
    EXPECT_FALSE(counts);
    return counts ? Error() : counts.error();
  }
  std::vector<std::string> Find(std::vector<std::string> words,
                                bool any = false) {
    EngineQueryOptions query;
    query.engine = options_.out;
    query.words = std::move(words);
    query.any = any;
    const auto result = QueryEngine(query);
    EXPECT_TRUE(result) << result.error().ToString();
    std::vector<std::string> urls;
    if (result) {
      for (const EngineResult& found : result->results)
        urls.push_back(found.url);
    }
    return urls;
  }

  TestDir dir_;
  EngineBuildOptions options_;
};

TEST_F(BuildEngineTest, BuildsAndAnswers) {
  options_.keep_fields = {"rank", "kind"};
  const EngineBuildCounts counts = Build();
  EXPECT_EQ(counts.read, 5u);
  EXPECT_EQ(counts.documents, 4u);
  EXPECT_EQ(counts.duplicates, 1u);
  EXPECT_EQ(counts.quarantined, 1u);
  EXPECT_THAT(Find({"RED", "fox!"}),
              UnorderedElementsAre("http://a/", "http://a/x/y/z"));
  EXPECT_THAT(Find({"address"}), ElementsAre("4"));
  EXPECT_THAT(Find({"wine", "fox"}), IsEmpty());
  EXPECT_EQ(Find({"wine", "fox"}, /*any=*/true).size(), 3u);
  EXPECT_THAT(Find({"again"}), IsEmpty());
  const auto engine = OpenEngine(options_.out);
  ASSERT_TRUE(engine) << engine.error().ToString();
  EXPECT_EQ((*engine)->Info().name, "engine");
  EXPECT_EQ((*engine)->Info().documents, 4);
  const auto page = (*engine)->Fetch("http://a/x/y/z");
  ASSERT_TRUE(page);
  EXPECT_EQ(page->text, "a fox in red");
  EXPECT_EQ(page->fields, (std::vector<std::pair<std::string, std::string>>{
                              {"rank", "2"}, {"kind", "\"deep\""}}));
  EXPECT_FALSE(FileExists(options_.out + ".part"));
}

TEST_F(BuildEngineTest, ShowsItsBiasesOnAFixture) {
  options_.out = dir_ / "spam";
  options_.index.drop_fields = {"spam"};
  EXPECT_EQ(Build().dropped, 1u);
  EXPECT_THAT(Find({"wine"}), IsEmpty());
  StartAnew("depth");
  options_.index.max_depth = 1;
  EXPECT_EQ(Build().too_deep, 1u);
  EXPECT_THAT(Find({"fox"}), ElementsAre("http://a/"));
  StartAnew("cap");
  options_.index.host_cap = 1;
  EXPECT_EQ(Build().beyond_host_cap, 3u);
  EXPECT_THAT(Find({"red"}), UnorderedElementsAre("http://a/", "4"));
  StartAnew("words");
  options_.index.first_words = 2;
  EXPECT_EQ(Build().documents, 4u);
  EXPECT_THAT(Find({"fox"}), ElementsAre("http://a/x/y/z"));
  StartAnew("share");
  options_.index.share = 0.5;
  const EngineBuildCounts half = Build();
  EXPECT_GT(half.beyond_share, 0u);
  EXPECT_EQ(half.documents + half.duplicates + half.beyond_share, 5u);
  StartAnew("ranked");
  options_.rank_field = "rank";
  Build();
  EXPECT_THAT(Find({"red"}),
              ElementsAre("http://a/x", "http://a/x/y/z", "http://a/", "4"));
  StartAnew("answers");
  options_.answers.max_results = 1;
  options_.answers.hit_factor = 10;
  Build();
  EXPECT_EQ(Find({"red"}).size(), 1u);
}

TEST_F(BuildEngineTest, KnowsPagesByTheirLinks) {
  const auto page = [](const std::string& body) {
    return "<html><body><p>" + body + "</p></body></html>";
  };
  nlohmann::json rows = nlohmann::json::array();
  rows.push_back({{"id", "1"},
                  {"url", "http://a/dir/one"},
                  {"html", page("first <a href='two'>Golden Gate</a> "
                                "<a href='/three#x'>known</a> "
                                "<a href='mailto:x@y'>mail</a> "
                                "<a href='http://b/deep/er'>deep</a>")}});
  rows.push_back({{"id", "2"},
                  {"url", "http://a/three"},
                  {"html", page("second <a href='http://A/dir/two'>bridge</a> "
                                "<a href='spam'>bad</a>")}});
  rows.push_back({{"id", "3"},
                  {"url", "http://a/spam"},
                  {"spam", true},
                  {"html", page("third <a href='http://c/'>never</a>")}});
  std::string text;
  for (const auto& row : rows) text += row.dump() + "\n";
  Write("pages.jsonl", text);
  options_.input.inputs = {dir_ / "pages.jsonl"};
  options_.input.html_field = "html";
  options_.features.content = ContentMode::kAll;
  options_.index.anchors = true;
  options_.index.drop_fields = {"spam"};
  const EngineBuildCounts counts = Build();
  EXPECT_EQ(counts.documents, 4u);
  EXPECT_EQ(counts.anchors, 2u);
  EXPECT_THAT(Find({"golden", "bridge"}), ElementsAre("http://a/dir/two"));
  EXPECT_THAT(Find({"deep"}),
              UnorderedElementsAre("http://a/dir/one", "http://b/deep/er"));
  EXPECT_THAT(Find({"never"}), IsEmpty());
  const auto engine = OpenEngine(options_.out);
  ASSERT_TRUE(engine);
  const auto unfetched = (*engine)->Fetch("http://a/dir/two");
  ASSERT_TRUE(unfetched);
  EXPECT_EQ(unfetched->text, "Golden Gate\nbridge");
  EXPECT_EQ(unfetched->fields.front().first, "anchors_only");
}

TEST_F(BuildEngineTest, TheSameInputGivesTheSameEngine) {
  const std::string first = Build().checksum;
  const std::string bytes = *ReadWholeFile(options_.out + "/" + kIndexFile);
  options_.overwrite = true;
  EXPECT_EQ(Build().checksum, first);
  EXPECT_EQ(*ReadWholeFile(options_.out + "/" + kIndexFile), bytes);
  options_.index.first_words = 1;
  EXPECT_NE(Build().checksum, first);
  EXPECT_EQ(dir_.FileCount(), 2u);  // rows and one engine
}

TEST_F(BuildEngineTest, RefusesWithARemedy) {
  Build();
  EXPECT_THAT(BuildError().ToString(), HasSubstr("--overwrite"));
  options_.out = dir_ / "notes";
  ASSERT_TRUE(MakeDirectories(options_.out));
  Write("notes/mine.txt", "precious");
  options_.overwrite = true;
  EXPECT_THAT(BuildError().ToString(), HasSubstr("which twinset did not make"));
  EXPECT_TRUE(FileExists(dir_ / "notes/mine.txt"));
  options_.out = "";
  EXPECT_THAT(BuildError().ToString(), HasSubstr("--out DIR"));
  options_.out = dir_ / "new";
  options_.type = EngineType::kPostgres;
  EXPECT_THAT(BuildError().ToString(), HasSubstr("--database"));
  options_.type = EngineType::kXapian;
  options_.rank_field = "rank";
  EXPECT_THAT(BuildError().ToString(), HasSubstr("xapian ranks by its own"));
  options_.rank_field = "";
  options_.type = EngineType::kSqlite;
  options_.index.share = 2;
  EXPECT_EQ(BuildError().code, ErrorCode::kUsage);
  options_.index.share = 1;
  options_.input.inputs = {dir_ / "missing"};
  BuildError();
  EXPECT_FALSE(FileExists(dir_ / "new"));
  EXPECT_FALSE(FileExists(dir_ / "new.part"));
}

TEST_F(BuildEngineTest, StoppedOrFailedItLeavesNothing) {
  std::atomic<bool> stop = true;
  options_.stop = &stop;
  EXPECT_EQ(BuildError().code, ErrorCode::kInterrupted);
  EXPECT_EQ(dir_.FileCount(), 1u);
  options_.stop = nullptr;
  {
    const WriteLimit full(0, ENOSPC, kEngineFile);
    EXPECT_EQ(BuildError().code, ErrorCode::kIo);
  }
  EXPECT_EQ(dir_.FileCount(), 1u);
  Build();
}

TEST_F(BuildEngineTest, RecordsAndReplays) {
  Build();
  OpenEngineOptions opening;
  opening.record = dir_ / "answers.jsonl";
  const EngineQuery query = {{"red"}, true, 10};
  const auto live = (*OpenEngine(options_.out, opening))->Query(query);
  ASSERT_TRUE(live);
  EXPECT_EQ(live->hits, 4u);
  OpenEngineOptions replaying;
  replaying.replay = opening.record;
  // With the engine, without it, and with another in its place.
  EXPECT_EQ(*(*OpenEngine(options_.out, replaying))->Query(query), *live);
  EXPECT_EQ(*(*OpenEngine(dir_ / "gone", replaying))->Query(query), *live);
  options_.overwrite = true;
  options_.index.first_words = 1;
  Build();
  EXPECT_THAT(OpenEngine(options_.out, replaying).error().ToString(),
              HasSubstr("another engine"));
  EXPECT_THAT(OpenEngine(options_.out, opening).error().ToString(),
              HasSubstr("another engine"));
  replaying.answers.max_results = 1;
  EXPECT_THAT(OpenEngine(dir_ / "gone", replaying).error().ToString(),
              HasSubstr("other parameters"));
  opening.replay = opening.record;
  EXPECT_EQ(OpenEngine(options_.out, opening).error().code, ErrorCode::kUsage);
}

TEST_F(BuildEngineTest, ShowFindsDamage) {
  Build();
  const auto shown = ShowEngine(options_.out);
  ASSERT_TRUE(shown) << shown.error().ToString();
  EXPECT_EQ(shown->documents, 4);
  EXPECT_EQ(shown->type, "sqlite");
  EXPECT_EQ(shown->description["checksum"], shown->checksum);
  const std::string path = options_.out + "/" + kIndexFile;
  std::string bytes = *ReadWholeFile(path);
  bytes[bytes.size() - 20] ^= 1;
  ASSERT_TRUE(WriteWholeFile(path, bytes));
  EXPECT_EQ(ShowEngine(options_.out).error().code, ErrorCode::kCorrupt);
}

TEST_F(BuildEngineTest, FindsDamageOfItsDescription) {
  Build();
  const std::string path = options_.out + "/" + kEngineFile;
  const std::string whole = *ReadWholeFile(path);
  const size_t documents = whole.find("\"documents\": 4");
  ASSERT_NE(documents, std::string::npos);
  std::string bytes = whole;
  bytes[documents + 13] = '5';
  ASSERT_TRUE(WriteWholeFile(path, bytes));
  EXPECT_EQ(OpenEngine(options_.out).error().code, ErrorCode::kCorrupt);
  for (size_t i = 0; i < whole.size(); i += 3) {
    bytes = whole;
    bytes[i] = static_cast<char>(bytes[i] ^ 0x11);
    (void)ParseEngineJson(bytes, "x");
    (void)ParseEngineJson(whole.substr(0, i), "x");
  }
}

TEST(EngineDescription, RefusesBadSpecsWithARemedy) {
  const auto error = [](const std::string& json) {
    const auto description = ParseEngineJson(json, "spec.json");
    if (!description) return description.error().ToString();
    const auto options = PipeOptionsOf(*description, {});
    return options ? std::string("fine") : options.error().ToString();
  };
  EXPECT_THAT(error("no json"), HasSubstr("no description of an engine"));
  EXPECT_THAT(error("[]"), HasSubstr("engine build"));
  EXPECT_THAT(error("{}"), HasSubstr("\"type\""));
  EXPECT_THAT(error(R"({"type":"magic"})"), HasSubstr("use sqlite, xapian"));
  EXPECT_THAT(error(R"({"type":"program"})"), HasSubstr("\"command\""));
  EXPECT_THAT(error(R"({"type":"program","command":[1]})"),
              HasSubstr("a part of the command"));
  EXPECT_THAT(error(R"({"type":"http","biases":{"answers":{"lies":1}}})"),
              HasSubstr("no bias is called 'lies'"));
  EXPECT_THAT(error(R"({"magic":"twinset-engine","version":2,"type":"x"})"),
              HasSubstr("another version"));
  EXPECT_THAT(error(R"({"magic":"twinset-engine","version":1,"type":"x"})"),
              HasSubstr("damaged"));
  EXPECT_THAT(error(R"({"type":"postgres","configuration":1})"),
              HasSubstr("no object"));
  EXPECT_THAT(error(std::string(100000, '[')), HasSubstr("no description"));
  EXPECT_EQ(error(R"({"type":"program","command":["x"]})"), "fine");
}

TEST(EngineDescription, ReadsDescriptionsOfEnginesElsewhere) {
  const auto description = ParseEngineJson(
      R"({"type":"program","command":["prog","--a","b c"],
          "configuration":{"x":1},"biases":{"answers":{"max_terms":3}}})",
      "dir/far.json");
  ASSERT_TRUE(description) << description.error().ToString();
  EXPECT_EQ(description->name, "far");
  EXPECT_EQ(description->answers.max_terms, 3u);
  EXPECT_EQ(description->checksum.size(), 16u);
  const auto options = PipeOptionsOf(*description, {});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->program, "prog");
  EXPECT_THAT(options->arguments, ElementsAre("--a", "b c"));
  EXPECT_EQ(options->configuration, R"({"x":1})");
  EXPECT_EQ(options->name, "far");
  const TestDir dir;
  EXPECT_EQ(OpenEngine(dir / "none").error().code, ErrorCode::kIo);
  EXPECT_THAT(OpenEngine(dir.path()).error().ToString(),
              HasSubstr("the folder holds no engine"));
}

TEST(QueryEngine, RefusesWithoutWords) {
  EngineQueryOptions options;
  options.engine = "none";
  EXPECT_FALSE(QueryEngine(options));
}

}  // namespace
}  // namespace twinset
