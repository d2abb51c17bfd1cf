// Where values stand along an axis of a drawing.
#ifndef TWINSET_SRC_STAGES_REPORT_CHART_AXIS_H_
#define TWINSET_SRC_STAGES_REPORT_CHART_AXIS_H_

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "report/html_report.h"

namespace twinset {

// log10(x) for 0 < x < infinity, within 1e-13, by + - * / alone: equal on every
// machine.
double PinnedLog10(double x);

// Can the value be drawn: finite, of a size with which sums stay finite, and
// positive where the axis is logarithmic?
bool IsDrawable(double value, bool log);

struct AxisRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  // Widens the range to the value, if that can be drawn.
  void Add(double value, bool log);
};

// From where to where the axis goes: what the caller fixed, else whole decades
// or whole steps around the values. Never empty.
AxisRange BoundsOf(const html::Axis& axis, AxisRange values);

// A mark of an axis and what it is called.
struct AxisTick {
  double value;
  std::string label;
};
// At most about `most`, ascending, all within the range.
std::vector<AxisTick> AxisTicks(AxisRange range, bool log, int most);

// From values to tenths of a pixel; values beyond the range stand at its ends.
class AxisScale {
 public:
  // `from` and `to`: pixels of the ends.
  AxisScale(AxisRange range, bool log, int from, int to);
  int64_t Place(double value) const;

 private:
  bool log_;
  double low_, high_, from_, to_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_REPORT_CHART_AXIS_H_
