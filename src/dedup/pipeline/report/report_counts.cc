#include "pipeline/report/report_counts.h"

#include <algorithm>
#include <array>
#include <bit>

namespace twinset {

uint64_t SizeClassLow(uint64_t size) {
  if (size < 32) return size;
  const int shift =
      static_cast<int>(std::bit_width(size)) - 4;  // leaves the top four bits
  return size >> shift << shift;
}

uint64_t SizeClassHigh(uint64_t size) {
  if (size < 32) return size;
  const int shift = static_cast<int>(std::bit_width(size)) - 4;
  return SizeClassLow(size) + (uint64_t{1} << shift) - 1;
}

void ReportCounts::AddPair(double similarity) {
  if (similarity >= 1) {
    ++equal;
    return;
  }
  // Products round: the bounds of the bin decide.
  static constexpr auto kBounds = [] {
    std::array<double, 102> bounds{};
    for (size_t i = 0; i < bounds.size(); ++i)
      bounds[i] = static_cast<double>(i) / 100;
    return bounds;
  }();
  size_t n = similarity > 0 ? static_cast<size_t>(similarity * 100) : 0;
  if (n > 0 && kBounds[n] > similarity) --n;
  if (kBounds[n + 1] <= similarity) ++n;
  ++similarities[std::min<size_t>(n, 99)];
}

void ReportCounts::AddCluster(uint64_t size) {
  const uint64_t low = SizeClassLow(size);
  auto at = std::lower_bound(
      sizes.begin(), sizes.end(), low,
      [](const auto& row, uint64_t wanted) { return row[0] < wanted; });
  if (at == sizes.end() || (*at)[0] != low)
    at = sizes.insert(at, {low, SizeClassHigh(size), 0});
  ++(*at)[2];
}

}  // namespace twinset
