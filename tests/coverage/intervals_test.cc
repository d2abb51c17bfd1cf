// Do the intervals of estimates hold? Each on populations whose truth is known,
// 400 seeds each. TWINSET_LONG=1 prints the table of docs/studies/intervals.md.
#include "estimate/intervals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "coverage/held.h"
#include "estimate/bootstrap.h"
#include "estimate/capture_recapture.h"
#include "estimate/relative_size.h"
#include "estimate/weighted.h"

namespace twinset {
namespace {

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
        const bool one = UniformDraw(&random) < p,
                   two = UniformDraw(&random) < p;
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
        if (UniformDraw(&random) < chances[x]) engines |= uint64_t{1} << x;
      if (engines == 0) continue;
      pages.push_back(engines);
      for (int x = 0; x < 3; ++x) in[x] += (engines >> x) & 1;
    }
    Held all, size, share, two, many, bounds, bound_shares;
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
      std::vector<EngineOverlap> overlaps;
      for (size_t x = 0; x < 3; ++x)
        for (size_t y = 0; y < 3; ++y)
          if (x != y)
            overlaps.push_back(
                {x, y,
                 static_cast<double>(count(x, y)) / static_cast<double>(n), n});
      const auto sizes = RelativeSizesOfMany(3, overlaps, {1, 200, 1});
      if (!sizes) continue;
      many.Add(sizes->intervals[1], in[1] / in[0]);
      bounds.Add(sizes->all_interval,
                 static_cast<double>(pages.size()) / in[0]);
      bound_shares.Add(sizes->share_intervals[0],
                       in[0] / static_cast<double>(pages.size()));
    }
    const std::string population = "three engines, " + std::to_string(draws) +
                                   " draws, chances " +
                                   std::to_string(p).substr(0, 4) + " and " +
                                   std::to_string(q).substr(0, 4);
    Tell("coverage, union of all", population, all);
    Tell("coverage, relative size", population, size);
    Tell("coverage, share of the union", population, share);
    Tell("relative, of two", population, two);
    Tell("relative, of many", population, many);
    Tell("relative, all engines (from bound to bound)", population, bounds);
    Tell("relative, share of all (from bound to bound)", population,
         bound_shares);
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
      const double u = UniformDraw(&random);
      const double size = std::exp(shape * u);  // up to e^shape times as likely
      value.push_back(UniformDraw(&random) < planted * (0.5 + u));
      length.push_back(100 -
                       200 * std::log(1 - UniformDraw(&random)) * (0.5 + u));
      total += size;
      sums.push_back(total);
      truth += value.back() / 4000;
      mean += length.back() / 4000;
    }
    std::vector<double> sorted = length;
    std::sort(sorted.begin(), sorted.end());
    Held shares, means, medians, high, expanded;
    for (int seed = 0; seed < kSeeds; ++seed) {
      std::vector<WeightedValue> of_share, of_mean, of_total;
      std::vector<uint64_t> drawn;
      for (int i = 0; i < count; ++i) {
        const double at = UniformDraw(&random) * total;
        const auto page = static_cast<size_t>(
            std::upper_bound(sums.begin(), sums.end() - 1, at) - sums.begin());
        const double size = sums[page] - (page == 0 ? 0 : sums[page - 1]);
        of_share.push_back({value[page], 1 / size});
        of_mean.push_back({length[page], 1 / size});
        of_total.push_back({length[page], total / size});
        drawn.push_back(page);
      }
      const WeightedOptions options{false, {1, 0, 1}};
      const auto one = HajekMean(of_mean, options);
      shares.Add(HajekShare(of_share, options)->estimate.interval, truth);
      means.Add(one->estimate.interval, mean);
      medians.Add(HajekQuantile(of_mean, 0.5, options)->estimate.interval,
                  sorted[1999]);
      high.Add(HajekQuantile(of_mean, 0.9, options)->estimate.interval,
               sorted[3599]);
      expanded.Add(
          HorvitzThompsonTotal(of_total, drawn, options)->estimate.interval,
          4000 * mean);
    }
    const std::string population =
        std::to_string(count) + " draws, up to " +
        std::to_string(std::exp(shape)).substr(0, 4) + " times as likely";
    Tell("share of " + std::to_string(planted).substr(0, 4), population,
         shares);
    Tell("mean", population, means);
    Tell("median", population, medians);
    Tell("quantile of 90 %", population, high);
    Tell("mean, Horvitz-Thompson", population, expanded);
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

}  // namespace
}  // namespace twinset
