// Documents by elements that very many documents have
// (docs/methods/complete.md, Hot elements).
#ifndef TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_HOT_INDEX_H_
#define TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_HOT_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/memory_budget.h"
#include "candidate/complete/meeting_rule.h"
#include "candidate/complete/prefix_postings.h"

namespace twinset {

// Some of the documents of a join, and which of them another one meets. Find is
// thread-safe while nothing is added.
class HotIndex {
 public:
  // What so many postings take.
  static uint64_t BytesFor(uint64_t postings);
  // Takes at most memory_bytes of the budget.
  HotIndex(const OverlapBounds& bounds, uint64_t memory_bytes,
           MemoryBudget* budget);

  // An empty index has room for any document.
  bool HasRoomFor(size_t postings) const {
    return entries_.empty() || entries_.size() + postings <= most_;
  }
  // The postings of a document's hot elements.
  void Add(std::span<const PrefixPosting> postings);
  void Clear();
  bool empty() const { return entries_.empty(); }

  // Appends the documents that the one with these postings meets at one of
  // them, ascending, each once. Cost: linear in the documents of the index that
  // have one of the elements and a size not far from its own.
  void Find(std::span<const PrefixPosting> postings,
            std::vector<uint64_t>* documents) const;

 private:
  struct Entry {
    PrefixPosting posting;
    uint32_t next = 0;  // of the same bucket, + 1; 0: none
  };
  // Sizes of one class have the same number of bits.
  size_t BucketOf(uint64_t fold, int size_class, bool indexed) const;
  size_t BucketOf(const PrefixPosting& posting) const;
  void FindIn(size_t bucket, const PrefixPosting& posting,
              std::vector<uint64_t>* documents) const;

  MeetingRule rule_;
  Reservation reservation_;
  size_t most_ = 0;
  int shift_ = 0;
  std::vector<uint32_t> heads_;  // by bucket: an entry + 1; 0: none
  std::vector<Entry> entries_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_HOT_INDEX_H_
