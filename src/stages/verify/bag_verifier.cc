// Cosines of frequency vectors, in integers up to one square root and one
// division (docs/methods/measures.md).
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "core/one_plus_idf.h"
#include "verify/elements.h"
#include "verify/verifier.h"

namespace twinset {
namespace {

using Bag = std::span<const uint64_t>;
// Sums of products of weights below 2^55 whose counts sum below 2^32: below
// 2^110.
using Wide = unsigned __int128;

// Walks over the distinct features of an ascending bag.
class Terms {
 public:
  explicit Terms(Bag bag) : bag_(bag) { Advance(); }
  bool done() const { return begin_ == bag_.size(); }
  uint64_t feature() const { return bag_[begin_]; }
  uint64_t count() const { return end_ - begin_; }
  void Next() {
    begin_ = end_;
    Advance();
  }

 private:
  void Advance() {
    while (end_ < bag_.size() && bag_[end_] == bag_[begin_]) ++end_;
  }
  Bag bag_;
  size_t begin_ = 0, end_ = 0;
};

struct Products {
  Wide dot = 0, square_a = 0, square_b = 0;
  uint64_t common = 0;  // with repeats
  SharedFeatures distinct;
};

// weight(feature): what one occurrence weighs, below 2^23.
template <typename Weight>
Products Multiply(Bag bag_a, Bag bag_b, const Weight& weight) {
  Products products;
  Terms a(bag_a), b(bag_b);
  while (!a.done() || !b.done()) {
    const bool take_a = !a.done() && (b.done() || a.feature() <= b.feature());
    const bool take_b = !b.done() && (a.done() || b.feature() <= a.feature());
    const uint64_t one = weight(take_a ? a.feature() : b.feature());
    const uint64_t in_a = take_a ? a.count() * one : 0;
    const uint64_t in_b = take_b ? b.count() * one : 0;
    products.square_a += static_cast<Wide>(in_a) * in_a;
    products.square_b += static_cast<Wide>(in_b) * in_b;
    products.distinct.a += take_a;
    products.distinct.b += take_b;
    products.distinct.common += take_a && take_b;
    if (take_a && take_b) {
      products.dot += static_cast<Wide>(in_a) * in_b;
      products.common += std::min(a.count(), b.count());
    }
    if (take_a) a.Next();
    if (take_b) b.Next();
  }
  return products;
}

template <typename Weight>
class CosineVerifier : public Verifier {
 public:
  CosineVerifier(Measure measure, double threshold, Weight weight)
      : measure_(measure), threshold_(threshold), weight_(std::move(weight)) {}

  Verdict Compare(std::string_view a, std::string_view b) const override {
    const Elements left(a), right(b);
    Verdict verdict;
    verdict.overlap.a = left.values().size();
    verdict.overlap.b = right.values().size();
    if (verdict.overlap.a == 0 || verdict.overlap.b == 0) return verdict;
    const Products products = Multiply(left.values(), right.values(), weight_);
    verdict.overlap.common = products.common;
    verdict.shared = products.distinct;
    // Each conversion, product, root and quotient is correctly rounded, and
    // sqrt(x * x) == x: equal bags score exactly 1. Roundings may lift others
    // above it.
    const double norms = std::sqrt(static_cast<double>(products.square_a) *
                                   static_cast<double>(products.square_b));
    verdict.score = std::min(1.0, static_cast<double>(products.dot) / norms);
    verdict.accepted = verdict.score >= threshold_;
    return verdict;
  }
  bool CanReach(uint64_t size_a, uint64_t size_b) const override {
    return twinset::CanReach(measure_, size_a, size_b, threshold_);
  }

 private:
  const Measure measure_;
  const double threshold_;
  const Weight weight_;
};

struct OneEach {
  uint64_t operator()(uint64_t) const { return 1; }
};

struct SharedIdf {
  uint64_t operator()(uint64_t feature) const { return (*idf)(feature); }
  FeatureIdf idf;
};

}  // namespace

std::unique_ptr<Verifier> MakeCosineTfVerifier(double threshold) {
  return std::make_unique<CosineVerifier<OneEach>>(Measure::kCosineTf,
                                                   threshold, OneEach());
}

std::unique_ptr<Verifier> MakeCosineTfIdfVerifier(FeatureIdf idf,
                                                  double threshold) {
  if (idf == nullptr)
    idf = std::make_shared<const OnePlusIdf>(FrequencyTable());
  return std::make_unique<CosineVerifier<SharedIdf>>(
      Measure::kCosineTfIdf, threshold, SharedIdf{std::move(idf)});
}

}  // namespace twinset
