// Runs against judgements, topic by topic, and collapsed runs, by their
// definitions.
#include "retrieval/run_evaluation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <map>
#include <set>

#include "base/file.h"
#include "base/hash.h"
#include "base/test_dir.h"
#include "retrieval/collapse.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Topic(uint64_t n) { return "t" + std::to_string(n); }
std::string Doc(uint64_t n) { return "d" + std::to_string(n); }

// Judgements and a run over some of the same topics and documents.
struct World {
  StudyNames names;
  Qrels qrels;
  std::unique_ptr<JudgedTopics> judged;
  Ranking ranking;
  // As they were drawn.
  std::map<std::pair<std::string, std::string>, int> grades;
  std::map<std::string, std::vector<std::string>> ranked;  // best first

  explicit World(uint64_t seed, int level = 1) {
    SplitMix64 random(seed);
    std::string qrels_text, run_text;
    for (uint64_t t = 0; t < 6; ++t) {
      std::set<uint64_t> seen;
      for (int i = 0; t != 5 && i < 8; ++i) {
        const uint64_t d = random.Below(20);
        if (!seen.insert(d).second) continue;
        const int grade = static_cast<int>(random.Below(4)) - 1;
        grades[{Topic(t), Doc(d)}] = grade;
        qrels_text +=
            Topic(t) + " 0 " + Doc(d) + " " + std::to_string(grade) + "\n";
      }
      if (t == 4) continue;  // the run lacks it
      std::vector<std::pair<int, std::string>> list;
      seen.clear();
      for (int i = 0; i < 12; ++i) {
        const uint64_t d = random.Below(20);
        if (!seen.insert(d).second) continue;
        const int score = static_cast<int>(random.Below(6));  // with ties
        list.emplace_back(score, Doc(d));
        run_text += Topic(t) + " Q0 " + Doc(d) + " 1 " + std::to_string(score) +
                    " sys\n";
      }
      // By score, equal ones by descending id.
      std::sort(list.rbegin(), list.rend());
      for (const auto& [score, id] : list) ranked[Topic(t)].push_back(id);
    }
    LineCounts counts;
    EXPECT_TRUE(
        ReadQrels(StudyText("q", qrels_text), {}, &names, &counts, &qrels));
    auto read = ReadRanking(StudyText("sys.run", run_text), {}, &names);
    EXPECT_TRUE(read);
    ranking = std::move(*read);
    judged = std::make_unique<JudgedTopics>(&qrels, level);
  }
};

RankingValues Evaluate(const World& world, const RunEvaluation& options,
                       const std::vector<std::string>& measures,
                       const DuplicateGraph* duplicates = nullptr) {
  EvaluationInput input;
  input.judged = world.judged.get();
  input.options = &options;
  input.duplicates = duplicates;
  for (const std::string& name : measures)
    input.measures.push_back(*ParseMeasure(name));
  return EvaluateRanking(input, world.ranking);
}

TEST(RunValuesTest, CountsAndPrecisionOfEachTopic) {
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    const World world(seed);
    for (const bool condensed : {false, true}) {
      RunEvaluation options;
      options.condensed = condensed;
      options.all_topics = true;
      const RankingValues values =
          Evaluate(world, options,
                   {"num_ret", "num_rel", "num_rel_ret", "P_3", "map",
                    "recip_rank", "unjudged_5"});
      EXPECT_EQ(values.unjudged_topics, 1u);
      EXPECT_EQ(values.missing_topics, 1u);
      for (const TopicValues& topic : values.topics) {
        const std::string& name = world.names.topics[topic.topic];
        std::vector<std::string> list;
        const auto ranked = world.ranked.find(name);
        if (ranked != world.ranked.end())
          for (const std::string& id : ranked->second)
            if (!condensed || world.grades.contains({name, id}))
              list.push_back(id);
        double relevant = 0, found = 0, at_three = 0, precision = 0, first = 0,
               unjudged = 0;
        for (const auto& [of, grade] : world.grades)
          relevant += of.first == name && grade >= 1;
        for (size_t i = 0; i < list.size(); ++i) {
          const auto grade = world.grades.find({name, list[i]});
          if (i < 5) unjudged += grade == world.grades.end();
          if (grade == world.grades.end() || grade->second < 1) continue;
          ++found;
          at_three += i < 3;
          precision += found / static_cast<double>(i + 1);
          if (first == 0) first = 1 / static_cast<double>(i + 1);
        }
        const auto size = static_cast<double>(list.size());
        const std::vector<double> expected = {
            size,
            relevant,
            found,
            at_three / 3,
            relevant == 0 ? 0 : precision / relevant,
            first,
            list.empty() ? 0 : unjudged / std::min(5.0, size)};
        ASSERT_EQ(topic.values.size(), expected.size());
        for (size_t m = 0; m < expected.size(); ++m)
          EXPECT_NEAR(topic.values[m], expected[m], 1e-12) << name << " " << m;
      }
    }
  }
}

TEST(RunValuesTest, TopicsThatTheRunLacksCountOnRequest) {
  const World world(3);
  RunEvaluation options;
  EXPECT_EQ(Evaluate(world, options, {"map"}).topics.size(), 4u);
  options.all_topics = true;
  const auto all = Evaluate(world, options, {"map", "num_rel"});
  ASSERT_EQ(all.topics.size(), 5u);
  EXPECT_EQ(world.names.topics[all.topics[4].topic], "t4");
  EXPECT_EQ(all.topics[4].values[0], 0);
  EXPECT_GT(all.topics[4].values[1], 0);
}

// A higher level of relevance leaves fewer relevant documents.
TEST(RunValuesTest, TheLevelDecidesWhatIsRelevant) {
  double before = 1e9;
  for (const int level : {0, 1, 2, 3}) {
    const World world(5, level);
    RunEvaluation options;
    options.relevance_level = level;
    double relevant = 0;
    for (const TopicValues& topic :
         Evaluate(world, options, {"num_rel"}).topics)
      relevant += topic.values[0];
    EXPECT_LE(relevant, before) << level;
    before = relevant;
  }
  EXPECT_EQ(before, 0) << "the highest grade is 2";
}

TEST(RunValuesTest, NoTopicInCommonIsTold) {
  World world(1);
  EXPECT_TRUE(CheckTopics(world.ranking, *world.judged, world.names));
  for (TopicRanking& topic : world.ranking.topics)
    topic.topic = world.names.topics.NumberOf("other");
  const Status status = CheckTopics(world.ranking, *world.judged, world.names);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message,
              HasSubstr("run sys has no topic that is judged: it has 'other', "
                        "the judgements have 't0'"));
}

// ---- collapse ----

struct Links {
  DuplicateList list;
  explicit Links(uint64_t seed, const StudyNames& names) {
    SplitMix64 random(seed);
    for (int i = 0; i < 12; ++i) {
      const auto a =
          static_cast<uint32_t>(random.Below(names.documents.size()));
      const auto b =
          static_cast<uint32_t>(random.Below(names.documents.size()));
      if (a == b) continue;
      DuplicateLink& link = list.links.emplace_back();
      link.a = a;
      link.b = b;
      link.similarity = static_cast<double>(random.Below(11)) / 10;
    }
    list.groups.push_back({0, 3, 5});
  }
  bool Are(uint32_t a, uint32_t b, double least) const {
    for (const DuplicateLink& link : list.links)
      if (((link.a == a && link.b == b) || (link.a == b && link.b == a)) &&
          link.similarity >= least)
        return true;
    const std::set<uint32_t> group(list.groups[0].begin(),
                                   list.groups[0].end());
    return group.contains(a) && group.contains(b);
  }
};

TEST(CollapseByDefinitionTest, ADuplicateHasAKeptOneAbove) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const World world(seed);
    const Links links(seed, world.names);
    const DuplicateGraph graph(links.list, world.names.documents.size());
    for (const double least : {0.0, 0.55, 1.0}) {
      for (const TopicRanking& topic : world.ranking.topics) {
        const auto above = FindDuplicatesAbove(graph, least, topic.documents);
        std::vector<uint32_t> kept;
        ASSERT_EQ(above.size(), topic.documents.size());
        for (size_t i = 0; i < above.size(); ++i) {
          const uint32_t document = topic.documents[i].document;
          uint32_t expected = kNoDocument;
          for (const uint32_t other : kept) {
            if (!links.Are(document, other, least)) continue;
            expected = other;
            break;
          }
          EXPECT_EQ(above[i], expected);
          if (expected == kNoDocument) kept.push_back(document);
        }
        for (const CollapseAction action :
             {CollapseAction::kRemove, CollapseAction::kDemote,
              CollapseAction::kMark}) {
          std::vector<RankedDocument> ranked = topic.documents;
          std::vector<uint32_t> originals = above;
          CollapseRanking(action, &ranked, &originals);
          ASSERT_EQ(ranked.size(), originals.size());
          EXPECT_EQ(ranked.size(), action == CollapseAction::kRemove
                                       ? kept.size()
                                       : topic.documents.size());
          for (size_t i = 0; i < kept.size(); ++i)
            if (action != CollapseAction::kMark) {
              EXPECT_EQ(ranked[i].document, kept[i]);
              EXPECT_EQ(originals[i], kNoDocument);
            }
          if (action == CollapseAction::kDemote) {
            for (size_t i = 1; i < ranked.size(); ++i)
              EXPECT_LT(ranked[i].score, ranked[i - 1].score);
          }
          // Once collapsed, nothing is left to collapse.
          if (action == CollapseAction::kRemove) {
            for (const uint32_t again :
                 FindDuplicatesAbove(graph, least, ranked))
              EXPECT_EQ(again, kNoDocument);
          }
        }
      }
    }
  }
}

TEST(CollapseByDefinitionTest, MarkedDuplicatesAreNotRelevant) {
  double not_relevant = 0;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const World world(seed);
    const Links links(seed, world.names);
    const DuplicateGraph graph(links.list, world.names.documents.size());
    RunEvaluation options;
    const std::vector<std::string> measures = {"num_ret", "num_rel_ret"};
    const auto plain = Evaluate(world, options, measures);
    EXPECT_EQ(plain.collapsed, 0u);
    options.action = CollapseAction::kMark;
    const auto marked = Evaluate(world, options, measures, &graph);
    options.action = CollapseAction::kRemove;
    const auto removed = Evaluate(world, options, measures, &graph);
    EXPECT_EQ(marked.collapsed, removed.collapsed);
    double gone = 0;
    for (size_t t = 0; t < plain.topics.size(); ++t) {
      EXPECT_EQ(marked.topics[t].values[0], plain.topics[t].values[0]);
      // What is not relevant and what is not there count the same.
      EXPECT_EQ(marked.topics[t].values[1], removed.topics[t].values[1]);
      gone += plain.topics[t].values[0] - removed.topics[t].values[0];
      not_relevant += plain.topics[t].values[1] - marked.topics[t].values[1];
    }
    EXPECT_LE(gone, static_cast<double>(removed.collapsed))
        << "topics without judgements are collapsed too";
  }
  EXPECT_GT(not_relevant, 5);
}

// ---- files ----

TEST(RankingFileTest, LinesThatAreNoneAreLeftOutByTheirReason) {
  StudyNames names;
  const auto ranking = ReadRanking(
      StudyText("sys.a.run",
                "1 Q0 a 1 2.5 tag\n1\tQ0\tb\t2\t-1e3\tother\n\n"
                "1 Q0 a 3 1 tag\n1 Q0 c 4 nan tag\n1 Q0 d 5 x tag\n"
                "1 Q0 e 6 1\n1 Q0 f 7 1 tag more\n2 Q0 a 1 1e99 tag\n"),
      {}, &names);
  ASSERT_TRUE(ranking);
  EXPECT_EQ(ranking->facts.name, "sys.a");
  EXPECT_EQ(ranking->tag, "tag");
  EXPECT_EQ(ranking->facts.topics, 2u);
  EXPECT_EQ(ranking->facts.documents, 3u);
  const auto& reasons = ranking->facts.lines.left_out;
  EXPECT_THAT(reasons, ElementsAre(std::pair("bad-score", 2),
                                   std::pair("missing-columns", 1),
                                   std::pair("repeated-id", 1),
                                   std::pair("too-many-columns", 1)));
  const auto strict =
      ReadRanking(StudyText("x", "1 Q0 a 1 2 t\n1 Q0 b 1\n"), {true}, &names);
  ASSERT_FALSE(strict);
  EXPECT_THAT(strict.error().ToString(), HasSubstr("x:2"));
  EXPECT_FALSE(ReadRanking(StudyText("x", "\n"), {}, &names));
}

TEST(RankingFileTest, ARunIsReadAsItWasWritten) {
  World world(9);
  std::string text;
  for (const TopicRanking& topic : world.ranking.topics)
    for (size_t i = 0; i < topic.documents.size(); ++i)
      text += RunLine(world.names, topic.topic, topic.documents[i].document,
                      i + 1, topic.documents[i].score, "sys");
  const auto again = ReadRanking(StudyText("sys", text), {}, &world.names);
  ASSERT_TRUE(again);
  ASSERT_EQ(again->topics.size(), world.ranking.topics.size());
  for (size_t t = 0; t < again->topics.size(); ++t) {
    const auto &x = again->topics[t], &y = world.ranking.topics[t];
    EXPECT_EQ(x.topic, y.topic);
    ASSERT_EQ(x.documents.size(), y.documents.size());
    for (size_t i = 0; i < x.documents.size(); ++i) {
      EXPECT_EQ(x.documents[i].document, y.documents[i].document);
      EXPECT_EQ(x.documents[i].score, y.documents[i].score);
    }
  }
}

TEST(RankingFileTest, ScoresOfAllSizesComeBack) {
  SplitMix64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const auto bits = static_cast<uint32_t>(random.Next());
    const auto score = std::bit_cast<float>(bits);
    if (!std::isfinite(score)) continue;
    const auto read = ParseFinite(ScoreText(score));
    ASSERT_TRUE(read) << ScoreText(score);
    EXPECT_EQ(static_cast<float>(*read), score);
  }
  const float most = std::numeric_limits<float>::max();
  EXPECT_EQ(ScoreText(std::numeric_limits<float>::infinity()), ScoreText(most));
  EXPECT_EQ(ScoreText(-std::numeric_limits<float>::infinity()),
            ScoreText(-most));
}

TEST(RankingFileTest, WhiteSpaceOfIdsMakesNoColumn) {
  StudyNames names;
  const uint32_t topic = names.topics.NumberOf("my topic");
  const uint32_t document = names.documents.NumberOf("a\tb\nc");
  const std::string line = RunLine(names, topic, document, 1, 1, "tag");
  std::vector<std::string_view> columns;
  SplitColumns(std::string_view(line).substr(0, line.size() - 1), &columns);
  EXPECT_THAT(columns,
              ElementsAre("my%20topic", "Q0", "a%09b%0Ac", "1", "1", "tag"));
}

TEST(RankingFileTest, TheShareOfTies) {
  const auto share = [](const std::vector<std::vector<float>>& lists) {
    std::vector<TopicRanking> topics;
    for (const auto& list : lists) {
      topics.emplace_back();
      for (const float score : list)
        topics.back().documents.push_back({0, score});
    }
    return TiedShare(topics);
  };
  EXPECT_EQ(share({}), 0);
  EXPECT_EQ(share({{3, 2, 1}}), 0);
  EXPECT_DOUBLE_EQ(share({{1, 1, 1, 1}}), 0.75);
  // The same score in two topics is no tie.
  EXPECT_EQ(share({{1}, {1}}), 0);
  EXPECT_DOUBLE_EQ(share({{2, 2}, {1, 0}}), 0.25);
}

}  // namespace
}  // namespace twinset
