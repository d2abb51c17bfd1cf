// The order of records by 64-bit words, which sorts can take digits of.
#ifndef TWINSET_SRC_GROUND_BASE_SORT_WORDS_H_
#define TWINSET_SRC_GROUND_BASE_SORT_WORDS_H_

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace twinset {

// A record type states its leading words: a record with lesser words, compared
// from the first, is the lesser one. An operator< of its own decides among
// equal words; without one the words are all that orders it.
template <typename T>
concept HasSortWords = requires(const T& record) {
  record.SortWords().size();
};

// The words as an array; none for a type that has no such member.
template <typename T>
constexpr auto SortWordsOf(const T& record) {
  if constexpr (HasSortWords<T>) {
    return record.SortWords();
  } else if constexpr (std::unsigned_integral<T>) {
    return std::array<uint64_t, 1>{record};
  } else {
    return std::array<uint64_t, 0>{};
  }
}

// The outcome of a comparison, of a type of its own: it tells that words alone
// decided it, and so that nothing is left to sort among equal words.
struct ByWords {
  bool before;
  constexpr operator bool() const { return before; }
};

template <HasSortWords T>
constexpr ByWords operator<(const T& x, const T& y) {
  const auto a = x.SortWords(), b = y.SortWords();
  size_t i = 0;
  while (i + 1 < a.size() && a[i] == b[i]) ++i;
  return {a[i] < b[i]};
}

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_SORT_WORDS_H_
