#include "estimate/chain.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/hash.h"
#include "estimate/special_functions.h"

namespace twinset {
namespace {

constexpr size_t kMostBatches = 1 << 14;

double Mean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

// The autocovariance of what is left after the mean, at one lag.
double Autocovariance(std::span<const double> centred, size_t lag) {
  double sum = 0;
  for (size_t i = 0; i + lag < centred.size(); ++i)
    sum += centred[i] * centred[i + lag];
  return sum / static_cast<double>(centred.size());
}

// The variance of the mean times the number of values.
double LongRunVariance(std::span<const double> centred) {
  const size_t n = centred.size();
  double sum = 0, previous = 0;
  const double at_zero = Autocovariance(centred, 0);
  for (size_t lag = 0; lag + 1 < n; lag += 2) {
    double pair = (lag == 0 ? at_zero : Autocovariance(centred, lag)) +
                  Autocovariance(centred, lag + 1);
    if (pair <= 0) break;
    if (lag > 0) pair = std::min(pair, previous);
    previous = pair;
    sum += pair;
  }
  return 2 * sum - at_zero;
}

}  // namespace

EffectiveSize FindEffectiveSize(std::span<const double> values) {
  EffectiveSize result;
  const size_t n = values.size();
  if (n == 0) return result;
  result.mean = Mean(values);
  std::vector<double> centred;
  centred.reserve(n);
  double squares = 0;
  for (const double value : values) {
    centred.push_back(value - result.mean);
    squares += centred.back() * centred.back();
  }
  result.size = static_cast<double>(n);
  result.constant =
      std::all_of(values.begin(), values.end(),
                  [&](double value) { return value == values.front(); });
  if (result.constant || squares == 0) return result;
  result.variance = squares / static_cast<double>(n);
  const size_t batch = (n + kMostBatches - 1) / kMostBatches;
  if (batch > 1) {
    std::vector<double> means;
    for (size_t i = 0; i + batch <= n; i += batch)
      means.push_back(Mean(std::span(centred).subspan(i, batch)));
    const double middle = Mean(means);
    for (double& mean : means) mean -= middle;
    centred = std::move(means);
  }
  const double variance = LongRunVariance(centred) * static_cast<double>(batch);
  result.time = std::max(1.0, variance / result.variance);
  result.size = static_cast<double>(n) / result.time;
  result.standard_error =
      std::sqrt(result.variance * result.time / static_cast<double>(n));
  return result;
}

Result<Geweke> GewekeTest(std::span<const double> values) {
  if (values.size() < 20) {
    return Fail(ErrorCode::kUsage, "Geweke's test needs 20 values, these are " +
                                       std::to_string(values.size()));
  }
  const EffectiveSize first =
      FindEffectiveSize(values.first(values.size() / 10));
  const EffectiveSize last = FindEffectiveSize(values.last(values.size() / 2));
  const double variance = first.standard_error * first.standard_error +
                          last.standard_error * last.standard_error;
  Geweke result;
  const double difference = first.mean - last.mean;
  if (variance == 0) {
    // Two constants: the same, or apart for sure.
    result.p = difference == 0 ? 1 : 0;
    return result;
  }
  result.z = difference / std::sqrt(variance);
  result.p = NormalTwoSided(result.z);
  return result;
}

Result<double> SplitRHat(std::span<const std::vector<double>> chains) {
  if (chains.empty() || chains.front().size() < 4)
    return Fail(ErrorCode::kUsage, "a chain needs 4 values to be split");
  std::vector<std::span<const double>> halves;
  for (const std::vector<double>& chain : chains) {
    if (chain.size() != chains.front().size())
      return Fail(ErrorCode::kUsage, "the chains are not equally long");
    const std::span<const double> all(chain);
    halves.push_back(all.first(chain.size() / 2));
    halves.push_back(all.last(chain.size() / 2));
  }
  const double n = static_cast<double>(halves.front().size());
  const double m = static_cast<double>(halves.size());
  std::vector<double> means;
  double within = 0;
  for (const auto half : halves) {
    means.push_back(Mean(half));
    double squares = 0;
    for (const double value : half)
      squares += (value - means.back()) * (value - means.back());
    within += squares / (n - 1) / m;
  }
  const double middle = Mean(means);
  double between = 0;
  for (const double mean : means)
    between += n * (mean - middle) * (mean - middle) / (m - 1);
  if (within == 0) {
    if (between == 0) return 1.0;
    return Fail(ErrorCode::kUsage,
                "each half of the chains stands still, at different values");
  }
  return std::sqrt(((n - 1) / n * within + between / n) / within);
}

namespace {

Status Check(const TransitionMatrix& matrix) {
  if (matrix.rows.empty())
    return Fail(ErrorCode::kUsage, "a chain needs a state");
  for (size_t i = 0; i < matrix.rows.size(); ++i) {
    double sum = 0;
    for (const auto& [to, probability] : matrix.rows[i]) {
      if (to >= matrix.rows.size() || !(probability >= 0))
        return Fail(ErrorCode::kUsage, "state " + std::to_string(i) +
                                           " has a transition that cannot be");
      sum += probability;
    }
    if (!(std::fabs(sum - 1) < 1e-9))
      return Fail(
          ErrorCode::kUsage,
          "the transitions of state " + std::to_string(i) + " do not sum to 1");
  }
  return {};
}

// One step of the law: pi P.
void StepLaw(const TransitionMatrix& matrix, const std::vector<double>& law,
             std::vector<double>* next) {
  std::fill(next->begin(), next->end(), 0);
  for (size_t i = 0; i < law.size(); ++i)
    for (const auto& [to, probability] : matrix.rows[i])
      (*next)[to] += law[i] * probability;
}

// One step of a function: P f, its stationary mean taken out.
void StepFunction(const TransitionMatrix& matrix,
                  const std::vector<double>& law, const std::vector<double>& f,
                  std::vector<double>* next) {
  double mean = 0;
  for (size_t i = 0; i < f.size(); ++i) {
    double sum = 0;
    for (const auto& [to, probability] : matrix.rows[i])
      sum += probability * f[to];
    (*next)[i] = sum;
    mean += law[i] * sum;
  }
  for (double& value : *next) value -= mean;
}

double Norm(const std::vector<double>& values) {
  double squares = 0;
  for (const double value : values) squares += value * value;
  return std::sqrt(squares);
}

bool FindStationary(const TransitionMatrix& matrix, uint64_t most_steps,
                    double tolerance, SpectralGap* result) {
  std::vector<double>& law = result->stationary;
  law.assign(matrix.rows.size(), 1.0 / static_cast<double>(matrix.rows.size()));
  std::vector<double> next(law.size());
  for (uint64_t step = 0; step < most_steps; ++step, ++result->steps) {
    StepLaw(matrix, law, &next);
    double change = 0, sum = 0;
    for (size_t i = 0; i < law.size(); ++i) {
      change += std::fabs(next[i] - law[i]);
      law[i] = (law[i] + next[i]) / 2;
      sum += law[i];
    }
    for (double& value : law) value /= sum;
    if (change < tolerance * 0.01) return true;
  }
  return false;
}

}  // namespace

Result<SpectralGap> FindSpectralGap(const TransitionMatrix& matrix,
                                    uint64_t most_steps, double tolerance) {
  TWINSET_TRY(Check(matrix));
  SpectralGap result;
  const bool stationary =
      FindStationary(matrix, most_steps, tolerance, &result);
  const size_t n = matrix.rows.size();
  if (n == 1) {
    result.gap = 1;
    result.converged = true;
    return result;
  }
  std::vector<double> f(n), next(n);
  SplitMix64 random(1);
  for (double& value : f)
    value = static_cast<double>(random.Next() >> 11) * 0x1p-53 - 0.5;
  StepFunction(matrix, result.stationary, f, &next);
  std::swap(f, next);
  // The growth over two steps is that of the square: eigenvalues of opposite
  // sign then do not disturb. Complex pairs turn; the mean over a window of
  // steps levels them.
  constexpr uint64_t kWindow = 32;
  double window_growth = 1, previous = -1;
  uint64_t agreed = 0;
  for (uint64_t step = 1; step <= most_steps; ++step, ++result.steps) {
    const double before = Norm(f);
    if (before < 1e-280) {
      result.second = 0;
      agreed = 3;
      break;
    }
    for (double& value : f) value /= before;
    StepFunction(matrix, result.stationary, f, &next);
    std::swap(f, next);
    window_growth *= Norm(f);
    if (step % kWindow != 0) continue;
    double root = window_growth;
    for (uint64_t power = kWindow; power > 1; power /= 2)
      root = std::sqrt(root);
    result.second = std::min(root, 1.0);
    window_growth = 1;
    const double scale = std::max(1 - result.second, tolerance);
    agreed =
        std::fabs(result.second - previous) < 1e-4 * scale ? agreed + 1 : 0;
    previous = result.second;
    if (agreed >= 3) break;
  }
  result.gap = 1 - result.second;
  result.converged = stationary && agreed >= 3;
  return result;
}

}  // namespace twinset
