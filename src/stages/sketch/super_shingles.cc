#include <algorithm>
#include <string>
#include <vector>

#include "base/hash.h"
#include "kernels/kernels.h"
#include "sketch/minhash_family.h"
#include "sketch/place_sketcher.h"

namespace twinset {

namespace {

// The root of x in [0, 1] by bisection: no library function may decide a
// result.
double Root(double x, int degree) {
  double low = 0, high = 1;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    double power = 1;
    for (int i = 0; i < degree; ++i) power *= middle;
    (power <= x ? low : high) = middle;
  }
  return high;
}

class SuperShingleSketcher : public Sketcher {
 public:
  SuperShingleSketcher(const SuperShingleGroups& groups, uint64_t seed)
      : by_value_(groups.by_value),
        groups_(static_cast<size_t>(groups.groups)),
        group_size_(static_cast<size_t>(groups.group_size)) {
    SplitMix64 random(seed);
    // The kernel is fastest with a multiple of 32 functions; those behind the
    // last group are not used.
    const size_t functions = (groups_ * group_size_ + 31) / 32 * 32;
    for (size_t i = 0; i < functions; ++i) {
      multipliers_.push_back(random.Next() | 1);
      addends_.push_back(random.Next());
    }
    for (int equal = 0; equal <= groups.groups; ++equal) {
      estimates_.push_back(
          equal == 0 ? 0.0
                     : Root(static_cast<double>(equal) / groups.groups,
                            groups.group_size));
    }
  }
  std::string name() const override { return "super-shingles"; }
  SketchLayout layout() const override {
    return {.value_bits = 64, .values = groups_};
  }
  void Compute(std::string_view features, Sketch* sketch) const override {
    thread_local Sketch values;
    values.resize(multipliers_.size());
    kernels::MinHash(AsHashes(features), multipliers_, addends_, values.data());
    values.resize(groups_ * group_size_);
    if (by_value_) std::sort(values.begin(), values.end());
    sketch->clear();
    for (size_t group = 0; group < groups_; ++group) {
      const uint64_t hash = Hash64(
          {reinterpret_cast<const char*>(values.data() + group * group_size_),
           group_size_ * sizeof(uint32_t)},
          group);
      sketch->push_back(static_cast<uint32_t>(hash));
      sketch->push_back(static_cast<uint32_t>(hash >> 32));
    }
  }
  double Estimate(SketchView a, SketchView b) const override {
    return estimates_[CompareSketches(layout(), a, b).equal];
  }

 private:
  bool by_value_;
  size_t groups_, group_size_;
  std::vector<uint64_t> multipliers_, addends_;
  std::vector<double> estimates_;  // by number of equal super-shingles
};

}  // namespace

Result<std::unique_ptr<Sketcher>> MakeSuperShingleSketcher(
    const SuperShingleGroups& groups, uint64_t seed) {
  if (groups.groups < 1 || groups.group_size < 1 ||
      int64_t{groups.groups} * groups.group_size > kMaxSketchValues) {
    return Fail(ErrorCode::kUsage,
                "--groups " + std::to_string(groups.groups) +
                    " times --group-size " + std::to_string(groups.group_size) +
                    " must be from 1 to " + std::to_string(kMaxSketchValues));
  }
  return std::make_unique<SuperShingleSketcher>(groups, seed);
}

}  // namespace twinset
