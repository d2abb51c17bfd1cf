// What is counted of pairs, against the definitions.
#include "evaluate/evaluate_count.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "evaluate/evaluate_testing.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;

TEST(EvaluateCountTest, AHundredthIsInItsOwnBin) {
  for (size_t i = 0; i <= 100; ++i) {
    EXPECT_EQ(SimilarityBin(static_cast<double>(i) / 100), i);
    if (i < 100) {
      EXPECT_EQ(SimilarityBin((static_cast<double>(i) + .5) / 100), i);
    }
  }
  // 7 of 100 shingles is 7 % however it is computed; 199 of 200 is not all.
  EXPECT_EQ(SimilarityBin(0.07), 7u);
  EXPECT_EQ(SimilarityBin(0.29), 29u);
  EXPECT_EQ(SimilarityBin(0.58), 58u);
  EXPECT_EQ(SimilarityBin(199.0 / 200), 99u);
  EXPECT_EQ(SimilarityBin(1 - 1e-7), 99u);
  EXPECT_EQ(SimilarityBin(-1), 0u);
  EXPECT_EQ(SimilarityBin(std::nan("")), 0u);
  EXPECT_EQ(SimilarityBin(2), 100u);
}

std::vector<std::pair<uint64_t, uint64_t>> Chosen(
    const std::vector<std::pair<uint64_t, uint64_t>>& pairs, size_t size) {
  PairSample sample(size);
  for (const auto& [a, b] : pairs) sample.Add(a, b, 0);
  std::vector<std::pair<uint64_t, uint64_t>> chosen;
  for (const SampledPair& pair : sample.Take())
    chosen.emplace_back(pair.a, pair.b);
  return chosen;
}

// A sample depends on which pairs there are, not on their order, and a smaller
// one is part of a larger one: methods are compared by the same pairs.
TEST(EvaluateCountTest, ASampleIsOfThePairsAlone) {
  std::vector<std::pair<uint64_t, uint64_t>> pairs;
  for (uint64_t a = 0; a < 30; ++a)
    for (uint64_t b = a + 1; b < 30; ++b) pairs.emplace_back(a, b);
  const auto chosen = Chosen(pairs, 50);
  EXPECT_EQ(chosen.size(), 50u);
  EXPECT_TRUE(std::is_sorted(chosen.begin(), chosen.end()));
  auto turned = pairs;
  std::reverse(turned.begin(), turned.end());
  EXPECT_EQ(Chosen(turned, 50), chosen);
  const auto fewer = Chosen(pairs, 20);
  EXPECT_TRUE(
      std::includes(chosen.begin(), chosen.end(), fewer.begin(), fewer.end()));
  EXPECT_EQ(Chosen(pairs, 1000), pairs) << "few pairs are all taken";
  EXPECT_TRUE(Chosen(pairs, 0).empty());
  EXPECT_TRUE(Chosen({}, 5).empty());
  // (a, b) and (b, a) of other corpora are other pairs.
  EXPECT_NE(Chosen({{1, 2}, {2, 3}}, 1), Chosen({{2, 1}, {3, 2}}, 1));
}

// Each document is as likely in the sample as any: at most four standard
// deviations from the mean.
TEST(EvaluateCountTest, ASampleFavoursNoDocument) {
  std::vector<std::pair<uint64_t, uint64_t>> pairs;
  for (uint64_t a = 0; a < 100; ++a)
    for (uint64_t b = a + 1; b < 100; ++b) pairs.emplace_back(a, b);
  std::vector<int> times(100);
  for (const auto& [a, b] : Chosen(pairs, 1000)) {
    ++times[a];
    ++times[b];
  }
  const double share = 1000.0 / static_cast<double>(pairs.size());
  for (const int count : times)
    EXPECT_NEAR(count, 99 * share, 4 * std::sqrt(99 * share * (1 - share)));
}

constexpr uint64_t kDocuments = 14;

// Documents 0, 4, 8, ... are of one host and so on; every fifth has none.
std::vector<uint64_t> Hosts() {
  std::vector<uint64_t> hosts;
  for (uint64_t d = 0; d < kDocuments; ++d)
    hosts.push_back(d % 5 == 4 ? 0 : 1 + d % 4);
  return hosts;
}

// How many of the pairs are of one host (1), of two (2), or any (0).
uint64_t CountSide(const PairValues& pairs, int side) {
  const auto hosts = Hosts();
  uint64_t count = 0;
  for (const auto& [pair, value] : pairs) {
    const uint64_t a = hosts[pair.first], b = hosts[pair.second];
    const bool known = a != 0 && b != 0;
    count += side == 0 || (known && (a == b) == (side == 1));
  }
  return count;
}

TEST(EvaluateCountTest, CountsAreThoseOfTheDefinitions) {
  CountedRun run(kDocuments, Hosts());
  size_t wrong = 0;
  ForEachCase(
      kDocuments, &run,
      [&](const NaiveTruth& naive, const TruthSource& source,
          const std::string& file) {
        SimilarityBins bins{};
        const auto truth = CountTruth(run.get(), source, {naive.threshold}, 8,
                                      run.hosts(), &bins);
        ASSERT_TRUE(truth);
        const TruthCounts& counts = truth->front();
        EXPECT_EQ(counts.all.real, CountSide(naive.True(), 0));
        EXPECT_EQ(counts.same.real, CountSide(naive.True(), 1));
        EXPECT_EQ(counts.other.real, CountSide(naive.True(), 2));
        uint64_t in_bins = 0;
        for (const uint64_t count : bins) in_bins += count;
        EXPECT_EQ(in_bins,
                  naive.kind == NaiveTruth::kLabels ? 0 : naive.pairs.size());
        for (const SampledPair& pair : counts.sample) {
          EXPECT_TRUE(naive.True().contains({pair.a, pair.b}));
          EXPECT_EQ(pair.value, naive.pairs.at({pair.a, pair.b}));
        }
        const auto method = CountMethod(run.get(), source, counts, file,
                                        naive.threshold, 5, run.hosts());
        ASSERT_TRUE(method);
        for (const auto& [side, of] : {std::pair(0, &method->all),
                                       {1, &method->same},
                                       {2, &method->other}}) {
          EXPECT_EQ(of->real, CountSide(naive.True(), side));
          EXPECT_EQ(of->found, CountSide(naive.Found(), side)) << naive.kind;
          EXPECT_EQ(of->correct, CountSide(naive.Correct(), side));
        }
        ASSERT_EQ(method->sample_found.size(), counts.sample.size());
        for (size_t i = 0; i < counts.sample.size(); ++i) {
          EXPECT_EQ(
              method->sample_found[i],
              naive.Found().contains({counts.sample[i].a, counts.sample[i].b}));
        }
        EXPECT_EQ(
            method->wrong.size(),
            std::min<size_t>(5, naive.Found().size() - naive.Correct().size()));
        for (const SampledPair& pair : method->wrong) {
          EXPECT_TRUE(naive.Found().contains({pair.a, pair.b}));
          EXPECT_FALSE(naive.Correct().contains({pair.a, pair.b}));
        }
        wrong += method->wrong.size();
        SimilarityBins found{};
        if (naive.kind != NaiveTruth::kLabels)
          for (const auto& [pair, value] : naive.Found())
            ++found[SimilarityBin(value)];
        EXPECT_EQ(method->found, found);
      });
  EXPECT_GT(wrong, 25u);
}

// Equal pairs are sampled apart: of the others there is a whole sample, of them
// a quarter.
TEST(EvaluateCountTest, EqualPairsDoNotFillTheSample) {
  CountedRun run(30, std::vector<uint64_t>(30));
  PairValues pairs;
  for (uint64_t a = 0; a < 30; ++a)
    for (uint64_t b = a + 1; b < 30; ++b) pairs[{a, b}] = (a + b) % 9 ? 1 : 0.9;
  TruthSource source;
  source.file = run.Write("truth.run", pairs);
  SimilarityBins bins{};
  const auto truth =
      CountTruth(run.get(), source, {0.5, 0.95}, 20, run.hosts(), &bins);
  ASSERT_TRUE(truth);
  const auto equal = [](const TruthCounts& counts) {
    return std::count_if(
        counts.sample.begin(), counts.sample.end(),
        [](const SampledPair& pair) { return pair.value == 1; });
  };
  EXPECT_EQ((*truth)[0].sample.size(), 25u);
  EXPECT_EQ(equal((*truth)[0]), 5);
  EXPECT_EQ((*truth)[1].sample.size(), 5u) << "only equal ones reach 0.95";
  for (const TruthCounts& counts : *truth)
    EXPECT_TRUE(std::is_sorted(counts.sample.begin(), counts.sample.end(),
                               [](const auto& x, const auto& y) {
                                 return std::tie(x.a, x.b) < std::tie(y.a, y.b);
                               }));
  EXPECT_EQ(bins[100] + bins[90], pairs.size());
}

// A higher threshold has no more true pairs, and no method finds more of them.
TEST(EvaluateCountTest, CountsFallWithTheThreshold) {
  CountedRun run(kDocuments, Hosts());
  SplitMix64 random(1);
  const PairValues pairs = RandomPairs(kDocuments, 0.6, &random, ValueOfPair);
  TruthSource source;
  source.file = run.Write("truth.run", pairs);
  std::vector<double> thresholds;
  for (int i = 1; i <= 20; ++i) thresholds.push_back(i / 20.0);
  SimilarityBins bins{};
  const auto truth =
      CountTruth(run.get(), source, thresholds, 0, run.hosts(), &bins);
  ASSERT_TRUE(truth);
  EXPECT_EQ(truth->front().all.real, pairs.size());
  for (size_t i = 0; i < thresholds.size(); ++i) {
    uint64_t real = 0;
    for (const auto& [pair, value] : pairs) real += value >= thresholds[i];
    EXPECT_EQ((*truth)[i].all.real, real) << thresholds[i];
    EXPECT_TRUE((*truth)[i].sample.empty());
  }
}

TEST(EvaluateCountTest, HostsAreThoseOfTheAddresses) {
  TestRun run(6);
  std::vector<DocumentInfo> infos(6);
  const char* urls[] = {"http://a.example/1", "https://A.example:443/2",
                        "http://b.example/",  "",
                        "no address",         "http://a.example./3"};
  for (size_t i = 0; i < infos.size(); ++i) infos[i].provenance.url = urls[i];
  run.WriteInfos(infos);
  run.get()->documents_file = "documents.blob";
  auto hosts = LoadHosts(run.get());
  ASSERT_TRUE(hosts);
  std::vector<uint64_t> of;
  for (uint64_t d = 0; d < 6; ++d) of.push_back(*hosts->Get(d));
  EXPECT_NE(of[0], 0u);
  EXPECT_EQ(of[0], of[1]);
  EXPECT_NE(of[2], 0u);
  EXPECT_NE(of[0], of[2]);
  EXPECT_EQ(of[3], 0u);
}

// ---- capture and recapture ----

TEST(EvaluateCountTest, CapturesAgainstTheDefinitions) {
  SplitMix64 random(7);
  CountedRun evaluated(12, std::vector<uint64_t>(12));
  for (const size_t methods : {size_t{1}, size_t{2}, size_t{3}, size_t{5}}) {
    for (int trial = 0; trial < 4; ++trial) {
      std::vector<PairValues> caught;
      std::vector<std::string> files;
      PairValues any;
      for (size_t m = 0; m < methods; ++m) {
        caught.push_back(
            RandomPairs(12, trial == 0 ? 0 : 0.4, &random, ValueOfPair));
        files.push_back(evaluated.Write("m" + std::to_string(m), caught[m]));
        any.insert(caught[m].begin(), caught[m].end());
      }
      const double floor = 0.3, threshold = 0.6;
      const auto recapture =
          MergeCaptures(evaluated.get(), files, floor, threshold, "merged.run");
      ASSERT_TRUE(recapture);
      PairValues merged, expected;
      for (const auto& pair :
           evaluated.test().ReadRecords<VerifiedPair>("merged.run"))
        merged[{pair.a, pair.b}] = pair.score;
      uint64_t seen = 0;
      for (const auto& [pair, value] : any) {
        if (value >= floor) expected[pair] = value;
        seen += value >= threshold;
      }
      EXPECT_EQ(merged, expected);
      EXPECT_EQ(recapture->seen, seen);
      ASSERT_EQ(recapture->against_others.size(), methods);
      ASSERT_EQ(recapture->of_two.size(), methods * (methods - 1) / 2);
      size_t two = 0;
      for (size_t i = 0; i < methods; ++i) {
        std::vector<Captures> one(kSimilarityBins);
        for (const auto& [pair, value] : any) {
          if (value < threshold) continue;
          bool others = false;
          for (size_t j = 0; j < methods; ++j)
            others = others || (j != i && caught[j].contains(pair));
          Captures& bin = one[SimilarityBin(value)];
          bin.n1 += caught[i].contains(pair);
          bin.n2 += others;
          bin.m += caught[i].contains(pair) && others;
        }
        for (size_t bin = 0; bin < kSimilarityBins; ++bin) {
          EXPECT_EQ(recapture->against_others[i][bin].n1, one[bin].n1);
          EXPECT_EQ(recapture->against_others[i][bin].n2, one[bin].n2);
          EXPECT_EQ(recapture->against_others[i][bin].m, one[bin].m);
        }
        for (size_t j = i + 1; j < methods; ++j, ++two) {
          uint64_t n1 = 0, n2 = 0, m = 0, real_m = 0;
          for (const Captures& bin : recapture->of_two[two]) {
            n1 += bin.n1;
            n2 += bin.n2;
            m += bin.m;
          }
          uint64_t real_1 = 0, real_2 = 0;
          for (const auto& [pair, value] : any) {
            if (value < threshold) continue;
            real_1 += caught[i].contains(pair);
            real_2 += caught[j].contains(pair);
            real_m += caught[i].contains(pair) && caught[j].contains(pair);
          }
          EXPECT_THAT((std::vector{n1, n2, m}),
                      ElementsAre(real_1, real_2, real_m));
        }
      }
    }
  }
}

TEST(EvaluateCountTest, SixtyFourMethodsAreComparedAndNoMore) {
  CountedRun run(2, {0, 0});
  const std::string file = run.Write("one.run", {{{0, 1}, 0.9}});
  std::vector<std::string> files(64, file);
  const auto all = MergeCaptures(run.get(), files, 0.1, 0.5, "merged.run");
  ASSERT_TRUE(all);
  EXPECT_EQ(all->seen, 1u);
  EXPECT_EQ(all->against_others[63][90].m, 1u);
  files.push_back(file);
  const auto more = MergeCaptures(run.get(), files, 0.1, 0.5, "merged.run");
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace twinset
