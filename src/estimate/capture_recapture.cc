#include "estimate/capture_recapture.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace twinset {
namespace {

Status Check(const Captures& captures) {
  if (captures.m <= std::min(captures.n1, captures.n2)) return {};
  return Fail(ErrorCode::kUsage,
              std::to_string(captures.m) + " were caught twice, but only " +
                  std::to_string(std::min(captures.n1, captures.n2)) +
                  " in the smaller capture",
              "", "m is at most the smaller of n1 and n2");
}

SizeEstimate Finish(double size, double variance, double z) {
  SizeEstimate estimate;
  estimate.size = size;
  estimate.variance = variance;
  estimate.standard_error = std::sqrt(variance);
  estimate.interval = {size - z * estimate.standard_error,
                       size + z * estimate.standard_error};
  return estimate;
}

}  // namespace

Result<double> LincolnPetersen(const Captures& captures) {
  TWINSET_TRY(Check(captures));
  if (captures.m == 0) {
    return Fail(ErrorCode::kUsage,
                "nothing was caught twice: n1 n2 / m is undefined", "",
                "Chapman's estimate is finite, and says little");
  }
  return static_cast<double>(captures.n1) * static_cast<double>(captures.n2) /
         static_cast<double>(captures.m);
}

Result<SizeEstimate> Chapman(const Captures& captures, double z) {
  TWINSET_TRY(Check(captures));
  const double a = static_cast<double>(captures.n1) + 1;
  const double b = static_cast<double>(captures.n2) + 1;
  const double m = static_cast<double>(captures.m) + 1;
  const double only_a = static_cast<double>(captures.n1 - captures.m);
  const double only_b = static_cast<double>(captures.n2 - captures.m);
  return Finish(a * b / m - 1, a / m * (b / m) * only_a * (only_b / (m + 1)),
                z);
}

Result<SizeEstimate> StratifiedChapman(std::span<const Captures> strata,
                                       double z) {
  double size = 0, variance = 0;
  for (const Captures& captures : strata) {
    TWINSET_ASSIGN(const SizeEstimate one, Chapman(captures, z));
    size += one.size;
    variance += one.variance;
  }
  return Finish(size, variance, z);
}

std::vector<Captures> JoinSmallStrata(std::span<const Captures> strata,
                                      uint64_t least) {
  std::vector<Captures> joined;
  Captures open;
  const auto add = [](const Captures& from, Captures* to) {
    to->n1 += from.n1;
    to->n2 += from.n2;
    to->m += from.m;
  };
  for (size_t i = strata.size(); i-- > 0;) {
    add(strata[i], &open);
    if (open.m < least) continue;
    joined.push_back(open);
    open = {};
  }
  if (joined.empty()) return {open};
  add(open, &joined.back());
  return joined;
}

}  // namespace twinset
