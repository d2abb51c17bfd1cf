// Edit and Hamming similarity of token sequences (docs/methods/measures.md).
#include <algorithm>
#include <span>
#include <vector>

#include "kernels/kernels.h"
#include "verify/edit.h"
#include "verify/elements.h"
#include "verify/verifier.h"

namespace twinset {
namespace {

using Tokens = std::span<const uint64_t>;

double Share(uint64_t kept, uint64_t longer) {
  return static_cast<double>(kept) / static_cast<double>(longer);
}

// The most edits after which two texts, the longer of this length, still reach
// the threshold.
uint64_t MostEdits(uint64_t longer, double threshold) {
  uint64_t most =
      static_cast<uint64_t>((1.0 - threshold) * static_cast<double>(longer));
  while (most > 0 && Share(longer - most, longer) < threshold) --most;
  while (most < longer && Share(longer - most - 1, longer) >= threshold) ++most;
  return most;
}

std::vector<uint64_t> Distinct(Tokens tokens) {
  std::vector<uint64_t> distinct(tokens.begin(), tokens.end());
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  return distinct;
}

// Which different tokens stand in both, wherever they stand.
SharedFeatures SharedTokens(Tokens a, Tokens b) {
  const std::vector<uint64_t> x = Distinct(a), y = Distinct(b);
  return SharedOf({x.size(), y.size(), kernels::IntersectionAtLeast(x, y, 0)});
}

class EditVerifier : public Verifier {
 public:
  explicit EditVerifier(double threshold) : threshold_(threshold) {}

  Verdict Compare(std::string_view a, std::string_view b) const override {
    return CompareWithin(a, b, threshold_);
  }
  Verdict CompareFully(std::string_view a, std::string_view b) const override {
    return CompareWithin(a, b, 0);
  }
  bool CanReach(uint64_t size_a, uint64_t size_b) const override {
    return twinset::CanReach(Measure::kEdit, size_a, size_b, threshold_);
  }

 private:
  Verdict CompareWithin(std::string_view a, std::string_view b,
                        double least) const {
    const Elements left(a), right(b);
    const Tokens x = left.values(), y = right.values();
    Verdict verdict;
    verdict.overlap = {x.size(), y.size(), 0};
    if (x.empty() || y.empty()) return verdict;
    const uint64_t longer = std::max(x.size(), y.size());
    uint64_t distance = 0;
    if (least > 0) {
      distance = BoundedEditDistance(x, y, MostEdits(longer, least));
    } else {
      for (uint64_t most = 64;; most *= 4) {
        distance = BoundedEditDistance(x, y, std::min(most, longer));
        if (distance <= most) break;
      }
    }
    verdict.overlap.common = longer - std::min(distance, longer);
    verdict.score = Share(verdict.overlap.common, longer);
    verdict.accepted = verdict.score >= threshold_;
    if (verdict.accepted || least == 0) verdict.shared = SharedTokens(x, y);
    return verdict;
  }

  const double threshold_;
};

class HammingVerifier : public Verifier {
 public:
  explicit HammingVerifier(double threshold) : threshold_(threshold) {}

  Verdict Compare(std::string_view a, std::string_view b) const override {
    const Elements left(a), right(b);
    Verdict verdict = CompareTokens(left.values(), right.values());
    if (verdict.accepted)
      verdict.shared = SharedTokens(left.values(), right.values());
    return verdict;
  }
  Verdict CompareFully(std::string_view a, std::string_view b) const override {
    const Elements left(a), right(b);
    Verdict verdict = CompareTokens(left.values(), right.values());
    verdict.shared = SharedTokens(left.values(), right.values());
    return verdict;
  }
  bool CanReach(uint64_t size_a, uint64_t size_b) const override {
    return twinset::CanReach(Measure::kHamming, size_a, size_b, threshold_);
  }

 private:
  Verdict CompareTokens(Tokens x, Tokens y) const {
    Verdict verdict;
    verdict.overlap = {x.size(), y.size(), 0};
    if (x.size() != y.size() || x.empty()) return verdict;
    for (size_t i = 0; i < x.size(); ++i)
      verdict.overlap.common += x[i] == y[i];
    verdict.score = Share(verdict.overlap.common, x.size());
    verdict.accepted = verdict.score >= threshold_;
    return verdict;
  }

  const double threshold_;
};

}  // namespace

std::unique_ptr<Verifier> MakeEditVerifier(double threshold) {
  return std::make_unique<EditVerifier>(threshold);
}

std::unique_ptr<Verifier> MakeHammingVerifier(double threshold) {
  return std::make_unique<HammingVerifier>(threshold);
}

}  // namespace twinset
