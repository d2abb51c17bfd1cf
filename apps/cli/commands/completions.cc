// twinset completions
#include "cli/commands.h"
#include "cli/generate.h"
#include "cli/output.h"

namespace twinset::cli {
namespace {

int RunCompletions(const Request& request) {
  if (request.operands.size() != 1)
    return TellError("completions", {ErrorCode::kUsage,
                                     "name one shell: bash, zsh or fish",
                                     {},
                                     "twinset completions bash"});
  const auto text = Completions(request.operands[0]);
  if (!text) return TellError("completions", text.error());
  Output out;
  out.Write(*text);
  return out.Finish("completions");
}

Command CompletionsCommand() {
  return {
      .name = "completions",
      .group = CommandGroup::kGenerator,
      .operands = "bash|zsh|fish",
      .help = "print the completions of a shell",
      .nouns = {"bash", "zsh", "fish"},
      .examples = {{"source <(twinset completions bash)", "for this shell"}},
      .texts = {kOnlyTheAnswer},
      .refusals = {kReadsNoDocuments, kPrintsOnlyText},
      .run = RunCompletions};
}

}  // namespace

const Registration kCompletions(CompletionsCommand);

}  // namespace twinset::cli
