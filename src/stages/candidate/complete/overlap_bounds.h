// How many elements two documents of a pair must share: what makes a threshold
// a candidate filter (docs/methods/complete.md).
#ifndef TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_OVERLAP_BOUNDS_H_
#define TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_OVERLAP_BOUNDS_H_

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace twinset {

// What the join knows of a measure. Elements are shingles of a set, tokens with
// the number of their occurrence, or weighted shingles.
enum class JoinMeasure : uint8_t {
  kJaccard,
  kContainment,  // of the smaller in the larger
  kDice,         // and s3
  kCosine,       // of sets
  kEdit,         // of token sequences
  kHamming,      // of token sequences of one length
  kCosineTf,     // of bags
};

// Returns true iff features are stored as they come in the text; else
// ascending.
inline bool IsOfSequences(JoinMeasure measure) {
  return measure == JoinMeasure::kEdit || measure == JoinMeasure::kHamming;
}

// The number of elements of a prefix: any common element beyond leaves fewer
// than `required` from itself on.
inline uint64_t LengthOfPrefix(uint64_t size, uint64_t required) {
  return required >= size ? 1 : size - required + 1;
}

// Necessary for a pair, never sufficient; lower than the exact bound by a part
// in 10^9, so that no rounding of a score loses a pair. Immutable.
class OverlapBounds {
 public:
  // Makes sums of doubles safe to compare with: far above their rounding
  // errors.
  static constexpr double kSafely = 1 - 1e-9;

  OverlapBounds(JoinMeasure measure, double threshold)
      : measure_(measure),
        t_(threshold),
        of_sum_(measure == JoinMeasure::kJaccard ? t_ / (1 + t_) : t_ / 2) {}

  JoinMeasure measure() const { return measure_; }
  double threshold() const { return t_; }

  // Elements that documents of these sizes, small <= large, share if they are a
  // pair; at least 1.
  uint64_t Required(uint64_t small, uint64_t large) const {
    const double a = static_cast<double>(small);
    const double b = static_cast<double>(large);
    switch (measure_) {
      case JoinMeasure::kJaccard:
      case JoinMeasure::kDice:
        return Up(of_sum_ * (a + b));
      case JoinMeasure::kContainment:
        return Up(t_ * a);
      case JoinMeasure::kCosine:
        return Up(t_ * std::sqrt(a * b));
      case JoinMeasure::kEdit:
      case JoinMeasure::kHamming:
        return Up(t_ * b);
      case JoinMeasure::kCosineTf:
        break;
    }
    return 1;
  }

  // For bags, by the squared norms of a document and of some of its features:
  // if these have less than this of the whole, they alone make no pair.
  double LeastSquare(double whole) const { return t_ * t_ * whole * kSafely; }

  // The least Required with any larger document.
  uint64_t RequiredAsSmaller(uint64_t size) const {
    return Required(size, size);
  }

  // The least size of a smaller document.
  uint64_t SmallestPartner(uint64_t size) const {
    const double n = static_cast<double>(size);
    switch (measure_) {
      case JoinMeasure::kJaccard:
      case JoinMeasure::kEdit:
        return Up(t_ * n);
      case JoinMeasure::kDice:
        return Up(t_ / (2 - t_) * n);
      case JoinMeasure::kCosine:
        return Up(t_ * t_ * n);
      case JoinMeasure::kHamming:
        return size;
      case JoinMeasure::kContainment:
      case JoinMeasure::kCosineTf:
        break;
    }
    return 1;
  }

  // The least Required with any smaller document: it grows with that.
  uint64_t RequiredAsLarger(uint64_t size) const {
    return Required(SmallestPartner(size), size);
  }

 private:
  static uint64_t Up(double bound) {
    return std::max<uint64_t>(
        1, static_cast<uint64_t>(std::ceil(bound * kSafely)));
  }

  JoinMeasure measure_;
  double t_;
  double of_sum_;  // Required as a part of both sizes
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_OVERLAP_BOUNDS_H_
