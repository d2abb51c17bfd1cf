// A log of answers gives back what was asked, survives being cut anywhere, and
// refuses what is not of this engine.
#include "engine/answer_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "base/file.h"
#include "base/test_dir.h"
#include "engine/answer_json.h"
#include "engine/test_engines.h"

namespace twinset {
namespace {

using testing::HasSubstr;

// Without waiting for the disk, as file systems do that see a file truncated.
void Put(const std::string& path, std::string_view bytes) {
  std::remove(path.c_str());
  std::ofstream(path, std::ios::binary) << bytes;
}

AnswersOf Of(const std::string& engine = "e1",
             const std::string& parameters = "{}") {
  AnswersOf of;
  of.engine = engine;
  of.parameters = parameters;
  of.info.name = "engine";
  of.info.type = "memory";
  of.info.max_results = 9;
  of.info.documents = 400;
  return of;
}

class AnswerLogTest : public testing::Test {
 protected:
  AnswerLogTest() : exact_("engine", RandomDocuments(1, 100, 20)) {}

  std::unique_ptr<Engine> Record(Engine* inner, const AnswersOf& of = Of()) {
    auto log = AnswerLog::OpenOrCreate(path_, of);
    EXPECT_TRUE(log) << log.error().ToString();
    return MakeRecorded(std::make_unique<Borrowed>(inner), *std::move(log));
  }
  std::unique_ptr<Engine> Replay() {
    auto log = AnswerLog::OpenRead(path_);
    EXPECT_TRUE(log) << log.error().ToString();
    return MakeReplayed(*std::move(log));
  }
  static EngineQuery Ask(int i) { return {{"w" + std::to_string(i)}, true, 5}; }

  // Counts in the engine that the test looks at.
  class Borrowed : public FakeEngine {
   public:
    using FakeEngine::FakeEngine;
  };

  TestDir dir_;
  const std::string path_ = dir_ / "answers.jsonl";
  MemoryEngine exact_;
};

TEST_F(AnswerLogTest, AsksEveryQuestionOnce) {
  FakeEngine counted(&exact_);
  for (int session = 0; session < 3; ++session) {
    const auto engine = Record(&counted);
    for (int round = 0; round < 2; ++round) {
      for (int i = 0; i < 10; ++i)
        EXPECT_EQ(*engine->Query(Ask(i)), *exact_.Query(Ask(i)));
      EXPECT_EQ(*engine->Fetch("http://h1/1"), *exact_.Fetch("http://h1/1"));
      EXPECT_EQ(engine->Fetch("none").error().code, ErrorCode::kNotFound);
    }
  }
  EXPECT_EQ(counted.queries, 10u);
  EXPECT_EQ(counted.fetches, 2u);
}

TEST_F(AnswerLogTest, TellsQuestionsApart) {
  const auto engine = Record(&exact_);
  const EngineQuery all = {{"w1", "w2"}, true, 5};
  EngineQuery other = all;
  other.conjunctive = false;
  EXPECT_EQ(*engine->Query(all), *exact_.Query(all));
  EXPECT_EQ(*engine->Query(other), *exact_.Query(other));
  other.limit = 7;
  EXPECT_EQ(*engine->Query(other), *exact_.Query(other));
  other.terms = {"w1 w2"};
  EXPECT_EQ(*engine->Query(other), *exact_.Query(other));
}

TEST_F(AnswerLogTest, ReplaysWithoutTheEngine) {
  {
    DownEngine down(&exact_);
    const auto engine = Record(&exact_);
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(engine->Query(Ask(i)));
    ASSERT_TRUE(engine->Fetch("http://h1/1"));
  }
  const std::string before = *ReadWholeFile(path_);
  const auto engine = Replay();
  EXPECT_EQ(engine->Info().name, "engine");
  EXPECT_EQ(engine->Info().max_results, 9u);
  EXPECT_EQ(engine->Info().documents, 400);
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(*engine->Query(Ask(i)), *exact_.Query(Ask(i)));
  EXPECT_EQ(*engine->Fetch("http://h1/1"), *exact_.Fetch("http://h1/1"));
  const auto unknown = engine->Query(Ask(17));
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(unknown.error().ToString(), HasSubstr("w17"));
  EXPECT_THAT(unknown.error().ToString(), HasSubstr("recorded"));
  EXPECT_EQ(*ReadWholeFile(path_), before);
}

// A sampler that tries again sees the same failures in the replay.
TEST_F(AnswerLogTest, KeepsFailuresInOrder) {
  FlakyEngine flaky(&exact_, 2);
  const auto outcomes = [](Engine* engine) {
    std::string text;
    for (int i = 0; i < 5; ++i)
      text += engine->Query(Ask(1)) ? "answer " : "failure ";
    return text;
  };
  const std::string expected = "failure failure answer answer answer ";
  EXPECT_EQ(outcomes(Record(&flaky).get()), expected);
  EXPECT_EQ(flaky.queries, 3u);
  EXPECT_EQ(outcomes(Replay().get()), expected);
  EXPECT_EQ(outcomes(Record(&flaky).get()), expected);
  EXPECT_EQ(flaky.queries, 3u);
}

TEST_F(AnswerLogTest, AsksAgainWhatWasUnavailable) {
  DownEngine down(&exact_);
  EXPECT_FALSE(Record(&down)->Query(Ask(1)));
  const auto engine = Record(&exact_);
  EXPECT_FALSE(engine->Query(Ask(1)));  // as recorded
  EXPECT_TRUE(engine->Query(Ask(1)));
}

TEST_F(AnswerLogTest, GarbageIsRecordedAsItIsReplayed) {
  GarbageEngine garbage(&exact_);
  const auto live = Record(&garbage);
  const auto answer = live->Query(Ask(1));
  const auto page = live->Fetch("http://\xff/");
  ASSERT_TRUE(answer);
  ASSERT_TRUE(page);
  const auto replay = Replay();
  EXPECT_EQ(*replay->Query(Ask(1)), *answer);
  EXPECT_EQ(*replay->Fetch("http://\xff/"), *page);
}

TEST_F(AnswerLogTest, RefusesAnotherEngineOrParameters) {
  Record(&exact_);
  for (const AnswersOf& of : {Of("e2"), Of("e1", "{\"seed\":2}")}) {
    const auto refused = AnswerLog::OpenOrCreate(path_, of);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
    EXPECT_FALSE(refused.error().remedy.empty());
  }
}

TEST_F(AnswerLogTest, OneRunAtATimeAddsToAFile) {
  {
    const auto log = AnswerLog::OpenOrCreate(path_, Of());
    ASSERT_TRUE(log);
    const auto second = AnswerLog::OpenOrCreate(path_, Of());
    ASSERT_FALSE(second);
    EXPECT_THAT(second.error().ToString(), HasSubstr("another run is at work"));
    EXPECT_TRUE(AnswerLog::OpenRead(path_));
  }
  EXPECT_TRUE(AnswerLog::OpenOrCreate(path_, Of()));
}

// Killed after any byte: what is complete is kept, the rest asked again.
TEST_F(AnswerLogTest, SurvivesACutAnywhere) {
  {
    const auto engine = Record(&exact_);
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(engine->Query(Ask(i)));
    ASSERT_TRUE(engine->Fetch("http://h1/1"));
  }
  const std::string whole = *ReadWholeFile(path_);
  // Cut inside the name of the first line, it may be anybody's.
  const size_t named = whole.find(',');
  for (size_t size = 1; size < named; ++size) {
    const std::string begin = whole.substr(0, size);
    Put(path_, begin);
    const auto refused = AnswerLog::OpenOrCreate(path_, Of());
    ASSERT_FALSE(refused) << size;
    ASSERT_EQ(refused.error().code, ErrorCode::kCorrupt);
    ASSERT_EQ(*ReadWholeFile(path_), begin);
  }
  for (size_t size = 0; size <= whole.size(); size += size == 0 ? named
                                                      : TWINSET_SLOW_BUILD
                                                          ? 7
                                                          : 1) {
    Put(path_, whole.substr(0, size));
    const auto engine = Record(&exact_);
    for (int i = 0; i < 4; ++i)
      ASSERT_EQ(*engine->Query(Ask(i)), *exact_.Query(Ask(i)));
    ASSERT_TRUE(engine->Fetch("http://h1/1"));
    ASSERT_EQ(*ReadWholeFile(path_), whole) << size;
  }
}

TEST_F(AnswerLogTest, FindsDamageAnywhere) {
  {
    const auto engine = Record(&exact_);
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(engine->Query(Ask(i)));
  }
  const std::string whole = *ReadWholeFile(path_);
  for (size_t i = 0; i < whole.size(); i += TWINSET_SLOW_BUILD ? 5 : 1) {
    std::string bytes = whole;
    bytes[i] ^= 1;
    Put(path_, bytes);
    // The last line feed: the last line is torn then.
    if (i + 1 == whole.size()) continue;
    const auto refused = AnswerLog::OpenRead(path_);
    ASSERT_FALSE(refused) << i;
    ASSERT_EQ(refused.error().code, ErrorCode::kCorrupt);
    ASSERT_FALSE(refused.error().remedy.empty());
  }
  // A line that is gone, and one that stands twice.
  const size_t first = whole.find('\n') + 1;
  const size_t second = whole.find('\n', first) + 1;
  Put(path_, whole.substr(0, first) + whole.substr(second));
  EXPECT_FALSE(AnswerLog::OpenRead(path_));
  Put(path_, whole.substr(0, second) + whole.substr(first));
  EXPECT_FALSE(AnswerLog::OpenRead(path_));
}

TEST_F(AnswerLogTest, RefusesWhatIsNoLog) {
  EXPECT_EQ(AnswerLog::OpenRead(dir_ / "none").error().code, ErrorCode::kIo);
  Put(path_, "");
  EXPECT_EQ(AnswerLog::OpenRead(path_).error().code, ErrorCode::kCorrupt);
  Put(path_, "{\"a\":1}\n");
  EXPECT_EQ(AnswerLog::OpenRead(path_).error().code, ErrorCode::kCorrupt);
}

TEST_F(AnswerLogTest, AFullDiskIsAnErrorAndNothingIsTorn) {
  const auto engine = Record(&exact_);
  ASSERT_TRUE(engine->Query(Ask(1)));
  const std::string before = *ReadWholeFile(path_);
  {
    const WriteLimit full(0);
    const auto refused = engine->Query(Ask(2));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kIo);
  }
  EXPECT_EQ(*ReadWholeFile(path_), before);
  EXPECT_TRUE(engine->Query(Ask(2)));
  EXPECT_TRUE(Replay()->Query(Ask(2)));
}

}  // namespace
}  // namespace twinset
