// An aligned difference for the eye.
#ifndef TWINSET_APPS_CLI_DIFF_TEXT_H_
#define TWINSET_APPS_CLI_DIFF_TEXT_H_

#include <string>
#include <vector>

#include "twinset/inspect.h"

namespace twinset::cli {

// One block a run: "  " before what both have, "- " before what only X has, "+
// " what only Y has. Of a long run that both have, the words next to the
// differences stay and the rest is counted. Lines are wrapped at 80 columns;
// control characters are replaced.
std::string DiffText(const std::vector<DiffRun>& runs, bool colour);

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_DIFF_TEXT_H_
