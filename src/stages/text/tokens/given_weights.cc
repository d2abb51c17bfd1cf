#include "text/tokens/given_weights.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace twinset {

namespace {

constexpr double kMost = 4294967295.0;

// The product with a power of two is exact, so the rounding is the only one.
uint64_t Fixed(std::string_view written) {
  double weight = 0;
  const auto [end, error] =
      std::from_chars(written.data(), written.data() + written.size(), weight);
  const double one = static_cast<double>(GivenWeights::kOne);
  if (error != std::errc() || end == written.data()) return GivenWeights::kOne;
  if (!(weight > 0)) return 1;
  return static_cast<uint64_t>(
      std::clamp(std::floor(weight * one + 0.5), 1.0, kMost));
}

}  // namespace

uint64_t GivenWeights::Next() {
  while (!rest_.empty()) {
    const size_t line_end = std::min(rest_.find('\n'), rest_.size());
    const std::string_view line = rest_.substr(0, line_end);
    rest_.remove_prefix(std::min(line_end + 1, rest_.size()));
    const size_t tab = line.find('\t');
    if (line.empty() || tab == 0) continue;
    return tab == std::string_view::npos ? kOne : Fixed(line.substr(tab + 1));
  }
  return kOne;
}

}  // namespace twinset
