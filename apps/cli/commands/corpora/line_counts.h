// What was wrong in the lines of a file, for people and as JSON.
#ifndef TWINSET_APPS_CLI_LINE_COUNTS_H_
#define TWINSET_APPS_CLI_LINE_COUNTS_H_

#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "twinset/corpora/qrels.h"
#include "twinset/json.h"
#include "twinset/sides.h"

namespace twinset::cli {

Json LineCountsJson(const LineCounts& counts);
// Nothing when every line counts; else a line with the reasons and, after it,
// the first of them with their places. `what` names the lines: "judgements".
void TellLineCounts(std::string_view command, std::string_view what,
                    const LineCounts& counts);

class Output;

// What was read of the files of each, by its part in the command.
using CountedSide = std::pair<std::string_view, const LineCounts*>;
std::vector<SideRead> SidesOf(std::initializer_list<CountedSide> counted);
// One line that says what was read of each side; nothing where there is none.
void WriteSides(const std::vector<SideRead>& sides, Output* out);

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_LINE_COUNTS_H_
