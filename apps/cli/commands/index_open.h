// How the flags of a command open a live index.
#ifndef TWINSET_APPS_CLI_COMMANDS_INDEX_OPEN_H_
#define TWINSET_APPS_CLI_COMMANDS_INDEX_OPEN_H_

#include "cli/flags/flags.h"
#include "twinset/index.h"

namespace twinset::cli {

// Parameters that are given are those that the index must have.
IndexOpenOptions IndexOpenOptionsOf(const Request& request, bool read_only);

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_COMMANDS_INDEX_OPEN_H_
