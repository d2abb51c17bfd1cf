// Do the intervals of `evaluate` hold where pairs come in groups? As
// intervals_test.cc.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "coverage/held.h"
#include "estimate/bootstrap.h"
#include "estimate/capture_recapture.h"
#include "estimate/grouped_share.h"

namespace twinset {
namespace {

// Pairs of groups of documents, and how many of them are found.
struct PairGroup {
  uint64_t pairs = 0, found = 0;
};

uint64_t PairsOf(uint64_t documents) { return documents * (documents - 1) / 2; }

// 2 and more documents by a power law.
uint64_t DocumentsOf(double exponent, double most, SplitMix64* random) {
  const double size =
      2 * std::pow(1 - UniformDraw(random), -1 / (exponent - 1));
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
    group.found = UniformDraw(random) < p ? group.pairs : 0;
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
              all.push_back({each, UniformDraw(random) < p ? each : 0});
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
      for (int i = 0; i < 200000 / groups; ++i) {
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
      caught->push_back(UniformDraw(random) < q);
  }
  uint64_t seen = 0;
  for (uint64_t a = 0; a < documents; ++a) {
    for (uint64_t b = a + 1; b < documents; ++b) {
      const auto is = [&](const std::vector<bool>& caught) {
        if (together == kPairs) return UniformDraw(random) < p;
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
