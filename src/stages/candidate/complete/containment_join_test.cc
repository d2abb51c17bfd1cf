#include "candidate/complete/containment_join.h"

#include <gtest/gtest.h>

#include <iterator>
#include <string>

#include "candidate/complete/prefix_join_testing.h"

namespace twinset {
namespace {

constexpr uint64_t kRoom = 256 << 20;

double NaiveContainment(const Values& a, const Values& b) {
  Values both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(),
                        std::back_inserter(both));
  return static_cast<double>(both.size()) / static_cast<double>(a.size());
}

struct Collections {
  std::vector<Values> suspects, sources;
};

// Documents in the order of the run: suspects 0, 1, ..., then the sources.
Status Fill(CollectionJoin* join, const Collections& documents) {
  uint64_t number = 0;
  for (const auto* side : {&documents.suspects, &documents.sources}) {
    for (const Values& values : *side) {
      JoinMember member;
      member.document = number++;
      member.size = values.size();
      member.stored = side == &documents.sources;
      member.features = AsBytes(values);
      TWINSET_TRY(join->Add(member));
    }
  }
  return {};
}

Pairs Searched(double threshold, const Collections& documents, int threads) {
  MemoryBudget budget(kRoom);
  CollectionJoinContext context;
  context.budget = &budget;
  context.memory_bytes = kRoom / 2;
  context.threads = threads;
  context.two_collections = true;
  auto join = MakeContainmentJoinFactory(threshold)(context);
  EXPECT_TRUE(join.has_value());
  EXPECT_TRUE(Fill(join->get(), documents).has_value());
  Pairs pairs;
  EXPECT_TRUE((*join)
                  ->Join([&](const CandidatePair& pair) -> Status {
                    pairs.insert({pair.a, pair.b});
                    return {};
                  })
                  .has_value());
  return pairs;
}

Pairs Expected(double threshold, const Collections& documents) {
  Pairs pairs;
  const size_t first = documents.suspects.size();
  for (size_t i = 0; i < first; ++i) {
    for (size_t j = 0; j < documents.sources.size(); ++j) {
      if (documents.suspects[i].empty()) continue;
      if (NaiveContainment(documents.suspects[i], documents.sources[j]) >=
          threshold) {
        pairs.insert({i, first + j});
      }
    }
  }
  return pairs;
}

TEST(ContainmentJoin, AllPairsOfSubsetsOfSixElements) {
  Collections documents;
  for (uint64_t bits = 0; bits < 64; ++bits) {
    Values set;
    for (uint64_t i = 0; i < 6; ++i) {
      if ((bits >> i & 1) != 0) set.push_back(Mix64(i + 1));
    }
    std::sort(set.begin(), set.end());
    documents.suspects.push_back(set);
    documents.sources.push_back(set);
  }
  for (const double t : {0.05, 0.2, 1.0 / 3, 0.5, 0.6, 2.0 / 3, 0.8, 1.0}) {
    EXPECT_EQ(Searched(t, documents, 1), Expected(t, documents)) << t;
    EXPECT_EQ(Searched(t, documents, 2), Expected(t, documents)) << t;
  }
}

Values Draw(SplitMix64* random, size_t size, uint64_t words) {
  Values values;
  for (size_t i = 0; i < size; ++i)
    values.push_back(Mix64(random->Below(1 + random->Below(words))));
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// Sources a hundred times as long as the suspects that they quote in part.
TEST(ContainmentJoin, QuotationsInLongSources) {
  SplitMix64 random(5);
  Collections documents;
  for (int i = 0; i < 120; ++i)
    documents.suspects.push_back(Draw(&random, 1 + random.Below(60), 3000));
  for (int i = 0; i < 150; ++i) {
    Values source = Draw(&random, random.Below(3000), 100000);
    for (uint64_t quotes = random.Below(5); quotes > 0; --quotes) {
      for (const uint64_t x : documents.suspects[random.Below(120)]) {
        if (random.Below(10) < 7) source.push_back(x);
      }
    }
    std::sort(source.begin(), source.end());
    source.erase(std::unique(source.begin(), source.end()), source.end());
    documents.sources.push_back(source);
  }
  for (const double t : {0.3, 0.5, 0.7, 0.9}) {
    const Pairs expected = Expected(t, documents);
    EXPECT_GT(expected.size(), 20u);
    EXPECT_EQ(Searched(t, documents, 2), expected);
  }
}

TEST(ContainmentJoin, NothingIsLostWhenEveryElementCollides) {
  SplitMix64 random(6);
  Collections documents;
  for (int i = 0; i < 60; ++i) {
    Values set;
    for (uint64_t x = 0; x < 9; ++x) {
      if (random.Below(2) == 0) set.push_back(x);
    }
    (i < 30 ? documents.suspects : documents.sources).push_back(set);
  }
  const Pairs found = Searched(0.6, documents, 1);
  for (const auto& pair : Expected(0.6, documents))
    EXPECT_TRUE(found.count(pair)) << pair.first << " " << pair.second;
}

TEST(ContainmentJoin, NamesTheMemoryThatWorks) {
  Collections documents;
  SplitMix64 random(7);
  for (int i = 0; i < 3000; ++i)
    documents.suspects.push_back(Draw(&random, 1000, uint64_t{1} << 40));
  documents.sources.push_back(documents.suspects[17]);
  CollectionJoinContext context;
  const auto attempt = [&](uint64_t megabytes) {
    MemoryBudget budget(megabytes << 20);
    context.budget = &budget;
    context.memory_bytes = budget.limit_bytes() / 3;
    auto join = MakeContainmentJoinFactory(0.8)(context);
    EXPECT_TRUE(join.has_value());
    return Fill(join->get(), documents);
  };
  const Status small = attempt(30);
  ASSERT_FALSE(small.has_value());
  EXPECT_EQ(small.error().code, ErrorCode::kMemory);
  const std::string& remedy = small.error().remedy;
  const size_t at = remedy.find("--memory ");
  ASSERT_NE(at, std::string::npos);
  const uint64_t named = std::stoull(remedy.substr(at + 9));
  EXPECT_TRUE(attempt(named).has_value());
  EXPECT_LT(named, 400u);
}

TEST(ContainmentJoin, OneSideAlone) {
  Collections documents;
  EXPECT_TRUE(Searched(0.5, documents, 1).empty());
  documents.sources = {{1, 2}, {}};
  EXPECT_TRUE(Searched(0.5, documents, 1).empty());
  documents.suspects.swap(documents.sources);
  EXPECT_TRUE(Searched(0.5, documents, 1).empty());
}

}  // namespace
}  // namespace twinset
