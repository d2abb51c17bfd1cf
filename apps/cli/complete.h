// `twinset __complete`: what completions ask the program. It is no command: no
// help shows it, and its form is only for the scripts of the same program.
#ifndef TWINSET_APPS_CLI_COMPLETE_H_
#define TWINSET_APPS_CLI_COMPLETE_H_

#include <string>
#include <string_view>
#include <vector>

namespace twinset::cli {

inline constexpr std::string_view kComplete = "__complete";

// "fields FLAG COMMAND WORD...": prints the names of the fields of the inputs
// among the words, one per line, with the paths of those in objects. For flags
// of the second side those of --against. Whatever is wrong, it prints nothing
// and returns 0. It reads the beginnings of a few regular files only.
int RunComplete(const std::vector<std::string>& words);

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_COMPLETE_H_
