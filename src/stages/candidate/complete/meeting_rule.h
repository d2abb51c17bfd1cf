// Which two postings of one element make a pair (docs/methods/complete.md).
#ifndef TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_MEETING_RULE_H_
#define TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_MEETING_RULE_H_

#include <algorithm>
#include <cstdint>
#include <span>

#include "candidate/complete/overlap_bounds.h"
#include "candidate/complete/prefix_postings.h"

namespace twinset {

// By the sizes of two documents and the places of the element in their orders
// (Xiao et al. 2008, positional filter). Keeps every pair at the threshold at
// one of its common elements. Immutable.
//
// A document asks for more than it has behind an element when the pair is to be
// made of frequent elements alone and these are too few. So the postings of an
// element are never compared all with all: ForEachMet leaves out what cannot
// meet without looking at it, and CanMeet tells who meets nobody.
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
  // Returns true iff `small` < `large` meet; the size of the first must be at
  // least LeastPartner of the other's.
  bool Meets(const PrefixPosting& small, const PrefixPosting& large) const {
    if (!small.indexed()) return false;
    // They met before.
    if (small.before() == large.before() && !small.is_first()) return false;
    if (!by_position_ || IsSaturated(large.size())) return true;
    const uint64_t behind = std::min(small.size() - small.position(),
                                     large.size() - large.position());
    return behind >= bounds_.Required(small.size(), large.size());
  }
  // Calls `body` with those of `smaller` that meet `large`. They are indexed
  // postings of its fold, by size, that stand before it. Cost: linear in those
  // of sizes that both can have in a pair by what stands behind `large`.
  template <typename Body>
  void ForEachMet(std::span<const PrefixPosting> smaller,
                  const PrefixPosting& large, const Body& body) const {
    const auto reaches = [&](const PrefixPosting& small) {
      return Reaches(large, small.size(), large.size());
    };
    constexpr size_t kFew = 8;
    size_t end = smaller.size();
    if (end > kFew && !reaches(smaller.back())) {
      end = static_cast<size_t>(
          std::partition_point(smaller.begin(), smaller.end(), reaches) -
          smaller.begin());
    }
    const uint64_t least = LeastPartner(large.size());
    while (end-- > 0 && smaller[end].size() >= least)
      if (Meets(smaller[end], large)) body(smaller[end]);
  }
  // Returns true iff the posting can meet anyone in a fold whose least indexed
  // document has size `least_indexed` (more than any size if there is none).
  bool CanMeet(const PrefixPosting& posting, uint64_t least_indexed) const {
    const uint64_t size = posting.size();
    if (posting.indexed()) return true;
    return least_indexed <= size &&
           Reaches(posting, std::max(least_indexed, LeastPartner(size)), size);
  }
  // The same for two in any order.
  bool MeetAtAll(const PrefixPosting& x, const PrefixPosting& y) const {
    const auto& [small, large] = std::minmax(x, y);
    return small.size() >= LeastPartner(large.size()) && Meets(small, large);
  }

 private:
  // Returns true iff what stands in its document from the posting on can be
  // what a pair of these sizes shares. The larger the sizes, the less.
  bool Reaches(const PrefixPosting& posting, uint64_t small,
               uint64_t large) const {
    return !by_position_ || IsSaturated(large) ||
           posting.size() - posting.position() >=
               bounds_.Required(small, large);
  }
  // A saturated size or place says nothing about what is behind it.
  static bool IsSaturated(uint64_t size) {
    return size >=
           std::min(PrefixPosting::kMaxSize, PrefixPosting::kMaxPosition);
  }

  OverlapBounds bounds_;
  bool by_position_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_MEETING_RULE_H_
