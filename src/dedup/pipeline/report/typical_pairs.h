// Which pairs of a match a report shows: of each kind of relation those that
// stand in the middle of it.
//
//   TypicalPairs typical;
//   for each row of best: typical.Count(similarity, row);
//   typical.Choose(false);
//   for each row again: typical.Take(a, b, similarity, row);
//
// The pairs of a kind are in the order of their similarity, in thousandths, and
// among equals in the order of the rows. Neither a seed nor the machine decides
// which are taken.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_REPORT_TYPICAL_PAIRS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_REPORT_TYPICAL_PAIRS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/report/pair_draw.h"
#include "twinset/json.h"

namespace twinset {

struct PairGroup {
  bool is_full = false;  // similarity 1
  std::string kind;      // the duplicate_kind of its rows; empty: they say none
  uint64_t pairs = 0;
  std::vector<DrawnPair> shown;  // in the order described above
};

// Memory: 24 KB for each of at most 12 kinds, and the pairs that are taken.
class TypicalPairs {
 public:
  static constexpr size_t kMostGroups = 12, kLooked = 9;

  void Count(double similarity, const Json& row);
  // Three of each kind, at one sixth, one half and five sixths; where there are
  // more than four kinds, the one in the middle. With `looks_closer`, of the
  // full ones without a kind kLooked at regular steps, for a caller who tells
  // them apart by their texts.
  void Choose(bool looks_closer);
  void Take(const std::string& a, const std::string& b, double similarity,
            const Json& row);

  // Full ones first, otherwise in the order in which they came.
  std::vector<PairGroup> Groups() &&;
  // Pairs of kinds beyond the first 12.
  uint64_t others() const { return others_; }
  // What Choose takes of each kind at most.
  static size_t MostOf(size_t groups) { return groups > 4 ? 1 : 3; }

 private:
  struct Wanted {
    size_t bin = 0;
    uint64_t rank = 0;  // within the bin
  };
  struct Counted {
    PairGroup group;
    std::array<uint64_t, 1001> counts{}, seen{};  // by thousandths
    std::vector<Wanted> wanted;
  };

  Counted* Find(double similarity, const Json& row);
  static size_t BinOf(double similarity);

  std::vector<Counted> groups_;
  uint64_t others_ = 0;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_REPORT_TYPICAL_PAIRS_H_
