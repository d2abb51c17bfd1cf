// A match against an index: the files of a match against the saved run that is
// made of it.
#include <filesystem>
#include <string>
#include <vector>

#include "base/test_words.h"
#include "live/index_fixture.h"
#include "twinset/index_files.h"
#include "twinset/saved_run.h"

namespace twinset {
namespace {

class IndexMatchTest : public IndexTest {
 protected:
  // Fills an index with ten topics, some of them twice or removed, and writes
  // down what is asked.
  void Fill(const IndexOptions& options) {
    Create(options);
    const auto index = Open();
    std::string asked;
    for (int topic = 0; topic < 10; ++topic) {
      const std::string id = std::to_string(topic);
      const std::string text = NumberedWords(topic * 1000, 80);
      AddOne(index.get(), "i" + id, text);
      if (topic % 3 == 0) AddOne(index.get(), "again" + id, text);
      AddOne(index.get(), "other" + id, text + " other");
      asked += Json{{"id", "q" + id},
                    {"text", topic % 2 == 0 ? text : text + "asked"}}
                   .dump() +
               "\n";
    }
    EXPECT_TRUE(index->Remove("i4"));
    AddOne(index.get(), "empty", "");
    ASSERT_TRUE(
        WriteWholeFile(dir_ / "asked.jsonl",
                       asked + "{\n" + R"({"id":"e","text":""})" + "\n"));
  }

  MatchOptions Asking(const std::vector<std::string>& against,
                      const std::string& out) const {
    MatchOptions match;
    const auto stored = IsIndex(against[0]) ? OptionsOfIndex(against[0])
                                            : OptionsOfSavedRun(against[0]);
    EXPECT_TRUE(stored) << stored.error().ToString();
    static_cast<ComparisonOptions&>(match) = *stored;
    static_cast<PriorityOptions&>(match) = *stored;
    match.input.inputs = {dir_ / "asked.jsonl"};
    match.against = against;
    match.out = dir_ / out;
    return match;
  }
  void Save(const std::string& folder) const {
    const auto index = Index::Open(path_);
    ASSERT_TRUE(index);
    const auto saved = SaveAsRun(**index, {.folder = dir_ / folder});
    ASSERT_TRUE(saved) << saved.error().ToString();
  }

  // The files of one folder are those of the other, but for summary.json.
  void ExpectSame(const std::string& x, const std::string& y) const {
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(dir_ / x)) {
      const std::string name = entry.path().filename().string();
      if (name == "summary.json" || name.starts_with('.')) continue;
      ++files;
      EXPECT_EQ(*ReadWholeFile(dir_ / (x + "/" + name)),
                ReadWholeFile(dir_ / (y + "/" + name)).value_or("none"))
          << name;
    }
    EXPECT_GE(files, 8);
  }
  size_t Scratch() const {
    size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(dir_ / "tmp"))
      count += entry.exists();
    return count;
  }
};

TEST_F(IndexMatchTest, HasTheFilesOfAMatchAgainstItsSavedRun) {
  std::vector<IndexOptions> methods(3);
  methods[0].method.name = "minhash";
  methods[1].method.name = "simhash";
  methods[1].method.distance = 5;
  methods[2].method.name = "exact";
  methods[2].method.level = CopyLevel::kText;
  for (const IndexOptions& method : methods) {
    SCOPED_TRACE(method.method.name + " " +
                 std::to_string(method.method.threshold));
    std::filesystem::remove_all(dir_.path());
    std::filesystem::create_directories(dir_ / "tmp");
    Fill(method);
    Save("run");
    for (const double threshold : {0.0, 0.6}) {
      if (threshold > 0 && method.method.name != "minhash") continue;
      const std::string number = std::to_string(threshold);
      MatchOptions by_run = Asking({dir_ / "run"}, "by-run" + number);
      MatchOptions by_index = Asking({path_}, "by-index" + number);
      if (threshold > 0)
        by_run.method.threshold = by_index.method.threshold = threshold;
      by_index.resources.tmp = dir_ / "tmp";
      const auto of_run = Match(by_run);
      ASSERT_TRUE(of_run) << of_run.error().ToString();
      const auto of_index = MatchIndexes(by_index);
      ASSERT_TRUE(of_index) << of_index.error().ToString();
      EXPECT_GT(of_index->pairs, 5u);
      EXPECT_EQ(of_index->pairs, of_run->pairs);
      EXPECT_EQ(of_index->json["parameters"], of_run->json["parameters"]);
      EXPECT_EQ(of_index->json["run"]["saved_run"], Json(path_));
      ExpectSame("by-run" + number, "by-index" + number);
      EXPECT_EQ(Scratch(), 0u);
    }
  }
}

TEST_F(IndexMatchTest, AsksIndexesAndRunsOneAfterTheOther) {
  Fill({});
  Save("run");
  // Who writes does not keep out who reads.
  const auto writer = Open();
  const auto both = MatchIndexes(Asking({path_, dir_ / "run"}, "both"));
  ASSERT_TRUE(both) << both.error().ToString();
  ASSERT_TRUE(Match(Asking({dir_ / "run"}, "one")));
  const std::string pairs = *ReadWholeFile(dir_ / "one/pairs.jsonl");
  std::string named;
  for (const std::string& name : {path_, dir_ / "run"})
    for (const char c : pairs)
      named += c == '}' ? ",\"against\":\"" + name + "\"}" : std::string(1, c);
  EXPECT_EQ(*ReadWholeFile(dir_ / "both/pairs.jsonl"), named);
  EXPECT_EQ(both->sides[1].input, path_);
}

TEST_F(IndexMatchTest, RefusesBeforeAnythingIsWritten) {
  Fill({});
  const std::string empty = dir_ / "none";
  ASSERT_TRUE(Index::Create(empty));
  IndexOptions of_bytes;
  of_bytes.method.name = "exact";
  ASSERT_TRUE(Index::Create(dir_ / "bytes", of_bytes));
  AddOne(Index::Open(dir_ / "bytes")->get(), "a", kText);
  int stages = 0;
  const auto refused = [&](MatchOptions match) {
    match.on_progress = [&](const Progress&) { ++stages; };
    const auto matched = MatchIndexes(match);
    EXPECT_FALSE(matched);
    return matched ? "" : matched.error().ToString();
  };
  EXPECT_EQ(refused(Asking({empty}, "out")),
            "B " + empty + " has no document: there is no record to read");
  EXPECT_EQ(refused(Asking({path_, empty}, "out")),
            "B " + empty + " has no document: there is no record to read");
  EXPECT_THAT(refused(Asking({dir_ / "bytes"}, "out")),
              ::testing::StartsWith(dir_ / "bytes" + ": an index of bytes"));
  EXPECT_THAT(refused(Asking({path_, dir_ / "asked.jsonl"}, "out")),
              ::testing::HasSubstr("files that are read cannot be given"));
  MatchOptions match = Asking({path_}, "out");
  match.resume = true;
  EXPECT_THAT(refused(match), ::testing::HasSubstr("--resume"));
  match = Asking({path_}, "out");
  match.features.shingle = "word:3";
  EXPECT_THAT(refused(match),
              ::testing::StartsWith(
                  path_ + ": the saved run was made with shingle word:5, and"));
  match = Asking({path_}, "index/out");
  EXPECT_THAT(refused(match), ::testing::HasSubstr("this stands in the index"));
  match = Asking({path_}, "out");
  match.resources.tmp = path_ + "/tmp";
  EXPECT_THAT(refused(match), ::testing::HasSubstr("this stands in the index"));
  EXPECT_FALSE(FileExists(path_ + "/tmp"));
  match = Asking({path_}, "none");
  EXPECT_THAT(refused(match), ::testing::HasSubstr("--overwrite"));
  Save("run");
  match = Asking({path_, dir_ / "run"}, "out");
  match.report = true;
  EXPECT_THAT(refused(match),
              ::testing::HasSubstr("--report does not go with several"));
  EXPECT_EQ(stages, 0);
  EXPECT_FALSE(FileExists(dir_ / "out"));

  // Damage is told with its file.
  std::string manifest = *ReadWholeFile(path_ + "/index.manifest");
  match = Asking({path_}, "out");
  manifest[manifest.size() / 2] ^= 1;
  ASSERT_TRUE(WriteWholeFile(path_ + "/index.manifest", manifest));
  EXPECT_THAT(refused(match), ::testing::StartsWith(path_));
  EXPECT_FALSE(OptionsOfIndex(path_));
}

TEST_F(IndexMatchTest, LeavesNothingWhenItIsStopped) {
  Fill({});
  std::filesystem::create_directories(dir_ / "tmp");
  const std::vector<std::string> stops = {"index", "read", "verify"};
  for (const std::string& stage : stops) {
    std::atomic<bool> stop = false;
    MatchOptions match = Asking({path_}, "out");
    match.resources.tmp = dir_ / "tmp";
    match.overwrite = true;
    match.stop = &stop;
    match.on_progress = [&](const Progress& now) {
      EXPECT_FALSE(now.kept && now.stage == "index");
      // A run that is not wanted any more is not begun.
      EXPECT_FALSE(stop && now.stage == "index" && now.step != "write down");
      stop = stop || now.stage == stage;
    };
    const auto matched = MatchIndexes(match);
    ASSERT_FALSE(matched);
    EXPECT_EQ(matched.error().code, ErrorCode::kInterrupted) << stage;
    EXPECT_EQ(Scratch(), 0u) << stage;
  }
}

}  // namespace
}  // namespace twinset
