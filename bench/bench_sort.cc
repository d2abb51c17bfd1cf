// The sort of a full buffer of the external sort, beside std::sort:
//   bench_sort [RECORDS] [THREADS]
// Every outcome is compared with that of std::sort. See docs/benchmarks.md.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/sort_records.h"
#include "core/values.h"

namespace twinset {
namespace {

double Seconds(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

// The best of three of each; a machine that does other work only adds.
template <typename T>
void Bench(const char* name, const std::vector<T>& records, int threads) {
  double standard = 1e9, one = 1e9, many = 1e9;
  std::vector<T> expected, sorted;
  const auto measure = [&](int with, double* best) {
    sorted = records;
    *best = std::min(*best, Seconds([&] {
      SortRecords(sorted.data(), sorted.size(), with);
    }));
    if (std::memcmp(sorted.data(), expected.data(),
                    sorted.size() * sizeof(T)) == 0)
      return;
    std::fprintf(stderr, "wrong: %s by %d threads\n", name, with);
    std::exit(1);
  };
  for (int round = 0; round < 3; ++round) {
    expected = records;
    standard =
        std::min(standard,
                 Seconds([&] { std::sort(expected.begin(), expected.end()); }));
    measure(1, &one);
    measure(threads, &many);
  }
  std::printf(
      "%-28s std::sort %.3f s  1 thread %.3f s (%.1f x)  %d threads %.3f s "
      "(%.1f x)\n",
      name, standard, one, standard / one, threads, many, standard / many);
}

template <typename T, typename Make>
std::vector<T> Records(uint64_t count, const Make& make) {
  std::vector<T> records;
  for (uint64_t i = 0; i < count; ++i) records.push_back(make(i));
  return records;
}

void BenchAll(uint64_t count, int threads) {
  SplitMix64 random(1);
  Bench("postings, random keys",
        Records<Posting>(count,
                         [&](uint64_t i) {
                           return Posting::Make(random.Next(), i, i, 200);
                         }),
        threads);
  Bench("postings, 5 a bucket",
        Records<Posting>(count,
                         [&](uint64_t i) {
                           return Posting::Make(
                               Mix64(random.Below(count / 5 + 1)), i, i, 200);
                         }),
        threads);
  Bench("postings, one bucket",
        Records<Posting>(
            count,
            [&](uint64_t i) { return Posting::Make(7, Mix64(i), i, 200); }),
        threads);
  Bench("pairs of 3,500 documents",
        Records<CandidatePair>(count,
                               [&](uint64_t) {
                                 return CandidatePair::Of(random.Below(3500),
                                                          random.Below(3500));
                               }),
        threads);
  Bench("pairs of 10^6 documents",
        Records<CandidatePair>(count,
                               [&](uint64_t) {
                                 return CandidatePair::Of(
                                     random.Below(1000000),
                                     random.Below(1000000));
                               }),
        threads);
  Bench("pairs, sorted",
        Records<CandidatePair>(count,
                               [](uint64_t i) {
                                 return CandidatePair{i, i + 1};
                               }),
        threads);
  Bench("hashes",
        Records<uint64_t>(count, [&](uint64_t) { return random.Next(); }),
        threads);
}

}  // namespace
}  // namespace twinset

int main(int argc, char** argv) {
  const uint64_t count =
      argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000;
  const int threads = argc > 2 ? std::atoi(argv[2]) : 2;
  twinset::BenchAll(count, threads);
}
