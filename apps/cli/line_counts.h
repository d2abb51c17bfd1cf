// What was wrong in the lines of a file, for people and as JSON.
#ifndef TWINSET_APPS_CLI_LINE_COUNTS_H_
#define TWINSET_APPS_CLI_LINE_COUNTS_H_

#include <string_view>

#include "twinset/json.h"
#include "twinset/qrels.h"

namespace twinset::cli {

Json LineCountsJson(const LineCounts& counts);
// Nothing when every line counts; else a line with the reasons and, after it,
// the first of them with their places. `what` names the lines: "judgements".
void TellLineCounts(std::string_view command, std::string_view what,
                    const LineCounts& counts);

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_LINE_COUNTS_H_
