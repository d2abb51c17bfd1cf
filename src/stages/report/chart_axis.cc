#include "report/chart_axis.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <utility>

#include "base/json_text.h"

namespace twinset {

namespace {

constexpr double kMostDrawn = 1e100;
constexpr int kSteps = 7;  // that a free axis is rounded to

// Exact up to 10^22; beyond, the same on every machine.
double PowerOfTen(int exponent) {
  double power = 1;
  for (int i = 0; i < std::abs(exponent); ++i) power *= 10;
  return exponent < 0 ? 1 / power : power;
}

// The largest n with 10^n <= x.
int FloorLog10(double x) {
  int n = 0;
  while (n < 300 && PowerOfTen(n + 1) <= x) ++n;
  while (n > -300 && PowerOfTen(n) > x) --n;
  return n;
}

// `most`: the value that decides the unit.
std::string TickLabel(double value, double most) {
  constexpr std::pair<double, const char*> kUnits[] = {
      {1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e4, " k"}};
  std::string label;
  for (const auto& [least, unit] : kUnits) {
    if (value == 0 || most < least || most >= 1e15) continue;
    AppendDouble(&label, value / (least == 1e4 ? 1e3 : least));
    return label + unit;
  }
  AppendDouble(&label, value);
  return label;
}

// 1, 2 or 5 times a power of ten, so that about `most` of them span the range.
struct Step {
  int64_t digit = 1;
  int exponent = 0;
  // Divided last: 0.3, not 0.30000000000000004.
  double Times(int64_t n) const {
    const auto whole = static_cast<double>(n * digit);
    const double unit = PowerOfTen(std::abs(exponent));
    return exponent < 0 ? whole / unit : whole * unit;
  }
};

Step StepOf(double low, double high, int most) {
  const double least = (high - low) / std::max(most, 1);
  Step step{1, FloorLog10(least)};
  while (step.Times(1) < least)
    step.digit = step.digit == 1 ? 2 : step.digit == 2 ? 5 : 10;
  return step;
}

std::vector<AxisTick> LogTicks(double low, double high, int most) {
  const int first = FloorLog10(low), last = FloorLog10(high);
  const int step = (last - first) / std::max(most, 1) + 1;
  // Within two decades also twice and five times their powers.
  const bool fine = last - first < 2;
  std::vector<AxisTick> ticks;
  for (int n = first; n <= last; n += step) {
    for (const int digit : {1, 2, 5}) {
      const double value =
          n < 0 ? digit / PowerOfTen(-n) : digit * PowerOfTen(n);
      if (value >= low && value <= high && (fine || digit == 1))
        ticks.push_back({value, TickLabel(value, value)});
    }
  }
  return ticks;
}

}  // namespace

double PinnedLog10(double x) {
  const auto bits = std::bit_cast<uint64_t>(x);
  int exponent = static_cast<int>(bits >> 52 & 0x7FF) - 1023;
  if (exponent == -1023)  // subnormal
    return PinnedLog10(x * 4503599627370496.0) - 52 * 0.30102999566398120;
  double m = std::bit_cast<double>((bits & 0xFFFFFFFFFFFFF) | 0x3FFULL << 52);
  if (m > 1.4142135623730951) {
    m /= 2;
    ++exponent;
  }
  // ln m = 2 artanh z, |z| <= 0.172: the terms shrink by 0.03 each.
  const double z = (m - 1) / (m + 1), square = z * z;
  double sum = 0;
  for (int k = 25; k >= 1; k -= 2) sum = sum * square + 1.0 / k;
  return 2 * z * sum / 2.302585092994045684 + exponent * 0.30102999566398120;
}

bool IsDrawable(double value, bool log) {
  if (!(value <= kMostDrawn && value >= -kMostDrawn)) return false;
  return !log || value >= 1 / kMostDrawn;
}

void AxisRange::Add(double value, bool log) {
  if (!IsDrawable(value, log)) return;
  low = std::min(low, value);
  high = std::max(high, value);
}

AxisRange BoundsOf(const html::Axis& axis, AxisRange values) {
  if (axis.low && IsDrawable(*axis.low, axis.log)) values.low = *axis.low;
  if (axis.high && IsDrawable(*axis.high, axis.log)) values.high = *axis.high;
  if (!(values.low <= values.high))
    values = {axis.log ? 1.0 : 0.0, axis.log ? 10.0 : 1.0};
  if (axis.log) {
    values.low = PowerOfTen(FloorLog10(values.low));
    const double top = PowerOfTen(FloorLog10(values.high));
    values.high = top < values.high ? top * 10 : top;
    if (!(values.low < values.high)) values.high = values.low * 10;
    return values;
  }
  if (!(values.low < values.high)) {
    const double room = values.low == 0 ? 1 : std::abs(values.low) / 2;
    if (!axis.low) values.low -= room;
    if (!axis.high || !(values.low < values.high)) values.high += room;
  }
  const Step step = StepOf(values.low, values.high, kSteps);
  const double first = values.low / step.Times(1);
  const double last = values.high / step.Times(1);
  if (!(first > -1e15 && last < 1e15)) return values;
  if (!axis.low) {
    auto n = static_cast<int64_t>(first) + 1;
    while (step.Times(n) > values.low) --n;
    values.low = step.Times(n);
  }
  if (!axis.high) {
    auto n = static_cast<int64_t>(last) - 1;
    while (step.Times(n) < values.high) ++n;
    values.high = step.Times(n);
  }
  return values;
}

std::vector<AxisTick> AxisTicks(AxisRange range, bool log, int most) {
  const double low = range.low, high = range.high;
  if (log) return LogTicks(low, high, most);
  const Step step = StepOf(low, high, most);
  const auto value = [&](int64_t n) { return step.Times(n); };
  const double start = low / value(1);
  std::vector<AxisTick> ticks;
  if (!(start > -1e15 && start < 1e15)) return ticks;  // too fine to tell apart
  for (auto n = static_cast<int64_t>(start) - 1; value(n) <= high; ++n)
    if (value(n) >= low) ticks.push_back({value(n), TickLabel(value(n), high)});
  return ticks;
}

AxisScale::AxisScale(AxisRange range, bool log, int from, int to)
    : log_(log),
      low_(log ? PinnedLog10(range.low) : range.low),
      high_(log ? PinnedLog10(range.high) : range.high),
      from_(from * 10.0),
      to_(to * 10.0) {}

int64_t AxisScale::Place(double value) const {
  const double x = log_ ? PinnedLog10(value) : value;
  const double share = std::clamp((x - low_) / (high_ - low_), 0.0, 1.0);
  return static_cast<int64_t>(from_ + share * (to_ - from_) + 0.5);
}

}  // namespace twinset
