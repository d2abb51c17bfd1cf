// The drawings of a report, as inline SVG whose colours come from the style of
// the page (html_report.cc).
#ifndef TWINSET_SRC_STAGES_REPORT_SVG_CHART_H_
#define TWINSET_SRC_STAGES_REPORT_SVG_CHART_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "report/html_report.h"

namespace twinset {

// Series beyond these repeat colours, with other dashes.
inline constexpr size_t kChartColours = 8;

// `number` makes the ids of the element unique within its page.
std::string DrawHistogram(const html::Histogram& histogram, int number);
std::string DrawChart(const html::Chart& chart, int number);
// A bar of the whole width, cut into the parts.
std::string DrawShares(const html::Shares& shares, int number);
// Small drawings of how part number `series` of such a bar, and series number
// `series` of a chart look, for a legend.
std::string DrawBarKey(size_t series);
std::string DrawKindKey(std::string_view kind);  // a box of that class
std::string DrawLegendKey(const html::Series& series, size_t number);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_REPORT_SVG_CHART_H_
