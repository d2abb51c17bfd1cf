// What may stand first after a command that does several things.
#ifndef TWINSET_APPS_CLI_NOUNS_H_
#define TWINSET_APPS_CLI_NOUNS_H_

#include <string>
#include <string_view>
#include <vector>

#include "commands.h"
#include "twinset/error.h"

namespace twinset::cli {

// "build", "query", "show" of engine; empty for a command that does one thing.
std::vector<std::string_view> NounsOf(const Command& command);

// kUsage for a command that must be told what to do by its first operand, and
// is not or by another word; and for a flag whose help begins with other nouns
// than that ("build: ...").
Status CheckNoun(std::string_view name, const Request& request);

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_NOUNS_H_
