#include "candidate/complete/rarity.h"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace twinset {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;
constexpr uint32_t kMostMany = UINT32_MAX / 2;
constexpr uint64_t kCellsAnElement = 4, kLeastBytes = 1 << 16;

uint64_t Part(uint64_t of, double share) {
  return static_cast<uint64_t>(std::ceil(static_cast<double>(of) * share));
}

}  // namespace

uint64_t Rarity::BytesFor(uint64_t elements, double leading) {
  return kManyBytes + 2 * kLeastBytes + Part(elements, 1 - leading) +
         Part(elements * kCellsAnElement / kCells * kLineBytes, leading);
}

Status Rarity::Map(const Options& options) {
  two_collections_ = options.two_collections;
  alone_ = options.threads == 1;
  const uint64_t memory = std::min(options.memory_bytes,
                                   BytesFor(options.elements, options.leading));
  const uint64_t room = memory - std::min(memory, kManyBytes);
  double leading = options.leading;
  uint64_t trailing_bytes =
      std::min(options.trailing_only ? room : room / 4,
               kLeastBytes + Part(options.elements, 1 - leading));
  const uint64_t lines =
      options.trailing_only ? 0 : (room - trailing_bytes) / kLineBytes;
  // With more elements than cells nearly every cell is full of strangers.
  const bool is_short = Part(options.elements, leading) > lines * kCells;
  if (is_short && !options.trailing_only) {
    leading = 0;
    trailing_bytes = std::max(room, kLeastBytes);
  } else if (lines > 0) {
    TWINSET_ASSIGN(leading_, LazyBuffer::Map((lines + 1) * kLineBytes));
    leading_.PreferHugePages();
    lines_ = static_cast<uint64_t>(static_cast<double>(lines) / leading);
  }
  if (is_short) {
    weight_ = std::max<uint64_t>(
        1, Part(options.elements, 1 - leading) / trailing_bytes);
    sampled_ = UINT64_MAX / weight_;
  }
  constexpr double kAll = 0x1p64;
  limit_ = leading >= 1 ? UINT64_MAX : static_cast<uint64_t>(leading * kAll);
  TWINSET_ASSIGN(many_, LazyBuffer::Map(kManyBytes));
  TWINSET_ASSIGN(trailing_, LazyBuffer::Map(trailing_bytes + 1));
  trailing_.PreferHugePages();
  if (leading < 1)
    trailing_bytes_ = static_cast<uint64_t>(
        static_cast<double>(trailing_bytes) / (1 - leading));
  leading_at_ = reinterpret_cast<uint8_t*>(leading_.data());
  trailing_at_ = reinterpret_cast<uint8_t*>(trailing_.data());
  return {};
}

// Where no other thread counts, a plain store is several times faster.
bool Rarity::Replace(uint8_t* cell, uint8_t* seen, uint8_t next) const {
  const std::atomic_ref<uint8_t> at(*cell);
  if (!alone_) return at.compare_exchange_weak(*seen, next, kRelaxed);
  at.store(next, kRelaxed);
  return true;
}

bool Rarity::Count(uint64_t document, uint64_t element, bool stored) {
  if (element >= limit_) {
    return Samples(document) && CountFrequent(element, TrailingPlace(element));
  }
  const Place place = LeadingPlace(element);
  uint8_t seen = std::atomic_ref<uint8_t>(*place.cells).load(kRelaxed);
  for (;;) {
    // In one collection the documents met, up to 3; in two, a bit for each.
    const int value = CellOf(place, seen);
    const int next =
        two_collections_ ? value | (stored ? 2 : 1) : std::min(value + 1, 3);
    if (next == value) return CountFrequent(element, place.few);
    const auto with = static_cast<uint8_t>((seen & ~(3 << place.shift)) |
                                           next << place.shift);
    if (Replace(place.cells, &seen, with)) return false;
  }
}

bool Rarity::CountFrequent(uint64_t element, uint8_t* few) {
  uint8_t seen = std::atomic_ref<uint8_t>(*few).load(kRelaxed);
  while (seen < UINT8_MAX) {
    if (Replace(few, &seen, static_cast<uint8_t>(seen + 1)))
      return kMore + uint32_t{seen} + 1 >= kFrequent;
  }
  const std::atomic_ref<uint32_t> many(
      reinterpret_cast<uint32_t*>(many_.data())[element >> kManyShift]);
  if (many.load(kRelaxed) < kMostMany) many.fetch_add(1, kRelaxed);
  return true;
}

}  // namespace twinset
