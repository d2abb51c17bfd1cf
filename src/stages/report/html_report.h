// A page that explains itself: one HTML file with inline SVG, without scripts
// or anything from elsewhere, light and dark by the reader's own setting
// (docs/formats/report.md).
//
//   HtmlReport report("Duplicates in corpus.warc.gz");
//   report.Add(html::Lead{"Nearly half can go.", "Of 1,416 documents ..."});
//   report.Add(html::Table{"Retention", {{"source"}, {"kept", true}}, rows});
//   report.Add(html::Chart{...});
//   const std::string html = std::move(report).Finish();
//
// Every text is escaped here; callers hand over what they have. The same calls
// give the same bytes: coordinates are rounded to a tenth of a pixel and
// logarithms computed by + - * / alone. Values of charts need not be finite:
// points that cannot be drawn (NaN, infinite, not positive on a logarithmic
// axis) are left out of the drawing and stay in its table.
#ifndef TWINSET_SRC_STAGES_REPORT_HTML_REPORT_H_
#define TWINSET_SRC_STAGES_REPORT_HTML_REPORT_H_

#include <string>
#include <string_view>
#include <vector>

#include "report/html_blocks.h"

namespace twinset {

// A drawing with its figures, or a table, as a paper would show it.
struct Exhibit {
  std::string caption;
  std::string svg;  // empty: a table
  html::Table table;
};

class HtmlReport {
 public:
  // `language`: of the texts, BCP 47.
  explicit HtmlReport(std::string_view title, std::string_view language = "en");

  // A page that a server sends. Its style is at an address of that, and the
  // header of the response says what it may load and run.
  static HtmlReport Served(std::string_view title, std::string_view style);

  HtmlReport& Add(const html::Lead& lead);
  HtmlReport& Add(const html::Facts& facts);
  HtmlReport& Add(const html::Heading& heading);
  HtmlReport& Add(const html::Paragraph& paragraph);
  HtmlReport& Add(const html::Note& note);
  HtmlReport& Add(const html::Warning& warning);
  HtmlReport& Add(const html::KeyValues& values);
  HtmlReport& Add(const html::Table& table);
  HtmlReport& Add(const html::Shares& shares);
  HtmlReport& Add(const html::Histogram& histogram);
  HtmlReport& Add(const html::Chart& chart);
  HtmlReport& Add(const html::Drawing& drawing);
  HtmlReport& Add(const html::TextPair& pair);
  HtmlReport& Add(const html::Form& form);
  HtmlReport& Add(const html::Links& links);

  // What follows, up to EndFolded, is folded below `summary`.
  HtmlReport& BeginFolded(std::string_view summary);
  HtmlReport& EndFolded();

  // What follows, up to EndRun, depends on the machine (times, memory, paths):
  // it stands between the lines <!-- run --> and <!-- /run -->, each alone on
  // its line, so that it can be cut off for comparisons. No text of a caller
  // can write such a line. At most one such part, at the end.
  HtmlReport& BeginRun();
  HtmlReport& EndRun();

  // Charts, bars and tables with a caption, in the order of the page; none of
  // the part of the machine.
  const std::vector<Exhibit>& exhibits() const { return exhibits_; }

  // The page, complete; the report is then empty.
  std::string Finish() &&;

 private:
  HtmlReport() = default;
  void Begin(std::string_view language, std::string_view title,
             std::string_view head);
  void AddFigure(const std::string& title, const std::string& svg,
                 const std::string& legend, html::Table table);

  std::string html_;
  std::vector<Exhibit> exhibits_;
  int figures_ = 0;  // numbers the ids that title and drawing are tied by
  bool in_run_ = false;
};

// Text of HTML, also within attributes in double quotes: & < > " ' escaped,
// control characters as their pictures (U+2400 and on), malformed UTF-8 and
// what else HTML forbids as U+FFFD.
void AppendHtml(std::string* to, std::string_view text);

// At most `most` bytes of the text, cut between characters and then ending in
// an ellipsis.
std::string Shortened(std::string_view text, size_t most);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_REPORT_HTML_REPORT_H_
