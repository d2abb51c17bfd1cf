// |union| = sum over engines x of |x| E[1 / number of engines with the page].
#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "estimate/relative_size.h"

namespace twinset {
namespace {

using Samples = std::span<const std::vector<SharedPage>>;
// The rows that count, by engine; nullptr for all.
using Picks = std::vector<std::vector<uint32_t>>;

struct EngineMeans {
  std::vector<double> in;  // the share of this engine's pages that is in each
  double inverse = 0, alone = 0;
};

EngineMeans MeansOf(Samples samples, size_t x, const Picks* picks) {
  EngineMeans means;
  means.in.assign(samples.size(), 0);
  double total = 0;
  const size_t rows = samples[x].size();
  for (size_t i = 0; i < rows; ++i) {
    const SharedPage& page = samples[x][picks == nullptr ? i : (*picks)[x][i]];
    const uint64_t engines = page.engines | (uint64_t{1} << x);
    total += page.weight;
    const int count = std::popcount(engines);
    means.inverse += page.weight / count;
    if (count == 1) means.alone += page.weight;
    for (uint64_t left = engines; left != 0; left &= left - 1) {
      const auto y = static_cast<size_t>(std::countr_zero(left));
      if (y < means.in.size()) means.in[y] += page.weight;
    }
  }
  for (double& share : means.in) share /= total;
  means.inverse /= total;
  means.alone /= total;
  return means;
}

Status Check(Samples samples) {
  if (samples.size() < 2 || samples.size() > 64)
    return Fail(ErrorCode::kUsage, "2 to 64 engines can be compared, not " +
                                       std::to_string(samples.size()));
  for (size_t x = 0; x < samples.size(); ++x) {
    if (samples[x].empty())
      return Fail(ErrorCode::kUsage,
                  "there is no page of engine " + std::to_string(x));
    for (const SharedPage& page : samples[x]) {
      if (!(page.weight > 0))
        return Fail(ErrorCode::kUsage, "a weight is not above 0");
      if (samples.size() < 64 && page.engines >> samples.size() != 0)
        return Fail(ErrorCode::kUsage, "a page is of an unknown engine");
    }
  }
  return {};
}

Result<JointCoverage> Find(Samples samples, const Picks* picks,
                           std::span<const double> sizes) {
  JointCoverage result;
  std::vector<EngineMeans> means;
  for (size_t x = 0; x < samples.size(); ++x)
    means.push_back(MeansOf(samples, x, picks));
  if (sizes.empty()) {
    std::vector<EngineOverlap> overlaps;
    for (size_t x = 0; x < samples.size(); ++x)
      for (size_t y = 0; y < samples.size(); ++y)
        if (x != y)
          overlaps.push_back({x, y, std::min(means[x].in[y], 1.0), 0});
    TWINSET_ASSIGN(const RelativeSizes relative,
                   RelativeSizesOfMany(samples.size(), overlaps));
    result.sizes = relative.sizes;
    result.residual = relative.residual;
  } else {
    result.sizes.assign(sizes.begin(), sizes.end());
  }
  for (size_t x = 0; x < samples.size(); ++x)
    result.all += result.sizes[x] * means[x].inverse;
  for (size_t x = 0; x < samples.size(); ++x) {
    result.shares.push_back(result.sizes[x] / result.all);
    result.alone.push_back(means[x].alone);
  }
  return result;
}

}  // namespace

Result<JointCoverage> FindJointCoverage(Samples samples,
                                        const BootstrapOptions& options) {
  TWINSET_TRY(Check(samples));
  TWINSET_ASSIGN(JointCoverage result, Find(samples, nullptr, {}));
  SplitMix64 random(options.seed);
  Picks picks(samples.size());
  std::vector<std::vector<double>> sizes(samples.size()),
      shares(samples.size());
  std::vector<double> unions;
  for (uint32_t r = 0; r < options.replicas; ++r) {
    for (size_t x = 0; x < samples.size(); ++x) {
      picks[x].resize(samples[x].size());
      for (uint32_t& pick : picks[x])
        pick = static_cast<uint32_t>(random.Below(samples[x].size()));
    }
    const auto again = Find(samples, &picks, {});
    if (!again) continue;
    unions.push_back(again->all);
    for (size_t x = 0; x < samples.size(); ++x) {
      sizes[x].push_back(again->sizes[x]);
      shares[x].push_back(again->shares[x]);
    }
  }
  result.all_interval = PercentileInterval(std::move(unions));
  for (size_t x = 0; x < samples.size(); ++x) {
    result.size_intervals.push_back(PercentileInterval(sizes[x]));
    result.share_intervals.push_back(PercentileInterval(shares[x]));
  }
  return result;
}

Result<JointCoverage> FindJointCoverage(Samples samples,
                                        std::span<const double> sizes) {
  TWINSET_TRY(Check(samples));
  if (sizes.size() != samples.size())
    return Fail(ErrorCode::kUsage, "samples and sizes are not equally many");
  return Find(samples, nullptr, sizes);
}

}  // namespace twinset
