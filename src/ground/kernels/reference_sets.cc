// The definitions of SortUnique and IntersectionSize.
#include <algorithm>

#include "kernels/kernels.h"

namespace twinset::kernels::reference {

size_t SortUnique(uint64_t* values, size_t count) {
  std::sort(values, values + count);
  return static_cast<size_t>(std::unique(values, values + count) - values);
}

namespace {

template <typename T>
size_t CountCommon(std::span<const T> a, std::span<const T> b) {
  size_t i = 0, j = 0, size = 0;
  while (i < a.size() && j < b.size()) {
    if (a[i] == b[j]) {
      ++size, ++i, ++j;
    } else if (a[i] < b[j]) {
      ++i;
    } else {
      ++j;
    }
  }
  return size;
}

}  // namespace

size_t IntersectionSize(std::span<const uint64_t> a,
                        std::span<const uint64_t> b) {
  return CountCommon(a, b);
}

size_t IntersectionAtLeast(std::span<const uint64_t> a,
                           std::span<const uint64_t> b, size_t least) {
  const size_t size = CountCommon(a, b);
  return size < least ? 0 : size;
}

size_t IntersectionAtLeast(std::span<const uint32_t> a,
                           std::span<const uint32_t> b, size_t least) {
  const size_t size = CountCommon(a, b);
  return size < least ? 0 : size;
}

}  // namespace twinset::kernels::reference
