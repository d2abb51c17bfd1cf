#include "report/html_report.h"

#include <charconv>
#include <cmath>

#include "base/json_text.h"
#include "report/svg_chart.h"

namespace twinset::inline v1 {

namespace {

using html::Cell;
using html::Chart;
using html::Column;
using html::Histogram;
using html::Point;
using html::Series;
using html::Table;

// Colours by Okabe and Ito, which stay apart for most who see them differently;
// lighter where the page is dark.
constexpr std::string_view kStyle = R"(<style>
:root { color-scheme: light dark; --paper: #fff; --ink: #1a1a1a; --soft: #5c5c5c;
  --rule: #d8d8d8; --warn: #fff3d6; --warn-edge: #b36b00;
  --s0: #0072b2; --s1: #d55e00; --s2: #007a5a; --s3: #b04a8a; --s4: #8a6d00; --s5: #2f7fb5;
  --s6: #1a1a1a; --s7: #7a3e9d; }
@media (prefers-color-scheme: dark) { :root { --paper: #16181c; --ink: #ececec; --soft: #a9a9a9;
  --rule: #3a3d42; --warn: #3b2f14; --warn-edge: #e0a030;
  --s0: #5db4f0; --s1: #ff8c4a; --s2: #33c79a; --s3: #e58cc3; --s4: #e6c84a; --s5: #8fd0ff;
  --s6: #ececec; --s7: #c79bf0; } }
body { margin: 2rem auto; padding: 0 1rem; max-width: 60rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
h1, h2, h3, h4 { line-height: 1.2; margin: 2rem 0 .75rem; }
p, td, th, li, figcaption { overflow-wrap: anywhere; unicode-bidi: isolate; }
.warning { background: var(--warn); border-left: .3rem solid var(--warn-edge); padding: .5rem .75rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: .5rem 0 1.5rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding-bottom: .25rem; }
th, td { text-align: left; vertical-align: top; padding: .2rem .9rem .2rem 0;
  border-bottom: 1px solid var(--rule); }
thead th { color: var(--soft); font-weight: 600; }
.number { text-align: right; white-space: nowrap; overflow-wrap: normal; }
figure { margin: 1.5rem 0; }
figcaption { font-weight: 600; }
figure svg { width: 100%; height: auto; }
figure .key { width: 1.75rem; height: .75rem; margin-right: .4rem; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; margin: .25rem 0; }
summary { cursor: pointer; color: var(--soft); }
text { fill: var(--soft); font-size: 12px; }
.middle { text-anchor: middle; } .end { text-anchor: end; } .note { font-size: 10px; }
.grid { stroke: var(--rule); } .axis { stroke: var(--soft); }
.line { fill: none; stroke: var(--series); stroke-width: 2; }
.line.more { stroke-dasharray: 6 3; }
.mark, .bar { fill: var(--series); } .mark.more { fill: var(--paper); stroke: var(--series); }
.band { fill: var(--series); opacity: .18; }
.s0 { --series: var(--s0); } .s1 { --series: var(--s1); } .s2 { --series: var(--s2); }
.s3 { --series: var(--s3); } .s4 { --series: var(--s4); } .s5 { --series: var(--s5); }
.s6 { --series: var(--s6); } .s7 { --series: var(--s7); }
@media print { body { max-width: none; margin: 0; } figure, tr { break-inside: avoid; } }
</style>
)";

// May this character, which begins `sequence`, stand in HTML?
bool IsAllowed(std::string_view sequence) {
  const auto byte = [&](size_t i) {
    return static_cast<unsigned char>(sequence[i]);
  };
  if (sequence.size() == 1)
    return (byte(0) >= 0x20 || byte(0) == '\t' || byte(0) == '\n') &&
           byte(0) != 0x7F;
  if (sequence.size() == 2) return byte(0) != 0xC2 || byte(1) >= 0xA0;  // C1
  if (sequence.size() == 3) {
    // Noncharacters U+FDD0..U+FDEF, U+FFFE, U+FFFF.
    if (byte(0) != 0xEF) return true;
    if (byte(1) == 0xB7) return byte(2) < 0x90 || byte(2) > 0xAF;
    return !(byte(1) == 0xBF && byte(2) >= 0xBE);
  }
  // Noncharacters at the end of the other planes.
  return !((byte(1) & 0x0F) == 0x0F && byte(2) == 0xBF && byte(3) >= 0xBE);
}

void AppendElement(std::string* to, std::string_view name,
                   std::string_view text) {
  *to += '<';
  *to += name;
  *to += '>';
  AppendHtml(to, text);
  *to += "</";
  *to += name.substr(0, name.find(' '));
  *to += '>';
}

void AppendCell(std::string* to, const Cell& cell) {
  AppendElement(to, cell.number ? "td class=\"number\"" : "td", cell.text);
}

void AppendCaption(std::string* to, const std::string& caption) {
  if (caption.empty()) return;
  AppendElement(to, "caption", caption);
  *to += '\n';
}

void AppendTable(std::string* to, const Table& table) {
  *to += "<div class=\"scroll\"><table>\n";
  AppendCaption(to, table.caption);
  *to += "<thead><tr>";
  for (const Column& column : table.columns) {
    AppendElement(to,
                  column.number ? "th scope=\"col\" class=\"number\""
                                : "th scope=\"col\"",
                  column.name);
  }
  *to += "</tr></thead>\n<tbody>\n";
  for (const std::vector<Cell>& row : table.rows) {
    *to += "<tr>";
    for (size_t i = 0; i < table.columns.size(); ++i)
      AppendCell(to, i < row.size() ? row[i] : Cell());
    *to += "</tr>\n";
  }
  *to += "</tbody>\n</table></div>\n";
}

// The figures of a drawing, for those who cannot or need not see it.
void AppendFigures(std::string* to, const Table& table) {
  *to += "<details><summary>The figures as a table</summary>\n";
  AppendTable(to, table);
  *to += "</details>\n";
}

void BeginFigure(std::string* to, const std::string& title) {
  *to += "<figure>\n";
  AppendElement(to, "figcaption", title);
  *to += '\n';
}

bool AnyLabel(const Chart& chart) {
  for (const Series& series : chart.series)
    for (const Point& point : series.points)
      if (!point.label.empty()) return true;
  return false;
}

bool AnyBand(const Chart& chart) {
  for (const Series& series : chart.series)
    if (series.band) return true;
  return false;
}

Table FiguresOf(const Chart& chart) {
  const bool band = AnyBand(chart), label = AnyLabel(chart);
  Table table{"", {{"", false}}, {}};
  if (label) table.columns.push_back({"at", false});
  table.columns.push_back({chart.x.label, true});
  table.columns.push_back({chart.y.label, true});
  if (band) table.columns.push_back({"from", true});
  if (band) table.columns.push_back({"to", true});
  for (const Series& series : chart.series) {
    for (const Point& point : series.points) {
      std::vector<Cell> row = {Cell::Text(series.name)};
      if (label) row.push_back(Cell::Text(point.label));
      row.push_back(Cell::Number(point.x));
      row.push_back(Cell::Number(point.y));
      if (band && series.band) {
        row.push_back(Cell::Number(point.low));
        row.push_back(Cell::Number(point.high));
      }
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

void AppendLegend(std::string* to, const Chart& chart) {
  *to += "<ul class=\"legend\">\n";
  for (size_t i = 0; i < chart.series.size(); ++i) {
    *to += "<li>" + DrawLegendKey(chart.series[i], i);
    AppendHtml(to, chart.series[i].name);
    *to += "</li>\n";
  }
  *to += "</ul>\n";
}

}  // namespace

void AppendHtml(std::string* to, std::string_view text) {
  while (!text.empty()) {
    const size_t length = Utf8SequenceLength(text);
    const std::string_view sequence = text.substr(0, length == 0 ? 1 : length);
    switch (text[0]) {
      case '&':
        *to += "&amp;";
        break;
      case '<':
        *to += "&lt;";
        break;
      case '>':
        *to += "&gt;";
        break;
      case '"':
        *to += "&quot;";
        break;
      case '\'':
        *to += "&#39;";
        break;
      default:
        if (length == 0 || !IsAllowed(sequence)) {
          *to += "\xEF\xBF\xBD";
        } else {
          *to += sequence;
        }
    }
    text.remove_prefix(sequence.size());
  }
}

namespace html {

Cell Cell::Count(uint64_t value) {
  std::string text = std::to_string(value);
  // Four digits are read at a glance; more are grouped by a narrow blank.
  if (text.size() > 4) {
    for (size_t i = text.size(); i > 3;) {
      i -= 3;
      text.insert(i, "\xE2\x80\xAF");
    }
  }
  return {std::move(text), true};
}

Cell Cell::Number(double value) {
  if (!std::isfinite(value)) return {"\xE2\x80\x93", true};
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

Cell Cell::Percent(uint64_t part, uint64_t whole) {
  if (whole == 0) return Number(std::nan(""));
  const auto tenths = static_cast<uint64_t>(
      (static_cast<unsigned __int128>(part) * 1000 + whole / 2) / whole);
  return {
      std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " %",
      true};
}

Chart LogLogChart(std::string title, std::string description,
                  std::string x_label, std::string y_label,
                  std::vector<Series> series) {
  for (Series& one : series) one.line = false;
  return {std::move(title),
          std::move(description),
          {std::move(x_label), true, {}, {}},
          {std::move(y_label), true, {}, {}},
          std::move(series)};
}

Chart PrecisionRecallChart(std::string title, std::string description,
                           std::vector<Series> series) {
  return {std::move(title),
          std::move(description),
          {"recall", false, 0.0, 1.0},
          {"precision", false, 0.0, 1.0},
          std::move(series)};
}

}  // namespace html

HtmlReport::HtmlReport(std::string_view title, std::string_view language) {
  html_ = "<!DOCTYPE html>\n<html lang=\"";
  AppendHtml(&html_, language);
  // No content may load or run anything, whatever a text manages to say.
  html_ +=
      "\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\"/>\n";
  AppendElement(&html_, "title", title);
  html_ += '\n';
  html_ += kStyle;
  html_ += "</head>\n<body>\n<main>\n";
  AppendElement(&html_, "h1", title);
  html_ += '\n';
}

HtmlReport& HtmlReport::Add(const html::Heading& heading) {
  constexpr std::string_view kNames[] = {"h2", "h3", "h4"};
  const int level = heading.level < 2   ? 2
                    : heading.level > 4 ? 4
                                        : heading.level;
  AppendElement(&html_, kNames[level - 2], heading.text);
  html_ += '\n';
  return *this;
}

HtmlReport& HtmlReport::Add(const html::Paragraph& paragraph) {
  AppendElement(&html_, "p", paragraph.text);
  html_ += '\n';
  return *this;
}

HtmlReport& HtmlReport::Add(const html::Warning& warning) {
  html_ += "<p class=\"warning\"><strong>Warning:</strong> ";
  AppendHtml(&html_, warning.text);
  html_ += "</p>\n";
  return *this;
}

HtmlReport& HtmlReport::Add(const html::KeyValues& values) {
  html_ += "<div class=\"scroll\"><table>\n";
  AppendCaption(&html_, values.caption);
  html_ += "<tbody>\n";
  for (const auto& [name, value] : values.rows) {
    html_ += "<tr>";
    AppendElement(&html_, "th scope=\"row\"", name);
    AppendCell(&html_, value);
    html_ += "</tr>\n";
  }
  html_ += "</tbody>\n</table></div>\n";
  return *this;
}

HtmlReport& HtmlReport::Add(const html::Table& table) {
  AppendTable(&html_, table);
  return *this;
}

HtmlReport& HtmlReport::Add(const html::Histogram& histogram) {
  BeginFigure(&html_, histogram.title);
  html_ += DrawHistogram(histogram, ++figures_);
  Table table{"",
              {{histogram.x_label + ", from", true},
               {"to", true},
               {histogram.y_label, true}},
              {}};
  for (const html::Bin& bin : histogram.bins) {
    table.rows.push_back({Cell::Number(bin.low), Cell::Number(bin.high),
                          Cell::Count(bin.count)});
  }
  AppendFigures(&html_, table);
  html_ += "</figure>\n";
  return *this;
}

HtmlReport& HtmlReport::Add(const html::Chart& chart) {
  BeginFigure(&html_, chart.title);
  html_ += DrawChart(chart, ++figures_);
  AppendLegend(&html_, chart);
  AppendFigures(&html_, FiguresOf(chart));
  html_ += "</figure>\n";
  return *this;
}

HtmlReport& HtmlReport::BeginRun() {
  html_ += "<!-- run -->\n<section id=\"run\">\n";
  in_run_ = true;
  return *this;
}

HtmlReport& HtmlReport::EndRun() {
  html_ += "</section>\n<!-- /run -->\n";
  in_run_ = false;
  return *this;
}

std::string HtmlReport::Finish() && {
  if (in_run_) EndRun();
  html_ += "</main>\n</body>\n</html>\n";
  return std::move(html_);
}

}  // namespace twinset::inline v1
