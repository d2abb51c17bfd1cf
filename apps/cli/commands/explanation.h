// How a pair and a decision of a run are told.
#ifndef TWINSET_APPS_CLI_COMMANDS_EXPLANATION_H_
#define TWINSET_APPS_CLI_COMMANDS_EXPLANATION_H_

#include <string>

#include "cli/flags/flags.h"
#include "twinset/explain.h"

namespace twinset::cli {

// With the aligned difference; in colour where standard output takes it.
std::string ExplanationText(const Explanation& explanation);

// twinset explain ID RUN; the exit code.
int RunDecision(const Request& request);

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_COMMANDS_EXPLANATION_H_
