// Do the intervals of sizes by queries hold? As intervals_test.cc.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "coverage/held.h"
#include "estimate/bootstrap.h"
#include "estimate/corpus_size.h"

namespace twinset {
namespace {

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
  const double u = UniformDraw(random);
  if (law.exponent == 0)
    return law.most == 0 ? 0.2 + 1.6 * u : -std::log(1 - u);
  return 0.5 * std::min(law.most, std::pow(1 - u, -1 / (law.exponent - 1)));
}

double MeanOf(const Law& law) {
  if (law.exponent == 0) return 1;
  // The mean of min(X, m) with P(X > x) = x^-a from 1 on is 1 + the integral of
  // that.
  const double a = law.exponent - 1;
  return 0.5 * (1 + (a == 1 ? std::log(law.most)
                            : (std::pow(law.most, 1 - a) - 1) / (1 - a)));
}

std::vector<PoolQuery> Draw(const Law& law, int queries, double share,
                            double in_other, SplitMix64* random) {
  std::vector<PoolQuery> drawn;
  for (int q = 0; q < queries; ++q) {
    PoolQuery query{UniformDraw(random) < share ? SumOf(law, random) : 0, 0};
    // Each has as much of four pages.
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

}  // namespace
}  // namespace twinset
