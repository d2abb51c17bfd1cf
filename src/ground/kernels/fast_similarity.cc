// Bin minima and Fast Similarity Sketching: every shingle goes to one bin, so
// that the work does not grow with the number of values. What vectors can do:
// the functions, the merging of tables, and the search for a few empty bins.
#include <algorithm>
#include <bit>

#include "kernels/bin_minima.h"
#include "kernels/kernels.h"
#include "kernels/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/fast_similarity.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h: it compiles this file once for each target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace twinset::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if TWINSET_SCALAR_TARGET

void BinMinima(std::span<const uint64_t> shingles, uint64_t multiplier,
               uint64_t addend, std::span<uint64_t> minima) {
  reference::BinMinima(shingles, multiplier, addend, minima);
}

void FastSimilarity(std::span<const uint64_t> shingles,
                    std::span<const uint64_t> multipliers,
                    std::span<const uint64_t> addends,
                    std::span<uint64_t> keys) {
  reference::FastSimilarity(shingles, multipliers, addends, keys);
}

#else

constexpr uint64_t kNone = ~uint64_t{0};
constexpr size_t kTableBins = 512;  // more bins: one table

void Lower(std::span<const uint64_t> shingles, uint64_t multiplier,
           uint64_t addend, size_t bins, uint64_t* tables) {
#if TWINSET_AVX512_TARGET
  // With a 64-bit multiply.
  constexpr size_t kBlock = 256;
  HWY_ALIGN uint64_t y[kBlock];
  const hn::Full512<uint64_t> d;
  const auto a = hn::Set(d, multiplier), b = hn::Set(d, addend);
  while (shingles.size() >= 8) {
    const size_t count = std::min(shingles.size() & ~size_t{7}, kBlock);
    for (size_t i = 0; i < count; i += 8) {
      const auto x = hn::LoadU(d, shingles.data() + i);
      hn::Store(hn::Add(x * a, b), d, y + i);
    }
    LowerTables({y, count}, bins, tables);
    shingles = shingles.subspan(count);
  }
#endif
  LowerTables(shingles, multiplier, addend, bins, tables);
}

// minima[i] = the least of the tables' minima of bin i.
void Merge(const uint64_t* tables, std::span<uint64_t> minima) {
  const hn::ScalableTag<uint64_t> d;
  const size_t bins = minima.size(), lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= bins; i += lanes) {
    const auto at = [&](size_t t) {
      return hn::LoadU(d, tables + t * bins + i);
    };
    hn::StoreU(hn::Min(hn::Min(at(0), at(1)), hn::Min(at(2), at(3))), d,
               minima.data() + i);
  }
  for (; i < bins; ++i) {
    minima[i] = std::min({tables[i], tables[bins + i], tables[2 * bins + i],
                          tables[3 * bins + i]});
  }
}

void BinMinima(std::span<const uint64_t> shingles, uint64_t multiplier,
               uint64_t addend, std::span<uint64_t> minima) {
  const size_t bins = minima.size();
  if (bins > kTableBins || shingles.size() < 2 * bins) {
    std::fill(minima.begin(), minima.end(), kNone);
    return LowerTable(shingles, multiplier, addend, minima);
  }
  HWY_ALIGN uint64_t tables[kBinTables * kTableBins];
  std::fill_n(tables, kBinTables * bins, kNone);
  Lower(shingles, multiplier, addend, bins, tables);
  Merge(tables, minima);
}

// The least y of the shingles whose bin is `bin`.
uint64_t MinimumOfBin(std::span<const uint64_t> shingles, uint64_t multiplier,
                      uint64_t addend, uint64_t bins, uint64_t bin) {
  const hn::ScalableTag<uint64_t> d;
  const hn::Repartition<uint32_t, decltype(d)> d32;
  const size_t lanes = hn::Lanes(d);
  const auto a = hn::Set(d, multiplier), b = hn::Set(d, addend);
  const auto none = hn::Set(d, kNone), wanted = hn::Set(d, bin);
  const auto count = hn::BitCast(d32, hn::Set(d, bins));
  auto minimum = none;
  size_t i = 0;
  for (; i + lanes <= shingles.size(); i += lanes) {
    const auto y = hn::Add(hn::LoadU(d, shingles.data() + i) * a, b);
    const auto high = hn::BitCast(d32, hn::ShiftRight<32>(y));
    const auto in =
        hn::Eq(hn::ShiftRight<32>(hn::MulEven(high, count)), wanted);
    minimum = hn::Min(minimum, hn::IfThenElse(in, y, none));
  }
  HWY_ALIGN uint64_t parts[hn::MaxLanes(d)];
  hn::Store(minimum, d, parts);
  uint64_t least = *std::min_element(parts, parts + lanes);
  for (; i < shingles.size(); ++i) {
    const uint64_t y = multiplier * shingles[i] + addend;
    if ((y >> 32) * bins >> 32 == bin) least = std::min(least, y);
  }
  return least;
}

// Minima of round 0 to keys; returns the number of empty bins.
size_t MinimaToKeys(std::span<uint64_t> keys) {
  const hn::ScalableTag<uint64_t> d;
  const auto none = hn::Set(d, kNone);
  size_t empty = 0, i = 0;
  for (; i + hn::Lanes(d) <= keys.size(); i += hn::Lanes(d)) {
    const auto minimum = hn::LoadU(d, keys.data() + i);
    const auto is_empty = hn::Eq(minimum, none);
    empty += hn::CountTrue(d, is_empty);
    hn::StoreU(hn::IfThenElse(is_empty, none, hn::ShiftRight<13>(minimum)), d,
               keys.data() + i);
  }
  for (; i < keys.size(); ++i) {
    if (keys[i] == kNone) {
      ++empty;
    } else {
      keys[i] >>= 13;
    }
  }
  return empty;
}

// One shingle into its bin, which was empty before this round if the shingle
// can count at all; returns whether it is the first there.
HWY_INLINE bool Throw(uint64_t y, uint64_t stamp, std::span<uint64_t> keys) {
  uint64_t& key = keys[(y >> 32) * keys.size() >> 32];
  const bool first = key == kNone;
  key = std::min(key, stamp | y >> 13);
  return first;
}

size_t ThrowAll(std::span<const uint64_t> shingles, uint64_t multiplier,
                uint64_t addend, uint64_t stamp, std::span<uint64_t> keys) {
  size_t filled = 0;
  for (const uint64_t x : shingles) {
    const uint64_t y = multiplier * x + addend;
    if (y != kNone) filled += Throw(y, stamp, keys);
  }
  return filled;
}

#if TWINSET_AVX512_TARGET

// The empty bins as bits of one vector: most shingles fall into others and are
// sorted out eight at a time.
constexpr size_t kMaskBins = 512;

size_t RefillByMask(std::span<const uint64_t> shingles, uint64_t multiplier,
                    uint64_t addend, uint64_t stamp, std::span<uint64_t> keys) {
  const hn::Full512<uint64_t> d;
  const hn::Repartition<uint32_t, decltype(d)> d32;
  HWY_ALIGN uint64_t bits[kMaskBins / 64] = {};
  auto* bytes = reinterpret_cast<uint8_t*>(bits);
  const auto none = hn::Set(d, kNone);
  size_t bin = 0;
  for (; bin + 8 <= keys.size(); bin += 8) {
    const auto key = hn::LoadU(d, keys.data() + bin);
    hn::StoreMaskBits(d, hn::Eq(key, none), bytes + bin / 8);
  }
  for (; bin < keys.size(); ++bin)
    bits[bin / 64] |= uint64_t{keys[bin] == kNone} << bin % 64;
  const auto words = hn::Load(d, bits);
  const auto a = hn::Set(d, multiplier), b = hn::Set(d, addend);
  const auto one = hn::Set(d, 1), in_word = hn::Set(d, 63);
  const auto count = hn::BitCast(d32, hn::Set(d, keys.size()));
  size_t filled = 0;
  while (shingles.size() >= 8) {
    const size_t block = std::min<size_t>(shingles.size() & ~size_t{7}, 64);
    uint64_t hits = 0;
    for (size_t i = 0; i < block; i += 8) {
      const auto y = hn::Add(hn::LoadU(d, shingles.data() + i) * a, b);
      const auto high = hn::BitCast(d32, hn::ShiftRight<32>(y));
      const auto at = hn::ShiftRight<32>(hn::MulEven(high, count));
      const auto word = hn::TableLookupLanes(
          words, hn::IndicesFromVec(d, hn::ShiftRight<6>(at)));
      const auto hit = hn::TestBit(hn::Shr(word, hn::And(at, in_word)), one);
      uint8_t bits_of_8 = 0;
      hn::StoreMaskBits(d, hit, &bits_of_8);
      hits |= uint64_t{bits_of_8} << i;
    }
    for (; hits != 0; hits &= hits - 1) {
      const uint64_t x = shingles[static_cast<size_t>(std::countr_zero(hits))];
      const uint64_t y = multiplier * x + addend;
      if (y != kNone) filled += Throw(y, stamp, keys);
    }
    shingles = shingles.subspan(block);
  }
  return filled + ThrowAll(shingles, multiplier, addend, stamp, keys);
}

#endif

// Fills empty bins from round `round`; returns how many it filled.
size_t Refill(std::span<const uint64_t> shingles, uint64_t multiplier,
              uint64_t addend, uint64_t round, size_t empty,
              std::span<uint64_t> keys) {
  const uint64_t stamp = round << 51;
#if TWINSET_AVX512_TARGET
  if (keys.size() <= kMaskBins && shingles.size() >= 32)
    return RefillByMask(shingles, multiplier, addend, stamp, keys);
#endif
  // One or two empty bins are looked for one after the other.
  if (empty > 2) return ThrowAll(shingles, multiplier, addend, stamp, keys);
  size_t filled = 0, bin = 0;
  for (size_t left = empty; left > 0; --left, ++bin) {
    while (keys[bin] != kNone) ++bin;
    const uint64_t y =
        MinimumOfBin(shingles, multiplier, addend, keys.size(), bin);
    if (y == kNone) continue;
    keys[bin] = stamp | y >> 13;
    ++filled;
  }
  return filled;
}

void FastSimilarity(std::span<const uint64_t> shingles,
                    std::span<const uint64_t> multipliers,
                    std::span<const uint64_t> addends,
                    std::span<uint64_t> keys) {
  const size_t bins = keys.size();
  BinMinima(shingles, multipliers[0], addends[0], keys);
  if (shingles.empty()) return;
  size_t empty = MinimaToKeys(keys);
  for (size_t round = 1; empty > 0 && round < bins; ++round) {
    empty -= Refill(shingles, multipliers[round], addends[round], round, empty,
                    keys);
  }
  // Every bin that is still empty takes the minimum of all shingles.
  for (size_t bin = 0; empty > 0 && bin < bins; ++bin) {
    if (keys[bin] != kNone) continue;
    const size_t round = bins + bin;
    uint64_t least = kNone;
    for (const uint64_t x : shingles) {
      least = std::min(least, multipliers[round] * x + addends[round]);
    }
    keys[bin] = uint64_t{round} << 51 | least >> 13;
    --empty;
  }
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace twinset::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twinset::kernels {

HWY_EXPORT(BinMinima);
HWY_EXPORT(FastSimilarity);

void BinMinima(std::span<const uint64_t> shingles, uint64_t multiplier,
               uint64_t addend, std::span<uint64_t> minima) {
  HWY_DYNAMIC_DISPATCH(BinMinima)(shingles, multiplier, addend, minima);
}

void FastSimilarity(std::span<const uint64_t> shingles,
                    std::span<const uint64_t> multipliers,
                    std::span<const uint64_t> addends,
                    std::span<uint64_t> keys) {
  HWY_DYNAMIC_DISPATCH(FastSimilarity)(shingles, multipliers, addends, keys);
}

}  // namespace twinset::kernels
#endif  // HWY_ONCE
