#include "candidate/prefix_keys.h"

#include <algorithm>

#include "base/hash.h"

namespace twinset {
namespace {

class PrefixKeys : public KeyGenerator {
 public:
  PrefixKeys(size_t sketch, double share) : sketch_(sketch), share_(share) {}

  void Keys(std::span<const Sketch> sketches, uint64_t scope,
            std::vector<uint64_t>* keys) const override {
    const Sketch& values = sketches[sketch_];
    const size_t length = PrefixLength(values.size() / 2, share_);
    for (size_t i = 0; i < length; ++i) {
      const uint64_t value = uint64_t{values[2 * i + 1]} << 32 | values[2 * i];
      keys->push_back(Mix64(value ^ Mix64(scope)));
    }
  }
  Status Check(std::span<const SketchLayout> layouts) const override {
    return CheckLayout(layouts, sketch_,
                       {.comparison = SketchLayout::kAsSets, .value_bits = 64},
                       "the generator of prefixes");
  }

 private:
  size_t sketch_;
  double share_;
};

}  // namespace

size_t PrefixLength(size_t count, double share) {
  if (count == 0) return 0;
  // The least number of common values that makes `share` of count; a value too
  // low only makes the prefix longer.
  const double least = static_cast<double>(count) * share * (1 - 1e-12);
  size_t common = static_cast<size_t>(least);
  common += static_cast<double>(common) < least;
  return count - std::clamp<size_t>(common, 1, count) + 1;
}

Result<std::unique_ptr<KeyGenerator>> MakePrefixKeys(size_t sketch,
                                                     double share) {
  if (!(share > 0 && share <= 1)) {
    return Fail(ErrorCode::kUsage,
                "the share of common values must be above 0 and at most 1");
  }
  return std::make_unique<PrefixKeys>(sketch, share);
}

}  // namespace twinset
