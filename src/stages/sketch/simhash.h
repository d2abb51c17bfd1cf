// SimHash: signs of sums over features, so that the angle between two documents
// becomes a number of differing bits (Charikar, STOC 2002).
// See docs/methods/simhash.md.
#ifndef TWINSET_SRC_STAGES_SKETCH_SIMHASH_H_
#define TWINSET_SRC_STAGES_SKETCH_SIMHASH_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/fingerprint.h"
#include "core/frequency_table.h"
#include "sketch/sketcher.h"

namespace twinset {

// The vote of every bit. A feature of value g and weight w gives +w to the bits
// that are set in g and -w to the others; the bit of the fingerprint is set iff
// the sum is above 0, so a tie is 0. Place 0 is the highest bit of g; beyond 64
// places, the values are those of SplitMix64 started at g. Immutable;
// thread-safe.
class SimHash {
 public:
  // 1 to kMaxFingerprintBits `bits`. Each occurrence of a feature weighs 1,
  // with `idf` its IDF; equal features then best stand side by side, and 4
  // bytes per feature of the table are held beside it.
  explicit SimHash(int bits, std::shared_ptr<const FrequencyTable> idf = {});

  int bits() const { return bits_; }
  // One sum for each bit, in the order of the bits of the sketch. Up to 2^40
  // features cannot overflow.
  std::vector<int64_t> Votes(std::span<const uint64_t> features) const;
  // The same of features with their weights side by side, a weight below 2^32
  // behind each feature, which no IDF changes. Up to 2^30 features cannot
  // overflow.
  std::vector<int64_t> WeightedVotes(std::span<const uint64_t> pairs) const;
  // The signs of such sums.
  Sketch Fingerprint(std::span<const int64_t> votes) const;

 private:
  class Weights;
  int bits_;
  std::shared_ptr<const Weights> weights_;  // null: all 1
};

// The fingerprint of the features as they come: of a set of hashes, of all
// occurrences, or with `idf` of occurrences weighed by it. The estimate is the
// share of equal bits, 1 - distance / bits: 1 minus the estimated angle over
// pi, not a resemblance. kUsage unless 1 <= bits <= kMaxFingerprintBits.
Result<std::unique_ptr<Sketcher>> MakeSimHashSketcher(
    int bits, std::shared_ptr<const FrequencyTable> idf = {});

// The fingerprint of features with their own weights, as WeightedVotes takes
// them; with `votes` followed by words as those of MakeVoteSketcher.
Result<std::unique_ptr<Sketcher>> MakeWeightedSimHashSketcher(int bits,
                                                              bool votes);

// The same, followed by one word a bit: |sum|, all of them shifted right as far
// as it takes the largest to fit. What probes in the order of volatile bits
// need (Sood and Loguinov, CIKM 2011).
Result<std::unique_ptr<Sketcher>> MakeVoteSketcher(
    int bits, std::shared_ptr<const FrequencyTable> idf = {});

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_SKETCH_SIMHASH_H_
