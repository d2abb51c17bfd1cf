#include "kernels/bin_minima.h"

#include <bit>

namespace twinset::kernels {

namespace {

// The bin of y among a power of two of bins, and among any number.
struct ShiftBin {
  int shift;
  size_t operator()(uint64_t y) const { return y >> shift; }
};
struct ScaleBin {
  uint64_t bins;
  size_t operator()(uint64_t y) const { return (y >> 32) * bins >> 32; }
};

template <class Work>
void WithBin(size_t bins, Work work) {
  if (std::has_single_bit(bins) && bins > 1) {
    work(ShiftBin{64 - std::countr_zero(bins)});
  } else {
    work(ScaleBin{bins});
  }
}

// Meant as a conditional move: whether y is a new minimum cannot be predicted.
inline void Lower(uint64_t* minimum, uint64_t y) {
  const uint64_t old = *minimum;
  *minimum = y < old ? y : old;
}

template <class Value, class Bin>
void LowerAll(std::span<const uint64_t> x, Value value, Bin bin, size_t bins,
              uint64_t* tables) {
  static_assert(kBinTables == 4);
  uint64_t* const t0 = tables;
  uint64_t* const t1 = t0 + bins;
  uint64_t* const t2 = t1 + bins;
  uint64_t* const t3 = t2 + bins;
  size_t i = 0;
  for (; i + 4 <= x.size(); i += 4) {
    const uint64_t y0 = value(x[i]), y1 = value(x[i + 1]);
    const uint64_t y2 = value(x[i + 2]), y3 = value(x[i + 3]);
    Lower(&t0[bin(y0)], y0);
    Lower(&t1[bin(y1)], y1);
    Lower(&t2[bin(y2)], y2);
    Lower(&t3[bin(y3)], y3);
  }
  for (; i < x.size(); ++i) Lower(&t0[bin(value(x[i]))], value(x[i]));
}

}  // namespace

void LowerTables(std::span<const uint64_t> shingles, uint64_t multiplier,
                 uint64_t addend, size_t bins, uint64_t* tables) {
  WithBin(bins, [&](auto bin) {
    LowerAll(
        shingles, [=](uint64_t x) { return multiplier * x + addend; }, bin,
        bins, tables);
  });
}

void LowerTables(std::span<const uint64_t> y, size_t bins, uint64_t* tables) {
  WithBin(bins, [&](auto bin) {
    LowerAll(
        y, [](uint64_t x) { return x; }, bin, bins, tables);
  });
}

void LowerTable(std::span<const uint64_t> shingles, uint64_t multiplier,
                uint64_t addend, std::span<uint64_t> minima) {
  WithBin(minima.size(), [&](auto bin) {
    for (const uint64_t x : shingles) {
      const uint64_t y = multiplier * x + addend;
      Lower(&minima[bin(y)], y);
    }
  });
}

}  // namespace twinset::kernels
