// The manual: roff for man(7), and Markdown for docs/cli.md.
#include <fmt/format.h>

#include "cli/flags/drawers.h"
#include "generate.h"
#include "output.h"
#include "parse.h"
#include "twinset/version.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kSummary =
    "Finds, explains and removes duplicates and near-duplicates in web-scale "
    "text.";

// Text as roff prints it literally: backslashes, hyphens that are typed, and no
// control line.
std::string Roff(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool line_start = i == 0 || text[i - 1] == '\n';
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (c == '\n' && i + 1 < text.size() && text[i + 1] == '\n')
      out += "\n.PP", ++i, out += '\n';
    else
      out += c;
  }
  return out;
}

// Text as Markdown prints it literally, for prose and table cells.
std::string Marked(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\*_<>|[]`").find(c) != std::string_view::npos)
      out += '\\';
    out += c;
  }
  return out;
}

std::string FlagProse(const Flag& flag) {
  std::string text(flag.help);
  text += ".";
  if (!flag.long_help.empty()) text += " " + std::string(flag.long_help);
  return text;
}

// Default without the name "default", literal values apart from words.
bool HasLiteralDefault(const Flag& flag) {
  return !flag.default_text.empty() && flag.default_text.front() != '(';
}

std::string RoffFlags(const Command& command) {
  std::string text;
  for (const FlagSection& section : FlagSections(command)) {
    for (const Flag* flag : section.flags) {
      text +=
          ".TP\n.B " + Roff(FlagHead(*flag)) + "\n" + Roff(FlagProse(*flag));
      const std::string note = DefaultNote(*flag);
      text += note.empty() ? "\n" : "\n[" + Roff(note) + "]\n";
    }
  }
  return text;
}

std::string MarkdownCommand(const Command& command) {
  std::string text =
      fmt::format("\n### twinset {}\n\n{}.\n\n```\n{}\n```\n", command.name,
                  Marked(command.help), UsageLine(command));
  if (!command.long_help.empty())
    text += "\n" + Marked(command.long_help) + "\n";
  for (const FlagSection& section : FlagSections(command)) {
    std::string rows;
    for (const Flag* flag : section.flags) {
      if (flag->name == "--help") continue;
      std::string standard =
          DefaultNote(*flag).substr(DefaultNote(*flag).empty() ? 0 : 9);
      if (HasLiteralDefault(*flag))
        standard = "`" + standard + "`";
      else
        standard = Marked(standard);
      rows += fmt::format("| `{}` | {} | {} |\n", FlagHead(*flag), standard,
                          Marked(FlagProse(*flag)));
    }
    if (rows.empty()) continue;
    text += fmt::format(
        "\n**{}**\n\n| flag | default | meaning |\n|---|---|---|\n{}",
        section.title, rows);
  }
  if (!command.examples.empty()) {
    text += "\n```sh\n";
    for (const Example& example : command.examples)
      text += fmt::format("{}  # {}\n", example.command, example.says);
    text += "```\n";
  }
  return text;
}

std::string RoffCommand(const Command& command) {
  std::string text = fmt::format(".SS \"{}\"\n", Roff(UsageLine(command)));
  text += Roff(command.help) + ".\n";
  if (!command.long_help.empty())
    text += ".PP\n" + Roff(command.long_help) + "\n";
  text += RoffFlags(command);
  for (const Example& example : command.examples)
    text += ".PP\n" + Roff(example.says) + ":\n.RS\n.nf\n" +
            Roff(example.command) + "\n.fi\n.RE\n";
  return text;
}

}  // namespace

std::string ManPage(const Command* only) {
  std::string text = fmt::format(
      ".TH TWINSET 1 \"\" \"twinset {}\" \"User Commands\"\n", kVersion);
  text +=
      ".SH NAME\ntwinset \\- find, explain and remove duplicates and "
      "near\\-duplicates\n";
  text += ".SH SYNOPSIS\n.B twinset\nCOMMAND [OPTIONS] INPUT...\n";
  text += ".SH DESCRIPTION\n" + Roff(kSummary) + "\n";
  text += ".SH COMMANDS\n";
  for (const Command& command : Commands())
    if (only == nullptr || only == &command) text += RoffCommand(command);
  text += ".SH EXIT STATUS\n";
  for (const ExitCode& code : ExitCodes())
    text += ".TP\n.B " + Roff(code.code) + "\n" + Roff(code.means) + "\n";
  text += ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nWhen set, nothing is coloured.\n";
  return text;
}

std::string Markdown() {
  std::string text =
      "# The command line\n\n"
      "Made by `twinset man --markdown` from the table of flags "
      "(`apps/cli/flags/flags.cc`); a test "
      "compares the two.\n\n" +
      std::string(kSummary) +
      "\n\n`twinset COMMAND -h` shows the flags for everyday, `--help` all. "
      "Sizes take K, M, G or T "
      "(powers of 1024). After `--` everything is an input.\n";
  for (const Drawer drawer :
       {Drawer::kEveryday, Drawer::kStudies, Drawer::kLaboratory,
        Drawer::kShelf, Drawer::kGenerator}) {
    text += fmt::format("\n## {}\n", DrawerTitle(drawer));
    bool empty = true;
    for (const Command& command : Commands()) {
      if (command.drawer != drawer) continue;
      text += MarkdownCommand(command);
      empty = false;
    }
    if (empty) text += fmt::format("\n{}\n", DrawerNote(drawer));
  }
  text += "\n## Exit codes\n\n| code | meaning |\n|---|---|\n";
  for (const ExitCode& code : ExitCodes())
    text += fmt::format("| {} | {} |\n", code.code, Marked(code.means));
  return text;
}

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
    out.Write(only == nullptr ? Markdown() : MarkdownCommand(*only));
  else
    out.Write(ManPage(only));
  return out.Finish("man");
}

}  // namespace twinset::cli
