// What a command line leaves to files: names of inputs, and flags.
#ifndef TWINSET_APPS_CLI_LISTED_WORDS_H_
#define TWINSET_APPS_CLI_LISTED_WORDS_H_

#include <string>
#include <vector>

#include "cli/flags/flags.h"
#include "commands.h"

namespace twinset::cli {

// Adds the names that the files of --files-from list to the operands: one per
// line, or, where there is any NUL byte, one before each. "-": standard input.
Status AddListedInputs(Request* request);

// `words` with the flags that the file of --config sets in front of them, but
// for those that `words` give themselves; `words` when there is no --config.
// The file is TOML: the long names of flags without dashes, and sections named
// as commands for what is of these alone.
Result<std::vector<std::string>> WithConfig(
    const Command& command, const std::vector<std::string>& words);

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_LISTED_WORDS_H_
