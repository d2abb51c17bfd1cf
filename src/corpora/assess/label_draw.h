// A seeded sample of pairs, drawn from each stratum by itself
// (docs/methods/assessment.md).
#ifndef TWINSET_SRC_CORPORA_ASSESS_LABEL_DRAW_H_
#define TWINSET_SRC_CORPORA_ASSESS_LABEL_DRAW_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/corpora/assess.h"
#include "twinset/error.h"

namespace twinset {

struct DrawnForLabels {
  std::string a, b;
  double similarity = 0;
  uint64_t draw = 0;  // a hash of both ids under the seed
  // The order of the draw. Pairs of several runs that are the same have the
  // same draw, so their samples share as many pairs as they can.
  friend bool operator<(const DrawnForLabels& x, const DrawnForLabels& y);
};

struct PairStratum {
  std::string name;
  uint64_t pairs = 0;                 // that were added
  std::vector<DrawnForLabels> drawn;  // in the order of the draw
};

// The pairs with the least draws of each stratum; neither the order of the
// pairs nor the threads of the run matter. Memory: `most` pairs a stratum.
class LabelDraw {
 public:
  static constexpr size_t kMostStrata = 200;
  LabelDraw(AssessStrata strata, uint64_t most, uint64_t seed)
      : by_(strata), most_(most), seed_(seed) {}

  // No similarity: it is not known. kUsage for too many strata.
  Status Add(std::string_view a, std::string_view b,
             std::optional<double> similarity, std::string_view kind);

  // By name; then the object is empty.
  std::vector<PairStratum> Take();

 private:
  std::string StratumOf(std::optional<double> similarity,
                        std::string_view kind) const;

  AssessStrata by_;
  uint64_t most_, seed_;
  std::map<std::string, PairStratum> strata_;  // `drawn` is a heap
};

// How many of `total` pairs are drawn from each stratum: two of each as far as
// they go, so that each has a variance, and the rest in proportion to the
// sizes, by largest remainders; never more than there are.
std::vector<uint64_t> ShareOut(const std::vector<uint64_t>& sizes,
                               uint64_t total);

// "0.85-0.9" of the twentieth that a similarity stands in, "1" of equal pairs.
std::string SimilarityRange(double similarity);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_ASSESS_LABEL_DRAW_H_
