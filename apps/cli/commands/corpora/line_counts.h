// What was wrong in the lines of files, for people.
#ifndef TWINSET_APPS_CLI_LINE_COUNTS_H_
#define TWINSET_APPS_CLI_LINE_COUNTS_H_

#include <string_view>

#include "twinset/corpora/study_counts.h"

namespace twinset::cli {

// For each part of which lines do not count, a line with the reasons and, after
// it, the first of them with their places.
void TellLinesRead(std::string_view command, const LinesRead& read);

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_LINE_COUNTS_H_
