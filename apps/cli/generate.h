// Everything that is made from the tables of flags and commands: help, manual,
// completions.
#ifndef TWINSET_APPS_CLI_GENERATE_H_
#define TWINSET_APPS_CLI_GENERATE_H_

#include <string>
#include <string_view>
#include <vector>

#include "commands.h"
#include "twinset/error.h"

namespace twinset::cli {

// `twinset help`: the three drawers. The long form adds the generators and the
// exit codes.
std::string OverviewText(bool everything);
// `twinset COMMAND -h` (the flags for everyday, at most 40 lines) and `--help`
// (all of it). At most 80 columns.
std::string CommandText(const Command& command, bool everything);

// `twinset man`: roff for man(7), of all commands or of `only`, and the same of
// all as Markdown (docs/cli.md).
std::string ManPage(const Command* only = nullptr);
std::string Markdown();

// `twinset completions SHELL`; kUsage for another shell.
Result<std::string> Completions(std::string_view shell);

// What the exit codes mean, code and meaning.
struct ExitCode {
  std::string_view code, means;
};
const std::vector<ExitCode>& ExitCodes();
// "Everyday", and what stands in a drawer that has no command.
std::string_view DrawerTitle(Drawer drawer);
std::string_view DrawerNote(Drawer drawer);
inline constexpr Drawer kDrawers[] = {Drawer::kEveryday, Drawer::kStudies,
                                      Drawer::kLaboratory};

// "twinset dedup [OPTIONS] INPUT..."
std::string UsageLine(const Command& command);
// "-o, --out DIR"
std::string FlagHead(const Flag& flag);
// "default: jsonl", "default: all", or empty.
std::string DefaultNote(const Flag& flag);
// Breaks text at spaces; each line after `indent` spaces, at most `width`
// columns (a longer word stands alone). An empty line separates paragraphs.
std::string Wrap(std::string_view text, size_t indent, size_t width);

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_GENERATE_H_
