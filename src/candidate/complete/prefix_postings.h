// Postings of a complete join beyond memory: which document has which element
// in its prefix (docs/methods/complete.md).
#ifndef TWINSET_SRC_CANDIDATE_COMPLETE_PREFIX_POSTINGS_H_
#define TWINSET_SRC_CANDIDATE_COMPLETE_PREFIX_POSTINGS_H_

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "candidate/collection_join.h"
#include "candidate/complete/folded_sets.h"
#include "candidate/complete/overlap_bounds.h"
#include "candidate/complete/rarity.h"

namespace twinset::inline v1 {

// An element of a document's prefix, in 24 bytes: 48 bits of the element (the
// fold), the document's number and size, the place of the element in the
// document's order of rarity, and the fold before it in that order. Ordered by
// fold, then size, then document.
class PrefixPosting {
 public:
  static constexpr int kFoldBits = 48;
  static constexpr uint64_t kMaxDocument = (uint64_t{1} << 40) - 1;
  static constexpr uint64_t kMaxSize = (uint64_t{1} << 28) - 1;
  static constexpr uint64_t kMaxPosition = (uint64_t{1} << 26) - 1;

  struct Parts {
    uint64_t fold = 0, before = 0;  // before == fold: it is the first
    uint64_t document = 0;
    uint64_t size = 0, position = 0;  // saturated
    bool indexed = false;  // larger documents find it by this element
    bool stored = false;   // of the second collection
  };
  PrefixPosting() = default;
  explicit PrefixPosting(const Parts& parts)
      : a_(parts.fold << 16 | std::min(parts.size, kMaxSize) >> 12),
        b_(std::min(parts.size, kMaxSize) << 52 | parts.document << 12 |
           uint64_t{parts.indexed} << 11 | uint64_t{parts.stored} << 10 |
           (Position(parts) & 0x3ff)),
        c_(parts.before << 16 | Position(parts) >> 10) {}

  uint64_t fold() const { return a_ >> 16; }
  uint64_t size() const { return (a_ & 0xffff) << 12 | b_ >> 52; }
  uint64_t document() const { return b_ >> 12 & kMaxDocument; }
  bool indexed() const { return (b_ >> 11 & 1) != 0; }
  bool stored() const { return (b_ >> 10 & 1) != 0; }
  uint64_t position() const { return (c_ & 0xffff) << 10 | (b_ & 0x3ff); }
  uint64_t before() const { return c_ >> 16; }
  bool is_first() const { return before() == fold(); }

  friend bool operator<(const PrefixPosting& x, const PrefixPosting& y) {
    return std::tie(x.a_, x.b_, x.c_) < std::tie(y.a_, y.b_, y.c_);
  }

 private:
  static uint64_t Position(const Parts& parts) {
    return std::min(parts.position, kMaxPosition);
  }
  uint64_t a_ = 0, b_ = 0, c_ = 0;
};

// What the elements of a document are in this join. Of several scopes
// (JoinMember::within) the elements differ, so that documents of two never
// meet. Not thread-safe; one for each thread.
class PrefixMaker {
 public:
  // `rarity` must outlive the maker. `idf`: what an occurrence of a feature of
  // a bag weighs; null: 1.
  PrefixMaker(const OverlapBounds& bounds, FeatureIdf idf, Rarity* rarity)
      : bounds_(bounds), idf_(std::move(idf)), rarity_(rarity) {}

  // Enters the elements into the counters.
  void Count(const JoinMember& member);
  // Appends the postings of the member: the rarest elements, as many as no pair
  // at the threshold can do without, without those that nobody else has.
  void Append(const JoinMember& member, std::string* postings);
  // At most how many Append appends to a member of this size.
  static uint64_t MostPostings(const OverlapBounds& bounds, uint64_t size);
  // Which share of the elements should lead (Rarity).
  static double LeadingShare(const OverlapBounds& bounds);

 private:
  struct Elements {
    std::span<const uint64_t> values, leading, trailing;  // all, and its parts
    uint64_t scope = 0;  // mixed into the folds
  };

  Elements ElementsOf(const JoinMember& member);
  template <typename Body>
  void ForEachFoldOf(std::span<const uint64_t> values, uint64_t scope,
                     const Body& body) const;
  uint64_t ProbeLength(uint64_t size) const;
  uint64_t IndexLength(uint64_t size) const;
  uint64_t ChooseBySize(const Elements& elements, uint64_t size);
  void AddOthers(const Elements& elements, uint64_t wanted);
  uint64_t ChooseOfLarge(const Elements& elements, uint64_t size);
  uint64_t ChooseByWeight(const Elements& elements);
  static void KeepLowest(uint64_t count, std::vector<uint64_t>* keys);

  const OverlapBounds bounds_;
  const FeatureIdf idf_;
  Rarity* const rarity_;
  std::vector<uint64_t> elements_, keys_, others_;
  std::vector<uint32_t> counts_;
};

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_CANDIDATE_COMPLETE_PREFIX_POSTINGS_H_
