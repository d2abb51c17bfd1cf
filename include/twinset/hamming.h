// Finds all pairs of near fingerprints in files of fingerprints; no documents
// are involved.
#ifndef TWINSET_HAMMING_H_
#define TWINSET_HAMMING_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "twinset/error.h"
#include "twinset/options.h"
#include "twinset/progress.h"
#include "twinset/results.h"

namespace twinset {
inline namespace v1 {

// Rows count from 0 over all files of a set, in their order.
struct HammingOptions {
  // Fingerprints in files or "-", plain or compressed: little-endian numbers of
  // `bits` bits one after the other, or lines of hexadecimal digits. The
  // content tells which of the two it is (docs/methods/hamming-join.md).
  std::vector<std::string> inputs;
  std::vector<std::string> against;  // a second set; empty: pairs of the first
  int bits = 64;                     // 32|64|128
  int distance = 3;                  // the most bits that may differ
  // Only threads, memory_bytes, tmp and simd are used. What does not fit into
  // memory goes through files below tmp, if `bits` is 64 and `distance` at most
  // 3; else it is refused.
  ResourceOptions resources;
  std::function<void(const Progress&)> on_progress;  // fingerprints, then pairs
  const std::atomic<bool>* stop = nullptr;
};

struct HammingSummary {
  uint64_t rows = 0, rows_against = 0, pairs = 0;
  std::vector<uint64_t> pairs_by_distance;  // of 0, 1, ... differing bits
  ResultPage page;
};

// Calls on_pair for every pair of rows in which at most `distance` bits differ,
// sorted by a, then b. Without `against` a < b; with it b is a row of that set.
// on_pair returns false to stop. kMemory names an amount of memory that is
// enough for fingerprints and pairs, kInterrupted when `stop` was set.
Result<HammingSummary> FindHammingPairs(
    const HammingOptions& options,
    const std::function<bool(uint64_t a, uint64_t b, int distance)>& on_pair);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_HAMMING_H_
