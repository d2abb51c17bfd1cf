// What a report is made of: plain values, which html_report.h writes.
#ifndef TWINSET_SRC_STAGES_REPORT_HTML_BLOCKS_H_
#define TWINSET_SRC_STAGES_REPORT_HTML_BLOCKS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace twinset::html {

// ---- Cells ----

// A stretch of a text as a pair or a cell shows it.
struct Piece {
  enum Kind { kSame, kDeleted, kInserted, kMarked, kSkipped } kind = kSame;
  std::string text;
};

// A value of a table. Numbers stand at the right.
struct Cell {
  std::string text;
  bool number = false;
  std::string below = {};          // a second, smaller line: an id, an address
  std::vector<Piece> pieces = {};  // `text`, where parts of it are marked
  std::string link = {};           // the address that `text` leads to

  static Cell Text(std::string_view text) { return {std::string(text), false}; }
  static Cell None();                 // a number that there is not: –
  static Cell Count(uint64_t value);  // 1,234,567
  static Cell Number(double value);   // shortest: 0.9473684210526315
  static Cell Fixed(double value, int decimals);  // correctly rounded: 0.9474
  // At most four digits that differ from 0 behind the first: 0.0123, 512.3.
  static Cell Rounded(double value);
  static Cell Percent(uint64_t part, uint64_t whole);  // 12.3 %; no whole: -
};

// ---- Blocks ----

// What was found, in plain words: the first sentence stands out.
struct Lead {
  std::string strong, text;
};

// The few numbers that matter.
struct Fact {
  std::string name, value;
  std::string beside;  // smaller, below the value: "of 1,416"
};
struct Facts {
  std::vector<Fact> facts;
};

struct Heading {
  std::string text;
  int level = 2;  // 2 to 4; 1 is the title of the page
};

struct Paragraph {
  std::string text;
};

// A sentence about what stands beside it.
struct Note {
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

// Parts of a whole as one bar with its key.
struct Shares {
  std::string title;
  std::vector<std::pair<std::string, uint64_t>> parts;
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
  std::string note = {};  // a sentence below the drawing
  bool log = false;       // decades to the right; bins then begin above 0
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
  std::string note = {};  // a sentence below the drawing
};

// Recall to the right, precision upwards, both up to 1. Each begins at 0 or, if
// all its values are above a half, closer to them; the note below says so.
Chart PrecisionRecallChart(std::string title, std::string description,
                           std::vector<Series> series);

// A drawing of its own kind (report/step_drawings.h).
struct Drawing {
  std::string title;
  std::string description;  // a sentence for those who do not see it
  int height = 0;           // in pixels; the width is that of all drawings
  std::string svg;          // what it shows, already escaped
  std::vector<std::pair<std::string, std::string>> legend;  // kind, what it is
  Table figures;
  std::string note = {};  // a sentence below the drawing
};

struct PairSide {
  std::string title, name;  // may be empty; an id with what becomes of it
  std::vector<Piece> text;
};

// Two documents side by side, on narrow pages below each other.
struct TextPair {
  std::string title;              // "0.834 alike"
  std::vector<std::string> tags;  // a word or two each
  PairSide left, right;
  std::string note;  // below both; may be empty
};

// What a reader may ask of the server that sent the page.
struct FormField {
  enum Kind { kLine, kText, kNumber, kChoice, kFile } kind = kLine;
  std::string name, label, value, hint;
  // The values of kChoice, and what is said of each.
  std::vector<std::pair<std::string, std::string>> choices = {};
};
struct Form {
  std::string action;
  bool posts = false;  // else the address has what was asked
  std::vector<FormField> fields;
  std::string button;
  // Short fields stand beside each other. One with a file is sent in parts
  // (multipart/form-data).
  bool in_row = false;
};

// Where else a reader may go: what is said, and its address. Without an address
// it is where the reader is.
struct Links {
  std::string label;  // for those who do not see the page
  std::vector<std::pair<std::string, std::string>> links;
};

}  // namespace twinset::html

#endif  // TWINSET_SRC_STAGES_REPORT_HTML_BLOCKS_H_
