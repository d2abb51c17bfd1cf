// Postings of a complete join beyond memory: which document has which element
// in its prefix (docs/methods/complete.md).
#ifndef TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_PREFIX_POSTINGS_H_
#define TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_PREFIX_POSTINGS_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/sort_records.h"
#include "candidate/collection_join.h"
#include "candidate/complete/folded_sets.h"
#include "candidate/complete/overlap_bounds.h"
#include "candidate/complete/rarity.h"

namespace twinset {

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

  std::array<uint64_t, 3> SortWords() const { return {a_, b_, c_}; }

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

  // A member's elements, ascending, while the member and the maker stay as they
  // are.
  struct Elements {
    std::span<const uint64_t> values;
    size_t leading = 0;  // so many of the first lead
    uint64_t scope = 0;  // mixed into the folds
    uint64_t size = 0;   // of the member
    // LeadingCounts has counted those that lead, a byte for each distinct fold.
    bool are_counted = false;
    std::span<const uint8_t> counts;

    std::span<const uint64_t> Leading() const { return values.first(leading); }
  };
  Elements ElementsOf(const JoinMember& member);

  // Enters the elements into the counters.
  void Count(const JoinMember& member);
  // The same of a rarity that counts trailing ones only.
  void CountTrailing(const JoinMember& member);
  // The member's prefix, for ForEachPosting: the rarest elements, as many as no
  // pair at the threshold can do without. Those that nobody else has are only
  // counted.
  void Choose(const Elements& elements, std::vector<uint64_t>* prefix);
  // Calls `body` with the postings of a member of which Choose has `prepared`
  // the prefix, until it fails.
  template <typename Body>
  static Status ForEachPosting(const OverlapBounds& bounds,
                               const JoinMember& member, const Body& body);
  // At most how many there are of a member of this size.
  static uint64_t MostPostings(const OverlapBounds& bounds, uint64_t size);
  // Which share of the elements should lead (Rarity).
  static double LeadingShare(const OverlapBounds& bounds);
  // What a large member takes: its features, a copy in order, its prefix.
  static uint64_t BytesBeside(const OverlapBounds& bounds, uint64_t size) {
    const uint64_t copies = IsOfSequences(bounds.measure()) ? 2 : 1;
    return sizeof(uint64_t) * (copies * size + MostPostings(bounds, size));
  }

 private:
  static constexpr uint64_t kFoldMask =
      (uint64_t{1} << PrefixPosting::kFoldBits) - 1;
  struct Fold {
    uint64_t value = 0;  // without the scope
    size_t at = 0;       // the place of its first element
    size_t number = 0;   // how many leading folds stand before a leading one
  };

  template <typename Body>
  void ForEachFoldOf(const Elements& elements, size_t begin, size_t end,
                     const Body& body) const;
  template <typename Body>
  void ForEachFoldOf(const Elements& elements, const Body& body) const;
  static uint64_t ScopeOf(const JoinMember& member);
  static uint64_t ProbeLength(const OverlapBounds& bounds, uint64_t size);
  static uint64_t IndexLength(const OverlapBounds& bounds, uint64_t size);
  int AtLeast(const Elements& elements, const Fold& fold) const;
  uint32_t CountOf(const Elements& elements, uint64_t fold) const;
  uint32_t CountOf(const Elements& elements, const Fold& fold) const;
  Square SquareAt(const Elements& elements, size_t i) const;
  bool IsAlone(const Elements& elements) const;
  uint64_t ChooseBySize(const Elements& elements);
  void AddOthers(const Elements& elements, uint64_t wanted);
  uint64_t ChooseByWeight(const Elements& elements);
  void ChooseOfLarge(const Elements& elements,
                     std::vector<uint64_t>* prefix) const;
  void Trim();

  const OverlapBounds bounds_;
  const FeatureIdf idf_;
  Rarity* const rarity_;
  std::vector<uint64_t> elements_, keys_, others_;
};

template <typename Body>
Status PrefixMaker::ForEachPosting(const OverlapBounds& bounds,
                                   const JoinMember& member, const Body& body) {
  if (member.prepared.empty()) return {};
  PrefixPosting::Parts parts;
  parts.document = member.document;
  parts.stored = member.stored;
  parts.size = member.features.size() / sizeof(uint64_t);
  parts.position = member.prepared.front();
  const uint64_t indexed = IndexLength(bounds, parts.size);
  const uint64_t scope = ScopeOf(member);
  bool is_first = true;
  for (const uint64_t key : member.prepared.subspan(1)) {
    const uint64_t before = parts.fold;
    parts.fold = (key & kFoldMask) ^ scope;
    parts.before = std::exchange(is_first, false) ? parts.fold : before;
    parts.indexed = parts.position < indexed;
    TWINSET_TRY(body(PrefixPosting(parts)));
    ++parts.position;
  }
  return {};
}

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_PREFIX_POSTINGS_H_
