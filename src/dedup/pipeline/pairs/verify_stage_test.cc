// Exact scores of candidate pairs, against sets compared one by one.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/bytes.h"
#include "base/hash.h"
#include "pipeline/run/test_run.h"

namespace twinset {
namespace {

using Sets = std::vector<std::set<uint64_t>>;
using Pairs = std::map<std::pair<uint64_t, uint64_t>, double>;

// Parts of one small universe; the first sets are empty, one, and equal.
Sets RandomSets(SplitMix64* random, size_t documents) {
  Sets sets(documents);
  for (size_t i = 1; i < documents; ++i) {
    const uint64_t size = i == 1 ? 1 : 1 + random->Below(40);
    while (sets[i].size() < size) sets[i].insert(Mix64(random->Below(50)));
    if (i > 2 && random->Below(5) == 0) sets[i] = sets[i - 1];
  }
  return sets;
}

double NaiveScore(Measure measure, const std::set<uint64_t>& a,
                  const std::set<uint64_t>& b) {
  double common = 0;
  for (const uint64_t value : a) common += b.contains(value);
  const auto x = static_cast<double>(a.size()),
             y = static_cast<double>(b.size());
  if (x == 0 || y == 0) return 0;
  switch (measure) {
    case Measure::kDice:
      return 2 * common / (x + y);
    case Measure::kContainment:
      return common / std::min(x, y);
    default:
      return common / (x + y - common);
  }
}

std::vector<CandidatePair> AllPairs(size_t documents) {
  std::vector<CandidatePair> pairs;
  for (uint64_t a = 0; a < documents; ++a)
    for (uint64_t b = a + 1; b < documents; ++b) pairs.push_back({a, b});
  return pairs;
}

struct How {
  Measure measure = Measure::kJaccard;
  double threshold = .5;
  int threads = 2;
  uint64_t memory_bytes = 64 << 20;
};

std::unique_ptr<TestRun> Begin(const Sets& sets,
                               const std::vector<CandidatePair>& candidates,
                               const How& how) {
  auto run = std::make_unique<TestRun>(
      sets.size(),
      [&](PlanOptions* options) {
        options->method.name = "complete";
        options->method.measure = how.measure;
        options->method.threshold = how.threshold;
        options->resources.threads = how.threads;
      },
      [&](Plan* plan) { plan->machine.memory_bytes = how.memory_bytes; });
  std::vector<std::string> blobs(sets.size());
  for (size_t i = 0; i < sets.size(); ++i)
    for (const uint64_t value : sets[i]) AppendLE(&blobs[i], value);
  run->WriteBlobs("features.blob", blobs);
  run->WriteRecords("candidates.run", candidates);
  return run;
}

Pairs Verified(TestRun* run) {
  Pairs pairs;
  for (const auto& pair : run->ReadRecords<VerifiedPair>("verified.run"))
    EXPECT_TRUE(pairs.try_emplace({pair.a, pair.b}, pair.score).second);
  return pairs;
}

Pairs NaiveVerified(const Sets& sets,
                    const std::vector<CandidatePair>& candidates,
                    const How& how) {
  Pairs pairs;
  for (const CandidatePair& pair : candidates) {
    const double score = NaiveScore(how.measure, sets[pair.a], sets[pair.b]);
    if (score >= how.threshold) pairs[{pair.a, pair.b}] = score;
  }
  return pairs;
}

void Expect(const Sets& sets, const std::vector<CandidatePair>& candidates,
            const How& how) {
  const auto run = Begin(sets, candidates, how);
  const Status done = VerifyStage(run->get());
  ASSERT_TRUE(done) << done.error().ToString();
  const Pairs expected = NaiveVerified(sets, candidates, how),
              found = Verified(run.get());
  ASSERT_EQ(found.size(), expected.size());
  for (const auto& [pair, score] : expected) {
    ASSERT_TRUE(found.contains(pair));
    EXPECT_DOUBLE_EQ(found.at(pair), score);
  }
  const VerifyCounts& counts = run->get()->counts.verify;
  EXPECT_EQ(counts.compared, candidates.size());
  EXPECT_EQ(counts.accepted, expected.size());
  EXPECT_EQ(run->get()->compared_pairs, candidates.size());
}

TEST(VerifyStage, AcceptsWhatReachesTheThreshold) {
  for (uint64_t seed = 1; seed <= 2; ++seed) {
    SCOPED_TRACE(seed);
    SplitMix64 random(seed);
    const Sets sets = RandomSets(&random, 2 + random.Below(40));
    for (const Measure measure :
         {Measure::kJaccard, Measure::kDice, Measure::kContainment}) {
      // One that is reached exactly by some pairs, and the largest.
      for (const double threshold : {.5, 1.})
        Expect(sets, AllPairs(sets.size()), {measure, threshold});
    }
  }
}

TEST(VerifyStage, MemoryAndThreadsChangeNothing) {
  SplitMix64 random(11);
  const Sets sets = RandomSets(&random, 150);
  const auto pairs = AllPairs(sets.size());
  for (const int threads : {1, 2, 5}) {
    for (const uint64_t memory : {uint64_t{1} << 18, uint64_t{64} << 20})
      Expect(sets, pairs, {Measure::kJaccard, .4, threads, memory});
  }
}

TEST(VerifyStage, OfNoPairsThereAreNone) {
  Expect({}, {}, {});
  Expect({{1}, {1}}, {}, {});
}

// Only the pairs that were asked for, in their order, whatever the batches.
TEST(VerifyPairs, HandsOnEveryPairInOrder) {
  SplitMix64 random(12);
  const Sets sets = RandomSets(&random, 60);
  std::vector<CandidatePair> asked;
  for (int i = 0; i < 500; ++i) {
    const uint64_t a = random.Below(sets.size()), b = random.Below(sets.size());
    if (a != b) asked.push_back({a, b});  // also with the larger one first
  }
  const auto run = Begin(sets, {}, {.memory_bytes = 1 << 18});
  size_t given = 0, seen = 0;
  const Status done = VerifyPairs(
      run->get(), asked.size(),
      [&](CandidatePair* pair) -> Result<bool> {
        if (given == asked.size()) return false;
        *pair = asked[given++];
        return true;
      },
      [&](const CandidatePair& pair,
          const Verifier::Verdict& verdict) -> Status {
        EXPECT_EQ(pair, asked[seen++]);
        // Scores count of all pairs, also of those below the threshold.
        EXPECT_DOUBLE_EQ(verdict.score, NaiveScore(Measure::kJaccard,
                                                   sets[pair.a], sets[pair.b]));
        return {};
      });
  ASSERT_TRUE(done);
  EXPECT_EQ(seen, asked.size());
}

TEST(VerifyPairs, AnErrorOfEitherEndIsHandedOn) {
  SplitMix64 random(13);
  const Sets sets = RandomSets(&random, 5);
  const auto run = Begin(sets, {}, {});
  const auto failing = [](CandidatePair*) -> Result<bool> {
    return Fail(ErrorCode::kCorrupt, "no pairs");
  };
  const auto fine = [](const CandidatePair&, const Verifier::Verdict&) {
    return Status();
  };
  const Status read = VerifyPairs(run->get(), 0, failing, fine);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message, "no pairs");
  int left = 3;
  const Status written = VerifyPairs(
      run->get(), 0,
      [&](CandidatePair* pair) -> Result<bool> {
        *pair = {1, 2};
        return left-- > 0;
      },
      [](const CandidatePair&, const Verifier::Verdict&) -> Status {
        return Fail(ErrorCode::kIo, "no room");
      });
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "no room");
}

// A pair of a document that is not there is an error and no guess.
TEST(VerifyStage, PairsBeyondTheDocumentsAreAnError) {
  const auto run = Begin({{1, 2}, {1, 2}}, {{0, 1}, {1, 2}}, {});
  EXPECT_FALSE(VerifyStage(run->get()));
}

TEST(VerifyStage, MissingCandidatesAreAnError) {
  TestRun run(2);
  EXPECT_FALSE(VerifyStage(run.get()));
}

}  // namespace
}  // namespace twinset
