#include "verify/measures.h"

#include <algorithm>
#include <cmath>

namespace twinset {
namespace {

double Ratio(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0.0
                    : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

double Jaccard(const Overlap& overlap) {
  return Ratio(overlap.common, overlap.a + overlap.b - overlap.common);
}

double ContainmentAB(const Overlap& overlap) {
  return Ratio(overlap.common, overlap.a);
}

double ContainmentBA(const Overlap& overlap) {
  return Ratio(overlap.common, overlap.b);
}

double Dice(const Overlap& overlap) {
  return Ratio(2 * overlap.common, overlap.a + overlap.b);
}

double Cosine(const Overlap& overlap) {
  if (overlap.a == 0 || overlap.b == 0) return 0.0;
  // sqrt is correctly rounded by IEEE 754, and sqrt(x * x) == x: equal sets
  // score exactly 1.
  return static_cast<double>(overlap.common) /
         std::sqrt(static_cast<double>(overlap.a) *
                   static_cast<double>(overlap.b));
}

double S3(const Overlap& overlap) {
  if (overlap.a + overlap.b == 0) return 0.0;
  const double mean = static_cast<double>(overlap.a + overlap.b) / 2.0;
  return static_cast<double>(overlap.common) / mean;
}

double Score(Measure measure, const Overlap& overlap) {
  switch (measure) {
    case Measure::kJaccard:
      return Jaccard(overlap);
    case Measure::kContainment:
      return Ratio(overlap.common, std::min(overlap.a, overlap.b));
    case Measure::kDice:
      return Dice(overlap);
    case Measure::kCosine:
      return Cosine(overlap);
    case Measure::kS3:
      return S3(overlap);
    default:
      return 0.0;
  }
}

bool CanReach(Measure measure, uint64_t size_a, uint64_t size_b,
              double threshold) {
  if (size_a == 0 || size_b == 0) return false;
  const uint64_t most = std::min(size_a, size_b);
  const uint64_t longer = std::max(size_a, size_b);
  switch (measure) {
    case Measure::kCosineTf:
    case Measure::kCosineTfIdf:
      return true;  // a text and the same text twice have one direction
    case Measure::kEdit:
    case Measure::kEditChars:
      return Ratio(most, longer) >= threshold;
    case Measure::kHamming:
    case Measure::kHammingChars:
      return size_a == size_b;
    default:
      return Score(measure, Overlap{size_a, size_b, most}) >= threshold;
  }
}

}  // namespace twinset
