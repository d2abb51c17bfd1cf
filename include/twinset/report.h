// The report of a finished run for people (docs/formats/report.md).
#ifndef TWINSET_REPORT_H_
#define TWINSET_REPORT_H_

#include <string>
#include <vector>

#include "twinset/error.h"
#include "twinset/progress.h"

namespace twinset {
inline namespace v1 {

struct ReportOptions {
  // Result folder of Dedup, Cut, Match, Recut, Evaluate, WalkWeb, DrawSample,
  // Estimate, FindTraps, RunStudy, MeasureChange, ScoreLabels or
  // PredictDuplicates.
  std::string folder;
  // Where the inputs of the run are now, in the order in which they were given;
  // empty: where they were.
  std::vector<std::string> inputs, against;
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

#endif  // TWINSET_REPORT_H_
