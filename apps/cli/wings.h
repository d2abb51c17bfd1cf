// The programs of the house: `twinset` has the commands of the core, and
// becomes one of the others, which stand beside it, for theirs (as git does).
// Each has the commands of those before it as well.
#ifndef TWINSET_APPS_CLI_WINGS_H_
#define TWINSET_APPS_CLI_WINGS_H_

#include <string>
#include <string_view>
#include <vector>

#include "cli/flags/flags.h"

namespace twinset::cli {

struct WingProgram {
  std::string_view program;  // the name of its file
  FlagNames commands;  // that it has beside those of the programs before it
  // The package without which it is not built, where that may be missing.
  std::string_view needs = {};
};
// Those after the core, in order. The core has to know the names of commands
// that it does not have; a test compares them with apps/cli/commands/.
const std::vector<WingProgram>& Wings();

// The wing that has the command. nullptr for commands of the core and for
// words that are none.
const WingProgram* WingOf(std::string_view command);

// The wings whose commands neither this program has nor one beside it.
std::vector<const WingProgram*> WingsNotBuilt();

// If this program lacks the wing: becomes the smallest program beside it that
// has it, and runs `words` there. Else, and if there is none, it returns.
void BecomeWing(const WingProgram& least,
                const std::vector<std::string>& words);
// The same with the largest program, which knows all commands that are there.
void BecomeLargest(const std::vector<std::string>& words);

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_WINGS_H_
