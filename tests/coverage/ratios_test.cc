// Do the intervals of ratios hold? As intervals_test.cc.
#include "estimate/ratios.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "coverage/held.h"
#include "estimate/bootstrap.h"

namespace twinset {
namespace {

// Draws how many pages an engine has of a subject with about `pages` in a web.
double FoundOf(double pages, double share, SplitMix64* random) {
  return static_cast<double>(
      BinomialDraw(static_cast<uint64_t>(pages), share)(random));
}

double PowerLawUpTo(double exponent, double most, SplitMix64* random) {
  return std::min(most, std::pow(1 - UniformDraw(random), -1 / (exponent - 1)));
}

struct PairPopulation {
  std::string name;
  std::function<RatioPair(SplitMix64*)> draw;
};

const std::vector<PairPopulation>& PairPopulations() {
  static const std::vector<PairPopulation> populations = {
      {"subjects of 40 pages",
       [](SplitMix64* random) {
         return RatioPair{FoundOf(40, 0.6, random), FoundOf(40, 0.3, random)};
       }},
      {"subjects of 4 pages, many zeros",
       [](SplitMix64* random) {
         return RatioPair{FoundOf(4, 0.5, random), FoundOf(4, 0.25, random)};
       }},
      {"exponential subjects",
       [](SplitMix64* random) {
         const double pages = -30 * std::log(1 - UniformDraw(random));
         return RatioPair{FoundOf(pages, 0.6, random),
                          FoundOf(pages, 0.3, random)};
       }},
      {"power law 3, up to 20 times",
       [](SplitMix64* random) {
         const double pages = 10 * PowerLawUpTo(3, 20, random);
         return RatioPair{FoundOf(pages, 0.6, random),
                          FoundOf(pages, 0.3, random)};
       }},
      {"power law 2.5, up to 100 times",
       [](SplitMix64* random) {
         const double pages = 10 * PowerLawUpTo(2.5, 100, random);
         return RatioPair{FoundOf(pages, 0.6, random),
                          FoundOf(pages, 0.3, random)};
       }},
      {"power law 2.5, the ratio of large subjects another",
       [](SplitMix64* random) {
         const double pages = 10 * PowerLawUpTo(2.5, 100, random);
         return RatioPair{FoundOf(pages, pages > 50 ? 0.3 : 0.6, random),
                          FoundOf(pages, 0.3, random)};
       }},
      {"two laws 2.5 that do not know each other",
       [](SplitMix64* random) {
         return RatioPair{std::floor(4 * PowerLawUpTo(2.5, 100, random)),
                          std::floor(2 * PowerLawUpTo(2.5, 100, random))};
       }},
  };
  return populations;
}

TEST(Intervals, OfRatios) {
  SplitMix64 random(9);
  for (const PairPopulation& population : PairPopulations()) {
    double x = 0, y = 0, ratios = 0, with_y = 0, inverses = 0, with_both = 0;
    for (int i = 0; i < 400000; ++i) {
      const RatioPair pair = population.draw(&random);
      x += pair.x;
      y += pair.y;
      if (pair.y == 0) continue;
      ratios += pair.x / pair.y;
      ++with_y;
      if (pair.x == 0) continue;
      inverses += pair.y / pair.x;
      ++with_both;
    }
    for (const int count : {30, 100, 400}) {
      Held sums, mean, harmonic;
      for (int seed = 0; seed < kSeeds; ++seed) {
        std::vector<RatioPair> pairs;
        for (int i = 0; i < count; ++i)
          pairs.push_back(population.draw(&random));
        const auto found = FindRatios(pairs);
        if (!found) continue;
        const auto add = [](const RatioEstimate& estimate, double truth,
                            Held* held) {
          if (estimate.has_interval)
            held->Add(estimate.estimate.interval, truth);
        };
        add(found->of_sums, x / y, &sums);
        add(found->mean, ratios / with_y, &mean);
        add(found->harmonic, with_both / inverses, &harmonic);
      }
      const std::string of =
          std::to_string(count) + " pairs, " + population.name;
      Tell("ratio of sums", of, sums);
      Tell("mean of ratios", of, mean);
      Tell("harmonic mean of ratios", of, harmonic);
    }
  }
}

}  // namespace
}  // namespace twinset
