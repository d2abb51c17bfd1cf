// How to look at the first pair of a finished run.
#ifndef TWINSET_APPS_CLI_EXPLAIN_COMMAND_H_
#define TWINSET_APPS_CLI_EXPLAIN_COMMAND_H_

#include <string>

#include "cli/commands.h"
#include "twinset/json.h"

namespace twinset::cli {

// The first pair of the result folder as a runnable `twinset explain` command,
// with the flags of this run that matter to it; empty when there is no pair or
// the ids cannot be looked up again.
// `summary`: its summary.json, where it has added to a saved run.
std::string ExplainCommand(const Request& request, const Json& summary = {});

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_EXPLAIN_COMMAND_H_
