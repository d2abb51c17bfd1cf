// Sorting of records in place by their leading 64-bit words: what the external
// sort does with a full buffer.
#ifndef TWINSET_SRC_GROUND_BASE_SORT_RECORDS_H_
#define TWINSET_SRC_GROUND_BASE_SORT_RECORDS_H_

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "base/sort_words.h"

namespace twinset {

// SortRecords(begin, count, threads) has the outcome of std::sort by operator<,
// where records equal under it are interchangeable. T is trivially copyable.
//
// A radix sort from the leading bits that differ within a range, in place as by
// McIlroy, Bostic and McIlroy, "Engineering Radix Sort" (1993); each record is
// moved to its bucket once a digit, in the order of the records, not along
// cycles, so that the loads do not wait for each other. Ranges that fit a
// scratch of 64 KB go through it; short ones are sorted by insertion. Equal
// words and types without words are left to std::sort. Cost: at most
// (64 / 10 + 1) moves a record and word, whatever the keys. Memory: 64 KB and
// the stack, for each thread.
template <typename T>
class RecordSort {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  static void Sort(T* records, size_t count, int threads) {
    if (std::is_sorted(records, records + count, Less)) return;
    const size_t tasks = Tasks(count, threads);
    const std::vector<size_t> bounds = Split(records, count, tasks, threads);
    ParallelFor(tasks, 1, threads, [&](size_t first, size_t last) {
      for (size_t i = first; i < last; ++i)
        SortRange(records + bounds[i], bounds[i + 1] - bounds[i]);
    });
  }

 private:
  using Words = decltype(SortWordsOf(std::declval<T>()));
  static constexpr size_t kWords = std::tuple_size_v<Words>;
  static constexpr size_t kFew = 24;  // sorted by insertion
  static constexpr int kMostDigitBits = 10;
  static constexpr size_t kScratchRecords = (64 << 10) / sizeof(T);
  static constexpr size_t kRecordsWorthATask = 1 << 14;
  static constexpr size_t kSamplesATask = 8;

  // ---- threads: ranges between sampled records ----

  // A power of two.
  static size_t Tasks(size_t count, int threads) {
    if (threads <= 1) return 1;
    const size_t most =
        std::min({2 * std::bit_ceil(static_cast<size_t>(threads)),
                  kScratchRecords / kSamplesATask, count / kRecordsWorthATask});
    return std::bit_floor(std::max<size_t>(1, most));
  }

  // The standard library would not find the operator of unnamed namespaces.
  static constexpr auto Less = [](const T& x, const T& y) -> bool {
    return x < y;
  };

  static bool Before(const T& x, const T& y) {
    if constexpr (kWords == 0) {
      return x < y;
    } else {
      // Without branches, which random records would mispredict.
      const Words a = SortWordsOf(x), b = SortWordsOf(y);
      bool before = a[kWords - 1] < b[kWords - 1];
      for (size_t i = kWords - 1; i-- > 0;)
        before = int{a[i] < b[i]} | (int{a[i] == b[i]} & int{before});
      return before;
    }
  }

  // Moves those before `pivot` to the front; returns how many.
  static size_t Partition(T* records, size_t count, const T& pivot) {
    size_t front = 0;
    for (size_t i = 0; i < count; ++i) {
      const T record = records[i];
      records[i] = records[front];
      records[front] = record;
      front += Before(record, pivot);
    }
    return front;
  }

  // Moves the records into `tasks` ranges that ascend; where they begin, and
  // the end.
  static std::vector<size_t> Split(T* records, size_t count, size_t tasks,
                                   int threads) {
    std::vector<size_t> bounds(tasks + 1);
    bounds[tasks] = count;
    if (tasks == 1) return bounds;
    std::vector<T> samples(tasks * kSamplesATask);
    const size_t step = count / samples.size();
    for (size_t i = 0; i < samples.size(); ++i) samples[i] = records[i * step];
    SortRange(samples.data(), samples.size());  // in an order that has Before's
    for (size_t half = tasks / 2; half > 0; half /= 2) {
      const auto split = [&](size_t first, size_t last) {
        for (size_t i = first; i < last; ++i) {
          const size_t begin = 2 * half * i, middle = begin + half;
          const size_t from = bounds[begin], to = bounds[middle + half];
          bounds[middle] = from + Partition(records + from, to - from,
                                            samples[middle * kSamplesATask]);
        }
      };
      ParallelFor(tasks / (2 * half), 1, threads, split);
    }
    return bounds;
  }

  // ---- one thread ----

  static void SortRange(T* records, size_t count) {
    if constexpr (kWords == 0) {
      std::sort(records, records + count, Less);
    } else {
      const std::unique_ptr<T[]> scratch(
          new T[std::min(count, kScratchRecords)]);
      SortByWord<0>(records, count, scratch.get());
    }
  }

  // None of two records with equal words is the lesser.
  static constexpr bool kWordsAreAll =
      std::unsigned_integral<T> ||
      std::same_as<decltype(std::declval<T>() < std::declval<T>()), ByWords>;

  static void SortEqualWords(T* records, size_t count) {
    if constexpr (!kWordsAreAll) {
      if (!std::is_sorted(records, records + count, Less))
        std::sort(records, records + count, Less);
    }
  }

  static void SortFew(T* records, size_t count) {
    for (size_t i = 1; i < count; ++i) {
      const T record = records[i];
      size_t hole = i;
      for (; hole > 0 && record < records[hole - 1]; --hole)
        records[hole] = records[hole - 1];
      records[hole] = record;
    }
  }

  // Records whose words before kWord are equal.
  template <size_t kWord>
  static void SortByWord(T* records, size_t count, T* scratch) {
    if (count <= kFew) return SortFew(records, count);
    if constexpr (kWord == kWords) {
      SortEqualWords(records, count);
    } else {
      const auto word = [](const T& record) {
        return SortWordsOf(record)[kWord];
      };
      const uint64_t first = word(records[0]);
      uint64_t differing = 0;
      for (size_t i = 1; i < count; ++i) differing |= first ^ word(records[i]);
      if (differing == 0) return SortByWord<kWord + 1>(records, count, scratch);
      const int bits = std::clamp(static_cast<int>(std::bit_width(count / 4)),
                                  1, kMostDigitBits);
      const int shift =
          std::max(0, static_cast<int>(std::bit_width(differing)) - bits);
      const uint64_t mask = (uint64_t{1} << bits) - 1;
      size_t ends[size_t{1} << kMostDigitBits];
      Distribute(records, count, scratch, mask + 1, ends,
                 [&](const T& record) { return word(record) >> shift & mask; });
      for (size_t digit = 0, begin = 0; digit <= mask; ++digit) {
        const size_t size = ends[digit] - begin;
        if (size > 1 && shift > 0) {
          SortByWord<kWord>(records + begin, size, scratch);
        } else if (size > 1) {
          SortByWord<kWord + 1>(records + begin, size, scratch);
        }
        begin = ends[digit];
      }
    }
  }

  // Moves the records into buckets by their digits; `ends` says where each
  // bucket ends. Apart from the recursion, so that its tables leave the stack.
  template <typename Digit>
  __attribute__((noinline)) static void Distribute(T* records, size_t count,
                                                   T* scratch, size_t buckets,
                                                   size_t* ends,
                                                   const Digit& digit) {
    size_t next[size_t{1} << kMostDigitBits] = {};
    for (size_t i = 0; i < count; ++i) ++next[digit(records[i])];
    for (size_t bucket = 0, begin = 0; bucket < buckets; ++bucket) {
      ends[bucket] = begin + next[bucket];
      next[bucket] = begin;
      begin = ends[bucket];
    }
    if (count <= kScratchRecords) {
      for (size_t i = 0; i < count; ++i)
        scratch[next[digit(records[i])]++] = records[i];
      std::copy_n(scratch, count, records);
      return;
    }
    // Every step puts one record where it belongs, so there are `count`.
    for (bool unfinished = true; unfinished;) {
      unfinished = false;
      for (size_t bucket = 0; bucket < buckets; ++bucket) {
        for (size_t i = next[bucket]; i < ends[bucket]; ++i)
          std::swap(records[i], records[next[digit(records[i])]++]);
        unfinished |= next[bucket] < ends[bucket];
      }
    }
  }
};

template <typename T>
void SortRecords(T* records, size_t count, int threads) {
  RecordSort<T>::Sort(records, count, threads);
}

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_SORT_RECORDS_H_
