// Trees for many rows at once: all nodes are compared, then chosen from below,
// which is what walking them gives. The reference walks.
#include <algorithm>

#include "kernels/kernels.h"
#include "kernels/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/forest_sums.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h: it compiles this file once for each target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace twinset::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if !TWINSET_SCALAR_TARGET

using D = hn::CappedTag<int16_t, Forest::kLanes>;
using V = hn::Vec<D>;

HWY_INLINE V SetTwice(D d, uint32_t two) {
  return hn::BitCast(d, hn::Set(hn::Repartition<uint32_t, D>(), two));
}

// What the rows at `values` (one vector of each feature) reach in one tree:
// `node` and what is below.
template <size_t kNode>
HWY_INLINE V Reached(D d, const uint8_t* features, const uint32_t* thresholds,
                     const uint32_t* leaves, const int16_t* values) {
  const auto right =
      hn::Gt(hn::LoadU(d, values + size_t{features[kNode]} * Forest::kLanes),
             SetTwice(d, thresholds[kNode]));
  if constexpr (kNode >= Forest::kInner / 2) {
    const uint32_t* const leaf = leaves + 2 * kNode + 1 - Forest::kInner;
    return hn::IfThenElse(right, SetTwice(d, leaf[1]), SetTwice(d, leaf[0]));
  } else {
    const V low =
        Reached<2 * kNode + 1>(d, features, thresholds, leaves, values);
    const V high =
        Reached<2 * kNode + 2>(d, features, thresholds, leaves, values);
    return hn::IfThenElse(right, high, low);
  }
}

void ForestSums(const Forest& forest, const int16_t* values, int32_t* sums) {
  const D d;
  const hn::Repartition<int32_t, D> wide;
  const hn::Half<D> half;
  const size_t lanes = hn::Lanes(d);
  for (size_t row = 0; row < Forest::kLanes; row += lanes) {
    auto low = hn::Zero(wide), high = hn::Zero(wide);
    for (size_t tree = 0; tree < forest.trees; ++tree) {
      const V leaf =
          Reached<0>(d, forest.features + tree * Forest::kInner,
                     forest.thresholds + tree * Forest::kInner,
                     forest.leaves + tree * Forest::kLeaves, values + row);
      low = hn::Add(low, hn::PromoteTo(wide, hn::LowerHalf(half, leaf)));
      high = hn::Add(high, hn::PromoteTo(wide, hn::UpperHalf(half, leaf)));
    }
    hn::StoreU(low, wide, sums + row);
    hn::StoreU(high, wide, sums + row + lanes / 2);
  }
}

// Eight columns of eight rows: pairs, fours, eights of a column together.
HWY_INLINE void TransposeEight(const int16_t* rows, size_t width,
                               int16_t* columns) {
  const hn::FixedTag<int16_t, 8> d;
  const hn::Repartition<int32_t, decltype(d)> d32;
  const hn::Repartition<int64_t, decltype(d)> d64;
  hn::Vec<decltype(d)> row[8], two[8], four[8];
  for (size_t i = 0; i < 8; ++i) row[i] = hn::LoadU(d, rows + i * width);
  for (size_t i = 0; i < 4; ++i) {
    two[i] = hn::InterleaveLower(d, row[2 * i], row[2 * i + 1]);
    two[i + 4] = hn::InterleaveUpper(d, row[2 * i], row[2 * i + 1]);
  }
  for (size_t i = 0; i < 8; i += 2) {
    const auto a = hn::BitCast(d32, two[i]), b = hn::BitCast(d32, two[i + 1]);
    four[i] = hn::BitCast(d, hn::InterleaveLower(d32, a, b));
    four[i + 1] = hn::BitCast(d, hn::InterleaveUpper(d32, a, b));
  }
  for (size_t i = 0; i < 4; ++i) {
    const size_t at = (i & 2) * 2 + (i & 1);
    const auto a = hn::BitCast(d64, four[at]);
    const auto b = hn::BitCast(d64, four[at + 2]);
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d64, a, b)), d,
               columns + 2 * i * Forest::kLanes);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d64, a, b)), d,
               columns + (2 * i + 1) * Forest::kLanes);
  }
}

void TransposeRows(const int16_t* rows, size_t width, int16_t* columns) {
  for (size_t row = 0; row < Forest::kLanes; row += 8) {
    for (size_t at = 0; at < width; at += 8) {
      const size_t column = std::min(at, width - 8);
      TransposeEight(rows + row * width + column, width,
                     columns + column * Forest::kLanes + row);
    }
  }
}

#else

void ForestSums(const Forest& forest, const int16_t* values, int32_t* sums) {
  reference::ForestSums(forest, values, sums);
}

void TransposeRows(const int16_t* rows, size_t width, int16_t* columns) {
  reference::TransposeRows(rows, width, columns);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace twinset::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twinset::kernels {

HWY_EXPORT(ForestSums);
HWY_EXPORT(TransposeRows);

void ForestSums(const Forest& forest, const int16_t* values, int32_t* sums) {
  HWY_DYNAMIC_DISPATCH(ForestSums)(forest, values, sums);
}

void TransposeRows(const int16_t* rows, size_t width, int16_t* columns) {
  HWY_DYNAMIC_DISPATCH(TransposeRows)(rows, width, columns);
}

namespace reference {

void ForestSums(const Forest& forest, const int16_t* values, int32_t* sums) {
  for (size_t row = 0; row < Forest::kLanes; ++row) {
    sums[row] = 0;
    for (size_t tree = 0; tree < forest.trees; ++tree) {
      size_t node = 0;
      while (node < Forest::kInner) {
        const size_t at = tree * Forest::kInner + node;
        const int16_t value =
            values[size_t{forest.features[at]} * Forest::kLanes + row];
        const auto threshold = static_cast<int16_t>(forest.thresholds[at]);
        node = 2 * node + (value > threshold ? 2 : 1);
      }
      sums[row] += static_cast<int16_t>(
          forest.leaves[tree * Forest::kLeaves + node - Forest::kInner]);
    }
  }
}

void TransposeRows(const int16_t* rows, size_t width, int16_t* columns) {
  for (size_t row = 0; row < Forest::kLanes; ++row) {
    for (size_t column = 0; column < width; ++column) {
      columns[column * Forest::kLanes + row] = rows[row * width + column];
    }
  }
}

}  // namespace reference

}  // namespace twinset::kernels
#endif  // HWY_ONCE
