// Trees for many rows at once: all nodes are compared, then chosen from below,
// which is what walking them gives. The reference walks.
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

// What the rows at `values` (one vector of each feature) reach in one tree:
// `node` and what is below.
template <size_t kNode>
HWY_INLINE V Reached(D d, const uint8_t* features, const int16_t* thresholds,
                     const int16_t* leaves, const int16_t* values) {
  const auto right =
      hn::Gt(hn::LoadU(d, values + size_t{features[kNode]} * Forest::kLanes),
             hn::Set(d, thresholds[kNode]));
  if constexpr (kNode >= Forest::kInner / 2) {
    const int16_t* const leaf = leaves + 2 * kNode + 1 - Forest::kInner;
    return hn::IfThenElse(right, hn::Set(d, leaf[1]), hn::Set(d, leaf[0]));
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

#else

void ForestSums(const Forest& forest, const int16_t* values, int32_t* sums) {
  reference::ForestSums(forest, values, sums);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace twinset::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twinset::kernels {

HWY_EXPORT(ForestSums);

void ForestSums(const Forest& forest, const int16_t* values, int32_t* sums) {
  HWY_DYNAMIC_DISPATCH(ForestSums)(forest, values, sums);
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
        node = 2 * node + (value > forest.thresholds[at] ? 2 : 1);
      }
      sums[row] +=
          forest.leaves[tree * Forest::kLeaves + node - Forest::kInner];
    }
  }
}

}  // namespace reference

}  // namespace twinset::kernels
#endif  // HWY_ONCE
