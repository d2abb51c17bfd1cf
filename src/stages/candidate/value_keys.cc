#include "candidate/value_keys.h"

#include <algorithm>

#include "base/hash.h"
#include "core/packed_values.h"

namespace twinset {

namespace {

// Mixed seeds: XXH3 joins seed and short keys by addition and exclusive or, so
// that neighbouring seeds and neighbouring values could meet.
uint64_t HashOf(SketchView words, uint64_t scope, size_t place) {
  return Hash64(
      {reinterpret_cast<const char*>(words.data()), words.size_bytes()},
      Mix64(Mix64(scope) + place));
}

class ValueKeys : public KeyGenerator {
 public:
  ValueKeys(size_t words, bool by_place) : words_(words), by_place_(by_place) {}
  void Keys(std::span<const Sketch> sketches, uint64_t scope,
            std::vector<uint64_t>* keys) const override {
    const SketchView sketch(sketches[0]);
    for (size_t i = 0; (i + 1) * words_ <= sketch.size(); ++i) {
      keys->push_back(
          HashOf(sketch.subspan(i * words_, words_), scope, by_place_ ? i : 0));
    }
  }
  Status Check(std::span<const SketchLayout> layouts) const override {
    return CheckLayout(layouts, 0,
                       {.comparison = by_place_ ? SketchLayout::kByPlace
                                                : SketchLayout::kAsSets,
                        .value_bits = 32 * static_cast<int>(words_)},
                       "the generator of values");
  }

 private:
  size_t words_;
  bool by_place_;
};

class ValuePairKeys : public KeyGenerator {
 public:
  explicit ValuePairKeys(size_t words) : words_(words) {}
  void Keys(std::span<const Sketch> sketches, uint64_t scope,
            std::vector<uint64_t>* keys) const override {
    const SketchView sketch(sketches[0]);
    const size_t values = sketch.size() / words_;
    Sketch both(2 * words_);
    for (size_t i = 0; i < values; ++i) {
      for (size_t j = i + 1; j < values; ++j) {
        const auto copy = [&](size_t from, size_t to) {
          const auto value = sketch.subspan(from * words_, words_);
          std::copy(value.begin(), value.end(),
                    both.begin() + static_cast<ptrdiff_t>(to * words_));
        };
        copy(i, 0);
        copy(j, 1);
        keys->push_back(HashOf(both, scope, i * values + j));
      }
    }
  }
  Status Check(std::span<const SketchLayout> layouts) const override {
    return CheckLayout(layouts, 0,
                       {.value_bits = 32 * static_cast<int>(words_)},
                       "the generator of pairs of values");
  }

 private:
  size_t words_;
};

class PackedKeys : public KeyGenerator {
 public:
  PackedKeys(std::unique_ptr<KeyGenerator> inner, size_t values, int bits)
      : inner_(std::move(inner)), values_(values), bits_(bits) {}
  void Keys(std::span<const Sketch> sketches, uint64_t scope,
            std::vector<uint64_t>* keys) const override {
    Sketch values;
    UnpackValues(sketches[0], values_, bits_, &values);
    // Few bits to many, for the same reason as in HashOf.
    for (size_t i = 0; i < values_; ++i)
      values[i] = static_cast<uint32_t>(Mix64(uint64_t{i} << 32 | values[i]));
    inner_->Keys({&values, 1}, scope, keys);
  }
  Status Check(std::span<const SketchLayout> layouts) const override {
    TWINSET_TRY(CheckLayout(
        layouts, 0, {.value_bits = bits_, .values = values_, .packed = true},
        "the generator of packed values"));
    const SketchLayout unpacked{.values = values_};
    return inner_->Check({&unpacked, 1});
  }

 private:
  std::unique_ptr<KeyGenerator> inner_;
  size_t values_;
  int bits_;
};

class PackedAgreementFilter : public PairFilter {
 public:
  PackedAgreementFilter(size_t sketch, size_t values, int bits, size_t agree)
      : sketch_(sketch), values_(values), bits_(bits), agree_(agree) {}
  bool Passes(std::span<const SketchView> a,
              std::span<const SketchView> b) const override {
    const size_t words = PackedWords(values_, bits_);
    const SketchView x = a[sketch_], y = b[sketch_];
    return x.size() == words && y.size() == words &&
           CountEqualPacked(x, y, values_, bits_) >= agree_;
  }
  Status Check(std::span<const SketchLayout> layouts) const override {
    return CheckLayout(layouts, sketch_,
                       {.value_bits = bits_, .values = values_, .packed = true},
                       "the filter by agreement of packed values");
  }

 private:
  size_t sketch_, values_;
  int bits_;
  size_t agree_;
};

}  // namespace

std::unique_ptr<KeyGenerator> MakeValueKeys(size_t words, bool by_place) {
  return std::make_unique<ValueKeys>(words, by_place);
}

std::unique_ptr<KeyGenerator> MakeValuePairKeys(size_t words) {
  return std::make_unique<ValuePairKeys>(words);
}

std::unique_ptr<KeyGenerator> MakePackedKeys(
    std::unique_ptr<KeyGenerator> inner, size_t values, int bits) {
  return std::make_unique<PackedKeys>(std::move(inner), values, bits);
}

std::unique_ptr<PairFilter> MakePackedAgreementFilter(size_t sketch,
                                                      size_t values, int bits,
                                                      size_t agree) {
  return std::make_unique<PackedAgreementFilter>(sketch, values, bits, agree);
}

double AgreementProbability(double share, int values, int agree) {
  if (share >= 1) return agree <= values ? 1.0 : 0.0;
  if (share <= 0) return agree <= 0 ? 1.0 : 0.0;
  // Binomial weights relative to that of the most likely number, so that none
  // overflows and those that vanish do not matter.
  const double odds = share / (1 - share);
  const int mode = std::min(values, static_cast<int>(share * (values + 1)));
  double all = 0, reached = 0;
  const auto add = [&](int number, double weight) {
    all += weight;
    if (number >= agree) reached += weight;
  };
  double weight = 1;
  for (int k = mode; k <= values; ++k) {
    add(k, weight);
    weight *= odds * (values - k) / (k + 1);
  }
  weight = 1;
  for (int k = mode; k > 0; --k) {
    weight *= k / (odds * (values - k + 1));
    add(k - 1, weight);
  }
  return reached / all;
}

int LeastAgreement(double threshold, int values) {
  int agree = 0;
  while (agree < values && static_cast<double>(agree) / values < threshold)
    ++agree;
  return agree;
}

}  // namespace twinset
