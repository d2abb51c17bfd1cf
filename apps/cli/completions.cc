// Completions of bash, zsh and fish.
#include <fmt/format.h>

#include "generate.h"
#include "output.h"
#include "twinset/methods.h"
#include "values.h"

namespace twinset::cli {
namespace {

using Names = std::vector<std::string>;

// The words that may follow the flag; empty when they are files, folders or
// free.
Names ValuesOf(const Flag& flag, const Names& methods) {
  if (flag.kind == ValueKind::kMethod) return methods;
  return Names(flag.choices.begin(), flag.choices.end());
}

// The words that may stand after the command; empty when they are files.
Names OperandsOf(const Command& command) {
  if (command.bit == kCompletionsBit) return {"bash", "zsh", "fish"};
  if (command.bit != kHelpBit) return {};
  Names names;
  for (const Command& other : Commands()) names.emplace_back(other.name);
  return names;
}

// Inside single quotes of any of the three shells, for texts of the table.
std::string Quoted(std::string_view text) { return ShellQuoted(text); }

std::string Bash(const Names& methods) {
  std::string text =
      "# bash completion of twinset; source it, or put it where your system "
      "looks for them.\n"
      "_twinset() {\n"
      "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  local command=${COMP_WORDS[1]}\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W '";
  Names names;
  for (const Command& command : Commands()) names.emplace_back(command.name);
  text += fmt::format("{}' -- \"$cur\"))\n    return\n  fi\n",
                      fmt::join(names, " "));
  text += "  case \"$prev\" in\n";
  for (const Flag& flag : Flags()) {
    if (flag.IsSwitch()) continue;
    std::string pattern(flag.name);
    if (flag.short_name != 0) pattern += fmt::format("|-{}", flag.short_name);
    const Names values = ValuesOf(flag, methods);
    std::string action;
    if (!values.empty())
      action = fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$cur\"))",
                           fmt::join(values, " "));
    else if (flag.kind == ValueKind::kFile)
      action = "COMPREPLY=($(compgen -f -- \"$cur\"))";
    else if (flag.kind == ValueKind::kFolder)
      action = "COMPREPLY=($(compgen -d -- \"$cur\"))";
    text += fmt::format("    {}) {}{}return ;;\n", pattern, action,
                        action.empty() ? "" : "; ");
  }
  text += "  esac\n  local words=''\n  case \"$command\" in\n";
  for (const Command& command : Commands()) {
    Names words;
    for (const Flag* flag : FlagsOf(command.bit))
      words.emplace_back(flag->name);
    text += fmt::format("    {}) words='{}' ;;\n", command.name,
                        fmt::join(words, " "));
  }
  text +=
      "  esac\n"
      "  if [[ $cur == -* ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
      "    return\n"
      "  fi\n"
      "  case \"$command\" in\n";
  for (const Command& command : Commands()) {
    const Names operands = OperandsOf(command);
    if (!operands.empty())
      text +=
          fmt::format("    {}) COMPREPLY=($(compgen -W '{}' -- \"$cur\")) ;;\n",
                      command.name, fmt::join(operands, " "));
    else if (command.operands.empty())
      text += fmt::format("    {}) ;;\n", command.name);
  }
  text +=
      "    *) COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n"
      "  esac\n"
      "}\n"
      "complete -o filenames -F _twinset twinset\n";
  return text;
}

// One specification of zsh's _arguments. Brackets and colons have a meaning in
// it.
std::string ZshSpec(const Flag& flag, std::string_view name,
                    const Names& methods) {
  std::string help;
  for (const char c : flag.help) {
    if (std::string_view("[]:\\").find(c) != std::string_view::npos)
      help += '\\';
    help += c;
  }
  std::string spec = fmt::format("{}{}[{}]", flag.list ? "*" : "", name, help);
  if (!flag.IsSwitch()) {
    const Names values = ValuesOf(flag, methods);
    std::string action = " ";
    if (!values.empty())
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

std::string Zsh(const Names& methods) {
  std::string text =
      "#compdef twinset\n"
      "_twinset() {\n"
      "  local -a commands\n"
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
    for (const Flag* flag : FlagsOf(command.bit)) {
      text +=
          fmt::format("        {} \\\n", ZshSpec(*flag, flag->name, methods));
      if (flag->short_name != 0)
        text += fmt::format(
            "        {} \\\n",
            ZshSpec(*flag, fmt::format("-{}", flag->short_name), methods));
    }
    const Names operands = OperandsOf(command);
    if (!operands.empty())
      text += fmt::format("        '*: :({})'\n", fmt::join(operands, " "));
    else if (command.operands.empty())
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

std::string Fish(const Names& methods) {
  std::string text = "# fish completion of twinset\n";
  for (const Command& command : Commands())
    text += fmt::format(
        "complete -c twinset -n __fish_use_subcommand -f -a {} -d {}\n",
        command.name, Quoted(command.help));
  for (const Command& command : Commands()) {
    const std::string when =
        fmt::format("complete -c twinset -n '__fish_seen_subcommand_from {}'",
                    command.name);
    for (const Flag* flag : FlagsOf(command.bit)) {
      text += fmt::format("{} -l {}", when, flag->name.substr(2));
      if (flag->short_name != 0)
        text += fmt::format(" -s {}", flag->short_name);
      const Names values = ValuesOf(*flag, methods);
      if (!values.empty())
        text += fmt::format(" -x -a '{}'", fmt::join(values, " "));
      else if (flag->kind == ValueKind::kFolder)
        text += " -x -a '(__fish_complete_directories)'";
      else if (flag->kind == ValueKind::kFile)
        text += " -r -F";
      else if (!flag->IsSwitch())
        text += " -x";
      text += fmt::format(" -d {}\n", Quoted(flag->help));
    }
    const Names operands = OperandsOf(command);
    if (!operands.empty())
      text += fmt::format("{} -f -a '{}'\n", when, fmt::join(operands, " "));
    else if (command.operands.empty())
      text += fmt::format("{} -f\n", when);
  }
  return text;
}

}  // namespace

Result<std::string> Completions(std::string_view shell, const Names& methods) {
  if (shell == "bash") return Bash(methods);
  if (shell == "zsh") return Zsh(methods);
  if (shell == "fish") return Fish(methods);
  return Fail(
      ErrorCode::kUsage,
      fmt::format("'{}' is not one of bash, zsh, fish", Printable(shell)));
}

int RunCompletions(const Request& request) {
  if (request.operands.size() != 1)
    return TellError("completions", {ErrorCode::kUsage,
                                     "name one shell: bash, zsh or fish",
                                     {},
                                     "twinset completions bash"});
  Names methods;
  for (const MethodInfo& method : Methods()) methods.push_back(method.name);
  const auto text = Completions(request.operands[0], methods);
  if (!text) return TellError("completions", text.error());
  Output out;
  out.Write(*text);
  return out.Finish("completions");
}

}  // namespace twinset::cli
