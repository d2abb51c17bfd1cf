// Groups and documents of pairs, against the definitions.
#include "evaluate/evaluate_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "evaluate/evaluate_documents.h"
#include "evaluate/evaluate_testing.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;

constexpr uint64_t kDocuments = 13;

std::vector<uint64_t> Hosts() {
  std::vector<uint64_t> hosts;
  for (uint64_t d = 0; d < kDocuments; ++d)
    hosts.push_back(d % 4 == 3 ? 0 : 1 + d % 3);
  return hosts;
}

bool IsOfSide(const std::pair<uint64_t, uint64_t>& pair, int side) {
  const auto hosts = Hosts();
  const uint64_t a = hosts[pair.first], b = hosts[pair.second];
  return side == 0 || (a != 0 && b != 0 && (a == b) == (side == 1));
}

// The group of each document: the least document that pairs lead to.
std::vector<uint64_t> GroupsOf(const std::vector<PairValues>& lists) {
  std::vector<uint64_t> group(kDocuments);
  std::iota(group.begin(), group.end(), 0);
  for (bool changes = true; changes;) {
    changes = false;
    for (const PairValues& pairs : lists) {
      for (const auto& [pair, value] : pairs) {
        const uint64_t least = std::min(group[pair.first], group[pair.second]);
        changes = changes || group[pair.first] != group[pair.second];
        group[pair.first] = group[pair.second] = least;
      }
    }
  }
  return group;
}

// Trials and successes of each group, as GroupedTrials sees them.
GroupedTrials TrialsOf(const std::vector<uint64_t>& group,
                       const PairValues& trials, const PairValues& successes,
                       int side) {
  std::map<uint64_t, std::pair<uint64_t, uint64_t>> counts;
  for (const auto& [pair, value] : trials)
    if (IsOfSide(pair, side)) ++counts[group[pair.first]].first;
  for (const auto& [pair, value] : successes)
    if (IsOfSide(pair, side)) ++counts[group[pair.first]].second;
  GroupedTrials all;
  for (const auto& [number, of] : counts) all.Add(of.first, of.second);
  return all;
}

void ExpectEqual(const GroupedTrials& x, const GroupedTrials& y) {
  EXPECT_EQ(x.trials(), y.trials());
  EXPECT_EQ(x.successes(), y.successes());
  EXPECT_NEAR(x.worth(), y.worth(), 1e-9);
  EXPECT_NEAR(x.EffectiveTrials(), y.EffectiveTrials(), 1e-9);
}

TEST(EvaluateGroupsTest, GroupsAgainstTheDefinitions) {
  CountedRun run(kDocuments, Hosts());
  ForEachCase(
      kDocuments, &run,
      [&](const NaiveTruth& naive, const TruthSource& source,
          const std::string& file) {
        const PairValues real = naive.True(), found = naive.Found(),
                         correct = naive.Correct();
        const auto of_truth = GroupsOf({real});
        const auto of_either = GroupsOf({real, found});
        const auto truth = GroupTruth(run.get(), source, naive.threshold);
        ASSERT_TRUE(truth);
        ExpectEqual(*truth, TrialsOf(of_truth, real, {}, 0));
        std::vector<SampledPair> sample;
        for (const auto& [pair, value] : real)
          sample.push_back({0, pair.first, pair.second, value});
        const auto groups = GroupMethod(run.get(), source, sample, file,
                                        naive.threshold, run.hosts());
        ASSERT_TRUE(groups);
        PairValues either = real;
        either.insert(found.begin(), found.end());
        for (const auto& [side, counts] : {std::pair(0, &groups->all),
                                           {1, &groups->same},
                                           {2, &groups->other}}) {
          ExpectEqual(counts->recall, TrialsOf(of_truth, real, correct, side));
          ExpectEqual(counts->precision,
                      TrialsOf(of_either, found, correct, side));
          ExpectEqual(counts->overlap,
                      TrialsOf(of_either, either, correct, side));
        }
        // Pairs of one group have one number, and of two groups two.
        ASSERT_EQ(groups->of_sample.size(), sample.size());
        for (size_t i = 0; i < sample.size(); ++i)
          for (size_t j = 0; j < i; ++j)
            EXPECT_EQ(groups->of_sample[i] == groups->of_sample[j],
                      of_truth[sample[i].a] == of_truth[sample[j].a]);
      });
}

// What stands in groups must agree with what is counted pair by pair.
TEST(EvaluateGroupsTest, GroupsSumUpToTheCounts) {
  CountedRun run(kDocuments, Hosts());
  ForEachCase(
      kDocuments, &run,
      [&](const NaiveTruth& naive, const TruthSource& source,
          const std::string& file) {
        SimilarityBins bins{};
        const auto truth = CountTruth(run.get(), source, {naive.threshold}, 0,
                                      run.hosts(), &bins);
        const auto counts = CountMethod(run.get(), source, truth->front(), file,
                                        naive.threshold, 0, run.hosts());
        const auto groups = GroupMethod(run.get(), source, {}, file,
                                        naive.threshold, run.hosts());
        ASSERT_TRUE(truth && counts && groups);
        for (const auto& [pairs, of] : {std::pair(&counts->all, &groups->all),
                                        {&counts->same, &groups->same},
                                        {&counts->other, &groups->other}}) {
          EXPECT_EQ(of->recall.trials(), pairs->real);
          EXPECT_EQ(of->recall.successes(), pairs->correct);
          EXPECT_EQ(of->precision.trials(), pairs->found);
          EXPECT_EQ(of->precision.successes(), pairs->correct);
          EXPECT_EQ(of->overlap.trials(),
                    pairs->found + pairs->real - pairs->correct);
        }
      });
}

// ---- documents ----

TEST(EvaluateGroupsTest, DocumentsThatReachTheirBestPair) {
  for (const uint64_t first : {uint64_t{0}, uint64_t{6}}) {
    // With two collections only the documents of the first count.
    CountedRun run(kDocuments, Hosts(), first);
    const uint64_t counted = first == 0 ? kDocuments : first;
    EXPECT_EQ(CountedDocuments(*run.get()), counted);
    ForEachCase(kDocuments, &run,
                [&](const NaiveTruth& naive, const TruthSource& source,
                    const std::string& file) {
                  std::map<uint64_t, double> best;
                  std::map<uint64_t, bool> reached;  // the best one too?
                  for (const auto& [pair, value] : naive.True())
                    for (const uint64_t d : {pair.first, pair.second})
                      if (d < counted) best[d] = std::max(best[d], value);
                  for (const auto& [pair, value] : naive.Correct())
                    for (const uint64_t d : {pair.first, pair.second})
                      if (d < counted)
                        reached[d] = reached[d] || value >= best[d];
                  uint64_t best_found = 0;
                  for (const auto& [d, is_best] : reached)
                    best_found += is_best;
                  auto truth =
                      BestTruth::Load(run.get(), source, naive.threshold);
                  ASSERT_TRUE(truth);
                  for (int again = 0; again < 2; ++again) {
                    const auto figures = truth->Reach(file);
                    ASSERT_TRUE(figures);
                    EXPECT_EQ(figures->with_true, best.size());
                    EXPECT_EQ(figures->found, reached.size());
                    EXPECT_EQ(figures->best_found, best_found);
                  }
                });
  }
}

TEST(EvaluateGroupsTest, TheSpreadOfCandidates) {
  SplitMix64 random(3);
  std::map<uint64_t, std::unique_ptr<CountedRun>> runs;
  for (int trial = 0; trial < 16; ++trial) {
    const uint64_t documents = std::array{1, 5, 26, 40}[trial % 4];
    auto& run = runs[documents];
    if (run == nullptr)
      run = std::make_unique<CountedRun>(documents,
                                         std::vector<uint64_t>(documents));
    const PairValues pairs =
        RandomPairs(documents, 0.03 * trial, &random, ValueOfPair);
    std::vector<uint64_t> count(documents);
    for (const auto& [pair, value] : pairs) {
      ++count[pair.first];
      ++count[pair.second];
    }
    std::vector<uint64_t> sorted = count;
    std::sort(sorted.begin(), sorted.end());
    // The least count that at least this share does not exceed.
    const auto quantile = [&](double share) {
      for (size_t i = 0; i < sorted.size(); ++i)
        if (static_cast<double>(i + 1) >=
            share * static_cast<double>(documents))
          return sorted[i];
      return sorted.back();
    };
    std::vector<uint64_t> by_count(documents);
    std::iota(by_count.begin(), by_count.end(), 0);
    std::stable_sort(
        by_count.begin(), by_count.end(),
        [&](uint64_t x, uint64_t y) { return count[x] > count[y]; });
    std::erase_if(by_count, [&](uint64_t d) { return count[d] == 0; });
    by_count.resize(std::min<size_t>(by_count.size(), 5));
    std::vector<uint64_t> hubs = {99};  // is emptied first
    const auto spread =
        SpreadOf(run->get(), run->Write("found.run", pairs), &hubs);
    ASSERT_TRUE(spread);
    EXPECT_EQ(spread->quartile1, quantile(.25));
    EXPECT_EQ(spread->median, quantile(.5));
    EXPECT_EQ(spread->quartile3, quantile(.75));
    EXPECT_EQ(spread->percentile99, quantile(.99));
    EXPECT_EQ(spread->most, sorted.back());
    EXPECT_EQ(hubs, by_count) << "ties stand in input order";
    ASSERT_EQ(spread->hubs.size(), hubs.size());
    for (size_t i = 0; i < hubs.size(); ++i)
      EXPECT_EQ(spread->hubs[i].candidates, count[hubs[i]]);
  }
}

TEST(EvaluateGroupsTest, HubsAreOfTheFirstCollectionOnly) {
  CountedRun run(4, {0, 0, 0, 0}, 2);
  std::vector<uint64_t> hubs;
  const auto spread = SpreadOf(
      run.get(),
      run.Write("found.run", {{{0, 2}, .5}, {{0, 3}, .5}, {{1, 3}, .5}}),
      &hubs);
  ASSERT_TRUE(spread);
  EXPECT_THAT(hubs, ElementsAre(0, 1));
  EXPECT_EQ(spread->most, 2u);
  EXPECT_EQ(spread->quartile1, 1u);
}

}  // namespace
}  // namespace twinset
