#include "candidate/complete/fold_index.h"

#include <algorithm>
#include <bit>

#include "base/parallel.h"
#include "candidate/complete/folded_sets.h"

namespace twinset {
namespace {

// A posting keeps the low 16 bits of its fold: there are 2^16 buckets at least.
constexpr int kMinBucketBits = 16, kMaxBucketBits = 30;

int BucketBits(uint64_t postings) {
  return std::clamp(static_cast<int>(std::bit_width(postings)), kMinBucketBits,
                    kMaxBucketBits);
}

}  // namespace

uint64_t FoldIndex::BytesFor(uint64_t postings) {
  return postings * sizeof(FoldPosting) +
         ((uint64_t{1} << BucketBits(postings)) + 2) * sizeof(uint32_t);
}

Status FoldIndex::Build(uint32_t places, const IndexedOf& of, int threads) {
  uint64_t total = 0;
  for (uint32_t place = 0; place < places; ++place) total += of(place).size();
  if (total >= UINT32_MAX) {
    return Fail(ErrorCode::kMemory,
                "the index of the complete join is too large");
  }
  const int bits = BucketBits(total);
  shift_ = 32 - bits;
  const uint64_t buckets = uint64_t{1} << bits;
  TWINSET_ASSIGN(begins_, LazyBuffer::Map((buckets + 2) * sizeof(uint32_t)));
  TWINSET_ASSIGN(postings_, LazyBuffer::Map(total * sizeof(FoldPosting)));
  begins_.PreferHugePages();
  postings_.PreferHugePages();
  // begins[b + 2] counts bucket b, then is where it begins, shifted by one: as
  // it fills, begins[b + 1] moves to its end, which is where the next begins.
  auto* begins = reinterpret_cast<uint32_t*>(begins_.data());
  auto* postings = reinterpret_cast<FoldPosting*>(postings_.data());
  const auto ranges = std::bit_floor(
      static_cast<uint32_t>(std::clamp(threads, 1, 1 << kMinBucketBits)));
  const int range_shift = 32 - std::countr_zero(ranges);
  // Each thread sees to the folds of a range of its own.
  const auto for_own = [&](const auto& body) {
    ParallelFor(ranges, 1, threads, [&](size_t first, size_t last) {
      for (uint32_t place = 0; place < places; ++place) {
        for (const uint32_t fold : of(place)) {
          const size_t range = ranges == 1 ? 0 : fold >> range_shift;
          if (range < first || range >= last) continue;
          body(fold, place);
        }
      }
    });
  };
  for_own([&](uint32_t fold, uint32_t) { ++begins[(fold >> shift_) + 2]; });
  for (uint64_t b = 2; b < buckets + 2; ++b) begins[b] += begins[b - 1];
  for_own([&](uint32_t fold, uint32_t place) {
    postings[begins[(fold >> shift_) + 1]++] = {place,
                                                static_cast<uint16_t>(fold)};
  });
  return {};
}

}  // namespace twinset
