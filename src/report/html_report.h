// A page that explains itself: one HTML file with inline SVG, without scripts
// or anything from elsewhere, light and dark by the reader's own setting
// (docs/formats/report.md).
//
//   HtmlReport report("Duplicates in corpus.warc.gz");
//   report.Add(html::Paragraph{"..."});
//   report.Add(html::Table{"Retention", {{"source"}, {"kept", true}}, rows});
//   report.Add(html::Chart{...});
//   const std::string html = std::move(report).Finish();
//
// Every text is escaped here; callers hand over what they have. The same calls
// give the same bytes: coordinates are rounded to a tenth of a pixel and
// logarithms computed by + - * / alone. Values of charts need not be finite:
// points that cannot be drawn (NaN, infinite, not positive on a logarithmic
// axis) are left out of the drawing and stay in its table.
#ifndef TWINSET_SRC_REPORT_HTML_REPORT_H_
#define TWINSET_SRC_REPORT_HTML_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace twinset::inline v1 {

namespace html {

// ---- Cells ----

// A value of a table. Numbers stand at the right.
struct Cell {
  std::string text;
  bool number = false;

  static Cell Text(std::string_view text) { return {std::string(text), false}; }
  static Cell Count(uint64_t value);  // 1 234 567
  static Cell Number(double value);   // shortest: 0.9473684210526315
  static Cell Fixed(double value, int decimals);  // correctly rounded: 0.9474
  static Cell Percent(uint64_t part, uint64_t whole);  // 12.3 %; no whole: -
};

// ---- Blocks ----

struct Heading {
  std::string text;
  int level = 2;  // 2 to 4; 1 is the title of the page
};

struct Paragraph {
  std::string text;
};

// Something that the reader must not miss.
struct Warning {
  std::string text;
};

// Names and values below each other.
struct KeyValues {
  std::string caption;  // may be empty
  std::vector<std::pair<std::string, Cell>> rows;
};

struct Column {
  std::string name;
  bool number = false;  // heading at the right, as its cells
};

// Rows shorter than `columns` are filled with empty cells, longer ones cut.
struct Table {
  std::string caption;  // may be empty
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
};

struct Bin {
  double low = 0, high = 0;  // [low, high)
  uint64_t count = 0;
};

// Bars from 0; bins ascending.
struct Histogram {
  std::string title;
  std::string description;  // a sentence for those who do not see the drawing
  std::string x_label, y_label;
  std::vector<Bin> bins;
};

struct Axis {
  std::string label;
  bool log = false;                 // decades
  std::optional<double> low, high;  // else what the values need
};

struct Point {
  double x = 0, y = 0;
  // Ends of the interval of y, where the series has a band.
  double low = 0, high = 0;
  std::string label;  // as the threshold of the point; may be empty
};

struct Series {
  std::string name;
  std::vector<Point> points;  // joined in this order
  bool line = true;
  bool marks = true;
  bool band = false;
};

// Lines, bands and marks over two axes, with legend and table of all points.
struct Chart {
  std::string title;
  std::string description;
  Axis x, y;
  std::vector<Series> series;
};

// Both axes logarithmic, marks only: sizes and how often they occur.
Chart LogLogChart(std::string title, std::string description,
                  std::string x_label, std::string y_label,
                  std::vector<Series> series);
// Recall to the right, precision upwards, both from 0 to 1.
Chart PrecisionRecallChart(std::string title, std::string description,
                           std::vector<Series> series);

}  // namespace html

// ---- The page ----

class HtmlReport {
 public:
  // `language`: of the texts, BCP 47.
  explicit HtmlReport(std::string_view title, std::string_view language = "en");

  HtmlReport& Add(const html::Heading& heading);
  HtmlReport& Add(const html::Paragraph& paragraph);
  HtmlReport& Add(const html::Warning& warning);
  HtmlReport& Add(const html::KeyValues& values);
  HtmlReport& Add(const html::Table& table);
  HtmlReport& Add(const html::Histogram& histogram);
  HtmlReport& Add(const html::Chart& chart);

  // What follows, up to EndRun, depends on the machine (times, memory, paths):
  // it stands between the lines <!-- run --> and <!-- /run -->, each alone on
  // its line, so that it can be cut off for comparisons. No text of a caller
  // can write such a line. At most one such part, at the end.
  HtmlReport& BeginRun();
  HtmlReport& EndRun();

  // The page, complete; the report is then empty.
  std::string Finish() &&;

 private:
  std::string html_;
  int figures_ = 0;  // numbers the ids that title and drawing are tied by
  bool in_run_ = false;
};

// Text of HTML, also within attributes in double quotes: & < > " ' escaped,
// malformed UTF-8 and control characters that HTML forbids as U+FFFD.
void AppendHtml(std::string* to, std::string_view text);

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_REPORT_HTML_REPORT_H_
