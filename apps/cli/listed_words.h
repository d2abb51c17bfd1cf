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

// The values that each flag of a command is given, in the order of FlagsOf; ""
// for each time that a switch is.
using FlagValues = std::vector<std::vector<std::string>>;

// Adds what the file of --config says, if there is one, of flags without
// values. The file is TOML: the long names of flags without dashes, and
// sections named as commands for what is of these alone.
Status AddConfig(const Command& command, FlagValues* values);

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_LISTED_WORDS_H_
