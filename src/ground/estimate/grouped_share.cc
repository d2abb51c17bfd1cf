#include "estimate/grouped_share.h"

#include <algorithm>
#include <cmath>

#include "estimate/special_functions.h"

namespace twinset {
namespace {

// Groups that hold a kind of outcome, counted as worth() counts.
constexpr double kSpread = 10;

}  // namespace

void GroupedTrials::Add(uint64_t trials, uint64_t successes) {
  if (trials == 0) return;
  const double t = static_cast<double>(trials);
  const double s = static_cast<double>(successes);
  groups_ += 1;
  trials_ += t;
  successes_ += s;
  tt_ += t * t;
  ts_ += t * s;
  ss_ += s * s;
  ss_by_t_ += s * (s / t);
}

double GroupedTrials::worth() const {
  return trials_ > 0 ? trials_ / tt_ * trials_ : 0;
}

double GroupedTrials::EffectiveTrials() const {
  if (trials_ <= groups_) return trials_;
  if (groups_ < 2) return worth();
  const double p = successes_ / trials_;
  // Between groups, by linearisation of the ratio.
  const double squares = ss_ - 2 * p * ts_ + p * p * tt_;
  const double variance =
      squares / (trials_ * trials_) * groups_ / (groups_ - 1);
  double effective = worth();
  if (variance > 0) effective = std::min(trials_, p * (1 - p) / variance);
  // The intraclass correlation, by the analysis of variance.
  const double between =
      std::max(0.0, ss_by_t_ - p * successes_) / (groups_ - 1);
  const double within =
      std::max(0.0, successes_ - ss_by_t_) / (trials_ - groups_);
  const double mean_size = (trials_ - tt_ / trials_) / (groups_ - 1);
  const double all = between + (mean_size - 1) * within;
  const double correlation =
      all > 0 ? std::clamp((between - within) / all, 0.0, 1.0) : 1;
  effective =
      std::min(effective, trials_ / (1 + correlation * (tt_ / trials_ - 1)));
  const double failures = trials_ - successes_;
  const double failures_squared = tt_ - 2 * ts_ + ss_;
  const bool spread = successes_ * successes_ >= kSpread * ss_ &&
                      failures * failures >= kSpread * failures_squared &&
                      successes_ > 0 && failures > 0;
  return spread ? effective : std::min(effective, worth());
}

std::optional<Interval> GroupedTrials::Share95() const {
  if (trials_ <= groups_) return WilsonInterval(successes(), trials());
  if (worth() < kLeastGroups) return std::nullopt;
  const double z =
      StudentQuantile95(static_cast<uint64_t>(std::max(1.0, worth() - 1)));
  return WilsonOfShare(successes_ / trials_, EffectiveTrials(), z);
}

}  // namespace twinset
