// Completions of bash, zsh and fish.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "generate.h"
#include "nouns.h"
#include "output.h"
#include "presets.h"
#include "twinset/methods.h"
#include "twinset/plain_words.h"
#include "values.h"

namespace twinset::cli {
namespace {

using Names = std::vector<std::string>;

// The words that may follow the flag; beside them there may be files, folders
// or fields, by its kind.
Names ValuesOf(const Flag& flag) {
  Names values(flag.choices.begin(), flag.choices.end());
  if (flag.kind == ValueKind::kMethod)
    for (const MethodInfo& method : Methods()) values.push_back(method.name);
  if (flag.kind == ValueKind::kPreset) values = PresetNames();
  return values;
}

// How a value begins that goes on with the name of a field, as "max:".
bool TakesField(std::string_view value) { return value.ends_with(':'); }

bool WantsFields(const Flag& flag) {
  return flag.kind == ValueKind::kField ||
         std::any_of(flag.choices.begin(), flag.choices.end(), TakesField);
}

// Returns true iff files may stand where the command has nouns too.
bool TakesFiles(const Command& command) {
  return command.group != CommandGroup::kShelf &&
         command.group != CommandGroup::kGenerator;
}

// Inside single quotes of any of the three shells, for texts of the table.
std::string Quoted(std::string_view text) { return ShellQuoted(text); }

constexpr std::string_view kBashHead =
    R"(# bash completion of twinset; source it, or put it where your system looks for them.
_twinset() {
  local at=$COMP_CWORD cur=${COMP_WORDS[COMP_CWORD]} head= strip= item
  # bash takes words apart at : and =.
  while ((at > 1)) && [[ ${COMP_WORDS[at]} == : || ${COMP_WORDS[at-1]} == : ]]; do
    ((at--))
    cur=${COMP_WORDS[at]}$cur
  done
  ((at < COMP_CWORD)) && strip=${cur%:*}:
  local prev=${COMP_WORDS[at-1]} command=${COMP_WORDS[1]}
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]]; then
    prev=${COMP_WORDS[at-2]}
  elif [[ $cur == --*=* ]]; then
    prev=${cur%%=*} head=$prev= cur=${cur#*=}
  fi
  COMPREPLY=()
  # Items of a list before the last one stay.
  _twinset_list() { head=$head${cur%"${cur##*,}"} cur=${cur##*,}; }
  _twinset_words() {
    local word
    for word in $1; do
      [[ $word == "$cur"* ]] && COMPREPLY+=("${head}$word")
    done
    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *: ]] && compopt -o nospace 2>/dev/null
  }
  _twinset_files() {
    local name
    compopt -o filenames 2>/dev/null
    while IFS= read -r name; do COMPREPLY+=("$head$name"); done < <(compgen "$1" -- "$cur")
  }
  # Names of the fields of the inputs on the line, behind "max:" where it is there.
  _twinset_fields() {
    local name before=
    [[ $cur == *:* ]] && before=${cur%%:*}:
    while IFS= read -r name; do
      [[ $before$name == "$cur"* ]] && COMPREPLY+=("$head$before$name")
    done < <("${COMP_WORDS[0]/#\~/$HOME}" __complete fields "$1" "${COMP_WORDS[@]:1}" 2>/dev/null)
  }
  _twinset_reply
  for item in "${!COMPREPLY[@]}"; do COMPREPLY[item]=${COMPREPLY[item]#"$strip"}; done
}
_twinset_reply() {
  if ((at == 1)); then
    COMPREPLY=($(compgen -W ')";

std::string BashAction(const Flag& flag) {
  std::string action;
  const auto add = [&action](const std::string& more) {
    action += more + "; ";
  };
  if (flag.list) add("_twinset_list");
  if (const Names values = ValuesOf(flag); !values.empty())
    add(fmt::format("_twinset_words '{}'", fmt::join(values, " ")));
  const std::string fields = fmt::format("_twinset_fields {}", flag.name);
  if (flag.kind == ValueKind::kField)
    add(fields);
  else if (WantsFields(flag))
    add(fmt::format("[[ $cur == *:* ]] && {}", fields));
  if (flag.kind == ValueKind::kFile) add("_twinset_files -f");
  if (flag.kind == ValueKind::kFolder) add("_twinset_files -d");
  return action + "return";
}

// What completes the value of a flag, and the commands in which it does.
struct Completion {
  std::string action;
  Names commands;
};

// "*:--out", or with the commands where others mean something else by the name.
std::string BashPatterns(std::string_view flag, const Names& commands,
                         bool is_one) {
  if (is_one) return fmt::format("*:{}", flag);
  Names patterns;
  for (const std::string& command : commands)
    patterns.push_back(fmt::format("{}:{}", command, flag));
  return fmt::format("{}", fmt::join(patterns, "|"));
}

// A row of the case for each action of a flag with a value, long or short.
std::string BashValues() {
  std::map<std::string, std::vector<Completion>> flags;
  const auto add = [&flags](const std::string& name, const std::string& action,
                            std::string_view command) {
    auto& rows = flags[name];
    const auto row = std::find_if(
        rows.begin(), rows.end(),
        [&](const Completion& one) { return one.action == action; });
    if (row == rows.end())
      rows.push_back({action, {std::string(command)}});
    else
      row->commands.emplace_back(command);
  };
  for (const Command& command : Commands()) {
    for (const Flag* flag : FlagsOf(command)) {
      if (flag->IsSwitch()) continue;
      add(std::string(flag->name), BashAction(*flag), command.name);
      if (flag->short_name != 0)
        add(fmt::format("-{}", flag->short_name), BashAction(*flag),
            command.name);
    }
  }
  std::string text;
  for (const auto& [name, rows] : flags)
    for (const Completion& row : rows)
      text += fmt::format(
          "    {}) {} ;;\n",
          BashPatterns(name, row.commands, rows.size() == 1 && name.size() > 2),
          row.action);
  return text;
}

std::string Bash() {
  std::string text(kBashHead);
  Names names;
  for (const Command& command : Commands()) names.emplace_back(command.name);
  text += fmt::format("{}' -- \"$cur\"))\n    return\n  fi\n",
                      fmt::join(names, " "));
  text += "  case \"$command:$prev\" in\n";
  text += BashValues();
  text +=
      "  esac\n"
      "  if [[ $cur == -* ]]; then\n"
      "    case \"$command\" in\n";
  for (const Command& command : Commands()) {
    Names words;
    for (const Flag* flag : FlagsOf(command)) words.emplace_back(flag->name);
    text += fmt::format("      {}) _twinset_words '{}' ;;\n", command.name,
                        fmt::join(words, " "));
  }
  text +=
      "    esac\n"
      "    return\n"
      "  fi\n"
      "  case \"$command:$at\" in\n";
  for (const Command& command : Commands()) {
    const auto nouns = NounsOf(command);
    if (!nouns.empty())
      text += fmt::format("    {}:2) _twinset_words '{}'{} ;;\n", command.name,
                          fmt::join(nouns, " "),
                          command.is_noun_optional ? "" : "; return");
  }
  text += "  esac\n  case \"$command\" in\n";
  for (const Command& command : Commands()) {
    if (command.operands.empty() || !TakesFiles(command))
      text += fmt::format("    {}) ;;\n", command.name);
  }
  text +=
      "    *) _twinset_files -f ;;\n"
      "  esac\n"
      "}\n"
      "complete -F _twinset twinset\n";
  return text;
}

// One specification of zsh's _arguments. Brackets and colons have a meaning in
// it.
std::string ZshSpec(const Flag& flag, std::string_view name) {
  std::string help;
  for (const char c : flag.help) {
    if (std::string_view("[]:\\").find(c) != std::string_view::npos)
      help += '\\';
    help += c;
  }
  std::string spec = fmt::format("{}{}[{}]", flag.list ? "*" : "", name, help);
  if (!flag.IsSwitch()) {
    const Names values = ValuesOf(flag);
    std::string action = " ";
    if (flag.kind == ValueKind::kField)
      action = fmt::format("{{_twinset_fields {} {}}}", flag.name,
                           fmt::join(values, " "));
    else if (!values.empty() && flag.list)
      action =
          fmt::format("{{_sequence compadd - {}}}", fmt::join(values, " "));
    else if (!values.empty() && flag.kind != ValueKind::kFile)
      action = fmt::format("({})", fmt::join(values, " "));
    else if (flag.kind == ValueKind::kFile)
      action = "_files";
    else if (flag.kind == ValueKind::kFolder)
      action = "_files -/";
    // The flag's own name is the message: value names hold colons.
    spec += fmt::format(":{}:{}", flag.name.substr(2), action);
  }
  return Quoted(spec);
}

std::string Zsh() {
  std::string text =
      "#compdef twinset\n"
      "# Names of the fields of the inputs on the line, and the words given.\n"
      "_twinset_fields() {\n"
      "  local flag=$1\n"
      "  local -a names\n"
      "  names=(${(f)\"$($twinset_program __complete fields $flag "
      "\"${(@Q)words}\" 2>/dev/null)\"})\n"
      "  shift\n"
      "  compadd -- $names $@\n"
      "}\n"
      "_twinset() {\n"
      "  local -a commands\n"
      "  local twinset_program=$words[1]\n"
      "  commands=(\n";
  for (const Command& command : Commands())
    text += fmt::format(
        "    {}\n", Quoted(fmt::format("{}:{}", command.name, command.help)));
  text +=
      "  )\n"
      "  if (( CURRENT == 2 )); then\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  shift words\n"
      "  (( CURRENT-- ))\n"
      "  case $command in\n";
  for (const Command& command : Commands()) {
    text += fmt::format("    {})\n      _arguments \\\n", command.name);
    for (const Flag* flag : FlagsOf(command)) {
      text += fmt::format("        {} \\\n", ZshSpec(*flag, flag->name));
      if (flag->short_name != 0)
        text +=
            fmt::format("        {} \\\n",
                        ZshSpec(*flag, fmt::format("-{}", flag->short_name)));
    }
    const auto nouns = NounsOf(command);
    if (!nouns.empty())
      text += fmt::format("        '1: :({})' \\\n", fmt::join(nouns, " "));
    if (command.operands.empty() || !TakesFiles(command))
      text += "        '*: : '\n";
    else
      text += "        '*:input:_files'\n";
    text += "      ;;\n";
  }
  // Works sourced as well as from a folder of $fpath, where the file is the
  // function.
  text +=
      "  esac\n"
      "}\n"
      "if [ \"$funcstack[1]\" = _twinset ]; then\n"
      "  _twinset \"$@\"\n"
      "else\n"
      "  compdef _twinset twinset\n"
      "fi\n";
  return text;
}

std::string FishFlag(const Flag& flag) {
  std::string text = fmt::format(" -l {}", flag.name.substr(2));
  if (flag.short_name != 0) text += fmt::format(" -s {}", flag.short_name);
  const Names values = ValuesOf(flag);
  if (flag.kind == ValueKind::kField)
    text += fmt::format(
        " -x -a '{} (twinset __complete fields {} (commandline -opc)[2..] "
        "2>/dev/null)'",
        fmt::join(values, " "), flag.name);
  else if (flag.kind == ValueKind::kFile)
    text += values.empty()
                ? " -r -F"
                : fmt::format(" -r -F -a '{}'", fmt::join(values, " "));
  else if (!values.empty())
    text += fmt::format(" -x -a '{}'", fmt::join(values, " "));
  else if (flag.kind == ValueKind::kFolder)
    text += " -x -a '(__fish_complete_directories)'";
  else if (!flag.IsSwitch())
    text += " -x";
  return text + fmt::format(" -d {}\n", Quoted(flag.help));
}

std::string Fish() {
  std::string text = "# fish completion of twinset\n";
  for (const Command& command : Commands())
    text += fmt::format(
        "complete -c twinset -n __fish_use_subcommand -f -a {} -d {}\n",
        command.name, Quoted(command.help));
  for (const Command& command : Commands()) {
    const std::string when =
        fmt::format("complete -c twinset -n '__fish_seen_subcommand_from {}'",
                    command.name);
    for (const Flag* flag : FlagsOf(command)) text += when + FishFlag(*flag);
    const auto nouns = NounsOf(command);
    if (!nouns.empty())
      text += fmt::format(
          "complete -c twinset -n '__fish_seen_subcommand_from {}; and test "
          "(count (commandline -opc)) -eq 2'{} -a '{}'\n",
          command.name, TakesFiles(command) ? "" : " -f",
          fmt::join(nouns, " "));
    if (command.operands.empty() || !TakesFiles(command))
      text += fmt::format("{} -f\n", when);
  }
  return text;
}

}  // namespace

Result<std::string> Completions(std::string_view shell) {
  if (shell == "bash") return Bash();
  if (shell == "zsh") return Zsh();
  if (shell == "fish") return Fish();
  return Fail(
      ErrorCode::kUsage,
      fmt::format("'{}' is not one of bash, zsh, fish", Printable(shell)), {},
      DidYouMean(shell, Names{"bash", "zsh", "fish"}));
}

}  // namespace twinset::cli
