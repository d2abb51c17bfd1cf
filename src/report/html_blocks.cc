#include "report/html_blocks.h"

#include <charconv>
#include <cmath>

#include "base/json_text.h"

namespace twinset::inline v1 {

namespace html {

Cell Cell::None() { return {"\xE2\x80\x93", true}; }

Cell Cell::Count(uint64_t value) {
  std::string text = std::to_string(value);
  for (size_t i = text.size(); i > 3;) text.insert(i -= 3, ",");
  return {std::move(text), true};
}

Cell Cell::Number(double value) {
  if (!std::isfinite(value)) return None();
  std::string text;
  AppendDouble(&text, value);
  return {std::move(text), true};
}

Cell Cell::Fixed(double value, int decimals) {
  char buffer[400];  // the largest double has 309 digits
  if (!std::isfinite(value)) return Number(value);
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value,
                                 std::chars_format::fixed, decimals)
                       .ptr;
  return {std::string(buffer, end), true};
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
  if (whole == 0) return None();
  const auto tenths = static_cast<uint64_t>(
      (static_cast<unsigned __int128>(part) * 1000 + whole / 2) / whole);
  return {
      std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " %",
      true};
}

Chart PrecisionRecallChart(std::string title, std::string description,
                           std::vector<Series> series) {
  const bool several = series.size() > 1;
  return {std::move(title),
          std::move(description),
          {"recall", false, 0.0, 1.0},
          {"precision", false, 0.0, 1.0},
          std::move(series),
          several ? "A ring is a point at the place of another." : ""};
}

}  // namespace html

}  // namespace twinset::inline v1
