#include "candidate/complete/posting_slices.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/parallel.h"

namespace twinset {
namespace {

// The `bits` bits of a fold after the first `bits_done`.
class FoldBits {
 public:
  FoldBits(int bits_done, size_t groups)
      : shift_(std::max(0, PrefixPosting::kFoldBits - bits_done -
                               std::countr_zero(groups))),
        mask_(groups - 1) {}
  size_t operator()(const PrefixPosting& posting) const {
    return posting.fold() >> shift_ & mask_;
  }

 private:
  int shift_;
  uint64_t mask_;
};

}  // namespace

Status PostingFiles::Create(const SliceOptions& options,
                            const std::string& prefix, size_t count,
                            int bits_done) {
  bits_ = std::countr_zero(count);
  bits_done_ = bits_done;
  files_.clear();
  for (size_t i = 0; i < count; ++i) {
    TWINSET_ASSIGN(auto file,
                   PostingFile::Create(options, prefix + std::to_string(i)));
    files_.push_back(std::move(file));
  }
  return {};
}

Status PostingFiles::Append(const PrefixPosting& posting) {
  return files_[FoldBits(bits_done_, files_.size())(posting)].Append(posting);
}

Status PostingFiles::Finish() {
  for (PostingFile& file : files_) TWINSET_TRY(file.Finish());
  return {};
}

SliceMemory::SliceMemory(uint64_t memory_bytes, int threads) {
  constexpr uint64_t kLeastBytes = 1 << 20;
  const auto asked = static_cast<uint64_t>(std::max(1, threads));
  const uint64_t fit =
      std::clamp<uint64_t>(memory_bytes / kLeastBytes, 1, asked);
  threads_ = static_cast<int>(fit);
  bytes_ = std::max(memory_bytes / fit, kLeastBytes);
}

size_t SliceMemory::FilesFor(uint64_t postings, uint64_t blocks_bytes,
                             int writers) const {
  const uint64_t wanted = std::bit_ceil(2 * postings / MostPostings() + 2);
  return std::min<uint64_t>(wanted, MostSliceFiles(blocks_bytes, writers));
}

std::vector<uint64_t> GroupByFold(std::span<const PrefixPosting> from,
                                  std::span<PrefixPosting> to, int bits_done,
                                  size_t groups, int threads) {
  constexpr size_t kOfRange = 1 << 16, kMostRanges = 32;
  const FoldBits group_of(bits_done, groups);
  const size_t ranges = std::clamp<size_t>(
      from.size() / kOfRange, 1,
      std::min(kMostRanges, static_cast<size_t>(std::max(1, threads))));
  const auto for_each_range = [&](const auto& body) {
    ParallelFor(ranges, 1, threads, [&](size_t range, size_t end) {
      for (; range < end; ++range) {
        const size_t begin = from.size() * range / ranges;
        body(range,
             from.subspan(begin, from.size() * (range + 1) / ranges - begin));
      }
    });
  };
  // How many postings of each group a range has; then where they go.
  std::vector<std::vector<uint64_t>> places(ranges,
                                            std::vector<uint64_t>(groups, 0));
  for_each_range([&](size_t range, std::span<const PrefixPosting> postings) {
    for (const PrefixPosting& posting : postings)
      ++places[range][group_of(posting)];
  });
  std::vector<uint64_t> begins(groups + 1, 0);
  for (size_t g = 0; g < groups; ++g) {
    begins[g + 1] = begins[g];
    for (std::vector<uint64_t>& of_range : places)
      begins[g + 1] += std::exchange(of_range[g], begins[g + 1]);
  }
  for_each_range([&](size_t range, std::span<const PrefixPosting> postings) {
    for (const PrefixPosting& posting : postings)
      to[places[range][group_of(posting)]++] = posting;
  });
  return begins;
}

void ForEachFold(std::span<PrefixPosting> postings,
                 std::span<PrefixPosting> room, int bits_done,
                 const std::function<void(std::span<PrefixPosting>)>& body) {
  // A group of this size is sorted in cache.
  constexpr size_t kSmall = 1 << 14, kTiny = 4, kMostGroups = 1 << 12;
  if (postings.size() < 2) return;
  const bool is_small =
      postings.size() <= kSmall || bits_done >= PrefixPosting::kFoldBits;
  const size_t groups = std::clamp<size_t>(
      std::bit_ceil(postings.size() / (is_small ? kTiny : kSmall) + 1), 1,
      std::min<size_t>(kMostGroups,
                       size_t{1} << std::clamp(
                           PrefixPosting::kFoldBits - bits_done, 0, 30)));
  const auto begins = GroupByFold(postings, room, bits_done, groups);
  for (size_t g = 0; g + 1 < begins.size(); ++g) {
    const auto group = room.subspan(begins[g], begins[g + 1] - begins[g]);
    if (group.size() < 2) continue;
    if (!is_small) {
      ForEachFold(group, postings.subspan(begins[g], group.size()),
                  bits_done + std::countr_zero(groups), body);
      continue;
    }
    std::sort(group.begin(), group.end());
    for (size_t i = 0, end = 0; i < group.size(); i = end) {
      for (end = i + 1;
           end < group.size() && group[end].fold() == group[i].fold();) {
        ++end;
      }
      if (end - i > 1) body(group.subspan(i, end - i));
    }
  }
}

}  // namespace twinset
