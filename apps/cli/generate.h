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

// `twinset help`: the groups of commands. The long form adds the generators and
// the exit codes.
std::string OverviewText(bool everything);
// `twinset COMMAND -h` (the flags for everyday, at most 40 lines) and `--help`
// (all of it). At most 80 columns.
std::string CommandText(const Command& command, bool everything);

// `twinset man`: roff for man(7), of all commands or of `only`.
std::string ManPage(const Command* only = nullptr);
// `twinset man --markdown`: what commands share (docs/cli/README.md), and the
// page of one (docs/cli/NAME.md).
std::string MarkdownIndex();
std::string MarkdownPage(const Command& command);

// `twinset completions SHELL`; kUsage for another shell.
Result<std::string> Completions(std::string_view shell);

// What the exit codes mean, code and meaning.
struct ExitCode {
  std::string_view code, means;
};
const std::vector<ExitCode>& ExitCodes();
// "Everyday"
std::string_view GroupTitle(CommandGroup group);
// All groups, in the order of the help.
inline constexpr CommandGroup kCommandGroups[] = {
    CommandGroup::kEveryday, CommandGroup::kStudies, CommandGroup::kLaboratory,
    CommandGroup::kShelf, CommandGroup::kGenerator};

// Flags of a command under one title.
struct FlagSection {
  std::string_view title;
  std::vector<const Flag*> flags;
};

// "Everyday" in the order of its list, then what else there is by group, then
// "Laboratory", then "General". Each flag of the command is in one of them.
std::vector<FlagSection> FlagSections(const Command& command);

inline constexpr std::string_view kWhatItDoes =
    "Finds, explains and removes duplicates and near-duplicates in web-scale "
    "text.";

inline constexpr std::string_view kWhatIsRead =
    "An INPUT is a file, a folder (all files below it), a glob in quotes or - "
    "for standard input. WARC, ARC, TREC, MediaWiki, JSONL, CSV, TSV, HTML and "
    "text, plain or compressed by gzip, zstd, lz4, bzip2 or xz, are recognised "
    "by their content. Parquet, Arrow and ORC are read too, and so are objects "
    "by their addresses: s3://, gs:// and https://.";

// "  head   text", the text wrapped under itself from `column` on.
std::string Entry(std::string_view head, std::string_view text, size_t column);
// Help and long help of a flag as sentences.
std::string FlagProse(const Flag& flag);
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
