#include "candidate/bands.h"

#include <string>

#include "base/hash.h"
#include "base/stop.h"

namespace twinset {

namespace {

double IntegerPower(double base, int exponent) {
  double power = 1;
  for (int i = 0; i < exponent; ++i) power *= base;
  return power;
}

std::string_view Bytes(std::span<const uint32_t> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

class BandKeys : public KeyGenerator {
 public:
  BandKeys(int bands, int rows)
      : bands_(bands), rows_(static_cast<size_t>(rows)) {}
  void Keys(std::span<const Sketch> sketches, uint64_t scope,
            std::vector<uint64_t>* keys) const override {
    const std::span<const uint32_t> values(sketches[0]);
    for (int band = 0; band < bands_; ++band) {
      const auto part =
          values.subspan(static_cast<size_t>(band) * rows_, rows_);
      keys->push_back(
          Hash64(Bytes(part), Mix64(scope) + static_cast<uint64_t>(band)));
    }
  }
  Status Check(std::span<const SketchLayout> layouts) const override {
    return CheckLayout(layouts, 0,
                       {.values = static_cast<size_t>(bands_) * rows_},
                       "the generator of bands");
  }

 private:
  int bands_;
  size_t rows_;
};

class WholeSketchKeys : public KeyGenerator {
 public:
  void Keys(std::span<const Sketch> sketches, uint64_t scope,
            std::vector<uint64_t>* keys) const override {
    for (size_t i = 0; i < sketches.size(); ++i) {
      keys->push_back(Hash64(Bytes(sketches[i]), Mix64(scope) + i));
    }
  }
  Status Check(std::span<const SketchLayout>) const override { return {}; }
};

}  // namespace

Result<std::unique_ptr<KeyGenerator>> MakeBandKeys(int bands, int rows,
                                                   int values) {
  if (bands < 1 || rows < 1 || int64_t{bands} * rows > values) {
    return Fail(ErrorCode::kUsage,
                "--bands " + std::to_string(bands) + " times --rows " +
                    std::to_string(rows) + " does not fit the " +
                    std::to_string(values) + " permutations");
  }
  return std::make_unique<BandKeys>(bands, rows);
}

std::unique_ptr<KeyGenerator> MakeWholeSketchKeys() {
  return std::make_unique<WholeSketchKeys>();
}

double BandRecall(double similarity, int bands, int rows) {
  return 1 - IntegerPower(1 - IntegerPower(similarity, rows), bands);
}

Result<BandPlan> v1::PlanBands(double threshold, int permutations,
                               double recall) try {
  if (!(threshold > 0 && threshold <= 1)) {
    return Fail(ErrorCode::kUsage,
                "the threshold must be above 0 and at most 1");
  }
  for (int rows = permutations; rows >= 1; --rows) {
    for (int bands = 1; bands * rows <= permutations; ++bands) {
      const double expected = BandRecall(threshold, bands, rows);
      if (expected >= recall) return BandPlan{bands, rows, expected};
    }
  }
  return Fail(ErrorCode::kUsage,
              "no bands and rows within " + std::to_string(permutations) +
                  " permutations reach the recall at this threshold",
              "", "raise --permutations, or give --bands and --rows");
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
