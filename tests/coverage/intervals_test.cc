// Do the intervals of estimates hold? Each on populations whose truth is known,
// 400 seeds each. TWINSET_LONG=1 prints the table of docs/studies/intervals.md.
#include "estimate/intervals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "estimate/bootstrap.h"
#include "estimate/capture_recapture.h"
#include "estimate/corpus_size.h"
#include "estimate/grouped_share.h"
#include "estimate/relative_size.h"
#include "estimate/weighted.h"

namespace twinset {
namespace {

constexpr int kSeeds = 400;
constexpr double kLeastCoverage = 0.9;

// How often `holds`, told an interval or not, of the seeds that have one.
struct Held {
  int printed = 0, held = 0;
  void Add(const Interval& interval, double truth) {
    ++printed;
    held += interval.Contains(truth);
  }
  double Share() const {
    return printed == 0 ? 1 : static_cast<double>(held) / printed;
  }
};

bool IsLong() {
  const char* value = std::getenv("TWINSET_LONG");
  return value != nullptr && *value != '\0' && *value != '0';
}

// `holds`: false of the few that are printed and known not to.
void Tell(const std::string& interval, const std::string& population,
          const Held& held, bool holds = true) {
  if (IsLong()) {
    std::printf("| %s | %s | %d | %.1f |\n", interval.c_str(),
                population.c_str(), held.printed, 100 * held.Share());
  }
  if (!holds) return;
  EXPECT_GE(held.Share(), kLeastCoverage) << interval << ", " << population;
}

// With what held had the pairs been taken one by one.
void TellGrouped(const std::string& interval, const std::string& population,
                 const Held& held, const Held& naive) {
  if (IsLong())
    std::printf("| %s | %s | %d | %.1f | %.1f |\n", interval.c_str(),
                population.c_str(), held.printed, 100 * held.Share(),
                100 * naive.Share());
  EXPECT_GE(held.Share(), kLeastCoverage) << interval << ", " << population;
}

double Uniform(SplitMix64* random) { return UniformDraw(random); }

TEST(Intervals, OfCapturesAndRecaptures) {
  SplitMix64 random(1);
  for (const auto& [size, p, q] : {std::tuple{50, .1, .1},
                                   {50, .3, .3},
                                   {50, .95, .9},
                                   {200, .05, .1},
                                   {200, .3, .05},
                                   {1000, .02, .05},
                                   {1000, .3, .3},
                                   {10000, .1, .1}}) {
    Held chapman, schnabel;
    const auto draw = [&](double of, uint64_t n) {
      return BinomialDraw(n, of)(&random);
    };
    const auto n = static_cast<uint64_t>(size);
    for (int seed = 0; seed < kSeeds; ++seed) {
      const uint64_t n1 = draw(p, n), m = draw(q, n1);
      const uint64_t n2 = m + draw(q, n - n1);
      chapman.Add(Chapman({n1, n2, m})->interval, size);
      const uint64_t marked = n1 + n2 - m, again = draw(p, marked);
      const auto three = Schnabel(std::vector<Occasion>{
          {n1, 0}, {n2, m}, {again + draw(p, n - marked), again}});
      if (three) schnabel.Add(three->interval, size);
    }
    const std::string population = std::to_string(size) + ", chances " +
                                   std::to_string(p).substr(0, 4) + " and " +
                                   std::to_string(q).substr(0, 4);
    Tell("capture-recapture (exact)", population, chapman);
    Tell("schnabel, three captures", population, schnabel);
  }
}

TEST(Intervals, OfStratifiedCaptures) {
  SplitMix64 random(2);
  for (const auto& [size, p, strata_count] : {std::tuple{600, .28, 60},
                                              {2000, .5, 20},
                                              {2000, .9, 20},
                                              {300, .3, 10},
                                              {5000, .1, 40}}) {
    Held held;
    for (int seed = 0; seed < kSeeds; ++seed) {
      std::vector<Captures> strata(static_cast<size_t>(strata_count));
      for (int i = 0; i < size; ++i) {
        Captures& stratum = strata[static_cast<size_t>(i % strata_count)];
        const bool one = Uniform(&random) < p, two = Uniform(&random) < p;
        stratum.n1 += one;
        stratum.n2 += two;
        stratum.m += one && two;
      }
      held.Add(StratifiedChapman(JoinSmallStrata(strata))->interval, size);
    }
    Tell("captures in strata (evaluate, log-normal)",
         std::to_string(size) + " in " + std::to_string(strata_count) +
             ", chance " + std::to_string(p).substr(0, 4),
         held);
  }
}

// Laws of the sum of 1 / degree of a query that has results.
struct Law {
  const char* name;
  double exponent, most;  // of a power law, in times the least; 0: see SumOf
  bool holds = true;
};

constexpr Law kLaws[] = {
    {"even", 0, 0},
    {"exponential", 0, 1},
    {"power law 3, up to 20 times", 3, 20},
    {"power law 2.5, up to 100 times", 2.5, 100},
    {"power law 2.2, up to 100 times", 2.2, 100},
    {"power law 2.5, up to 1000 times", 2.5, 1000},
    {"power law 2, up to 100 times", 2, 100},
    // Samples of it look harmless where what makes the size was not drawn.
    {"power law 2, up to 1000 times", 2, 1000, false},
};

double SumOf(const Law& law, SplitMix64* random) {
  const double u = Uniform(random);
  if (law.exponent == 0)
    return law.most == 0 ? 0.2 + 1.6 * u : -std::log(1 - u);
  return 0.5 * std::min(law.most, std::pow(1 - u, -1 / (law.exponent - 1)));
}

double MeanOf(const Law& law) {
  if (law.exponent == 0) return 1;
  // Of min(X, m) with P(X > x) = x^-a from 1 on: 1 + the integral of that.
  const double a = law.exponent - 1;
  return 0.5 * (1 + (a == 1 ? std::log(law.most)
                            : (std::pow(law.most, 1 - a) - 1) / (1 - a)));
}

std::vector<PoolQuery> Draw(const Law& law, int queries, double share,
                            double in_other, SplitMix64* random) {
  std::vector<PoolQuery> drawn;
  for (int q = 0; q < queries; ++q) {
    PoolQuery query{Uniform(random) < share ? SumOf(law, random) : 0, 0};
    // Of four pages each as much.
    const auto pages = static_cast<uint64_t>(std::ceil(4 * query.sum));
    if (pages > 0) {
      const uint64_t both = BinomialDraw(pages, in_other)(random);
      query.both =
          query.sum * (static_cast<double>(both) / static_cast<double>(pages));
    }
    drawn.push_back(query);
  }
  return drawn;
}

TEST(Intervals, OfSizesByQueries) {
  SplitMix64 random(3);
  for (const Law& law : kLaws) {
    for (const auto& [queries, share] : {std::tuple{3000, .003},
                                         {3000, .005},
                                         {3000, .02},
                                         {300, .1},
                                         {300, .5}}) {
      constexpr double kInOther = 0.3;
      Held covered, sampled, pools;
      const double truth = MeanOf(law) * share * 10000;
      for (int seed = 0; seed < kSeeds; ++seed) {
        const auto drawn = Draw(law, queries, share, kInOther, &random);
        const CorpusSize size = *PoolCoveredSize(drawn, 10000, {1, 0, 1});
        if (size.non_empty < 5) continue;
        covered.Add(size.estimate.interval, truth);
        const uint64_t found = BinomialDraw(300, 0.4)(&random);
        sampled.Add(
            SizeByUniformSample(drawn, 10000, {found, 300})->estimate.interval,
            truth / 0.4);
        const auto other = Draw(law, queries, share, kInOther, &random);
        const auto two = SizeByTwoPools(drawn, 10000, other, 10000, {1, 0, 1});
        if (two && two->all.non_empty >= 5)
          pools.Add(two->all.estimate.interval, truth / kInOther);
      }
      const std::string population =
          std::to_string(queries) + " queries, " +
          std::to_string(static_cast<int>(queries * share + 0.5)) +
          " with results, " + law.name;
      Tell("size, covered", population, covered, law.holds);
      Tell("size, by uniform sample", population, sampled, law.holds);
      Tell("size, by two pools", population, pools, law.holds);
    }
  }
}

TEST(Intervals, OfEnginesAndTheirUnion) {
  SplitMix64 random(4);
  // Chances of a page to be in each engine; pages of a second kind are easier.
  for (const auto& [p, q, draws] : {std::tuple{.6, .5, 100},
                                    {.3, .2, 100},
                                    {.3, .2, 400},
                                    {.8, .1, 200},
                                    {.15, .1, 400}}) {
    std::vector<uint64_t> pages;
    double in[3] = {0, 0, 0};
    for (int i = 0; i < 6000; ++i) {
      uint64_t engines = 0;
      const double easier = i % 3 == 0 ? 1.2 : 0.9;
      const double chances[] = {p * easier, q * easier, (p + q) / 2 * easier};
      for (int x = 0; x < 3; ++x)
        if (Uniform(&random) < chances[x]) engines |= uint64_t{1} << x;
      if (engines == 0) continue;
      pages.push_back(engines);
      for (int x = 0; x < 3; ++x) in[x] += (engines >> x) & 1;
    }
    Held all, size, share, two;
    for (int seed = 0; seed < kSeeds; ++seed) {
      std::vector<std::vector<SharedPage>> samples(3);
      for (size_t x = 0; x < 3; ++x) {
        while (samples[x].size() < static_cast<size_t>(draws)) {
          const uint64_t page = pages[random.Below(pages.size())];
          if ((page >> x) & 1) samples[x].push_back({1, page});
        }
      }
      const auto found = FindJointCoverage(samples, {1, 200, 1});
      if (!found) continue;
      all.Add(found->all_interval, static_cast<double>(pages.size()) / in[0]);
      size.Add(found->size_intervals[1], in[1] / in[0]);
      share.Add(found->share_intervals[0],
                in[0] / static_cast<double>(pages.size()));
      const auto count = [&](size_t x, size_t y) {
        return static_cast<uint64_t>(std::count_if(
            samples[x].begin(), samples[x].end(),
            [y](const SharedPage& page) { return (page.engines >> y) & 1; }));
      };
      const auto n = static_cast<uint64_t>(draws);
      const auto ratio = RelativeSizeOfTwo({count(0, 1), n}, {count(1, 0), n});
      if (ratio) two.Add(ratio->interval, in[0] / in[1]);
    }
    const std::string population = "three engines, " + std::to_string(draws) +
                                   " draws, chances " +
                                   std::to_string(p).substr(0, 4) + " and " +
                                   std::to_string(q).substr(0, 4);
    Tell("coverage, union of all", population, all);
    Tell("coverage, relative size", population, size);
    Tell("coverage, share of the union", population, share);
    Tell("relative, of two", population, two);
  }
}

// Draws of a population of 4,000 pages in proportion to a size of the page.
TEST(Intervals, OfWeightedSamples) {
  SplitMix64 random(5);
  for (const auto& [shape, planted, count] : {std::tuple{0., .2, 100},
                                              {0., .02, 400},
                                              {1., .2, 400},
                                              {1., .05, 400},
                                              {2., .2, 1000}}) {
    std::vector<double> value, length, sums;
    double total = 0, truth = 0, mean = 0;
    for (int i = 0; i < 4000; ++i) {
      const double u = Uniform(&random);
      const double size = std::exp(shape * u);  // up to e^shape times as likely
      value.push_back(Uniform(&random) < planted * (0.5 + u));
      length.push_back(100 - 200 * std::log(1 - Uniform(&random)) * (0.5 + u));
      total += size;
      sums.push_back(total);
      truth += value.back() / 4000;
      mean += length.back() / 4000;
    }
    std::vector<double> sorted = length;
    std::sort(sorted.begin(), sorted.end());
    Held shares, means, medians, booted;
    for (int seed = 0; seed < kSeeds; ++seed) {
      std::vector<WeightedValue> of_share, of_mean;
      for (int i = 0; i < count; ++i) {
        const double at = Uniform(&random) * total;
        const auto page = static_cast<size_t>(
            std::upper_bound(sums.begin(), sums.end() - 1, at) - sums.begin());
        const double size = sums[page] - (page == 0 ? 0 : sums[page - 1]);
        of_share.push_back({value[page], 1 / size});
        of_mean.push_back({length[page], 1 / size});
      }
      const WeightedOptions options{false, {1, 200, 1}};
      const auto one = HajekMean(of_mean, options);
      shares.Add(HajekShare(of_share, options)->estimate.interval, truth);
      means.Add(one->estimate.interval, mean);
      booted.Add(one->bootstrap, mean);
      medians.Add(HajekQuantile(of_mean, 0.5, options)->estimate.interval,
                  sorted[1999]);
    }
    const std::string population =
        std::to_string(count) + " draws, up to " +
        std::to_string(std::exp(shape)).substr(0, 4) + " times as likely";
    Tell("share of " + std::to_string(planted).substr(0, 4), population,
         shares);
    Tell("mean", population, means);
    Tell("mean, bootstrap", population, booted);
    Tell("median", population, medians);
  }
}

// Servers that answer: one by one.
TEST(Intervals, OfProportions) {
  SplitMix64 random(6);
  for (const auto& [trials, p] :
       {std::tuple{20, .5}, {50, .9}, {100, .99}, {1000, .02}, {1000, .95}}) {
    Held held;
    const BinomialDraw draw(static_cast<uint64_t>(trials), p);
    for (int seed = 0; seed < kSeeds; ++seed)
      held.Add(WilsonInterval(draw(&random), static_cast<uint64_t>(trials)), p);
    Tell("servers (Wilson)",
         std::to_string(trials) + " independent, " +
             std::to_string(p).substr(0, 4),
         held);
  }
}

// Pairs of groups of documents, and how many of them are found.
struct PairGroup {
  uint64_t pairs = 0, found = 0;
};

uint64_t PairsOf(uint64_t documents) { return documents * (documents - 1) / 2; }

// 2 and more documents by a power law.
uint64_t DocumentsOf(double exponent, double most, SplitMix64* random) {
  const double size = 2 * std::pow(1 - Uniform(random), -1 / (exponent - 1));
  return static_cast<uint64_t>(std::min(most, size));
}

// What is found together.
enum Together { kPairs, kDocuments, kGroups };

PairGroup Find(uint64_t documents, double p, Together together,
               SplitMix64* random) {
  PairGroup group{PairsOf(documents), 0};
  if (together == kPairs) {
    group.found = BinomialDraw(group.pairs, p)(random);
  } else if (together == kDocuments) {
    const uint64_t found = BinomialDraw(documents, std::sqrt(p))(random);
    group.found = found == 0 ? 0 : PairsOf(found);
  } else {
    group.found = Uniform(random) < p ? group.pairs : 0;
  }
  return group;
}

struct GroupedPopulation {
  std::string name;
  int groups;
  std::function<std::vector<PairGroup>(double p, int groups, SplitMix64*)> draw;
};

GroupedPopulation PowerLawGroups(const std::string& name, double exponent,
                                 double most, Together together) {
  return {name, 300, [=](double p, int groups, SplitMix64* random) {
            std::vector<PairGroup> all;
            for (int g = 0; g < groups; ++g)
              all.push_back(Find(DocumentsOf(exponent, most, random), p,
                                 together, random));
            return all;
          }};
}

// Pairs, and `count` groups that have as many pairs together.
GroupedPopulation PairsAndGroups(const std::string& name, uint64_t count) {
  return {name, 300, [=](double p, int groups, SplitMix64* random) {
            std::vector<PairGroup> all;
            for (int g = 0; g < groups; ++g)
              all.push_back(Find(2, p, kPairs, random));
            const uint64_t each = static_cast<uint64_t>(groups) / count;
            for (uint64_t g = 0; g < count; ++g)
              all.push_back({each, Uniform(random) < p ? each : 0});
            return all;
          }};
}

std::vector<GroupedPopulation> GroupedPopulations() {
  std::vector<GroupedPopulation> populations;
  populations.push_back(PowerLawGroups("pairs only", 3, 2, kPairs));
  populations.push_back(
      PowerLawGroups("2 to 30 documents, pairs one by one", 3, 30, kPairs));
  populations.push_back(
      PowerLawGroups("2 to 30 documents, found or not", 3, 30, kDocuments));
  populations.push_back(
      PowerLawGroups("2 to 30 documents, whole groups", 3, 30, kGroups));
  populations.push_back(
      PowerLawGroups("2 to 100 documents, found or not", 2.5, 100, kDocuments));
  populations.push_back(
      PowerLawGroups("2 to 100 documents, whole groups", 2.5, 100, kGroups));
  // Large groups are found less often.
  GroupedPopulation& uneven = populations.emplace_back();
  uneven = {"2 to 30 documents, large ones less", 300,
            [](double p, int groups, SplitMix64* random) {
              std::vector<PairGroup> all;
              for (int g = 0; g < groups; ++g) {
                const uint64_t documents = DocumentsOf(3, 30, random);
                all.push_back(Find(documents, documents > 6 ? p * p * p : p,
                                   kDocuments, random));
              }
              return all;
            }};
  populations.push_back(PairsAndGroups("one group of half of the pairs", 1));
  populations.push_back(PairsAndGroups("five groups of half of the pairs", 5));
  populations.push_back(
      PairsAndGroups("twenty groups of half of the pairs", 20));
  return populations;
}

GroupedTrials TrialsOf(const std::vector<PairGroup>& groups) {
  GroupedTrials trials;
  for (const PairGroup& group : groups) trials.Add(group.pairs, group.found);
  return trials;
}

TEST(Intervals, OfPairsInGroups) {
  SplitMix64 random(7);
  for (const GroupedPopulation& population : GroupedPopulations()) {
    for (const auto& [groups, p] :
         {std::tuple{50, .9}, {300, .5}, {300, .9}, {300, .99}, {2000, .9}}) {
      double pairs = 0, found = 0;
      for (int i = 0; i < 1200000 / groups / 4; ++i) {
        for (const PairGroup& group : population.draw(p, groups, &random)) {
          pairs += static_cast<double>(group.pairs);
          found += static_cast<double>(group.found);
        }
      }
      Held grouped, naive;
      for (int seed = 0; seed < kSeeds; ++seed) {
        const GroupedTrials trials =
            TrialsOf(population.draw(p, groups, &random));
        naive.Add(WilsonInterval(trials.successes(), trials.trials()),
                  found / pairs);
        const auto interval = trials.Share95();
        if (interval) grouped.Add(*interval, found / pairs);
      }
      TellGrouped("precision, recall, F1",
                  std::to_string(groups) + " groups, " + population.name +
                      ", " + std::to_string(p).substr(0, 4),
                  grouped, naive);
    }
  }
}

// A pair of a group of documents: in which captures it is.
uint64_t CapturesOf(uint64_t documents, double p, Together together,
                    SplitMix64* random, std::vector<Captures>* strata) {
  std::vector<bool> one, two;
  for (std::vector<bool>* caught : {&one, &two}) {
    const double q = together == kDocuments ? std::sqrt(p) : p;
    for (uint64_t d = 0; d < documents; ++d)
      caught->push_back(Uniform(random) < q);
  }
  uint64_t seen = 0;
  for (uint64_t a = 0; a < documents; ++a) {
    for (uint64_t b = a + 1; b < documents; ++b) {
      const auto is = [&](const std::vector<bool>& caught) {
        if (together == kPairs) return Uniform(random) < p;
        return caught[0] && (together == kGroups || caught[a]) &&
               (together == kGroups || caught[b]);
      };
      const bool first = is(one), second = is(two);
      Captures& stratum = (*strata)[(a + b) % strata->size()];
      stratum.n1 += first;
      stratum.n2 += second;
      stratum.m += first && second;
      seen += first || second;
    }
  }
  return seen;
}

TEST(Intervals, OfPairsCaughtInGroups) {
  SplitMix64 random(8);
  for (const auto& [groups, exponent, most, together, p, name] :
       {std::tuple{300, 3., 2., kPairs, .5, "pairs only"},
        {300, 3., 30., kPairs, .5, "2 to 30 documents, pairs one by one"},
        {300, 3., 30., kGroups, .5, "2 to 30 documents, whole groups"},
        {1000, 3., 30., kGroups, .3, "2 to 30 documents, whole groups"},
        {300, 2.5, 100., kGroups, .8, "2 to 100 documents, whole groups"},
        {1000, 3., 30., kDocuments, .5, "2 to 30 documents, found or not"}}) {
    Held held, naive;
    for (int seed = 0; seed < kSeeds; ++seed) {
      std::vector<Captures> strata(20);
      GroupedTrials seen;
      uint64_t all = 0;
      for (int g = 0; g < groups; ++g) {
        const uint64_t documents = DocumentsOf(exponent, most, &random);
        all += PairsOf(documents);
        seen.Add(CapturesOf(documents, p, together, &random, &strata), 0);
      }
      const auto size = *StratifiedChapman(JoinSmallStrata(strata));
      const double truth = static_cast<double>(all);
      naive.Add(size.interval, truth);
      if (seen.worth() < kLeastGroups) continue;
      held.Add(
          CaughtTogether(size, static_cast<double>(seen.trials()), seen.worth())
              .interval,
          truth);
    }
    TellGrouped("pairs caught twice (evaluate without truth)",
                std::to_string(groups) + " groups, " + name + ", " +
                    std::to_string(p).substr(0, 4),
                held, naive);
  }
}

}  // namespace
}  // namespace twinset
