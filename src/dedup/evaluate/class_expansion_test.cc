#include "evaluate/class_expansion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "evaluate/evaluate_testing.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;

// What ExpandClasses gives for these pairs of leaders; each pair once.
Result<PairValues> Expanded(TestRun* run,
                            const std::vector<VerifiedPair>& pairs) {
  PairValues all;
  size_t next = 0;
  const Status status = ExpandClasses(
      run->get(),
      [&](VerifiedPair* pair) -> Result<bool> {
        if (next == pairs.size()) return false;
        *pair = pairs[next++];
        return true;
      },
      [&](const VerifiedPair& pair) -> Status {
        EXPECT_LT(pair.a, pair.b);
        EXPECT_TRUE(all.emplace(std::pair(pair.a, pair.b), pair.score).second)
            << pair.a << " " << pair.b << " is given twice";
        return {};
      });
  if (!status) return tl::unexpected<Error>(status.error());
  return all;
}

// Every document of a class stands for its leader: by the definition.
PairValues Naive(const std::vector<uint64_t>& leader,
                 const std::vector<VerifiedPair>& pairs) {
  PairValues all;
  for (uint64_t a = 0; a < leader.size(); ++a) {
    for (uint64_t b = a + 1; b < leader.size(); ++b) {
      if (leader[a] == leader[b]) all[{a, b}] = 1;
      for (const VerifiedPair& pair : pairs)
        if ((leader[a] == pair.a && leader[b] == pair.b) ||
            (leader[a] == pair.b && leader[b] == pair.a))
          all[{a, b}] = pair.score;
    }
  }
  return all;
}

TEST(ClassExpansionTest, PairsOfClassesAgainstTheDefinition) {
  SplitMix64 random(1);
  const uint64_t documents = 13;
  TestRun run(documents);
  for (int trial = 0; trial < 40; ++trial) {
    // A leader is the best of its class, not the first in the input.
    std::vector<uint64_t> leader(documents), rank(documents);
    const uint64_t classes = 1 + random.Below(documents);
    std::vector<uint64_t> of_class(classes, ~uint64_t{0});
    for (uint64_t i = 0; i < documents; ++i) {
      const uint64_t d = trial % 2 ? documents - 1 - i : i;
      const uint64_t number = random.Below(classes);
      if (of_class[number] == ~uint64_t{0}) of_class[number] = d;
      leader[d] = of_class[number];
      rank[d] = i;
    }
    std::vector<Copy> copies;
    for (uint64_t d = 0; d < documents; ++d)
      if (leader[d] != d) copies.push_back({leader[d], rank[d], d});
    std::sort(copies.begin(), copies.end());
    run.WriteRecords<Copy>("copies.run", copies);
    std::vector<VerifiedPair> pairs;
    for (uint64_t a = 0; a < documents; ++a)
      for (uint64_t b = a + 1; b < documents; ++b)
        if (leader[a] == a && leader[b] == b && random.Below(2) == 0)
          pairs.push_back({a, b, ValueOfPair(a, b)});
    const auto expanded = Expanded(&run, pairs);
    ASSERT_TRUE(expanded);
    EXPECT_EQ(*expanded, Naive(leader, pairs));
  }
}

TEST(ClassExpansionTest, WithoutCopiesPairsAreWhatTheyWere) {
  TestRun run(4);
  run.WriteRecords<Copy>("copies.run", {});
  EXPECT_TRUE(Expanded(&run, {})->empty());
  EXPECT_EQ(*Expanded(&run, {{0, 3, .5}, {1, 2, .75}}),
            (PairValues{{{0, 3}, .5}, {{1, 2}, .75}}));
}

// 24,500 copies of one document make 300 million pairs and more: that is told
// before any is made.
TEST(ClassExpansionTest, TooManyPairsAreToldBeforeTheyAreMade) {
  const uint64_t documents = 24'500;
  TestRun run(documents);
  std::vector<Copy> copies;
  for (uint64_t d = 1; d < documents; ++d) copies.push_back({0, d, d});
  run.WriteRecords<Copy>("copies.run", copies);
  bool asked = false, given = false;
  const Status status = ExpandClasses(
      run.get(),
      [&](VerifiedPair*) -> Result<bool> {
        asked = true;
        return false;
      },
      [&](const VerifiedPair&) -> Status {
        given = true;
        return {};
      });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kUsage);
  EXPECT_THAT(status.error().message, HasSubstr("300000000"));
  EXPECT_THAT(status.error().remedy, HasSubstr("sample"));
  EXPECT_FALSE(asked || given);
}

// Two large classes: their members are joined with each other.
TEST(ClassExpansionTest, ErrorsAndStopsEndIt) {
  const uint64_t documents = 600;
  std::atomic<bool> stop = false;
  TestRun run(documents, [&](PlanOptions* options) { options->stop = &stop; });
  std::vector<Copy> copies;
  for (uint64_t d = 2; d < documents; ++d) copies.push_back({d % 2, d, d});
  std::sort(copies.begin(), copies.end());
  run.WriteRecords<Copy>("copies.run", copies);
  EXPECT_EQ(Expanded(&run, {{0, 1, .5}})->size(),
            documents * (documents - 1) / 2);
  const Status failed = ExpandClasses(
      run.get(),
      [](VerifiedPair*) -> Result<bool> {
        return Fail(ErrorCode::kIo, "no more pairs");
      },
      [](const VerifiedPair&) { return Status(); });
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "no more pairs");
  const Status full = ExpandClasses(
      run.get(), [](VerifiedPair*) -> Result<bool> { return false; },
      [](const VerifiedPair&) -> Status {
        return Fail(ErrorCode::kIo, "the disk is full");
      });
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().message, "the disk is full");
  stop = true;
  const auto stopped = Expanded(&run, {{0, 1, .5}});
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kInterrupted);
}

}  // namespace
}  // namespace twinset
