// The manual as Markdown: a page for each command (docs/cli/NAME.md), and the
// page of what they share (docs/cli/README.md).
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "generate.h"

namespace twinset::cli {
namespace {

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

// Default without the name "default", literal values apart from words.
bool HasLiteralDefault(const Flag& flag) {
  return !flag.default_text.empty() && flag.default_text.front() != '(';
}

// With a capital letter at its beginning.
std::string Sentence(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

// Returns true iff the text begins with a name, which is written as it is: a
// value of the flag, or what the text is of, as "simhash: ...".
bool BeginsWithName(std::string_view text, const Flag& flag) {
  const size_t end = std::min(text.find_first_of(" ,:;."), text.size());
  return text.substr(end).starts_with(':') ||
         std::find(flag.choices.begin(), flag.choices.end(),
                   text.substr(0, end)) != flag.choices.end();
}

std::string FlagSentences(const Flag& flag) {
  std::string text = FlagProse(flag);
  return BeginsWithName(text, flag) ? text : Sentence(std::move(text));
}

// In a cell of a table a bar parts cells, inside code as well.
std::string HeadCell(const Flag& flag) {
  std::string head;
  for (const char c : FlagHead(flag)) {
    if (c == '|') head += '\\';
    head += c;
  }
  return head;
}

std::string FlagRow(const Flag& flag) {
  const std::string note = DefaultNote(flag);
  std::string standard = note.substr(note.empty() ? 0 : 9);
  standard = HasLiteralDefault(flag) ? "`" + standard + "`" : Marked(standard);
  return fmt::format("| `{}` | {} | {} |\n", HeadCell(flag), standard,
                     Marked(FlagSentences(flag)));
}

std::string FlagRows(std::string_view title,
                     const std::vector<const Flag*>& flags) {
  std::string rows;
  for (const Flag* flag : flags) rows += FlagRow(*flag);
  if (rows.empty()) return {};
  return fmt::format("\n{}\n\n| flag | default | meaning |\n|---|---|---|\n{}",
                     title, rows);
}

// The flag as README.md tells it, or nullptr for one that a command alone has.
const Flag* SharedForm(const Flag& flag) {
  for (const auto* flags : {&ParameterFlags(), &SharedFlags()})
    for (const Flag& shared : *flags)
      if (shared.name == flag.name) return &shared;
  return nullptr;
}

// Returns true iff README.md says all that there is to say of the flag.
bool IsToldThere(const Command& command, const Flag& flag) {
  const Flag* shared = SharedForm(flag);
  const auto is_own = [&](const Flag& own) { return own.name == flag.name; };
  return shared != nullptr &&
         std::none_of(command.flags.begin(), command.flags.end(), is_own) &&
         std::find(command.everyday.begin(), command.everyday.end(),
                   flag.name) == command.everyday.end() &&
         std::none_of(command.texts.begin(), command.texts.end(),
                      [&](const auto& text) { return text.name == flag.name; });
}

// Shared flags under their headings.
std::string SharedSections() {
  std::string text;
  for (const FlagGroup group : kFlagGroups) {
    std::vector<const Flag*> rows;
    for (const auto* flags : {&ParameterFlags(), &SharedFlags()})
      for (const Flag& flag : *flags)
        if (flag.group == group) rows.push_back(&flag);
    text += FlagRows(fmt::format("### {}", GroupTitle(group)), rows);
  }
  return text;
}

}  // namespace

std::string MarkdownPage(const Command& command) {
  std::string text = fmt::format(
      "# twinset {}\n\n{}.\n\n```\n{}\n```\n", command.name,
      Marked(Sentence(std::string(command.help))), UsageLine(command));
  if (!command.long_help.empty())
    text += "\n" + Marked(command.long_help) + "\n";
  if (!command.examples.empty()) {
    text += "\n```sh\n";
    for (const Example& example : command.examples)
      text += fmt::format("{}  # {}\n", example.command, example.says);
    text += "```\n";
  }
  std::string others;
  for (const FlagSection& section : FlagSections(command)) {
    std::vector<const Flag*> rows;
    for (const Flag* flag : section.flags) {
      if (!IsToldThere(command, *flag)) {
        rows.push_back(flag);
      } else if (flag->name != "--help") {
        others += fmt::format("{}`{}`", others.empty() ? "" : ", ", flag->name);
      }
    }
    text += FlagRows(fmt::format("## {}", section.title), rows);
  }
  if (!others.empty())
    text += fmt::format(
        "\nIt also takes these [flags that commands share](README.md): {}.\n",
        others);
  return text;
}

std::string MarkdownIndex() {
  std::string text = fmt::format(
      "# The command line\n\n"
      "{} These pages are made by `tools/make_cli_pages` from the commands "
      "(`apps/cli/commands`); a test compares the two.\n\n"
      "`twinset COMMAND -h` shows the flags for everyday, `--help` all. Sizes "
      "take K, M, G or T (powers of 1024). After `--` everything is an "
      "input.\n",
      kWhatItDoes);
  for (const CommandGroup group : kCommandGroups) {
    text += fmt::format("\n## {}\n\n| command | what it does |\n|---|---|\n",
                        GroupTitle(group));
    for (const Command& command : Commands())
      if (command.group == group)
        text += fmt::format("| [{0}]({0}.md) | {1} |\n", command.name,
                            Marked(command.help));
  }
  text +=
      "\n## Flags that commands share\n\n"
      "The page of a command says which of them it takes, and what they mean "
      "there if it is something else.\n" +
      SharedSections();
  text += "\n## Exit codes\n\n| code | meaning |\n|---|---|\n";
  for (const ExitCode& code : ExitCodes())
    text += fmt::format("| {} | {} |\n", code.code, Marked(code.means));
  return text;
}

}  // namespace twinset::cli
