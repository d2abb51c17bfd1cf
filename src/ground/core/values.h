// The plain values that stages exchange. A document is known by its number in
// input order.
#ifndef TWINSET_SRC_GROUND_CORE_VALUES_H_
#define TWINSET_SRC_GROUND_CORE_VALUES_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/sort_records.h"

namespace twinset {

// One sketch of one document: values in order. A 64-bit value takes two, low
// half first.
using Sketch = std::vector<uint32_t>;
using SketchView = std::span<const uint32_t>;

// What one or more passes over a corpus learnt and froze before sketching
// (lexicon, document frequencies): opaque bytes with the name and version of
// what wrote them.
struct CorpusModel {
  std::string name;
  uint32_t version = 0;
  std::string bytes;
};

// One (key, document) entry of the candidate stage. Ordered by key, then
// priority, so that a bucket lists its members from the best document to the
// worst.
struct Posting {
  static constexpr uint64_t kMaxSize = (uint64_t{1} << 24) - 1;

  uint64_t key = 0;
  uint64_t rank =
      0;  // priority of the document: 0 is the best of the corpus; unique
  uint64_t packed = 0;  // document number << 24 | saturated feature count

  static Posting Make(uint64_t key, uint64_t rank, uint64_t document,
                      uint64_t size) {
    return {key, rank, document << 24 | std::min(size, kMaxSize)};
  }
  uint64_t document() const { return packed >> 24; }
  // Number of features; kMaxSize means that many or more.
  uint64_t size() const { return packed & kMaxSize; }
  std::array<uint64_t, 2> SortWords() const { return {key, rank}; }
};

// Two documents worth verifying; a < b in input order.
struct CandidatePair {
  uint64_t a = 0, b = 0;
  static CandidatePair Of(uint64_t x, uint64_t y) {
    return {std::min(x, y), std::max(x, y)};
  }
  std::array<uint64_t, 2> SortWords() const { return {a, b}; }
  friend bool operator==(const CandidatePair&, const CandidatePair&) = default;
};

// Numbers of distinct features: of two documents, and of both. Zeros where they
// were not counted (--verify none). Invariant: common <= min(a, b).
struct SharedFeatures {
  uint32_t a = 0, b = 0;  // a blob of features has less than 2^32 bytes
  uint64_t common = 0;

  SharedFeatures Swapped() const { return {b, a, common}; }
  // The share of the features of the first that the second has too.
  double Contained() const {
    return a == 0 ? 0 : static_cast<double>(common) / static_cast<double>(a);
  }
  // Returns true iff the second lacks at most this share of the features of the
  // first. One correctly rounded division is compared, so 1 of 20 is 0.05.
  bool LosesAtMost(double share) const {
    if (share >= 1 || a == 0) return share >= 1;
    return static_cast<double>(a - common) / static_cast<double>(a) <= share;
  }
  friend bool operator==(const SharedFeatures&,
                         const SharedFeatures&) = default;
};

// Two documents and their exact similarity; a < b in input order.
struct VerifiedPair {
  uint64_t a = 0, b = 0;
  double score = 0;
  SharedFeatures shared = {};

  // Two documents in any order; `shared` is of x and y.
  static VerifiedPair Of(uint64_t x, uint64_t y, double score,
                         const SharedFeatures& shared) {
    return x < y ? VerifiedPair{x, y, score, shared}
                 : VerifiedPair{y, x, score, shared.Swapped()};
  }
  // Features of `document`, which is a or b, and of the other.
  SharedFeatures From(uint64_t document) const {
    return document == a ? shared : shared.Swapped();
  }
  std::array<uint64_t, 2> SortWords() const { return {a, b}; }
};

// A verified pair seen from one of its ends, for clustering. Ordered by the
// node's priority, then the neighbour's.
struct Edge {
  uint64_t node_rank = 0, other_rank = 0;
  uint64_t node = 0, other = 0;  // document numbers
  double score = 0;
  double contained = 0;  // the share of the node's features that `other` has
  std::array<uint64_t, 2> SortWords() const { return {node_rank, other_rank}; }
};

// `document` belongs to the cluster of `representative`. Ordered by cluster,
// then document.
struct Membership {
  uint64_t representative = 0, document = 0;
  double score = 0;      // exact similarity of the two
  double contained = 0;  // the share of the document's features in the other
  std::array<uint64_t, 2> SortWords() const {
    return {representative, document};
  }
};

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_CORE_VALUES_H_
