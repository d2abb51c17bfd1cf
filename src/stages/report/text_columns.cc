#include "report/text_columns.h"

#include <algorithm>
#include <cstdint>

#include "base/json_text.h"
#include "base/utf8.h"

namespace twinset {

namespace {

size_t ColumnsOf(uint32_t c) {
  if ((c >= 0x300 && c <= 0x36F) || (c >= 0x200B && c <= 0x200F) ||
      (c >= 0xFE00 && c <= 0xFE0F))
    return 0;
  const bool is_wide =
      (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) ||
      (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xF900 && c <= 0xFAFF) ||
      (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
      (c >= 0xFFE0 && c <= 0xFFE6) || (c >= 0x1F300 && c <= 0x1FAFF) ||
      c >= 0x20000;
  return is_wide ? 2 : 1;
}

void AppendAligned(std::string* to, std::string_view cell, size_t width,
                   bool is_number) {
  const std::string gap(width - std::min(width, WidthOf(cell)), ' ');
  if (is_number) *to += gap;
  *to += cell;
  if (!is_number) *to += gap;
}

}  // namespace

size_t WidthOf(std::string_view text) {
  size_t width = 0;
  while (!text.empty()) {
    const size_t length = std::max<size_t>(1, Utf8SequenceLength(text));
    width += ColumnsOf(CodePointOf(text.substr(0, length)));
    text.remove_prefix(length);
  }
  return width;
}

std::vector<std::string> AlignedRows(
    const std::vector<std::vector<std::string>>& rows,
    const std::vector<bool>& numbers) {
  std::vector<size_t> widths(numbers.size(), 0);
  for (const auto& row : rows)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], WidthOf(row[i]));
  std::vector<std::string> lines;
  for (const auto& row : rows) {
    std::string& line = lines.emplace_back();
    for (size_t i = 0; i < row.size(); ++i) {
      line += kTextIndent;
      AppendAligned(&line, row[i], widths[i], numbers[i]);
    }
    line.resize(line.find_last_not_of(' ') + 1);
  }
  return lines;
}

std::string Wrapped(std::string_view text, size_t width) {
  if (width == 0) return std::string(text) + "\n";
  std::string wrapped;
  size_t at = 0;  // columns taken on this line
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    const size_t taken = WidthOf(word);
    if (at > 0 && at + 1 + taken > width) {
      wrapped += '\n';
      at = 0;
    }
    if (at > 0) wrapped += ' ';
    wrapped += word;
    at += taken + (at > 0);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return wrapped + "\n";
}

}  // namespace twinset
