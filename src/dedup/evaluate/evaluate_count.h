// What `evaluate` counts: pairs of methods against true pairs, by threshold,
// host and similarity, with samples for a closer look.
#ifndef TWINSET_SRC_DEDUP_EVALUATE_EVALUATE_COUNT_H_
#define TWINSET_SRC_DEDUP_EVALUATE_EVALUATE_COUNT_H_

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/sort_records.h"
#include "estimate/capture_recapture.h"
#include "evaluate/evaluate_truth.h"
#include "pipeline/run/run.h"

namespace twinset {

// Bins of similarity: [i / 100, (i + 1) / 100), and one for exactly 1.
inline constexpr size_t kSimilarityBins = 101;
using SimilarityBins = std::array<uint64_t, kSimilarityBins>;
size_t SimilarityBin(double score);

struct PairCounts {
  uint64_t real = 0, found = 0, correct = 0;
};

struct SampledPair {
  uint64_t key = 0;  // a hash of the two numbers: the sample has the least keys
  uint64_t a = 0, b = 0;
  double value = 0;  // similarity or label
  std::array<uint64_t, 3> SortWords() const { return {key, a, b}; }
};

// Keeps `size` pairs of those added, chosen by their numbers alone.
class PairSample {
 public:
  explicit PairSample(size_t size) : size_(size) {}
  void Add(uint64_t a, uint64_t b, double value);
  // By a, then b.
  std::vector<SampledPair> Take();

 private:
  size_t size_;
  std::vector<SampledPair> heap_;  // the largest key first
};

// A hash of the host of each document; 0: it has no URL.
Result<PagedArray<uint64_t>> LoadHosts(Run* base);

// The true pairs at one threshold. `same` and `other` host go by the two URLs;
// pairs where one has none are in neither.
struct TruthCounts {
  PairCounts all, same, other;  // `real` of each
  std::vector<SampledPair> sample;
};

// What one method found at one threshold.
struct MethodCounts {
  PairCounts all, same, other;
  SimilarityBins found{};          // true or not, by similarity
  std::vector<bool> sample_found;  // of the truth's sample
  std::vector<SampledPair> wrong;  // a sample of the false ones
};

// Where the true pairs come from.
struct TruthSource {
  std::string file;  // VerifiedPair of the base, by a, b; empty: judged
  const JudgedPairs* judged = nullptr;
  double relevant = 1;

  bool labels() const { return judged != nullptr && judged->labels; }
  bool IsTrue(double value, double threshold) const {
    return value >= (labels() ? relevant : threshold);
  }
};

// Every pair of the source with its similarity or label.
Status ForEachJudged(const Run& base, const TruthSource& truth,
                     const std::function<Status(const VerifiedPair&)>& body);
// Every pair of a method that is judged, with the value that the truth gives
// it. `file` as CountMethod.
Status ForEachFound(
    const Run& base, const TruthSource& truth, const std::string& file,
    const std::function<Status(const VerifiedPair& pair, double value)>& body);

// `sample`: how many true pairs to sample among those that are not equal, and a
// quarter as many among those that are. `bins`: of all pairs of the source.
Result<std::vector<TruthCounts>> CountTruth(
    Run* base, const TruthSource& truth, const std::vector<double>& thresholds,
    size_t sample, PagedArray<uint64_t>* hosts, SimilarityBins* bins);

// `file`: pairs of a method with the similarities of the base.
Result<MethodCounts> CountMethod(Run* base, const TruthSource& truth,
                                 const TruthCounts& counts,
                                 const std::string& file, double threshold,
                                 size_t sample, PagedArray<uint64_t>* hosts);

// Which methods caught how many of the pairs at a threshold, by similarity.
struct Recapture {
  // Captures by method i (n1) and by all others together (n2).
  std::vector<std::vector<Captures>> against_others;
  // Captures by methods i < j, in the order (0, 1), (0, 2), ..., (1, 2), ...
  std::vector<std::vector<Captures>> of_two;
  uint64_t seen = 0;  // pairs that any method caught
};

// Merges the pairs of at least `floor` of all files into `merged`, and counts
// those of at least `threshold`. At most 64 files.
Result<Recapture> MergeCaptures(Run* base,
                                const std::vector<std::string>& files,
                                double floor, double threshold,
                                const std::string& merged);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_EVALUATE_EVALUATE_COUNT_H_
