// Which flags of a command are for everyday, and what they say there: the help,
// the man page and docs/cli.md show them in this order.
#ifndef TWINSET_APPS_CLI_FLAGS_DRAWERS_H_
#define TWINSET_APPS_CLI_FLAGS_DRAWERS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "flags.h"

namespace twinset::cli {

// Flags of a command under one title.
struct FlagSection {
  std::string_view title;
  std::vector<const Flag*> flags;
};

// "Everyday" in the order of its list, then what else there is by group, then
// "Laboratory", then "General". Each flag of the command is in one of them.
std::vector<FlagSection> FlagSections(const Command& command);

// Names of the flags that -h shows, the most important first.
std::span<const std::string_view> EverydayFlags(CommandBits command);

// The texts of a flag in some of its commands; what is not given is as in the
// table of flags (flags.h).
struct FlagText {
  std::string_view name;
  CommandBits commands;
  std::optional<std::string_view> help, long_help, default_text = {};
};
std::span<const FlagText> FlagTexts();

// Why a command does not have a flag that others have, or empty.
std::string_view RefusalReason(std::string_view flag, CommandBits command);

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_FLAGS_DRAWERS_H_
