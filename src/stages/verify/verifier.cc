#include "verify/verifier.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "kernels/kernels.h"
#include "verify/elements.h"

namespace twinset {
namespace {

using Set = std::span<const uint64_t>;

// The least |A & B| with which sets of these sizes are a pair; more than the
// smaller one when there is none. `common_to_score` rises.
template <typename Score>
uint64_t FindLeast(uint64_t most, double guess, double threshold,
                   const Score& common_to_score) {
  uint64_t least =
      static_cast<uint64_t>(std::clamp(guess, 0.0, static_cast<double>(most)));
  while (least <= most && common_to_score(least) < threshold) ++least;
  while (least > 0 && common_to_score(least - 1) >= threshold) --least;
  return least;
}

// About where the score reaches the threshold.
double GuessCommon(Measure measure, double a, double b, double t) {
  switch (measure) {
    case Measure::kJaccard:
      return t / (1 + t) * (a + b);
    case Measure::kContainment:
      return t * std::min(a, b);
    case Measure::kCosine:
      return t * std::sqrt(a * b);
    default:
      return t / 2 * (a + b);
  }
}

// By the number of elements that two sets share.
class OverlapVerifier : public Verifier {
 public:
  explicit OverlapVerifier(double threshold) : threshold_(threshold) {}
  Verdict CompareFully(std::string_view a, std::string_view b) const override {
    const Elements left(a), right(b);
    return Judge(left.values(), right.values(), 0);
  }
  // Counts no further when the threshold is out of reach.
  Verdict Compare(std::string_view a, std::string_view b) const override {
    const Elements left(a), right(b);
    return Judge(left.values(), right.values(),
                 LeastCommon(left.values().size(), right.values().size()));
  }
  bool GoesByCommon() const override { return true; }
  Verdict VerdictOf(const Overlap& overlap) const override {
    Verdict verdict;
    verdict.overlap = overlap;
    verdict.shared = SharedOf(overlap);
    if (overlap.a == 0 || overlap.b == 0) return verdict;
    verdict.score = ScoreOf(overlap);
    verdict.accepted = verdict.score >= threshold_;
    return verdict;
  }

 protected:
  virtual double ScoreOf(const Overlap& overlap) const = 0;

  Verdict Judge(Set a, Set b, uint64_t least) const {
    return VerdictOf(
        {a.size(), b.size(), kernels::IntersectionAtLeast(a, b, least)});
  }

  const double threshold_;
};

class SetVerifier final : public OverlapVerifier {
 public:
  SetVerifier(Measure measure, double threshold)
      : OverlapVerifier(threshold), measure_(measure) {}

  uint64_t LeastCommon(uint64_t size_a, uint64_t size_b) const override {
    return FindLeast(std::min(size_a, size_b),
                     GuessCommon(measure_, static_cast<double>(size_a),
                                 static_cast<double>(size_b), threshold_),
                     threshold_, [&](uint64_t common) {
                       return ScoreOf({size_a, size_b, common});
                     });
  }
  bool CanReach(uint64_t size_a, uint64_t size_b) const override {
    return twinset::CanReach(measure_, size_a, size_b, threshold_);
  }

 private:
  double ScoreOf(const Overlap& overlap) const override {
    return Score(measure_, overlap);
  }

  const Measure measure_;
};

// Containment of the features of a in b.
class ContainmentVerifier final : public OverlapVerifier {
 public:
  using OverlapVerifier::OverlapVerifier;

  uint64_t LeastCommon(uint64_t size_a, uint64_t) const override {
    return FindLeast(size_a, threshold_ * static_cast<double>(size_a),
                     threshold_, [&](uint64_t common) {
                       return ScoreOf({size_a, size_a, common});
                     });
  }
  bool CanReach(uint64_t size_a, uint64_t size_b) const override {
    return size_a > 0 && size_b > 0 &&
           ScoreOf({size_a, size_b, std::min(size_a, size_b)}) >= threshold_;
  }

 private:
  double ScoreOf(const Overlap& overlap) const override {
    return ContainmentAB(overlap);
  }
};

class BytesVerifier : public Verifier {
 public:
  Verdict Compare(std::string_view a, std::string_view b) const override {
    Verdict verdict;
    verdict.accepted = a == b;
    verdict.score = verdict.accepted ? 1.0 : 0.0;
    verdict.overlap =
        Overlap{a.size(), b.size(), verdict.accepted ? a.size() : 0};
    verdict.shared = SharedOf(verdict.overlap);
    return verdict;
  }
  bool CanReach(uint64_t size_a, uint64_t size_b) const override {
    return size_a == size_b;
  }
};

}  // namespace

Verifier::~Verifier() = default;

std::unique_ptr<Verifier> MakeSetVerifier(Measure measure, double threshold) {
  return std::make_unique<SetVerifier>(measure, threshold);
}

std::unique_ptr<Verifier> MakeContainmentVerifier(double threshold) {
  return std::make_unique<ContainmentVerifier>(threshold);
}

std::unique_ptr<Verifier> MakeBytesVerifier() {
  return std::make_unique<BytesVerifier>();
}

}  // namespace twinset
