// Verification of pairs of sets of 500 hashes, on one core: by the definition,
// by IntersectionSize, and by IntersectionAtLeast with a threshold of 0.8.
//
// Near pairs differ in 2 to 32 % of the elements, random ones share nothing.
// "Hot" works on 200 pairs that stay in the cache, "cold" on 100,000 in any
// order. Every way is compared with the definition before it is timed.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "kernels/kernels.h"

namespace twinset {
namespace {

constexpr size_t kSets = 200000, kSize = 500;
constexpr size_t kLeast = 445;  // of two sets of 500 at J >= 0.8

template <typename T>
using Span = std::span<const T>;
using Pair = std::pair<size_t, size_t>;

struct Data {
  std::vector<uint64_t> wide;    // sets of kSize, one after the other
  std::vector<uint32_t> narrow;  // their high halves
  std::vector<Pair> hot, cold, random;
};

const Data& TheData() {
  static const Data data = [] {
    Data d;
    SplitMix64 random(9);
    for (size_t set = 0; set < kSets; ++set) {
      const uint64_t base = set & ~uint64_t{1};
      const uint64_t per_mille = set % 2 == 0 ? 0 : 20 + base * 7 % 100 * 3;
      const size_t begin = d.wide.size();
      for (size_t i = 0; i < kSize; ++i) {
        d.wide.push_back(random.Below(1000) < per_mille
                             ? random.Next()
                             : Mix64(base * 1000 + i + 1));
      }
      std::sort(d.wide.begin() + static_cast<ptrdiff_t>(begin), d.wide.end());
    }
    for (const uint64_t value : d.wide)
      d.narrow.push_back(static_cast<uint32_t>(value >> 32));
    for (size_t i = 0; i < 100000; ++i) {
      d.hot.push_back({i % 200 * 2, i % 200 * 2 + 1});
      d.cold.push_back({2 * i, 2 * i + 1});
      d.random.push_back({random.Below(kSets), random.Below(kSets)});
    }
    for (size_t i = d.cold.size() - 1; i > 0; --i)
      std::swap(d.cold[i], d.cold[random.Below(i + 1)]);
    return d;
  }();
  return data;
}

template <typename T>
Span<T> SetAt(const std::vector<T>& values, size_t set) {
  return {values.data() + set * kSize, kSize};
}

const std::vector<Pair>& PairsOf(int64_t kind) {
  const Data& data = TheData();
  return kind == 0 ? data.hot : kind == 1 ? data.cold : data.random;
}

template <typename T, typename Compare>
void Run(benchmark::State& state, const std::vector<T>& values,
         const Compare& compare, bool at_least) {
  const auto& pairs = PairsOf(state.range(0));
  for (size_t i = 0; i < 2000; ++i) {
    const auto a = SetAt(values, pairs[i].first);
    const auto b = SetAt(values, pairs[i].second);
    if (compare(a, b) !=
        kernels::reference::IntersectionAtLeast(a, b, at_least ? kLeast : 0)) {
      state.SkipWithError("differs from the definition");
      return;
    }
  }
  constexpr size_t kAhead = 3;
  for (auto unused : state) {
    size_t sum = 0;
    for (size_t i = 0; i < pairs.size(); ++i) {
      if (i + kAhead < pairs.size()) {
        for (const size_t set :
             {pairs[i + kAhead].first, pairs[i + kAhead].second}) {
          const auto* at =
              reinterpret_cast<const char*>(SetAt(values, set).data());
          for (size_t line = 0; line < 8; ++line)
            __builtin_prefetch(at + line * 64);
        }
      }
      sum += compare(SetAt(values, pairs[i].first),
                     SetAt(values, pairs[i].second));
    }
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() *
                          static_cast<int64_t>(pairs.size()));
  state.SetLabel(state.range(0) == 0   ? "hot near pairs"
                 : state.range(0) == 1 ? "cold near pairs"
                                       : "cold random pairs");
}

void Reference64(benchmark::State& state) {
  Run(
      state, TheData().wide,
      [](Span<uint64_t> a, Span<uint64_t> b) {
        return kernels::reference::IntersectionSize(a, b);
      },
      false);
}
void Size64(benchmark::State& state) {
  Run(
      state, TheData().wide,
      [](Span<uint64_t> a, Span<uint64_t> b) {
        return kernels::IntersectionSize(a, b);
      },
      false);
}
void AtLeast64(benchmark::State& state) {
  Run(
      state, TheData().wide,
      [](Span<uint64_t> a, Span<uint64_t> b) {
        return kernels::IntersectionAtLeast(a, b, kLeast);
      },
      true);
}
void AtLeast32(benchmark::State& state) {
  Run(
      state, TheData().narrow,
      [](Span<uint32_t> a, Span<uint32_t> b) {
        return kernels::IntersectionAtLeast(a, b, kLeast);
      },
      true);
}
BENCHMARK(Reference64)->DenseRange(0, 2);
BENCHMARK(Size64)->DenseRange(0, 2);
BENCHMARK(AtLeast64)->DenseRange(0, 2);
BENCHMARK(AtLeast32)->DenseRange(0, 2);

}  // namespace
}  // namespace twinset

BENCHMARK_MAIN();
