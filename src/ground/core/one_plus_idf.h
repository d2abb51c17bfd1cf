// Weights of features that are the higher the rarer they are
// (docs/methods/measures.md).
#ifndef TWINSET_SRC_GROUND_CORE_ONE_PLUS_IDF_H_
#define TWINSET_SRC_GROUND_CORE_ONE_PLUS_IDF_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "core/frequency_table.h"

namespace twinset {

// What one occurrence of a feature weighs: 1 + its IDF, in 1/65536, below 2^23.
// Found by the high bits of the features' hashes. Immutable; thread-safe.
class OnePlusIdf {
 public:
  explicit OnePlusIdf(const FrequencyTable& table)
      : features_(table.features()),
        unknown_(kOne +
                 (table.documents() == 0 ? 0 : Log2Fixed(table.documents()))) {
    const int bits = std::clamp(
        static_cast<int>(std::bit_width(features_.size())), 1, kMaxBits);
    shift_ = 64 - bits;
    begins_.resize((size_t{1} << bits) + 1);
    weights_.reserve(features_.size());
    for (const uint64_t feature : features_) {
      weights_.push_back(kOne + table.Idf(feature));
      ++begins_[(feature >> shift_) + 1];
    }
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  }
  uint64_t operator()(uint64_t feature) const {
    const size_t bucket = feature >> shift_;
    const auto begin = features_.begin() + begins_[bucket];
    const auto end = features_.begin() + begins_[bucket + 1];
    const auto at = std::lower_bound(begin, end, feature);
    return at != end && *at == feature
               ? weights_[static_cast<size_t>(at - features_.begin())]
               : unknown_;
  }

 private:
  static constexpr int kMaxBits = 20;
  static constexpr uint32_t kOne = 1 << 16;
  std::vector<uint64_t> features_;
  std::vector<uint32_t> weights_;
  std::vector<uint32_t> begins_;  // of the features of each bucket
  uint32_t unknown_;              // of features that the table does not hold
  int shift_ = 63;
};

// All who weigh features in a run share one.
using FeatureIdf = std::shared_ptr<const OnePlusIdf>;

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_CORE_ONE_PLUS_IDF_H_
