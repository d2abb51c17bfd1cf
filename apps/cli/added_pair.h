// How to look at a pair of a run that adds to saved ones.
#ifndef TWINSET_APPS_CLI_ADDED_PAIR_H_
#define TWINSET_APPS_CLI_ADDED_PAIR_H_

#include <string>
#include <vector>

#include "cli/commands.h"
#include "twinset/json.h"

namespace twinset::cli {

// Inputs that hold the documents `ids` of the finished run, of which `summary`
// is summary.json: its own and those of saved runs. Empty when one is not there
// any more, or when they do not say by themselves which documents are meant.
std::vector<std::string> InputsOfPair(const FlagOptions& options,
                                      const std::vector<std::string>& ids,
                                      const Json& summary);

// The flags of `explain`, each behind a blank, that the run had from the saved
// run: those that nobody gave and that are not at their defaults.
std::string InheritedFlags(const Request& request);

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_ADDED_PAIR_H_
