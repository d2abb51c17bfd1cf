#include "report/html_blocks.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/json_text.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace html {

namespace {

// Where an axis of shares begins whose least value is `least`: values above a
// half would share a corner of an axis from 0 on.
double BeginOfShares(double least) {
  for (const double begin : {.95, .9, .8, .5})
    if (least - begin >= (1 - begin) / 10) return begin;
  return 0;
}

}  // namespace

Cell Cell::None() { return {ShareText(0, 0), true}; }

Cell Cell::Count(uint64_t value) { return {NumberText(value), true}; }

Cell Cell::Number(double value) {
  if (!std::isfinite(value)) return None();
  std::string text;
  AppendDouble(&text, value);
  return {std::move(text), true};
}

Cell Cell::Fixed(double value, int decimals) {
  return {FixedText(value, decimals), true};
}

Cell Cell::Rounded(double value) {
  const double size = std::abs(value);
  if (!std::isfinite(value) || (size < 1e9 && value == std::floor(value)))
    return Number(value);
  if (size >= 1e9 || size < 1e-4) {
    char buffer[40];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value,
                                   std::chars_format::scientific, 2)
                         .ptr;
    return {std::string(buffer, end), true};
  }
  Cell cell = Fixed(value, size >= 100 ? 1 : size >= 10 ? 2 : 4);
  while (cell.text.back() == '0') cell.text.pop_back();
  if (cell.text.back() == '.') cell.text.pop_back();
  return cell;
}

Cell Cell::Percent(uint64_t part, uint64_t whole) {
  return {ShareText(part, whole), true};
}

Chart PrecisionRecallChart(std::string title, std::string description,
                           std::vector<Series> series) {
  double recall = 1, precision = 1;
  for (const Series& one : series) {
    for (const Point& point : one.points) {
      if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
      recall = std::min(recall, point.x);
      precision = std::min(precision, point.y);
    }
  }
  const Axis x{"recall", false, BeginOfShares(recall), 1.0},
      y{"precision", false, BeginOfShares(precision), 1.0};
  std::string note;
  if (*x.low > 0 || *y.low > 0) {
    note = "The axis of recall begins at " + Cell::Number(*x.low).text +
           ", that of precision at " + Cell::Number(*y.low).text + ".";
  }
  if (series.size() > 1) {
    note += note.empty() ? "" : " ";
    note += "A ring is a point at the place of another.";
  }
  return {std::move(title),  std::move(description), x, y,
          std::move(series), std::move(note)};
}

}  // namespace html

}  // namespace twinset
