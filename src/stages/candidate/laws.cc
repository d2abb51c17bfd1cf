#include "candidate/laws.h"

#include <algorithm>
#include <cmath>

#include "candidate/bands.h"
#include "twinset/tune.h"

namespace twinset {

namespace {

constexpr int kHalvings = 6;  // of the angle, before the series
constexpr int kTerms = 9;     // of the series, beyond what counts
constexpr int kIntervals = 200;
constexpr double kPi = 3.14159265358979323846;

double Power(double base, int exponent) {
  double result = 1;
  for (; exponent > 0; exponent >>= 1, base *= base) {
    if (exponent & 1) result *= base;
  }
  return result;
}

// The angle whose tangent is y >= 0: half angles until the series is short.
double ArcTangent(double y) {
  for (int i = 0; i < kHalvings; ++i) y = y / (1 + std::sqrt(1 + y * y));
  const double square = y * y;
  double sum = 0;
  for (int i = kTerms; i-- > 0;) {
    sum = (i % 2 == 0 ? 1.0 : -1.0) / (2 * i + 1) + square * sum;
  }
  return y * sum * (1 << kHalvings);
}

template <typename F>
double Integral(double begin, double end, const F& f) {
  const double step = (end - begin) / kIntervals;
  double sum = f(begin) + f(end);
  for (int i = 1; i < kIntervals; ++i)
    sum += (i % 2 == 1 ? 4 : 2) * f(begin + i * step);
  return sum * step / 3;
}

}  // namespace

double AtLeast(double p, int trials, int least) {
  if (least <= 0) return 1;
  // The chances of 0, 1, ... least - 1 events, trial by trial.
  double below[1025] = {1};
  for (int trial = 0; trial < trials; ++trial) {
    for (int i = std::min(trial + 1, least - 1); i > 0; --i)
      below[i] = below[i] * (1 - p) + below[i - 1] * p;
    below[0] *= 1 - p;
  }
  double sum = 0;
  for (int i = std::min(least, trials + 1); i-- > 0;) sum += below[i];
  return std::clamp(1 - sum, 0.0, 1.0);
}

double AngleShare(double x) {
  if (x >= 1) return 0;
  // acos x = 2 atan sqrt((1 - x) / (1 + x)).
  return 2 * ArcTangent(std::sqrt((1 - x) / (1 + x))) / kPi;
}

double HammingRecall(double similarity, int bits, int distance) {
  const double differs = AngleShare(2 * similarity / (1 + similarity));
  // At most `distance` differ: at least the others agree.
  return AtLeast(1 - differs, bits, bits - distance);
}

double GroupRecall(double similarity, int groups, int size, int agree) {
  return AtLeast(Power(similarity, size), groups, agree);
}

double LexiconRecall(double drop, int lexicons, int terms, int agree) {
  return AtLeast(Power(drop, terms), lexicons, agree);
}

double BandError(double threshold, int bands, int rows) {
  const double positives = Integral(
      0, threshold, [&](double s) { return BandRecall(s, bands, rows); });
  const double negatives = Integral(
      threshold, 1, [&](double s) { return 1 - BandRecall(s, bands, rows); });
  return 0.5 * positives + 0.5 * negatives;
}

BandPlan v1::PlanBandsByError(double threshold, int permutations) {
  BandPlan best;
  double least = 2;
  for (int bands = 1; bands <= permutations; ++bands) {
    for (int rows = 1; bands * rows <= permutations; ++rows) {
      const double error = BandError(threshold, bands, rows);
      if (error >= least) continue;
      least = error;
      best = {bands, rows, BandRecall(threshold, bands, rows)};
    }
  }
  return best;
}

}  // namespace twinset
