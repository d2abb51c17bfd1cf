// The one of Highway's sorts that is called, in the place of libhwy_contrib,
// which has forty of them for every target: .6 MB of a packed wheel. Compiled
// for small wheels alone, from the headers of the same library.
#include <sys/random.h>

#include <cstddef>
#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "wheel/sorter.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// After foreach_target.h.
#include <hwy/contrib/sort/traits-inl.h>
#include <hwy/contrib/sort/vqsort-inl.h>
#include <hwy/contrib/sort/vqsort.h>

HWY_BEFORE_NAMESPACE();
namespace hwy {
namespace HWY_NAMESPACE {

void SortAscending64(uint64_t* keys, size_t count) {
  const SortTag<uint64_t> d;
  const detail::SharedTraits<
      detail::TraitsLane<detail::OrderAscending<uint64_t>>>
      traits;
  Sort(d, traits, keys, count, static_cast<uint64_t*>(nullptr));
}

}  // namespace HWY_NAMESPACE
}  // namespace hwy
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hwy {
namespace {

HWY_EXPORT(SortAscending64);

}  // namespace

Sorter::Sorter() = default;
void Sorter::Delete() {}
void Sorter::operator()(uint64_t* HWY_RESTRICT keys, size_t count,
                        SortAscending) const {
  HWY_DYNAMIC_DISPATCH(SortAscending64)(keys, count);
}
// Where pivots are drawn, so that nobody can prepare an input that is slow.
void Sorter::Fill24Bytes(const void*, size_t, void* bytes) {
  if (::getentropy(bytes, 24) != 0)
    for (int i = 0; i < 24; ++i) static_cast<unsigned char*>(bytes)[i] = 1;
}

}  // namespace hwy
#endif  // HWY_ONCE
