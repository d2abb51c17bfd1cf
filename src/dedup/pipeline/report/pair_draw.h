// Which pairs a report shows: a typical one, and of each stratum of similarity
// and each kind of difference a few drawn at random.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_REPORT_PAIR_DRAW_H_
#define TWINSET_SRC_DEDUP_PIPELINE_REPORT_PAIR_DRAW_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "twinset/json.h"

namespace twinset {

struct DrawnPair {
  std::string a, b;  // as the row names them
  Json row;
  double similarity = 0;
  uint64_t draw = 0;  // a hash of both names under the seed
};

// The draws with the least hashes, so neither the order of the rows nor the
// threads of the run matter. Memory: the pairs that are kept, at most 41.
class PairDraw {
 public:
  // Strata: equal pairs, and four of equal width from `threshold` to 1.
  PairDraw(double threshold, uint64_t seed)
      : threshold_(threshold), seed_(seed) {}

  // The pair whose similarity is nearest to this one is shown, and shown first.
  // Before the first Add.
  void BeginNear(double similarity) { typical_ = similarity; }

  void Add(const std::string& a, const std::string& b, double similarity,
           const Json& row);

  // The typical pair, then the others by similarity ascending, each pair once;
  // then the object is empty.
  std::vector<DrawnPair> Take();

 private:
  static constexpr size_t kStrata = 5, kEqual = 4;
  static constexpr size_t kOfStratum = 2, kOfKind = 1, kMostKinds = 12;
  static void Keep(const DrawnPair& pair, size_t most,
                   std::vector<DrawnPair>* of);
  bool IsMoreTypical(const DrawnPair& pair) const;

  double threshold_;
  uint64_t seed_;
  std::vector<DrawnPair> strata_[kStrata];
  std::map<std::string, std::vector<DrawnPair>> kinds_;
  std::optional<double> typical_;
  std::optional<DrawnPair> nearest_;  // to typical_
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_REPORT_PAIR_DRAW_H_
