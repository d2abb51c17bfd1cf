// An aligned difference for the eye.
#ifndef TWINSET_APPS_CLI_DIFF_TEXT_H_
#define TWINSET_APPS_CLI_DIFF_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "twinset/explain.h"

namespace twinset::cli {

// A line that explains the marks, then one block a piece: "  " before what both
// have, "- " before what only X has, "+ " what only Y has; "< " and "> " before
// the same words as X and as Y write them. Of a long piece that both have, the
// words next to the differences stay and the rest is counted. White space does
// not count. Lines are wrapped at 80 columns; control characters are replaced.
// Empty when there is no difference. What is beyond `most_lines` is counted.
std::string DiffText(const std::vector<DiffRun>& runs, bool colour,
                     size_t most_lines = SIZE_MAX);

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_DIFF_TEXT_H_
