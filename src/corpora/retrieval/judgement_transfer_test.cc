#include "retrieval/judgement_transfer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/hash.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;

constexpr ConflictRule kRules[] = {ConflictRule::kMax, ConflictRule::kMajority,
                                   ConflictRule::kDrop, ConflictRule::kFirst};

int Settled(ConflictRule rule, const std::vector<MeetingGrade>& grades) {
  return SettleGrades(rule, grades).stands;
}

TEST(SettleGradesTest, EachRule) {
  const std::vector<MeetingGrade> grades = {{0, .9}, {2, .8}, {0, .95}, {1, 1}};
  EXPECT_EQ(Settled(ConflictRule::kMax, grades), 1);
  EXPECT_EQ(Settled(ConflictRule::kMajority, grades), 2);  // the closer 0
  EXPECT_EQ(Settled(ConflictRule::kDrop, grades), -1);
  EXPECT_EQ(Settled(ConflictRule::kFirst, grades), 0);
  // Equally frequent: the highest. All alike: no conflict.
  EXPECT_EQ(Settled(ConflictRule::kMajority, {{-2, 1}, {1, 1}, {0, 1}}), 1);
  EXPECT_EQ(Settled(ConflictRule::kDrop, {{1, .8}, {1, .9}}), 1);
  EXPECT_FALSE(SettleGrades(ConflictRule::kDrop,
                            std::vector<MeetingGrade>{{1, 1}, {1, 1}})
                   .is_conflict);
}

// A little world: judgements and links from strings.
class World {
 public:
  void Judge(const std::string& topic, const std::string& document, int grade,
             Qrels* qrels) {
    const RelevanceJudgement one{names.topics.NumberOf(topic),
                                 names.documents.NumberOf(document), grade};
    qrels->places.emplace(JudgementKey(one.topic, one.document),
                          qrels->judgements.size());
    qrels->judgements.push_back(one);
  }
  void Link(const std::string& a, const std::string& b, double similarity) {
    list.links.push_back(
        {names.documents.NumberOf(a), names.documents.NumberOf(b), similarity});
  }
  TransferOutcome Transfer(ConflictRule rule, bool both_ways,
                           JudgedTarget target = JudgedTarget::kKeep,
                           double least = 0) {
    graph.emplace(list, names.documents.size());
    steps.clear();
    return *TransferJudgements(
        {&source, &*graph, both_ways, both_ways ? &source : &judged},
        {TransferUnder::kSimilarity, least}, rule, target,
        [&](const TransferStep& step) -> Status {
          steps.push_back(names.documents[step.source.document] + ">" +
                          names.documents[step.target] + " " +
                          std::string(ChoiceName(step.action)));
          return {};
        });
  }
  std::string Text(const std::vector<RelevanceJudgement>& judgements) const {
    std::string text;
    for (const RelevanceJudgement& one : judgements)
      text += names.topics[one.topic] + ":" + names.documents[one.document] +
              "=" + std::to_string(one.grade) + " ";
    return text;
  }

  StudyNames names;
  Qrels source, judged;
  DuplicateList list;
  std::optional<DuplicateGraph> graph;
  std::vector<std::string> steps;
};

TEST(JudgementTransferTest, AlongPairsOneWay) {
  World world;
  world.Judge("1", "a1", 1, &world.source);
  world.Judge("1", "a2", 0, &world.source);
  world.Judge("1", "a3", 2, &world.source);
  world.Judge("2", "a1", -2, &world.source);
  world.Judge("1", "b2", 1, &world.judged);
  world.Link("a1", "b1", .9);
  world.Link("a2", "b1", .95);
  world.Link("a2", "b2", .9);
  world.Link("b9", "a3", .9);  // the other way: of no use
  const TransferOutcome outcome = world.Transfer(ConflictRule::kMax, false);
  EXPECT_EQ(world.Text(outcome.transferred), "1:b1=1 2:b1=-2 ");
  EXPECT_THAT(world.steps,
              ElementsAre("a1>b1 transferred", "a2>b1 merged",
                          "a2>b2 refused-judged", "a1>b1 transferred"));
  EXPECT_EQ(outcome.counts.judged_conflict, 1u);
  EXPECT_EQ(outcome.counts.without_link, 1u);
  EXPECT_EQ(outcome.targets_conflict, 1u);
  EXPECT_EQ(world.Text(world.Transfer(ConflictRule::kDrop, false).transferred),
            "2:b1=-2 ");
  EXPECT_EQ(
      world.Text(
          world.Transfer(ConflictRule::kMax, false, JudgedTarget::kKeep, .92)
              .transferred),
      "1:b1=0 ");
  // The target's own grade takes part, and comes first.
  const TransferOutcome replaced =
      world.Transfer(ConflictRule::kMajority, false, JudgedTarget::kReplace);
  EXPECT_EQ(world.Text(replaced.replaced), "");
  EXPECT_EQ(world.Transfer(ConflictRule::kDrop, false, JudgedTarget::kReplace)
                .counts.removed,
            1u);
}

TEST(JudgementTransferTest, TwoCollectionsMayUseTheSameIds) {
  World world;
  world.Judge("1", "page", 2, &world.source);
  world.Link("page", "page", .9);
  world.Link("other", "page", .9);
  EXPECT_EQ(world.Text(world.Transfer(ConflictRule::kMax, false).transferred),
            "1:page=2 ");
  world.Judge("1", "page", 0, &world.judged);
  EXPECT_THAT(world.Transfer(ConflictRule::kMax, false).transferred,
              ::testing::IsEmpty());
}

TEST(JudgementTransferTest, TheSamePairTwiceCountsOnce) {
  World world;
  world.Judge("1", "a", 1, &world.source);
  world.Link("a", "b", .8);
  world.Link("a", "b", .9);
  const TransferOutcome outcome = world.Transfer(ConflictRule::kMax, false);
  EXPECT_EQ(outcome.counts.merged, 0u);
  EXPECT_EQ(outcome.transferred.size(), 1u);
}

// The definition, written down again: every unjudged neighbour of a judged
// document, its neighbours' grades in the order of the file, and the rule.
std::map<std::pair<uint32_t, uint32_t>, int> Naive(const World& world,
                                                   ConflictRule rule) {
  std::set<std::pair<uint32_t, uint32_t>> linked;
  for (const DuplicateLink& link : world.list.links) {
    linked.emplace(link.a, link.b);
    linked.emplace(link.b, link.a);
  }
  for (const auto& group : world.list.groups)
    for (const uint32_t a : group)
      for (const uint32_t b : group)
        if (a != b) linked.emplace(a, b);
  std::map<std::pair<uint32_t, uint32_t>, int> result;
  for (uint32_t topic = 0; topic < world.names.topics.size(); ++topic) {
    for (uint32_t to = 0; to < world.names.documents.size(); ++to) {
      if (world.source.Find(topic, to) != nullptr) continue;
      std::vector<int> grades;
      for (const RelevanceJudgement& one : world.source.judgements)
        if (one.topic == topic && linked.contains({one.document, to}))
          grades.push_back(one.grade);
      if (grades.empty()) continue;
      const std::set<int> different(grades.begin(), grades.end());
      int best = grades.front();
      if (rule == ConflictRule::kDrop && different.size() > 1) continue;
      if (rule == ConflictRule::kMax) best = *different.rbegin();
      if (rule == ConflictRule::kMajority) {
        int64_t most = 0;
        for (const int grade : different) {
          const auto count = std::count(grades.begin(), grades.end(), grade);
          if (count < most) continue;
          most = count;
          best = grade;
        }
      }
      result[{topic, to}] = best;
    }
  }
  return result;
}

TEST(JudgementTransferTest, EqualsItsDefinitionOnRandomWorlds) {
  SplitMix64 random(3);
  for (int round = 0; round < 200; ++round) {
    World world;
    const uint64_t documents = 2 + random.Below(12);
    const auto name = [](uint64_t n) { return "d" + std::to_string(n); };
    for (uint64_t i = 0; i < documents; ++i)
      world.names.documents.NumberOf(name(i));
    for (uint64_t i = random.Below(20); i > 0; --i) {
      const std::string topic = std::to_string(random.Below(3)),
                        document = name(random.Below(documents));
      if (world.source.Find(world.names.topics.NumberOf(topic),
                            *world.names.documents.Find(document)) == nullptr)
        world.Judge(topic, document, static_cast<int>(random.Below(6)) - 2,
                    &world.source);
    }
    for (uint64_t i = random.Below(10); i > 0; --i) {
      const uint64_t a = random.Below(documents), b = random.Below(documents);
      if (a != b) world.Link(name(a), name(b), .9);
    }
    for (uint64_t i = random.Below(3); i > 0; --i) {
      std::set<uint32_t> group;
      for (int k = 0; k < 4; ++k)
        group.insert(static_cast<uint32_t>(random.Below(documents)));
      if (group.size() > 1)
        world.list.groups.emplace_back(group.begin(), group.end());
    }
    for (const ConflictRule rule : kRules) {
      std::map<std::pair<uint32_t, uint32_t>, int> transferred;
      for (const RelevanceJudgement& one :
           world.Transfer(rule, true).transferred)
        EXPECT_TRUE(
            transferred.emplace(std::pair(one.topic, one.document), one.grade)
                .second);
      EXPECT_EQ(transferred, Naive(world, rule))
          << round << " " << ChoiceName(rule);
    }
  }
}

}  // namespace
}  // namespace twinset
