// A report as values. A command that measures builds one, keeps it beside its
// results as page.json (docs/formats/report.md), and draws it (html_report.h)
// at once or later.
//
//   KeptPage page("walk", "Walk on a.org");
//   page.Add(html::Lead{"The walk saw 12 pages.", ""});
//   TWINSET_TRY(WriteKeptPage(page, folder, "report.html"));
#ifndef TWINSET_SRC_STAGES_REPORT_KEPT_PAGE_H_
#define TWINSET_SRC_STAGES_REPORT_KEPT_PAGE_H_

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "report/html_report.h"
#include "twinset/error.h"
#include "twinset/results.h"

namespace twinset {

class KeptPage {
 public:
  static constexpr char kFileName[] = "page.json";

  // `command`: whose page it is.
  KeptPage(std::string_view command, std::string_view title)
      : command_(command), title_(title) {}

  template <typename Block>
  KeptPage& Add(Block block) {
    blocks_.emplace_back(std::move(block));
    return *this;
  }
  // As those of HtmlReport.
  KeptPage& BeginFolded(std::string_view summary) {
    return Add(FoldBegin{std::string(summary)});
  }
  KeptPage& EndFolded() { return Add(FoldEnd{}); }
  KeptPage& BeginRun() { return Add(RunBegin{}); }
  KeptPage& EndRun() { return Add(RunEnd{}); }

  const std::string& command() const { return command_; }
  HtmlReport Drawn() const;
  // The same on a page that is there already.
  void DrawOn(HtmlReport* report) const;
  // As ResultPage::Text (report/page_text.cc).
  std::string Terminal(const TextStyle& style) const;

  // One block a line.
  std::string Text() const;
  // kCorrupt for what Text has not made: another version, blocks that are not
  // closed, a value of a wrong type. Members that it does not know are passed
  // over.
  static Result<KeptPage> Parse(std::string_view text);

 private:
  struct FoldBegin {
    std::string summary;
  };
  struct FoldEnd {};
  struct RunBegin {};
  struct RunEnd {};
  using Block =
      std::variant<html::Lead, html::Facts, html::Heading, html::Paragraph,
                   html::Note, html::Warning, html::KeyValues, html::Table,
                   html::Shares, html::Histogram, html::Chart, html::TextPair,
                   FoldBegin, FoldEnd, RunBegin, RunEnd>;
  struct Codec;

  bool IsSound() const;

  std::string command_, title_;
  std::vector<Block> blocks_;
};

// Writes FOLDER/page.json and, unless `html` is empty, FOLDER/`html`. The HTML
// is drawn from what page.json says, so that it is the same when it is drawn
// again.
Status WriteKeptPage(const KeptPage& page, const std::string& folder,
                     const std::string& html);
// FOLDER/page.json. kIo, kCorrupt.
Result<KeptPage> ReadKeptPage(const std::string& folder);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_REPORT_KEPT_PAGE_H_
