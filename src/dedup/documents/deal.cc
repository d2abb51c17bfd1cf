#include "documents/deal.h"

#include <algorithm>

namespace twinset {

std::string ShardText(const Shard& shard) {
  return std::to_string(shard.number) + "/" + std::to_string(shard.of);
}

Deal::Deal(const InputList& files, const Shard& shard)
    : files_(files), shard_(shard) {
  if (shard_.of == 0) return;
  for (const InputFile& file : files_) total_ += WidthOf(file);
}

FileShare Deal::ShareOf(uint64_t begin, uint64_t end, uint64_t total,
                        uint32_t of) {
  const auto part_of = [&](uint64_t place) {
    const auto part = static_cast<unsigned __int128>(place) * of / total;
    return static_cast<uint32_t>(part);
  };
  const auto width = static_cast<unsigned __int128>(end - begin) * of;
  if (width <= total) return {part_of(begin + (end - begin) / 2), 1};
  const uint32_t first = part_of(begin);
  return {first, part_of(end - 1) - first + 1};
}

FileShare Deal::Of(size_t file) {
  if (shard_.of == 0 || file == at_) return share_;
  if (at_ == std::numeric_limits<size_t>::max() || file < at_) {
    at_ = 0;
    end_ = WidthOf(files_[0]);
  }
  for (; at_ < file; ++at_) end_ += WidthOf(files_[at_ + 1]);
  share_ = ShareOf(end_ - WidthOf(files_[at_]), end_, total_, shard_.of);
  return share_;
}

bool Deal::Reads(size_t file) {
  if (shard_.of == 0) return true;
  const FileShare share = Of(file);
  return shard_.number >= share.first &&
         shard_.number - share.first < share.shards;
}

std::pair<uint64_t, uint64_t> Deal::NextBlock(size_t file, uint64_t record) {
  const FileShare share = Of(file);
  if (share.shards == 1) return {record, std::numeric_limits<uint64_t>::max()};
  const uint64_t own = shard_.number - share.first;
  const uint64_t block = record / kBlockRecords;
  const uint64_t next =
      block + (own + share.shards - block % share.shards) % share.shards;
  return {std::max(record, next * kBlockRecords), (next + 1) * kBlockRecords};
}

}  // namespace twinset
