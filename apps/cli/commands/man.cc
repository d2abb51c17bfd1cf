// twinset man
#include "cli/commands.h"
#include "cli/generate.h"
#include "cli/output.h"
#include "cli/parse.h"

namespace twinset::cli {
namespace {

int RunMan(const Request& request) {
  const Command* only = nullptr;
  if (request.operands.size() > 1)
    return TellError("man", {ErrorCode::kUsage, "one command at a time"});
  if (!request.operands.empty()) {
    const auto command = ParseCommand(request.operands.front());
    if (!command) return TellError("man", command.error());
    only = *command;
  }
  Output out;
  if (request.markdown)
    out.Write(only == nullptr ? MarkdownIndex() : MarkdownPage(*only));
  else
    out.Write(ManPage(only));
  return out.Finish("man");
}

Command ManCommand() {
  return {
      .name = "man",
      .group = CommandGroup::kGenerator,
      .operands = "[COMMAND]",
      .help = "print the man page, or that of one command",
      .takes_command = true,
      .examples = {{"twinset man > twinset.1", "a page that man can show"},
                   {"twinset man dedup | man -l -", "the page of one command"}},
      .everyday = {"--markdown"},
      .shared = {"--markdown"},
      .texts = {{.name = "--markdown",
                 .help = "print the manual as Markdown instead of roff"},
                kOnlyTheAnswer},
      .refusals = {kReadsNoDocuments, kPrintsOnlyText},
      .run = RunMan};
}

}  // namespace

const Registration kMan(ManCommand);

}  // namespace twinset::cli
