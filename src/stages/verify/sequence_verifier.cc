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

// The different tokens whose low bits under `mask` are `slice`, ascending.
// Memory: a few times as many as there are, however often they stand.
std::vector<uint64_t> Distinct(Tokens tokens, uint64_t mask, uint64_t slice) {
  constexpr size_t kRoom = 1 << 14;
  std::vector<uint64_t> distinct;
  const auto drop_repeats = [&distinct] {
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()),
                   distinct.end());
  };
  size_t most = kRoom;
  for (const uint64_t token : tokens) {
    if ((token & mask) != slice) continue;
    distinct.push_back(token);
    if (distinct.size() < most) continue;
    drop_repeats();
    most = 2 * distinct.size() + kRoom;
  }
  drop_repeats();
  return distinct;
}

// Which different tokens stand in both, wherever they stand. Long texts are
// compared slice by slice, so that no second copy of them is held.
SharedFeatures SharedTokens(Tokens a, Tokens b) {
  uint64_t mask = 0;
  while (std::max(a.size(), b.size()) >> 16 > mask) mask = 2 * mask + 1;
  Overlap sets;
  for (uint64_t slice = 0; slice <= mask; ++slice) {
    const std::vector<uint64_t> x = Distinct(a, mask, slice),
                                y = Distinct(b, mask, slice);
    sets.a += x.size();
    sets.b += y.size();
    sets.common += kernels::IntersectionAtLeast(x, y, 0);
  }
  return SharedOf(sets);
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
