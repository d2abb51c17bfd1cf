#include "commands.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "cli/values.h"

namespace twinset::cli {
namespace {

using Makers = std::vector<Command (*)()>;

Makers& Registered() {
  static Makers makers;
  return makers;
}

bool Has(const FlagNames& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool IsChosen(const ParameterChoice& choice, const Flag& flag) {
  const std::string_view name = flag.name.substr(2);
  if (Has(choice.also, name)) return true;
  const auto& groups = choice.groups;
  return std::find(groups.begin(), groups.end(), GroupOfParameter(flag)) !=
             groups.end() &&
         !Has(choice.but, name);
}

// The flag as it is in this command.
Flag Adapted(Flag flag, const Command& command) {
  for (const FlagText& text : command.texts) {
    if (text.name != flag.name) continue;
    flag.help = text.help.value_or(flag.help);
    flag.long_help = text.long_help.value_or(flag.long_help);
    flag.default_text = text.default_text.value_or(flag.default_text);
  }
  if (flag.IsSwitch()) flag.kind = ValueKind::kNone;
  return flag;
}

struct FlagTable {
  std::vector<Flag> flags;
  std::vector<std::string> texts;  // of help with the choices put in
};

FlagTable TableOf(const Command& command) {
  FlagTable table;
  const auto add = [&](const Flag& flag) {
    table.flags.push_back(Adapted(flag, command));
  };
  for (const Flag& flag : ParameterFlags())
    if (IsChosen(command.parameters, flag)) add(flag);
  for (const Flag& flag : SharedFlags())
    if (flag.name == "--quiet" || flag.name == "--help" ||
        Has(command.shared, flag.name))
      add(flag);
  for (const Flag& flag : command.flags) add(flag);
  table.texts.resize(table.flags.size());
  for (size_t i = 0; i < table.flags.size(); ++i) {
    Flag& flag = table.flags[i];
    const size_t place = flag.help.find("{}");
    if (place == std::string_view::npos) continue;
    table.texts[i] =
        std::string(flag.help).replace(place, 2, OrList(flag.choices));
    flag.help = table.texts[i];
  }
  return table;
}

}  // namespace

Registration::Registration(Command (*command)()) {
  Registered().push_back(command);
}

const std::vector<Command>& Commands() {
  static const std::vector<Command> commands = [] {
    std::vector<Command> all;
    for (Command (*make)() : Registered()) all.push_back(make());
    std::sort(all.begin(), all.end(), [](const Command& a, const Command& b) {
      return std::tie(a.group, a.name) < std::tie(b.group, b.name);
    });
    return all;
  }();
  return commands;
}

const Command* FindCommand(std::string_view name) {
  for (const Command& command : Commands())
    if (command.name == name) return &command;
  return nullptr;
}

std::vector<const Flag*> FlagsOf(const Command& command) {
  static const std::map<std::string_view, FlagTable> tables = [] {
    std::map<std::string_view, FlagTable> all;
    for (const Command& one : Commands()) all.emplace(one.name, TableOf(one));
    return all;
  }();
  std::vector<const Flag*> flags;
  for (const Flag& flag : tables.at(command.name).flags) flags.push_back(&flag);
  return flags;
}

const Flag* FindFlag(const Command& command, std::string_view name) {
  for (const Flag* flag : FlagsOf(command))
    if (flag->name == name) return flag;
  return nullptr;
}

const Refusal* FindRefusal(const Command& command, std::string_view flag) {
  for (const Refusal& refusal : command.refusals)
    if (Has(refusal.flags, flag)) return &refusal;
  return nullptr;
}

}  // namespace twinset::cli
