// For tests only: true and found pairs of a small corpus, drawn at random, in
// the work files of a run.
#ifndef TWINSET_SRC_DEDUP_EVALUATE_EVALUATE_TESTING_H_
#define TWINSET_SRC_DEDUP_EVALUATE_EVALUATE_TESTING_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "evaluate/evaluate_count.h"
#include "pipeline/run/test_run.h"

namespace twinset {

using PairValues = std::map<std::pair<uint64_t, uint64_t>, double>;

// Some of all pairs, each with the similarity that `value` gives it.
inline PairValues RandomPairs(
    uint64_t documents, double share, SplitMix64* random,
    const std::function<double(uint64_t, uint64_t)>& value) {
  PairValues pairs;
  for (uint64_t a = 0; a < documents; ++a)
    for (uint64_t b = a + 1; b < documents; ++b)
      if (static_cast<double>(random->Below(1000)) < 1000 * share)
        pairs[{a, b}] = value(a, b);
  return pairs;
}

// Twenty possible similarities of a pair, 1 among them, by its numbers alone.
inline double ValueOfPair(uint64_t a, uint64_t b) {
  return static_cast<double>(Mix64(a * 1000 + b) % 20 + 1) / 20;
}

class CountedRun {
 public:
  // Host number `host[d]` of document d; 0: it has none. `first`: if not 0, so
  // many documents are of the first of two collections.
  CountedRun(uint64_t documents, const std::vector<uint64_t>& host,
             uint64_t first = 0)
      : run_(documents, {}, [first](Plan* plan) {
          plan->inputs.first_side = first == 0 ? 0 : 1;
        }) {
    get()->counts.read.sides[0].outcome.documents = first;
    auto hosts = PagedArray<uint64_t>::Create(
        get()->Path("hosts.tmp"), documents, 1 << 20, &get()->budget);
    EXPECT_TRUE(hosts);
    for (uint64_t d = 0; d < documents; ++d)
      EXPECT_TRUE(hosts->Set(d, host[d]));
    hosts_ = std::make_unique<PagedArray<uint64_t>>(std::move(*hosts));
  }
  Run* get() { return run_.get(); }
  TestRun& test() { return run_; }
  PagedArray<uint64_t>* hosts() { return hosts_.get(); }

  // The pairs as a file of that name.
  std::string Write(const std::string& name, const PairValues& pairs) {
    std::vector<VerifiedPair> records;
    for (const auto& [pair, value] : pairs)
      records.push_back({pair.first, pair.second, value});
    run_.WriteRecords<VerifiedPair>(name, records);
    return name;
  }

 private:
  TestRun run_;
  std::unique_ptr<PagedArray<uint64_t>> hosts_;
};

// A truth of judged pairs, as JudgedPairs holds it.
inline JudgedPairs Judged(const PairValues& pairs, bool labels) {
  JudgedPairs judged;
  judged.labels = labels;
  for (const auto& [pair, value] : pairs)
    judged.pairs.push_back({pair.first, pair.second, value});
  return judged;
}

// A truth of one of the three kinds, and what of a method's pairs it judges: by
// the definitions.
struct NaiveTruth {
  enum Kind { kComputed, kSimilarities, kLabels };
  Kind kind = kComputed;
  PairValues pairs;     // of the truth
  PairValues computed;  // of a method, with the similarities of the base
  double threshold = 0.5;

  bool IsTrue(double value) const {
    return value >= (kind == kLabels ? 1 : threshold);
  }
  PairValues True() const {
    PairValues result;
    for (const auto& [pair, value] : pairs)
      if (IsTrue(value)) result[pair] = value;
    return result;
  }
  PairValues Found() const {
    if (kind == kComputed) return computed;
    PairValues result;
    for (const auto& [pair, value] : computed) {
      const auto judged = pairs.find(pair);
      if (judged != pairs.end()) result[pair] = judged->second;
      if (judged == pairs.end() && kind == kSimilarities) result[pair] = 0;
    }
    return result;
  }
  PairValues Correct() const {
    PairValues result;
    for (const auto& [pair, value] : Found())
      if (IsTrue(value)) result[pair] = value;
    return result;
  }
};

// Calls `body(naive, source, file)` for several random cases of each kind.
inline void ForEachCase(
    uint64_t documents, CountedRun* run,
    const std::function<void(const NaiveTruth&, const TruthSource&,
                             const std::string&)>& body) {
  SplitMix64 random(documents);
  for (const auto kind : {NaiveTruth::kComputed, NaiveTruth::kSimilarities,
                          NaiveTruth::kLabels}) {
    for (int trial = 0; trial < 5; ++trial) {
      NaiveTruth naive;
      naive.kind = kind;
      naive.threshold = 0.25 * static_cast<double>(1 + random.Below(4));
      const double share = trial == 0 ? 0 : 0.1 + 0.15 * trial;
      naive.pairs = RandomPairs(documents, share, &random, [&](auto a, auto b) {
        return kind == NaiveTruth::kLabels
                   ? static_cast<double>(random.Below(3))
                   : ValueOfPair(a, b);
      });
      naive.computed =
          RandomPairs(documents, trial == 1 ? 0 : 0.3, &random, ValueOfPair);
      // What the computed truth does not have is below its floor.
      if (kind == NaiveTruth::kComputed) {
        for (auto& [pair, value] : naive.computed)
          if (!naive.pairs.contains(pair)) value = 0.05;
      }
      const JudgedPairs judged =
          Judged(naive.pairs, kind == NaiveTruth::kLabels);
      TruthSource source;
      if (kind == NaiveTruth::kComputed) {
        source.file = run->Write("truth.run", naive.pairs);
      } else {
        source.judged = &judged;
      }
      body(naive, source, run->Write("found.run", naive.computed));
    }
  }
}

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_EVALUATE_EVALUATE_TESTING_H_
