// Do the intervals of servers and their pages hold? As intervals_test.cc, by
// what the commands print.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "coverage/held.h"
#include "estimate/bootstrap.h"
#include "estimate/power_law.h"
#include "estimate/power_law_testing.h"
#include "estimate/weighted.h"
#include "servers/random_ip.h"
#include "twinset/measure/estimate.h"

namespace twinset {
namespace {

struct PageLaw {
  std::string name;
  double exponent;  // of a power law; 0: none
  std::function<uint64_t(SplitMix64*)> draw;
};

PageLaw PowerLawPages(double exponent, uint64_t most) {
  return {"power law " + Short(exponent) + " up to " + std::to_string(most),
          exponent, [=](SplitMix64* random) {
            return std::min(most, DrawPowerLaw(exponent, 1, random));
          }};
}

const std::vector<PageLaw>& PageLaws() {
  static const std::vector<PageLaw> laws = {
      {"1 to 20 alike", 0,
       [](SplitMix64* random) { return 1 + random->Below(20); }},
      {"exponential of mean 20", 0,
       [](SplitMix64* random) {
         return static_cast<uint64_t>(1 -
                                      20 * std::log(1 - UniformDraw(random)));
       }},
      {"log-normal of spread 1.5", 0,
       [](SplitMix64* random) {
         const double radius =
             std::sqrt(-2 * std::log(1 - UniformDraw(random)));
         const double normal =
             radius * std::cos(2 * 3.141592653589793 * UniformDraw(random));
         return static_cast<uint64_t>(1 + 10 * std::exp(1.5 * normal));
       }},
      PowerLawPages(3.5, 1000000),
      PowerLawPages(3, 1000000),
      PowerLawPages(2.5, 1000),
      PowerLawPages(2.3, 300),
      PowerLawPages(2.2, 10000),
  };
  return laws;
}

double MeanOf(const PageLaw& law) {
  static std::map<std::string, double> means;
  const auto [mean, is_new] = means.emplace(law.name, 0);
  if (!is_new) return mean->second;
  SplitMix64 random(99);
  constexpr int kDraws = 2000000;
  for (int i = 0; i < kDraws; ++i)
    mean->second += static_cast<double>(law.draw(&random)) / kDraws;
  return mean->second;
}

// The short form takes some of the laws: most are slow to fit.
bool IsLeftOut(const PageLaw& law) {
  return !IsLong() && law.exponent != 0 && law.exponent != 3;
}

const EstimatedValue* Find(const EstimateResult& result,
                           const std::string& name) {
  if (result.estimate.name == name) return &result.estimate;
  for (const EstimatedValue& value : result.values)
    if (value.name == name) return &value;
  return nullptr;
}

void Add(const EstimateResult& result, const std::string& name, double truth,
         Held* held) {
  const EstimatedValue* value = Find(result, name);
  if (value == nullptr) return;
  if (value->interval)
    held->Add({value->interval->low, value->interval->high}, truth);
}

TEST(Intervals, OfServersAndTheirPages) {
  constexpr double kChance = 0.1;
  constexpr uint64_t kAddresses = 1000000;
  const int seeds = IsLong() ? kSeeds : 100;
  SplitMix64 random(10);
  const std::string path = ::testing::TempDir() + "servers.csv";
  for (const PageLaw& law : PageLaws()) {
    if (IsLeftOut(law)) continue;
    const double mean = MeanOf(law);
    for (const uint64_t hits : {200, 2000}) {
      const auto trials =
          static_cast<uint64_t>(static_cast<double>(hits) / kChance);
      Held each, servers, pages;
      for (int seed = 0; seed < seeds; ++seed) {
        const uint64_t found = BinomialDraw(trials, kChance)(&random);
        std::ofstream file(path);
        file << "pages\n";
        for (uint64_t i = 0; i < found; ++i) file << law.draw(&random) << "\n";
        file.close();
        EstimateOptions options;
        options.what = Estimand::kServers;
        options.inputs = {path};
        options.trials = trials;
        options.addresses = kAddresses;
        options.replicas = 0;  // those are of the exponent
        const auto result = Estimate(options);
        ASSERT_TRUE(result) << result.error().message;
        Add(*result, "pages_per_server", mean, &each);
        Add(*result, "servers", kChance * kAddresses, &servers);
        Add(*result, "pages", kChance * kAddresses * mean, &pages);
      }
      const std::string of = std::to_string(hits) + " servers, " + law.name;
      Tell("pages per server", of, each);
      if (IsLong()) Tell("servers", of, servers);
      Tell("pages", of, pages);
    }
  }
}

TEST(Intervals, OfMeansOfSkewedValues) {
  SplitMix64 random(12);
  for (const PageLaw& law : PageLaws()) {
    if (IsLeftOut(law)) continue;
    const double mean = MeanOf(law);
    for (const int count : {100, 400, 1000}) {
      Held held, total;
      for (int seed = 0; seed < kSeeds; ++seed) {
        // Half of the pages are drawn half as often.
        std::vector<WeightedValue> draws, expanded;
        std::vector<uint64_t> pages;
        while (draws.size() < static_cast<size_t>(count)) {
          const auto value = static_cast<double>(law.draw(&random));
          const bool rare = UniformDraw(&random) < 1. / 3;
          draws.push_back({value, rare ? 2. : 1.});
          expanded.push_back({value, rare ? 1.5e6 : 0.75e6});
          pages.push_back(pages.size());
        }
        held.Add(HajekMean(draws, {false, {1, 0, 1}})->estimate.interval, mean);
        total.Add(HorvitzThompsonTotal(expanded, pages, {false, {1, 0, 1}})
                      ->estimate.interval,
                  1e6 * mean);
      }
      const std::string of = std::to_string(count) + " draws, " + law.name;
      const double least = count < 400 ? 3 : 2.5;
      const bool holds = law.exponent == 0 || law.exponent >= least;
      Tell("mean", of, held, holds);
      Tell("mean, Horvitz-Thompson", of, total, holds);
    }
  }
}

TEST(Intervals, OfRandomAddresses) {
  constexpr double kChance = 0.1;
  constexpr uint64_t kAddresses = 1000000;
  const int seeds = IsLong() ? 300 : 10;
  SplitMix64 random(11);
  for (const PageLaw& law : PageLaws()) {
    if (IsLeftOut(law)) continue;
    const double mean = MeanOf(law);
    for (const uint64_t hits : {200, 2000}) {
      if (hits > 200 && !IsLong()) continue;  // a law is fitted to each
      const auto trials =
          static_cast<uint64_t>(static_cast<double>(hits) / kChance);
      Held servers, sites, pages, exponent;
      for (int seed = 0; seed < seeds; ++seed) {
        ProbeTotals totals;
        for (uint64_t i = 0; i < trials; ++i) {
          ProbeFacts facts;
          facts.outcome = ProbeOutcome::kNoAnswer;
          if (UniformDraw(&random) < kChance) {
            facts.outcome = ProbeOutcome::kServer;
            // One site in four stands at four addresses, and is met as often.
            const bool farm = UniformDraw(&random) < 0.25;
            facts.sites.resize(UniformDraw(&random) < 0.1 ? 2 : 1);
            for (SiteFacts& site : facts.sites) {
              site.pages = law.draw(&random);
              site.addresses = farm ? 4 : 1;
            }
          }
          totals.Add(facts);
        }
        const RandomIpSummary summary =
            totals.Summarise(kAddresses, static_cast<uint64_t>(seed));
        const double all = kChance * kAddresses;
        const double all_sites = all * 1.1 * (0.75 + 0.25 / 4);
        const auto add = [](const NetworkEstimate& estimate, double truth,
                            Held* held) {
          if (estimate.no_interval.empty())
            held->Add({estimate.low, estimate.high}, truth);
        };
        add(summary.servers, all, &servers);
        add(summary.sites, all_sites, &sites);
        add(summary.pages, all_sites * mean, &pages);
        const auto& fit = summary.pages_per_site.exponent;
        if (fit && fit->high && law.exponent > 0)
          exponent.Add({*fit->low, *fit->high}, law.exponent);
      }
      const std::string of = std::to_string(hits) + " servers, " + law.name;
      Tell("random addresses: servers", of, servers);
      Tell("random addresses: sites", of, sites);
      Tell("random addresses: pages", of, pages);
      if (law.exponent > 0) Tell("random addresses: exponent", of, exponent);
    }
  }
}

}  // namespace
}  // namespace twinset
