#include "sample/questioner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>

#include "base/test_dir.h"
#include "engine/answer_log.h"
#include "sample/testing_corpus.h"

namespace twinset {
namespace {

using testing::ElementsAre;
using testing_corpus::Document;
using testing_corpus::Reader;

// Says what a test tells it to.
class Scripted : public Engine {
 public:
  EngineInfo Info() const override {
    EngineInfo info;
    info.name = "scripted";
    return info;
  }
  Result<EngineAnswer> Query(const EngineQuery&) override {
    ++asked;
    if (down) return Fail(ErrorCode::kUnavailable, "no answer");
    return answer;
  }
  Result<EnginePage> Fetch(const std::string& url) override {
    if (down) return Fail(ErrorCode::kUnavailable, "no answer");
    if (url != page.url) return Fail(ErrorCode::kNotFound, "no such page", url);
    return page;
  }
  EngineAnswer answer;
  EnginePage page;
  bool down = false;
  int asked = 0;
};

TEST(QuestionerTest, CleansAndCountsAnswers) {
  Scripted engine;
  engine.answer.urls = {"http://A.test/x#y", "http://a.test:80/x",
                        std::string(100000, 'z'), "", "one too many"};
  Questioner questioner(&engine, &Reader(), {});
  const auto answer = questioner.Ask({"tea"}, true, 4);
  ASSERT_TRUE(answer.has_value() && answer->has_value());
  ASSERT_EQ((*answer)->urls.size(), 3u);
  EXPECT_EQ((*answer)->urls[0], "http://a.test/x");
  EXPECT_LT((*answer)->urls[1].size(), 10000u);
  EXPECT_EQ(questioner.counts().duplicates, 1u);
  EXPECT_EQ(questioner.counts().surplus, 1u);
  EXPECT_EQ(questioner.counts().longest, 4u);
}

TEST(QuestionerTest, GivesUpAfterFailuresInARowOnly) {
  Scripted engine;
  QuestionerOptions options;
  options.most_failures = 3;
  Questioner questioner(&engine, &Reader(), options);
  for (int i = 0; i < 10; ++i) {
    engine.down = i % 3 != 2;  // two failures, then an answer
    const auto answer = questioner.Ask({"tea"}, true, 4);
    ASSERT_TRUE(answer.has_value());
    EXPECT_EQ(answer->has_value(), !engine.down);
  }
  engine.down = true;
  EXPECT_TRUE(questioner.Ask({"tea"}, true, 4).has_value());
  const auto last = questioner.Ask({"tea"}, true, 4);
  ASSERT_FALSE(last.has_value());
  EXPECT_EQ(last.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(questioner.counts().failed, 9u);
  // A page that is not there is no failure of the engine.
  engine.down = false;
  for (int i = 0; i < 5; ++i)
    EXPECT_FALSE(questioner.Fetch("http://gone.test/")->has_value());
}

TEST(QuestionerTest, StopsWhenTold) {
  Scripted engine;
  std::atomic<bool> stop = true;
  QuestionerOptions options;
  options.stop = &stop;
  Questioner questioner(&engine, &Reader(), options);
  EXPECT_EQ(questioner.Ask({"tea"}, true, 4).error().code,
            ErrorCode::kInterrupted);
  EXPECT_EQ(engine.asked, 0);
}

// An engine that was down and is up again is asked again what it did not
// answer, although its failures are on file; a replay gives the same.
TEST(QuestionerTest, GoesOnAfterRecordedFailures) {
  TestDir dir;
  const std::string path = dir / "answers";
  AnswersOf of;
  of.engine = "e";
  of.info.name = "scripted";
  QuestionerOptions options;
  options.recorded_bytes = [&] {
    return uint64_t{std::filesystem::file_size(path)};
  };
  const auto ask = [&](std::unique_ptr<Engine> engine) {
    Questioner questioner(engine.get(), &Reader(), options);
    return questioner.Ask({"tea"}, true, 4);
  };
  const auto recorded = [&](bool down) {
    auto engine = std::make_unique<Scripted>();
    engine->down = down;
    engine->answer.urls = {"http://a.test/"};
    return MakeRecorded(std::move(engine), *AnswerLog::OpenOrCreate(path, of));
  };
  EXPECT_FALSE(ask(recorded(true))->has_value());
  EXPECT_FALSE(ask(recorded(true))->has_value());
  const auto up = ask(recorded(false));
  ASSERT_TRUE(up.has_value() && up->has_value());
  const auto replayed = ask(MakeReplayed(*AnswerLog::OpenRead(path)));
  ASSERT_TRUE(replayed.has_value() && replayed->has_value());
  EXPECT_THAT((*replayed)->urls, ElementsAre("http://a.test/"));
}

TEST(QuestionerTest, RowsSayWhatIsKnownOfThePage) {
  Scripted engine;
  engine.page = Document(3, {"green", "tea", "\"leaf\""}).page;
  engine.page.title = "Tea \"and\" more";
  engine.page.fields = {{"spam", "true"}, {"weight", "7"}};
  engine.page.language = "";
  Questioner questioner(&engine, &Reader(), {});
  const auto page = questioner.Fetch(engine.page.url);
  ASSERT_TRUE(page.has_value() && page->has_value());
  const SampleRow row = RowOfPage(FactsOf(**page, Reader()));
  using testing_corpus::FieldOf;
  EXPECT_EQ(FieldOf(row, "host"), "\"h3.test\"");
  EXPECT_EQ(FieldOf(row, "depth"), "1");
  EXPECT_EQ(FieldOf(row, "words"), "3");
  EXPECT_EQ(FieldOf(row, "title"), R"("Tea \"and\" more")");
  EXPECT_EQ(FieldOf(row, "spam"), "true");
  EXPECT_EQ(FieldOf(row, "document.weight"), "7");
  EXPECT_NE(FieldOf(row, "language"), "");
}

TEST(QuestionerTest, HoldsIsAllOrAny) {
  const std::vector<std::string> page = {"a", "b", "d"};
  EXPECT_TRUE(Holds(page, {"d", "a"}, true));
  EXPECT_FALSE(Holds(page, {"d", "c"}, true));
  EXPECT_TRUE(Holds(page, {"d", "c"}, false));
  EXPECT_FALSE(Holds(page, {"c"}, false));
  EXPECT_TRUE(Holds(page, {}, true));
}

}  // namespace
}  // namespace twinset
