// The complete Hamming join: every pair of fingerprints that differ in at most
// a given number of bits, within one set or between two.
// See docs/methods/hamming-join.md.
#ifndef TWINSET_SRC_STAGES_CANDIDATE_HAMMING_JOIN_H_
#define TWINSET_SRC_STAGES_CANDIDATE_HAMMING_JOIN_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/memory_budget.h"
#include "candidate/collection_join.h"
#include "candidate/hamming_join_rows.h"
#include "twinset/error.h"

namespace twinset {

struct HammingJoinOptions {
  int bits = 64;     // 1..128
  int distance = 3;  // 0..bits
  int threads = 1;
  bool two_sets = false;
  MemoryBudget* budget = nullptr;
  // Makes a folder for what does not fit into memory, once it is needed. None:
  // that is refused.
  std::function<Result<std::string>()> make_scratch = {};
  // Set: the join ends with kInterrupted, part by part.
  const std::atomic<bool>* stop = nullptr;
};

// One join. Not thread-safe; uses threads inside. The pairs do not depend on
// threads or memory.
class HammingJoin {
 public:
  // kUsage for bits and distances out of range.
  static Result<std::unique_ptr<HammingJoin>> Make(
      const HammingJoinOptions& options);
  virtual ~HammingJoin() = default;

  // Appends a row: the low `bits` bits of high * 2^64 + low. Rows of each set
  // count from 0. kMemory when it does not fit and has no other place
  // (JoinsOnDisk), kUnsupported beyond 2^32 - 2.
  virtual Status Add(uint64_t low, uint64_t high, bool second_set) = 0;
  // False: Join is sure to return kMemory.
  virtual bool HasRoom() const = 0;
  // Every pair once, by rows of the first and the second set, sorted; a < b
  // when there is only one. Once, after the last Add. kMemory says how much is
  // needed; nothing was emitted then.
  virtual Status Join(const RowPairSink& sink) = 0;
};

// Memory that a join needs beside its results.
uint64_t HammingJoinBytes(uint64_t rows, int bits, int threads);

// Candidates are the pairs whose sketch number `sketch` differs in at most
// `distance` of its first `bits` bits (core/fingerprint.h): the pairs of
// MakeHammingFilter.
CollectionJoinFactory MakeHammingJoinFactory(size_t sketch, int bits,
                                             int distance);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_HAMMING_JOIN_H_
