#include "candidate/complete/rarity.h"

#include <algorithm>
#include <atomic>
#include <bit>

#include "base/hash.h"

namespace twinset::inline v1 {
namespace {

constexpr int kMinBits = 16;
constexpr uint32_t kMostMany = UINT32_MAX / 2;

template <typename T>
std::atomic_ref<T> At(LazyBuffer* buffer, uint64_t index) {
  return std::atomic_ref<T>(reinterpret_cast<T*>(buffer->data())[index]);
}

// Bits of the number of places of a table that has one for each of `wanted`, if
// `room` bytes hold them, `a_byte` (a power of two) in each.
int TableBits(uint64_t wanted, uint64_t room, uint64_t a_byte) {
  constexpr int kMaxBits = 44;
  const int bits = static_cast<int>(std::bit_width(wanted));
  const int most =
      static_cast<int>(std::bit_width(room)) - 1 + std::countr_zero(a_byte);
  return std::clamp(std::min(bits, most), kMinBits, kMaxBits);
}

// A quarter of the cells' bytes is for elements that fill their cells.
constexpr uint64_t kCellsAByte = 4, kCellsAnElement = 4;
constexpr int kCellBitsOfFewByte = 4;

}  // namespace

uint64_t Rarity::BytesFor(uint64_t elements) {
  const uint64_t cells =
      uint64_t{1} << TableBits(kCellsAnElement * elements, UINT64_MAX, 1);
  return cells / kCellsAByte + (cells >> kCellBitsOfFewByte) + kManyBytes;
}

Status Rarity::Map(uint64_t elements, uint64_t memory_bytes,
                   bool two_collections, int threads) {
  two_collections_ = two_collections;
  alone_ = threads == 1;
  const uint64_t room = memory_bytes - std::min(memory_bytes, kManyBytes);
  const int bits =
      TableBits(kCellsAnElement * elements, room / 5 * 4, kCellsAByte);
  TWINSET_ASSIGN(many_, LazyBuffer::Map(kManyBytes));
  // With more elements than cells nearly every cell is full of strangers.
  const bool with_cells = elements >> bits == 0;
  const int few_bits = with_cells ? bits - kCellBitsOfFewByte
                                  : TableBits(elements, room, /*a_byte=*/1);
  TWINSET_ASSIGN(few_, LazyBuffer::Map(uint64_t{1} << few_bits));
  few_.PreferHugePages();
  few_shift_ = 64 - few_bits;
  if (with_cells) {
    TWINSET_ASSIGN(cells_,
                   LazyBuffer::Map((uint64_t{1} << bits) / kCellsAByte));
    cells_.PreferHugePages();
    cell_shift_ = 64 - bits;
  } else if (const uint64_t load = elements >> few_bits; load > 1) {
    sampled_ = UINT64_MAX / load;
  }
  first_ = with_cells ? cells_.data() : few_.data();
  first_shift_ = with_cells ? cell_shift_ + 2 : few_shift_;
  return {};
}

// Where no other thread counts, a plain store is several times faster.
template <typename T>
bool Rarity::Replace(std::atomic_ref<T> cell, T* seen, T next) const {
  if (!alone_) {
    return cell.compare_exchange_weak(*seen, next, std::memory_order_relaxed);
  }
  cell.store(next, std::memory_order_relaxed);
  return true;
}

void Rarity::Count(uint64_t document, uint64_t element, bool stored) {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  if (cells_.data() == nullptr) {
    if (Mix64(document) <= sampled_) CountFrequent(element);
    return;
  }
  const uint64_t cell = element >> cell_shift_;
  const auto byte = At<uint8_t>(&cells_, cell >> 2);
  const int shift = static_cast<int>(cell & 3) * 2;
  uint8_t seen = byte.load(kRelaxed);
  for (;;) {
    // In one collection the documents met, up to 3; in two, a bit for each.
    const int value = seen >> shift & 3;
    const int next =
        two_collections_ ? value | (stored ? 2 : 1) : std::min(value + 1, 3);
    if (next == value) return CountFrequent(element);
    const auto with =
        static_cast<uint8_t>((seen & ~(3 << shift)) | next << shift);
    if (Replace(byte, &seen, with)) return;
  }
}

void Rarity::CountFrequent(uint64_t element) {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  const auto few = At<uint8_t>(&few_, element >> few_shift_);
  uint8_t seen = few.load(kRelaxed);
  while (seen < UINT8_MAX) {
    if (Replace(few, &seen, static_cast<uint8_t>(seen + 1))) return;
  }
  const auto many = At<uint32_t>(&many_, element >> kManyShift);
  if (many.load(kRelaxed) < kMostMany) many.fetch_add(1, kRelaxed);
}

}  // namespace twinset::inline v1
