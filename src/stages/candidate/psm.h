// Probabilistic matching: fingerprints are looked up exactly, with their most
// volatile bits flipped (Sood and Loguinov, CIKM 2011).
// See docs/methods/probabilistic-matching.md.
#ifndef TWINSET_SRC_STAGES_CANDIDATE_PSM_H_
#define TWINSET_SRC_STAGES_CANDIDATE_PSM_H_

#include <cstdint>
#include <span>
#include <vector>

#include "candidate/collection_join.h"
#include "candidate/hamming_join_values.h"

namespace twinset {

// The sets of at most `distance` bits, the empty one first, by the sum of the
// costs of their bits, ties by fewer bits and then by less costly ones: sets
// that are likelier to flip come first. The cost of a bit is its volatility
// squared. Memory and time of a step grow with the steps made (a heap).
class FlipOrder {
 public:
  // One volatility a bit, the margin of its vote: the smaller, the likelier it
  // flips. At most 128.
  FlipOrder(std::span<const uint32_t> volatility, int distance);
  // The bits of the next set; false after the last one.
  bool Next(Wide* bits);

 private:
  struct Set {
    Wide cost = 0;
    Wide members = 0;  // bit i: the i-th least costly bit
    Wide bits = 0;
    int size = 0, last = -1;  // `last`: its most costly member
  };
  static bool Later(const Set& a, const Set& b);
  void Push(const Set& set);

  struct Bit {
    Wide cost = 0;
    int place = 0;
  };
  const int distance_;
  std::vector<Bit> bits_;  // least costly first
  std::vector<Set> heap_;
};

// Number of sets of at most `distance` of `bits` bits, saturating.
uint64_t FlipSets(int bits, int distance);

// Distinct fingerprints with exact look-up: one bit per value in a filter that
// fits the caches answers most, an open hash table the others. Immutable.
class ExactTable {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};
  static uint64_t Bytes(uint64_t values);
  // Any order, repeats allowed; fewer than 2^32 - 1.
  explicit ExactTable(std::vector<Wide> values);

  // Number of the value in ascending order, or kNone.
  uint32_t Find(Wide value) const;
  const std::vector<Wide>& values() const { return values_; }

 private:
  static uint64_t Hash(Wide value);
  std::vector<Wide> values_;
  std::vector<uint64_t> filter_;
  std::vector<uint32_t> slots_;
  int filter_shift_ = 0, slot_shift_ = 0;
};

// Candidates are pairs of which one finds the other by its first `probes`
// flips; 0: by all, which is complete. Sketch number `sketch` is a fingerprint
// of `bits` <= 128 bits followed by one word a bit, the margin of its vote. In
// a join of two collections only what is not stored asks.
CollectionJoinFactory MakePsmJoinFactory(size_t sketch, int bits, int distance,
                                         uint64_t probes);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_PSM_H_
