#include "candidate/complete/leading_counts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <utility>

#include "base/parallel.h"
#include "base/stop.h"
#include "candidate/complete/rarity.h"

namespace twinset {
namespace {

constexpr int kElementBits = 64, kFoldBits = 48;
constexpr int kLowBits = kElementBits - kFoldBits;
constexpr int kValueBits = 32;
// With two collections, the lowest bit of a value tells to which one it
// belongs.
constexpr uint32_t kStored = 1;

// Counts of values of one range, which are the high bits of an element here.
uint64_t ElementOf(uint32_t value) {
  return uint64_t{value} << (kElementBits - kValueBits);
}

// Calls `body` with all values of the file, block by block.
template <typename Body>
Status ForEachBlock(const SliceFile<uint32_t>& file, const Body& body) {
  TWINSET_ASSIGN(auto reader, file.Open());
  for (;;) {
    TWINSET_ASSIGN(const std::span<const uint32_t> block, reader.NextBlock());
    if (block.empty()) return {};
    TWINSET_TRY(body(block));
  }
}

}  // namespace

Status LeadingCounts::Create(const Options& options) {
  constexpr uint64_t kThreadBytes = 4 << 20;
  constexpr int kLeastBits = 4;
  options_ = options;
  const uint64_t memory = options.memory_bytes;
  threads_ = static_cast<int>(std::clamp<uint64_t>(
      memory / kThreadBytes, 1, static_cast<uint64_t>(options.threads)));
  const uint64_t most = memory / static_cast<uint64_t>(threads_);
  const size_t most_files = MostSliceFiles(memory / 4, /*threads=*/1);
  const auto all = static_cast<double>(options.elements) / options.leading;
  const auto files = [&](int bits) {
    return static_cast<size_t>(std::ldexp(options.leading, bits));
  };
  for (bits_ = kLeastBits; files(bits_ + 1) <= most_files; ++bits_) {
    const auto in_range = static_cast<uint64_t>(std::ldexp(all, -bits_));
    if (Rarity::BytesFor(in_range) <= most) break;
  }
  ranges_ = files(bits_);
  for (size_t i = 0; i < ranges_; ++i) {
    TWINSET_ASSIGN(auto file,
                   SliceFile<uint32_t>::Create(
                       {options.directory, "elements", options.parameters_hash},
                       std::to_string(i)));
    elements_.push_back(std::move(file));
  }
  return {};
}

// Calls `body` with a range and values of the distinct folds in it, as they
// come.
template <typename Body>
Status LeadingCounts::ForEachRange(std::span<const uint64_t> elements,
                                   uint64_t scope, const Body& body) const {
  std::array<uint32_t, 256> values;
  size_t count = 0;
  uint64_t range = 0, last = UINT64_MAX;
  for (const uint64_t element : elements) {
    const uint64_t fold = element >> kLowBits;
    if (fold == last) continue;
    last = fold;
    const uint64_t scoped = (fold ^ scope) << kLowBits;
    const uint64_t next = scoped >> (kElementBits - bits_);
    if (count > 0 && (next != range || count == values.size())) {
      TWINSET_TRY(body(range, std::span(values.data(), count)));
      count = 0;
    }
    range = next;
    values[count++] =
        static_cast<uint32_t>(scoped << bits_ >> (kElementBits - kValueBits));
  }
  if (count > 0) TWINSET_TRY(body(range, std::span(values.data(), count)));
  return {};
}

Status LeadingCounts::Append(std::span<const uint64_t> elements, uint64_t scope,
                             bool stored) {
  return ForEachRange(elements, scope,
                      [&](uint64_t range, std::span<uint32_t> values) {
                        if (options_.two_collections) {
                          for (uint32_t& value : values)
                            value = (value & ~kStored) | (stored ? kStored : 0);
                        }
                        return elements_[range].Append(values);
                      });
}

Status LeadingCounts::Count(const std::atomic<bool>* stop) {
  for (auto& file : elements_) TWINSET_TRY(file.Finish());
  counts_.resize(ranges_);
  std::mutex mutex;
  Status status;
  ParallelFor(ranges_, 1, threads_, [&](size_t begin, size_t end) {
    for (size_t range = begin; range < end; ++range) {
      const Status counted = CountRange(range, stop);
      const std::lock_guard<std::mutex> lock(mutex);
      if (!counted && status) status = counted;
      if (!status) return;
    }
  });
  TWINSET_TRY(status);
  for (const auto& file : counts_) {
    TWINSET_ASSIGN(auto reader, file->Open());
    readers_.emplace_back(std::move(reader), file->path());
  }
  return {};
}

Status LeadingCounts::CountRange(size_t range, const std::atomic<bool>* stop) {
  constexpr size_t kAhead = 32;
  const SliceFile<uint32_t> elements = std::move(elements_[range]);
  TWINSET_ASSIGN(auto counts,
                 SliceFile<uint8_t>::Create(
                     {options_.directory, "counts", options_.parameters_hash},
                     std::to_string(range)));
  Rarity rarity;
  TWINSET_TRY(
      rarity.Map({elements.count(), 1,
                  options_.memory_bytes / static_cast<uint64_t>(threads_) -
                      2 * kRunBlockBytes,
                  options_.two_collections, 1}));
  const uint32_t mask = options_.two_collections ? ~kStored : ~uint32_t{0};
  uint64_t number = 0;
  const auto each = [&](std::span<const uint32_t> block, const auto& body) {
    for (size_t i = 0; i < block.size(); ++i) {
      if (i + kAhead < block.size())
        rarity.Prefetch(ElementOf(block[i + kAhead] & mask));
      body(ElementOf(block[i] & mask), i);
    }
  };
  TWINSET_TRY(
      ForEachBlock(elements, [&](std::span<const uint32_t> block) -> Status {
        TWINSET_TRY(CheckStop(stop));
        each(block, [&](uint64_t element, size_t i) {
          rarity.Count(number++, element, (block[i] & kStored) != 0);
        });
        return {};
      }));
  std::vector<uint8_t> made;
  TWINSET_TRY(
      ForEachBlock(elements, [&](std::span<const uint32_t> block) -> Status {
        TWINSET_TRY(CheckStop(stop));
        made.resize(block.size());
        each(block, [&](uint64_t element, size_t i) {
          made[i] = static_cast<uint8_t>(ShortCount<kBits>(rarity[element]));
        });
        return counts.Append(made);
      }));
  TWINSET_TRY(counts.Finish());
  counts_[range].emplace(std::move(counts));
  return {};
}

Status LeadingCounts::Reader::Read(size_t count, std::vector<uint8_t>* to) {
  while (count > 0) {
    if (block_.empty()) {
      TWINSET_ASSIGN(block_, file_.NextBlock());
      if (block_.empty())
        return Fail(ErrorCode::kCorrupt, "has too few counts", path_);
    }
    const auto part = block_.first(std::min(count, block_.size()));
    to->insert(to->end(), part.begin(), part.end());
    block_ = block_.subspan(part.size());
    count -= part.size();
  }
  return {};
}

Status LeadingCounts::Read(std::span<const uint64_t> elements, uint64_t scope,
                           std::vector<uint8_t>* counts) {
  counts->clear();
  return ForEachRange(elements, scope,
                      [&](uint64_t range, std::span<uint32_t> values) {
                        return readers_[range].Read(values.size(), counts);
                      });
}

}  // namespace twinset
