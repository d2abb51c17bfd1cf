// twinset help
#include "cli/commands.h"
#include "cli/generate.h"
#include "cli/output.h"
#include "cli/parse.h"

namespace twinset::cli {
namespace {

int RunHelp(const Request& request) {
  Output out;
  if (request.operands.empty()) {
    out.Write(OverviewText(false));
  } else {
    const auto command = ParseCommand(request.operands[0]);
    if (!command) return TellError("help", command.error());
    out.Write(CommandText(**command, true));
  }
  return out.Finish("help");
}

Command HelpCommand() {
  return {.name = "help",
          .group = CommandGroup::kShelf,
          .operands = "[COMMAND]",
          .help = "this overview, or all about one command",
          .takes_command = true,
          .texts = {kOnlyTheAnswer},
          .refusals = {kReadsNoDocuments, kPrintsOnlyText},
          .run = RunHelp};
}

}  // namespace

const Registration kHelp(HelpCommand);

}  // namespace twinset::cli
