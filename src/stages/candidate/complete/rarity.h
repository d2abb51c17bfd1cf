// How often elements occur in a collection that is larger than memory: what
// orders the prefixes of the complete join (docs/methods/complete.md).
#ifndef TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_RARITY_H_
#define TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_RARITY_H_

#include <algorithm>
#include <cstdint>

#include "base/hash.h"
#include "store/lazy_buffer.h"
#include "twinset/error.h"

namespace twinset {

// Counters that elements (uniform 64-bit hashes) share by their high bits, in
// bounded memory. They order elements by how often they occur, the same for
// every document that asks; they may say more than there are, never less.
//
// *Leading* elements, those below a share of all hashes, are counted in every
// document: two bits say whether an element can be in two documents at all, a
// byte in the same cache line counts what goes beyond, a 32-bit word what goes
// beyond that. *Trailing* ones are counted, in bytes and words, where a
// document cannot do without them; they come behind leading ones that are not
// frequent, and count as elements that others may have. Where memory does not
// hold two bits per leading element, all are trailing. Where it does not hold a
// byte a trailing one, they are counted in a sample of the documents.
//
// Cost: a random access per element, one more for very frequent ones. Elements
// in ascending order visit the memory in ascending order.
class Rarity {
 public:
  struct Options {
    uint64_t elements = 0;  // about as many are counted
    // The share of hashes that lead: a multiple of 1/16, so that the high four
    // bits tell.
    double leading = 1;
    uint64_t memory_bytes = 0;     // at least 2 MB
    bool two_collections = false;  // shared means: both have it
    int threads = 1;               // that Count is called from
    bool trailing_only = false;    // LeadingCounts has those that lead
  };
  Status Map(const Options& options);
  // What Map takes at most.
  static uint64_t BytesFor(uint64_t elements, double leading = 1);

  // Counts the element once for a document. Whether it is frequent so far.
  // Thread-safe; an element that was counted by anyone is seen by all once the
  // threads are joined.
  bool Count(uint64_t document, uint64_t element, bool stored);

  // Elements below it lead.
  uint64_t limit() const { return limit_; }
  // Returns true iff trailing elements of the document are counted.
  bool Samples(uint64_t document) const { return Mix64(document) <= sampled_; }

  // What the first counter of a leading element knows of operator[]: 0, 2, or
  // kMore.
  static constexpr int kMore = 3;
  int AtLeast(uint64_t element) const {
    const Place place = LeadingPlace(element);
    const int seen = CellOf(place, *place.cells);
    if (two_collections_) return seen == 3 ? kMore : 0;
    return seen < 2 ? 0 : seen;
  }
  // 0: no two documents (of the two collections) have it. From kFrequent on a
  // leading element is frequent. Else the larger the more frequent. Equal for
  // equal elements.
  static constexpr uint32_t kFrequent = 8;
  uint32_t operator[](uint64_t element) const {
    if (element >= limit_) {
      const uint64_t count = CountIn(TrailingPlace(element), element);
      return static_cast<uint32_t>(
          std::min<uint64_t>(kFrequent + count * weight_, UINT32_MAX));
    }
    const auto least = static_cast<uint32_t>(AtLeast(element));
    if (least < kMore) return least;
    return least + CountIn(LeadingPlace(element).few, element);
  }
  // Asks for what Count and operator[] read. (Compilers drop calls that do
  // nothing but prefetch, unless they are inlined early.)
  [[gnu::always_inline]] void Prefetch(uint64_t element) const {
    __builtin_prefetch(element < limit_ ? LeadingPlace(element).cells
                                        : TrailingPlace(element));
  }

 private:
  static constexpr int kManyBits = 18, kManyShift = 64 - kManyBits;
  static constexpr uint64_t kManyBytes = sizeof(uint32_t) << kManyBits;
  // A line of leading elements: cells of two bits, four a byte, then bytes.
  static constexpr uint64_t kLineBytes = 64, kCellBytes = 48,
                            kCells = 4 * kCellBytes;

  struct Place {
    uint8_t* cells;  // with the element's cell
    int shift;       // of that cell
    uint8_t* few;
  };
  [[gnu::always_inline]] Place LeadingPlace(uint64_t element) const {
    const auto at = static_cast<unsigned __int128>(element) * lines_;
    uint8_t* const line = leading_at_ + static_cast<uint64_t>(at >> 64) * 64;
    const uint64_t in_line = static_cast<uint64_t>(at) >> 32;
    const uint64_t cell = in_line * kCells >> 32;
    return {line + (cell >> 2), static_cast<int>(cell & 3) * 2,
            line + kCellBytes + (in_line * (kLineBytes - kCellBytes) >> 32)};
  }
  [[gnu::always_inline]] uint8_t* TrailingPlace(uint64_t element) const {
    const auto at =
        static_cast<unsigned __int128>(element - limit_) * trailing_bytes_;
    return trailing_at_ + static_cast<uint64_t>(at >> 64);
  }
  static int CellOf(const Place& place, uint8_t byte) {
    return byte >> place.shift & 3;
  }

  uint32_t CountIn(const uint8_t* few, uint64_t element) const {
    if (*few < UINT8_MAX) return *few;
    return UINT8_MAX + reinterpret_cast<const uint32_t*>(
                           many_.data())[element >> kManyShift];
  }
  // Writes `next` if the cell still has *seen; else takes what it has.
  bool Replace(uint8_t* cell, uint8_t* seen, uint8_t next) const;
  bool CountFrequent(uint64_t element, uint8_t* few);

  LazyBuffer leading_, trailing_, many_;
  uint8_t *leading_at_ = nullptr, *trailing_at_ = nullptr;
  // As many as there would be if all elements led, or trailed.
  uint64_t lines_ = 0, trailing_bytes_ = 0;
  uint64_t limit_ = 0;
  bool two_collections_ = false, alone_ = true;
  uint64_t weight_ = 1;  // documents that one of the sample stands for
  uint64_t sampled_ = UINT64_MAX;  // documents whose hash is not above it
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_RARITY_H_
