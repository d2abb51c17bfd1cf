#include "candidate/pair_filter.h"

#include <algorithm>
#include <bit>

namespace twinset {

namespace {

class HammingFilter : public PairFilter {
 public:
  HammingFilter(size_t sketch, int bits, int distance)
      : sketch_(sketch), bits_(bits), distance_(distance) {}
  bool Passes(std::span<const SketchView> a,
              std::span<const SketchView> b) const override {
    const SketchView x = a[sketch_], y = b[sketch_];
    const size_t words = static_cast<size_t>(bits_ + 31) / 32;
    if (x.size() < words || y.size() < words) return false;
    int differing = 0;
    for (size_t i = 0; i < words; ++i) {
      const int rest = bits_ - static_cast<int>(i) * 32;
      const uint32_t mask =
          rest >= 32 ? ~uint32_t{0} : (uint32_t{1} << rest) - 1;
      differing += std::popcount((x[i] ^ y[i]) & mask);
    }
    return differing <= distance_;
  }
  Status Check(std::span<const SketchLayout> layouts) const override {
    return CheckLayout(
        layouts, sketch_,
        {.comparison = SketchLayout::kByBit, .value_bits = bits_},
        "the filter by distance");
  }

 private:
  size_t sketch_;
  int bits_, distance_;
};

class AgreementFilter : public PairFilter {
 public:
  AgreementFilter(size_t sketch, size_t words, size_t agree)
      : sketch_(sketch), words_(words), agree_(agree) {}
  bool Passes(std::span<const SketchView> a,
              std::span<const SketchView> b) const override {
    const SketchView x = a[sketch_], y = b[sketch_];
    if (x.size() != y.size()) return false;
    size_t equal = 0;
    for (size_t i = 0; i + words_ <= x.size(); i += words_) {
      equal += std::equal(x.begin() + i, x.begin() + i + words_, y.begin() + i);
    }
    return equal >= agree_;
  }
  Status Check(std::span<const SketchLayout> layouts) const override {
    return CheckLayout(layouts, sketch_,
                       {.value_bits = 32 * static_cast<int>(words_)},
                       "the filter by agreement");
  }

 private:
  size_t sketch_, words_, agree_;
};

class OverlapFilter : public PairFilter {
 public:
  OverlapFilter(size_t sketch, size_t agree, double share, SetShare of)
      : sketch_(sketch), agree_(agree), share_(share), of_(of) {}
  bool Passes(std::span<const SketchView> a,
              std::span<const SketchView> b) const override {
    const SketchView x = a[sketch_], y = b[sketch_];
    const auto value = [](SketchView v, size_t i) {
      return uint64_t{v[2 * i + 1]} << 32 | v[2 * i];
    };
    const size_t n = x.size() / 2, m = y.size() / 2;
    size_t common = 0;
    for (size_t i = 0, j = 0; i < n && j < m;) {
      const uint64_t p = value(x, i), q = value(y, j);
      common += p == q;
      i += p <= q;
      j += q <= p;
    }
    const uint64_t whole =
        SketchAgreement{common, n + m - common, n, m}.Whole(of_);
    return common >= agree_ && whole != 0 &&
           static_cast<double>(common) / static_cast<double>(whole) >= share_;
  }
  Status Check(std::span<const SketchLayout> layouts) const override {
    return CheckLayout(layouts, sketch_,
                       {.comparison = SketchLayout::kAsSets, .value_bits = 64},
                       "the filter by overlap");
  }

 private:
  size_t sketch_, agree_;
  double share_;
  SetShare of_;
};

class BothFilter : public PairFilter {
 public:
  BothFilter(std::unique_ptr<PairFilter> first,
             std::unique_ptr<PairFilter> second)
      : first_(std::move(first)), second_(std::move(second)) {}
  bool Passes(std::span<const SketchView> a,
              std::span<const SketchView> b) const override {
    return first_->Passes(a, b) && second_->Passes(a, b);
  }
  Status Check(std::span<const SketchLayout> layouts) const override {
    TWINSET_TRY(first_->Check(layouts));
    return second_->Check(layouts);
  }

 private:
  std::unique_ptr<PairFilter> first_, second_;
};

}  // namespace

std::unique_ptr<PairFilter> MakeHammingFilter(size_t sketch, int bits,
                                              int distance) {
  return std::make_unique<HammingFilter>(sketch, bits, distance);
}

std::unique_ptr<PairFilter> MakeAgreementFilter(size_t sketch, size_t words,
                                                size_t agree) {
  return std::make_unique<AgreementFilter>(sketch, words, agree);
}

std::unique_ptr<PairFilter> MakeOverlapFilter(size_t sketch, size_t agree,
                                              double share, SetShare of) {
  return std::make_unique<OverlapFilter>(sketch, agree, share, of);
}

std::unique_ptr<PairFilter> MakeBothFilter(std::unique_ptr<PairFilter> first,
                                           std::unique_ptr<PairFilter> second) {
  return std::make_unique<BothFilter>(std::move(first), std::move(second));
}

}  // namespace twinset
