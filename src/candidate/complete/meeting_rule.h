// Which two postings of one element make a pair (docs/methods/complete.md).
#ifndef TWINSET_SRC_CANDIDATE_COMPLETE_MEETING_RULE_H_
#define TWINSET_SRC_CANDIDATE_COMPLETE_MEETING_RULE_H_

#include <algorithm>
#include <cstdint>

#include "candidate/complete/overlap_bounds.h"
#include "candidate/complete/prefix_postings.h"

namespace twinset::inline v1 {

// By the sizes of two documents and the places of the element in their orders
// (Xiao et al. 2008, positional filter). Keeps every pair at the threshold at
// one of its common elements. Immutable.
class MeetingRule {
 public:
  explicit MeetingRule(const OverlapBounds& bounds)
      : bounds_(bounds),
        by_position_(bounds.measure() != JoinMeasure::kCosineTf) {}

  // The least size of a smaller document that can be a pair with one of `size`.
  // Also of a saturated one: it may be larger than that.
  uint64_t LeastPartner(uint64_t size) const {
    return bounds_.SmallestPartner(size);
  }
  // Of `small` < `large`, whose size is at least LeastPartner of the other's.
  bool Meets(const PrefixPosting& small, const PrefixPosting& large) const {
    if (!small.indexed()) return false;
    // They met before.
    if (small.before() == large.before() && !small.is_first()) return false;
    if (!by_position_ || IsSaturated(large.size())) return true;
    const uint64_t behind = std::min(small.size() - small.position(),
                                     large.size() - large.position());
    return behind >= bounds_.Required(small.size(), large.size());
  }
  // Of two in any order.
  bool MeetAtAll(const PrefixPosting& x, const PrefixPosting& y) const {
    const auto& [small, large] = std::minmax(x, y);
    return small.size() >= LeastPartner(large.size()) && Meets(small, large);
  }

 private:
  // Of a saturated size or place nothing follows for what is behind it.
  static bool IsSaturated(uint64_t size) {
    return size >=
           std::min(PrefixPosting::kMaxSize, PrefixPosting::kMaxPosition);
  }

  OverlapBounds bounds_;
  bool by_position_;
};

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_CANDIDATE_COMPLETE_MEETING_RULE_H_
