#include "report/svg_chart.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "base/json_text.h"
#include "report/chart_axis.h"
#include "report/svg_parts.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

using html::Axis;
using html::Chart;
using html::Histogram;
using html::Point;
using html::Series;
using html::Shares;

// Pixels of the drawing. Margins and ticks leave room for
// the larger letters of narrow pages.
constexpr int kWidth = kDrawingWidth, kHeight = 330;
constexpr int kLeft = 84, kRight = 28, kTop = 40, kBottom = 62;
constexpr int kXTicks = 6, kYTicks = 5;
constexpr size_t kMostLabels = 8;  // more would cover each other

struct Frame {
  AxisScale x, y;
};

bool IsWhole(double value) { return value == std::floor(value); }

// Which axes have marks at whole numbers alone.
struct WholeMarks {
  bool x = false, y = false;
};

// Grid, marks and names of both axes.
Frame DrawAxes(const Axis& x, const Axis& y, AxisRange xs, AxisRange ys,
               WholeMarks whole, std::string* svg) {
  const Frame frame{AxisScale(xs, x.log, kLeft, kWidth - kRight),
                    AxisScale(ys, y.log, kHeight - kBottom, kTop)};
  const int64_t left = kLeft * 10, right = (kWidth - kRight) * 10;
  const int64_t top = kTop * 10, bottom = (kHeight - kBottom) * 10;
  for (const AxisTick& tick : AxisTicks(ys, y.log, kYTicks)) {
    if (whole.y && !IsWhole(tick.value)) continue;
    const int64_t at = frame.y.Place(tick.value);
    AppendLine(svg, "grid", left, at, right, at);
    AppendText(svg, " class=\"end\"", left - 100, at + 50, tick.label);
  }
  for (const AxisTick& tick : AxisTicks(xs, x.log, kXTicks)) {
    if (whole.x && !IsWhole(tick.value)) continue;
    const int64_t at = frame.x.Place(tick.value);
    AppendLine(svg, "grid", at, top, at, bottom);
    AppendText(svg, " class=\"middle\"", at, bottom + 240, tick.label);
  }
  AppendLine(svg, "axis", left, bottom, right, bottom);
  AppendLine(svg, "axis", left, top, left, bottom);
  AppendText(svg, " class=\"end\"", right, kHeight * 10 - 70, x.label);
  AppendText(svg, "", 0, 180, y.label);
  return frame;
}

std::string SeriesClass(size_t number) {
  return "s" + std::to_string(number % kChartColours) +
         (number / kChartColours % 2 == 1 ? " more" : "");
}

// Circle, square, triangle, diamond: colour is not the only difference.
void AppendMark(std::string* svg, size_t number, int64_t x, int64_t y,
                std::string_view tip) {
  *svg += "<path class=\"mark " + SeriesClass(number) + "\" d=\"M";
  constexpr std::string_view kShapes[] = {
      "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z", "m-3-3h6v6h-6z",
      "m0-4l4 7h-8z", "m0-4.5l4 4.5l-4 4.5l-4-4.5z"};
  AppendTenths(svg, x);
  *svg += ' ';
  AppendTenths(svg, y);
  *svg += kShapes[number % std::size(kShapes)];
  *svg += '"';
  if (tip.empty()) {
    *svg += "/>";
  } else {
    *svg += "><title>";
    AppendHtml(svg, tip);
    *svg += "</title></path>\n";
  }
}

bool IsDrawn(const Chart& chart, const Point& point) {
  return IsDrawable(point.x, chart.x.log) && IsDrawable(point.y, chart.y.log);
}

// Does the band of a point have both ends?
bool HasBand(const Chart& chart, const Point& point) {
  return IsDrawn(chart, point) && IsDrawable(point.low, chart.y.log) &&
         IsDrawable(point.high, chart.y.log);
}

void AppendPoint(std::string* to, int64_t x, int64_t y) {
  if (to->back() != '"') *to += ' ';
  AppendTenths(to, x);
  *to += ',';
  AppendTenths(to, y);
}

void DrawBand(const Chart& chart, size_t number, const Frame& frame,
              std::string* svg) {
  const std::vector<Point>& points = chart.series[number].points;
  std::string path =
      "<polygon class=\"band " + SeriesClass(number) + "\" points=\"";
  for (const Point& p : points)
    if (HasBand(chart, p))
      AppendPoint(&path, frame.x.Place(p.x), frame.y.Place(p.high));
  for (auto p = points.rbegin(); p != points.rend(); ++p)
    if (HasBand(chart, *p))
      AppendPoint(&path, frame.x.Place(p->x), frame.y.Place(p->low));
  if (path.back() != '"') *svg += path + "\"/>\n";
}

std::string Tip(const Series& series, const Point& point) {
  std::string tip = series.name + ": ";
  AppendDouble(&tip, point.x);
  tip += ", ";
  AppendDouble(&tip, point.y);
  if (!point.label.empty()) tip += " (" + point.label + ")";
  return tip;
}

// How many series have a mark at a place.
using TakenPlaces = std::map<std::pair<int64_t, int64_t>, int>;

// A mark where others are already: a circle around these.
void AppendRing(std::string* svg, size_t number, int64_t x, int64_t y,
                int others, std::string_view tip) {
  const std::string radius = std::to_string(5 + 5 * others),
                    width = std::to_string(2 * (5 + 5 * others));
  *svg += "<path class=\"ring " + SeriesClass(number) + "\" d=\"M";
  AppendTenths(svg, x);
  *svg += ' ';
  AppendTenths(svg, y);
  *svg += "m-" + radius + " 0a" + radius + " " + radius + " 0 1 0 " + width +
          " 0a" + radius + " " + radius + " 0 1 0-" + width + " 0z\"><title>";
  AppendHtml(svg, tip);
  *svg += "</title></path>\n";
}

void DrawSeries(const Chart& chart, size_t number, const Frame& frame,
                bool labels, TakenPlaces* taken, std::string* svg) {
  const Series& series = chart.series[number];
  if (series.line) {
    std::string path =
        "<polyline class=\"line " + SeriesClass(number) + "\" points=\"";
    for (const Point& p : series.points)
      if (IsDrawn(chart, p))
        AppendPoint(&path, frame.x.Place(p.x), frame.y.Place(p.y));
    if (path.back() != '"') *svg += path + "\"/>\n";
  }
  std::set<std::pair<int64_t, int64_t>> own;
  for (const Point& p : series.points) {
    if (!IsDrawn(chart, p)) continue;
    const int64_t x = frame.x.Place(p.x), y = frame.y.Place(p.y);
    const auto others = taken->find({x, y});
    if (series.marks && !series.line && others != taken->end())
      AppendRing(svg, number, x, y, others->second, Tip(series, p));
    else if (series.marks)
      AppendMark(svg, number, x, y, Tip(series, p));
    own.emplace(x, y);
    if (!labels || p.label.empty()) continue;
    // In narrow windows a letter is as wide as 12 of these pixels.
    const auto letters = static_cast<int64_t>(p.label.size());
    const bool at_edge = x + 60 + 120 * letters > kWidth * 10;
    AppendText(svg, at_edge ? " class=\"end\"" : "", at_edge ? x - 60 : x + 60,
               y - 50, p.label);
  }
  for (const auto& place : own) ++(*taken)[place];
}

}  // namespace

std::string DrawHistogram(const Histogram& histogram, int number) {
  AxisRange xs, ys;
  ys.Add(0, false);
  for (const html::Bin& bin : histogram.bins) {
    xs.Add(bin.low, histogram.log);
    xs.Add(bin.high, histogram.log);
    ys.Add(static_cast<double>(bin.count), false);
  }
  if (!(ys.high > 0)) ys.high = 1;
  Axis x{histogram.x_label, histogram.log, {}, {}};
  const Axis y{histogram.y_label, false, 0.0, {}};
  if (xs.low < xs.high) x.low = xs.low, x.high = xs.high;
  xs = BoundsOf(x, xs);
  ys = BoundsOf(y, ys);
  std::string svg =
      BeginSvg(histogram.title, histogram.description, kHeight, number);
  const bool whole_bins = std::all_of(
      histogram.bins.begin(), histogram.bins.end(),
      [](const auto& bin) { return IsWhole(bin.low) && IsWhole(bin.high); });
  const Frame frame = DrawAxes(x, y, xs, ys, {whole_bins, true}, &svg);
  const int64_t bottom = (kHeight - kBottom) * 10;
  for (const html::Bin& bin : histogram.bins) {
    if (bin.count == 0 || !IsDrawable(bin.low, x.log) ||
        !IsDrawable(bin.high, x.log))
      continue;
    const int64_t left = frame.x.Place(bin.low),
                  right = frame.x.Place(bin.high);
    // A bar that is there is seen: at least a pixel each way.
    const int64_t top =
        std::min(frame.y.Place(static_cast<double>(bin.count)), bottom - 10);
    std::string tip;
    AppendDouble(&tip, bin.low);
    tip += " to ";
    AppendDouble(&tip, bin.high);
    AppendRect(&svg, "bar s0", left, top,
               std::max<int64_t>(right - left - 5, 10), bottom - top,
               tip + ": " + std::to_string(bin.count));
  }
  return svg + "</svg>\n";
}

std::string DrawChart(const Chart& chart, int number) {
  AxisRange xs, ys;
  size_t labels = 0;
  for (const Series& series : chart.series) {
    for (const Point& point : series.points) {
      if (!IsDrawn(chart, point)) continue;
      xs.Add(point.x, chart.x.log);
      ys.Add(point.y, chart.y.log);
      labels += !point.label.empty();
      if (!series.band || !HasBand(chart, point)) continue;
      ys.Add(point.low, chart.y.log);
      ys.Add(point.high, chart.y.log);
    }
  }
  std::string svg = BeginSvg(chart.title, chart.description, kHeight, number);
  const Frame frame = DrawAxes(chart.x, chart.y, BoundsOf(chart.x, xs),
                               BoundsOf(chart.y, ys), {}, &svg);
  for (size_t i = 0; i < chart.series.size(); ++i)
    if (chart.series[i].band) DrawBand(chart, i, frame, &svg);
  TakenPlaces taken;
  for (size_t i = 0; i < chart.series.size(); ++i)
    DrawSeries(chart, i, frame, labels <= kMostLabels, &taken, &svg);
  return svg + "</svg>\n";
}

std::string DrawShares(const Shares& shares, int number) {
  uint64_t all = 0;
  for (const auto& [name, count] : shares.parts) all += count;
  std::string description;
  for (const auto& [name, count] : shares.parts) {
    description +=
        (description.empty() ? "" : ", ") + NumberText(count) + " " + name;
  }
  std::string svg = BeginSvg(shares.title, description, kHeight, number,
                             " class=\"shares\" preserveAspectRatio=\"none\"");
  // Parts that are there are seen: at least a pixel of each.
  const int64_t whole = kWidth * 10;
  int64_t left = 0;
  uint64_t before = 0;
  for (size_t i = 0; i < shares.parts.size(); ++i) {
    const uint64_t count = shares.parts[i].second;
    if (count == 0) continue;
    before += count;
    const auto right = static_cast<int64_t>(static_cast<double>(before) /
                                            static_cast<double>(all) *
                                            static_cast<double>(whole));
    const int64_t width = std::max<int64_t>(right - left, 10);
    AppendRect(&svg, "bar " + SeriesClass(i), left, 0,
               std::min(width, whole - left), kHeight * 10);
    left += width;
  }
  return svg + "</svg>\n";
}

std::string DrawKindKey(std::string_view kind) {
  std::string svg =
      "<svg class=\"key\" viewBox=\"0 0 28 12\" aria-hidden=\"true\">";
  AppendRect(&svg, kind, 80, 0, 120, 120);
  return svg + "</svg>";
}

std::string DrawBarKey(size_t series) {
  return DrawKindKey("bar " + SeriesClass(series));
}

std::string DrawLegendKey(const Series& series, size_t number) {
  std::string svg =
      "<svg class=\"key\" viewBox=\"0 0 28 12\" aria-hidden=\"true\">";
  if (series.line) {
    svg += "<polyline class=\"line " + SeriesClass(number) +
           "\" points=\"0,6 28,6\"/>";
  }
  if (series.marks) AppendMark(&svg, number, 140, 60, "");
  return svg + "</svg>";
}

}  // namespace twinset
