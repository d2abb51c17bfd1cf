#include "estimate/survival.h"

#include <cmath>

namespace twinset {

void Lifetimes::AddEnd(int64_t length, uint64_t count) {
  by_length_[length].ends += count;
  size_ += count;
  ends_ += count;
}

void Lifetimes::AddCensored(int64_t length, uint64_t count) {
  by_length_[length].censored += count;
  size_ += count;
}

std::vector<SurvivalStep> SurvivalCurve(const Lifetimes& lifetimes, double z) {
  std::vector<SurvivalStep> curve;
  uint64_t at_risk = lifetimes.size();
  double survival = 1, greenwood = 0, high = 1;
  for (const auto& [length, count] : lifetimes.by_length()) {
    if (count.ends > 0) {
      const auto n = static_cast<double>(at_risk);
      const auto d = static_cast<double>(count.ends);
      SurvivalStep step{length, at_risk, count.ends};
      survival = count.ends == at_risk ? 0 : survival * (1 - d / n);
      step.survival = survival;
      if (survival > 0) {
        greenwood += d / (n * (n - d));
        const double shift =
            std::exp(z * std::sqrt(greenwood) / -std::log(survival));
        step.low = std::pow(survival, shift);
        step.high = high = std::pow(survival, 1 / shift);
      } else {
        step.low = 0;
        step.high = high;
      }
      curve.push_back(step);
    }
    at_risk -= count.ends + count.censored;
  }
  return curve;
}

HalfLife HalfLifeOf(const std::vector<SurvivalStep>& curve) {
  HalfLife half;
  for (const SurvivalStep& step : curve) {
    if (!half.low && step.low <= 0.5) half.low = step.length;
    if (!half.median && step.survival <= 0.5) half.median = step.length;
    if (!half.high && step.high <= 0.5) half.high = step.length;
  }
  return half;
}

}  // namespace twinset
