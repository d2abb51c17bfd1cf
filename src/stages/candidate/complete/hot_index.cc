#include "candidate/complete/hot_index.h"

#include <algorithm>
#include <bit>

#include "base/hash.h"

namespace twinset {
namespace {

constexpr size_t kLeastEntries = 1 << 10, kMostEntries = 1 << 30;

int SizeClass(uint64_t size) { return static_cast<int>(std::bit_width(size)); }
constexpr int kSizeClasses =
    static_cast<int>(std::bit_width(PrefixPosting::kMaxSize)) + 1;

}  // namespace

uint64_t HotIndex::BytesFor(uint64_t postings) {
  // A vector that grows stands in memory twice.
  return postings * (2 * sizeof(Entry) + sizeof(uint32_t));
}

HotIndex::HotIndex(const OverlapBounds& bounds, uint64_t memory_bytes,
                   MemoryBudget* budget)
    : rule_(bounds), reservation_(budget->ReserveUpTo(memory_bytes, 0)) {
  most_ = std::clamp<size_t>(reservation_.bytes() / BytesFor(1), kLeastEntries,
                             kMostEntries);
  const size_t buckets = std::bit_floor(most_);
  shift_ = 64 - std::countr_zero(buckets);
  heads_.assign(buckets, 0);
}

size_t HotIndex::BucketOf(uint64_t fold, int size_class, bool indexed) const {
  return Mix64((fold * kSizeClasses + static_cast<uint64_t>(size_class)) * 2 +
               indexed) >>
         shift_;
}

size_t HotIndex::BucketOf(const PrefixPosting& posting) const {
  return BucketOf(posting.fold(), SizeClass(posting.size()), posting.indexed());
}

void HotIndex::Add(std::span<const PrefixPosting> postings) {
  for (const PrefixPosting& posting : postings) {
    uint32_t& head = heads_[BucketOf(posting)];
    entries_.push_back({posting, head});
    head = static_cast<uint32_t>(entries_.size());
  }
}

void HotIndex::Clear() {
  for (const Entry& entry : entries_) heads_[BucketOf(entry.posting)] = 0;
  entries_.clear();
}

void HotIndex::FindIn(size_t bucket, const PrefixPosting& posting,
                      std::vector<uint64_t>* documents) const {
  for (uint32_t at = heads_[bucket]; at != 0;) {
    const Entry& entry = entries_[at - 1];
    at = entry.next;
    if (entry.posting.fold() == posting.fold() &&
        entry.posting.document() != posting.document() &&
        rule_.MeetAtAll(entry.posting, posting)) {
      documents->push_back(entry.posting.document());
    }
  }
}

void HotIndex::Find(std::span<const PrefixPosting> postings,
                    std::vector<uint64_t>* documents) const {
  const auto before = static_cast<std::ptrdiff_t>(documents->size());
  for (const PrefixPosting& posting : postings) {
    const uint64_t size = posting.size();
    const int own = SizeClass(size);
    for (int c = SizeClass(rule_.LeastPartner(size)); c < kSizeClasses; ++c) {
      const uint64_t least_of_class = c == 0 ? 0 : uint64_t{1} << (c - 1);
      if (rule_.LeastPartner(least_of_class) > size) break;
      // The smaller of two is indexed where they meet.
      if (c <= own || posting.indexed())
        FindIn(BucketOf(posting.fold(), c, true), posting, documents);
      if (c >= own && posting.indexed())
        FindIn(BucketOf(posting.fold(), c, false), posting, documents);
    }
  }
  std::sort(documents->begin() + before, documents->end());
  documents->erase(std::unique(documents->begin() + before, documents->end()),
                   documents->end());
}

}  // namespace twinset
