// The drawings and tables of a report as files of their own, for a paper.
#ifndef TWINSET_SRC_STAGES_REPORT_EXHIBITS_H_
#define TWINSET_SRC_STAGES_REPORT_EXHIBITS_H_

#include <string>
#include <utility>
#include <vector>

#include "report/html_report.h"

namespace twinset {

// Name and bytes of each file, in order: NN-WORDS-OF-THE-CAPTION.csv and .tex
// (a table of LaTeX with booktabs), for a drawing .svg too. Names are of
// a to z, digits and "-".
std::vector<std::pair<std::string, std::string>> ExhibitFiles(
    const std::vector<Exhibit>& exhibits);

// Text as LaTeX sets it. Characters that LaTeX gives a meaning are escaped;
// control characters become blanks.
std::string LatexText(std::string_view text);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_REPORT_EXHIBITS_H_
