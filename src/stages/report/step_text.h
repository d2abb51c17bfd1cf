// Steps as they grow: headings, sentences, tables and drawings, written in
// three forms: for a terminal, as Markdown, and as a page. The one writer of
// tables of Markdown.
//
// Texts that are handed over are Markdown of one line, of which three marks are
// known: `code`, **strong**, and a backslash before what is meant as it is.
// What a document or a user says goes through Plain.
#ifndef TWINSET_SRC_STAGES_REPORT_STEP_TEXT_H_
#define TWINSET_SRC_STAGES_REPORT_STEP_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "report/html_report.h"
#include "twinset/steps.h"

namespace twinset {

// Bytes of a text that Plain leaves, about.
inline constexpr size_t kPlainBytes = 80;

class StepText {
 public:
  explicit StepText(uint64_t most_rows = UINT64_MAX) : most_rows_(most_rows) {}

  void Heading(std::string_view text);
  void Paragraph(std::string_view text);
  // Columns that begin with '>' stand at the right. Rows beyond the most are
  // left out and counted, with `unbuilt` more, unless `whole`.
  void Table(const std::vector<std::string>& columns,
             std::vector<std::vector<std::string>> rows, bool whole = false,
             uint64_t unbuilt = 0);
  // Only the page has drawings.
  void Draw(html::Drawing drawing);
  // Says on the page why it has no drawing.
  void DrawNothing(std::string_view why);

  uint64_t most_rows() const { return most_rows_; }
  // Markdown, and for a terminal: columns are aligned, headings stand at the
  // left, strong cells between asterisks.
  WrittenSteps Written() const;
  void AddTo(HtmlReport* page) const;

 private:
  struct Columns {
    std::vector<std::string> names;
    std::vector<bool> numbers;
    std::vector<std::vector<std::string>> rows;
    uint64_t left_out = 0;
  };
  using Block = std::variant<html::Heading, html::Paragraph, Columns,
                             html::Drawing, html::Note>;

  std::string Markdown() const;
  std::string Terminal() const;

  uint64_t most_rows_;
  std::vector<Block> blocks_;
};

// A text of a document, so that Markdown shows it as it is, within a table too:
// bars, backslashes and what begins a mark or an element of HTML are escaped,
// controls and line ends are blanks. It is cut to a line.
std::string Plain(std::string_view text);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_REPORT_STEP_TEXT_H_
