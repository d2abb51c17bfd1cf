// From the words of the command line to a Request.
#ifndef TWINSET_APPS_CLI_PARSE_H_
#define TWINSET_APPS_CLI_PARSE_H_

#include <string>
#include <vector>

#include "cli/flags/flags.h"
#include "commands.h"

namespace twinset::cli {

// Parses the words after the command's name. Errors are kUsage, with the
// nearest name as remedy for a flag that is not one of the command's. When help
// is asked for, nothing else is checked.
Result<Request> Parse(const Command& command,
                      const std::vector<std::string>& words);

// The command a word means, or kUsage with the nearest name.
Result<const Command*> ParseCommand(const std::string& word);

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_PARSE_H_
