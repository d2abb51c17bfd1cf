// What the results of several commands have: shares, what was read of each
// input, and the finding as a page; and the report of a finished run.
#ifndef TWINSET_RESULTS_H_
#define TWINSET_RESULTS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/progress.h"

namespace twinset {

class KeptPage;

inline namespace v1 {

// A part of a whole, both counted.
struct Share {
  uint64_t part = 0, whole = 0;

  // Within [0, 1] where part <= whole; 0 without a whole.
  double value() const {
    return whole == 0 ? 0
                      : static_cast<double>(part) / static_cast<double>(whole);
  }
};

// What a command read from one of its sides (a corpus, a test set, a snapshot,
// a file of judgements), so that no input is lost in silence.
struct SideRead {
  std::string side;   // its part in the command: "A", "test set"; may be empty
  std::string input;  // the argument; empty if several inputs are one side
  std::string unit = "document";  // what its records are used as
  uint64_t records = 0, used = 0, quarantined = 0;
  uint64_t wordless = 0;  // used ones without a word, if only words compare
  // The problem of the first quarantined record, or of an input that broke off
  // before it.
  std::string problem = {};

  // "test set te1.jsonl".
  std::string name() const;
};

// "test set te1.jsonl: 2 documents of 3 records, 1 quarantined"; sides are
// separated by semicolons. More than 20 of one name are said as their sum.
std::string SidesText(const std::vector<SideRead>& sides);
// One row per side: {"side","input","records","documents","quarantined"}. The
// unit gives the fourth member its name.
Json SidesJson(const std::vector<SideRead>& sides);

// How a text is set for a terminal.
struct TextStyle {
  bool colour = false;  // bold and faint text by ANSI escapes
  size_t width = 0;     // sentences are wrapped at this column; 0: not at all
  // Tables alone, without sentences and the few numbers that matter.
  bool brief = false;
  size_t most_rows = 20;  // of a table; what is left out is counted
};

// What a result says, as values that are drawn in every form: for a terminal,
// as a page, and as page.json (docs/formats/report.md). A copy costs a pointer.
// Thread-safe.
class ResultPage {
 public:
  // A page that says nothing.
  ResultPage() = default;
  // What the library found; callers get pages with its results.
  explicit ResultPage(KeptPage page);

  // What was found as a sentence, the few numbers that matter, and tables with
  // aligned columns. What is folded on the page, drawings and texts side by
  // side are left out, and so are warnings, which a result has apart. Control
  // characters are replaced, as Printable does.
  std::string Text(const TextStyle& style = {}) const;
  // The page that --report writes, complete in one file.
  std::string Html() const;

  // Null for a page that says nothing.
  const KeptPage* kept() const { return page_.get(); }

 private:
  std::shared_ptr<const KeptPage> page_;
};

// What WriteReportOf is asked for.
// Where the inputs of a finished run are now.
struct InputsNow {
  // In the order in which they were given; empty: where they were.
  std::vector<std::string> inputs, against;
  // CIDR blocks that addresses among them may lead to beside the public
  // internet. No result folder says so.
  std::vector<std::string> networks;
};

struct ReportOptions : InputsNow {
  // Result folder of Dedup, Cut, Match, Recut, Evaluate, WalkWeb, DrawSample,
  // Estimate, FindTraps, RunStudy, MeasureChange, ScoreLabels or
  // PredictDuplicates.
  std::string folder;
  // Folder for each drawing as SVG and each table as CSV and LaTeX; empty:
  // none.
  std::string figures;
  bool overwrite = false;    // of `figures`
  ProgressSink on_progress;  // while inputs are read again
};

// Writes FOLDER/report.html (for Evaluate, evaluation.html) as the command
// itself writes it with --report, and returns its path. It reads the files of
// the folder and, for the texts that it shows, the inputs. If an input cannot
// be read again, a sentence says so in its place. kUsage for a folder that
// holds no finished run of these kinds, kCorrupt for one that is damaged.
// Memory: a few MB and one record.
Result<std::string> WriteReportOf(const ReportOptions& options);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_RESULTS_H_
