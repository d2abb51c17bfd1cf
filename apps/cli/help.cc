// The help on the terminal.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "generate.h"
#include "output.h"
#include "parse.h"
#include "twinset/version.h"
#include "values.h"
#include "wings.h"

namespace twinset::cli {
namespace {

constexpr size_t kWidth = 80;
constexpr size_t kBriefColumn = 26, kBriefLines = 40;
constexpr char kGlue = '\x01';  // a space at which no line may break

std::string Padded(std::string_view text, size_t width) {
  return fmt::format("{:<{}}", text, width);
}

void AppendGroup(CommandGroup group, std::string* text) {
  *text += fmt::format("{}\n", GroupTitle(group));
  for (const Command& command : Commands())
    if (command.group == group) *text += Entry(command.name, command.help, 15);
  *text += "\n";
}

// The commands that most people need, and the names of the others by group.
void AppendFrontPage(std::string* text) {
  std::vector<const Command*> front;
  std::map<CommandGroup, std::string> others;
  for (const Command& command : Commands()) {
    if (command.front_page > 0) {
      front.push_back(&command);
    } else if (command.group != CommandGroup::kGenerator) {
      std::string& names = others[command.group];
      names += fmt::format("{}{}", names.empty() ? "" : ", ", command.name);
    }
  }
  std::sort(front.begin(), front.end(), [](const auto* a, const auto* b) {
    return a->front_page < b->front_page;
  });
  for (const Command* command : front)
    *text += Entry(command->name, command->help, 15);
  *text += "\n";
  for (const auto& [group, names] : others)
    *text += Entry(GroupTitle(group), names, 15);
  *text += "\n";
}

// Help and default in one line, wrapped elsewhere.
std::string HelpLine(const Flag& flag) {
  const std::string note = DefaultNote(flag);
  std::string help(flag.help);
  if (note.empty()) return help;
  // One word for Wrap: a default is not torn apart.
  help += fmt::format(" [{}]", note);
  std::replace(help.end() - static_cast<std::ptrdiff_t>(note.size()) - 1,
               help.end(), ' ', kGlue);
  return help;
}

std::string Unglued(std::string text) {
  std::replace(text.begin(), text.end(), kGlue, ' ');
  return text;
}

std::string FullText(const std::vector<const Flag*>& flags) {
  std::string text;
  for (const Flag* flag : flags) {
    text += fmt::format("  {}\n{}", FlagHead(*flag),
                        Wrap(HelpLine(*flag), 6, kWidth));
    if (!flag->long_help.empty()) text += Wrap(flag->long_help, 6, kWidth);
  }
  return Unglued(text);
}

std::string ExampleText(const Example& example) {
  return fmt::format("{}  {}\n",
                     Wrap("# " + std::string(example.says), 2, kWidth),
                     example.command);
}

size_t LinesOf(std::string_view text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

// A line a flag, of those that are for everyday, the examples that then fit on
// a screen, and where the rest is.
std::string BriefText(const Command& command) {
  std::string text = Wrap(
      fmt::format("twinset {}: {}", command.name, command.help), 0, kWidth);
  text += fmt::format("\nUsage: {}\n\n", UsageLine(command));
  const FlagNames& everyday = command.everyday;
  const std::vector<const Flag*> all = FlagsOf(command);
  for (const std::string_view name : everyday) {
    for (const Flag* flag : all)
      if (flag->name == name)
        text += Entry(FlagHead(*flag), HelpLine(*flag), kBriefColumn);
  }
  if (!everyday.empty()) text += "\n";
  const std::string rest =
      all.size() > everyday.size() + 2  // but --quiet and --help
          ? fmt::format("twinset {} --help shows all {} flags.\n", command.name,
                        all.size())
          : fmt::format("twinset {} --help says more.\n", command.name);
  for (const Example& example : command.examples) {
    const std::string more = ExampleText(example);
    if (LinesOf(text) + LinesOf(more) + 2 > kBriefLines) break;
    text += more;
    if (&example == &command.examples.back()) break;
  }
  if (text.size() < 2 || text[text.size() - 2] != '\n') text += "\n";
  return Unglued(text) + rest;
}

}  // namespace

std::string Wrap(std::string_view text, size_t indent, size_t width) {
  std::string wrapped;
  std::string line(indent, ' ');
  bool started = false;  // the line holds a word
  const auto end_line = [&] {
    if (started) wrapped += line + "\n";
    line.assign(indent, ' ');
    started = false;
  };
  size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '\n') {
      end_line();
      if (at + 1 < text.size() && text[at + 1] == '\n') wrapped += "\n";
      while (at < text.size() && text[at] == '\n') ++at;
      continue;
    }
    if (text[at] == ' ') {
      ++at;
      continue;
    }
    const size_t end = std::min(text.find_first_of(" \n", at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (started && line.size() + 1 + word.size() > width) end_line();
    if (started) line += ' ';
    line += word;
    started = true;
    at = end;
  }
  end_line();
  return wrapped;
}

std::string Entry(std::string_view head, std::string_view text, size_t column) {
  std::string body = Wrap(text, column, kWidth);
  std::string first = "  " + std::string(head);
  if (first.size() + 2 > column) return first + "\n" + body;
  body.replace(0, column, Padded(first, column));
  return body;
}

std::string FlagProse(const Flag& flag) {
  std::string text(flag.help);
  if (const size_t place = text.find("{}"); place != text.npos)
    text.replace(place, 2, OrList(flag.choices));
  if (!text.ends_with("...")) text += ".";
  if (!flag.long_help.empty()) text += " " + std::string(flag.long_help);
  return text;
}

std::string UsageLine(const Command& command) {
  const bool flags = FlagsOf(command).size() > 2;  // --quiet, --help
  return fmt::format("twinset {}{}{}{}", command.name,
                     flags ? " [OPTIONS]" : "",
                     command.operands.empty() ? "" : " ", command.operands);
}

std::string FlagHead(const Flag& flag) {
  std::string head =
      flag.short_name != 0 ? fmt::format("-{}, ", flag.short_name) : "";
  head += flag.name;
  if (!flag.IsSwitch()) head += fmt::format(" {}", flag.value);
  return head;
}

std::string DefaultNote(const Flag& flag) {
  std::string_view text = flag.default_text;
  if (text.empty()) return {};
  if (text.front() == '(') text = text.substr(1, text.size() - 2);
  return fmt::format("default: {}", text);
}

std::string_view GroupTitle(CommandGroup group) {
  switch (group) {
    case CommandGroup::kEveryday:
      return "Everyday";
    case CommandGroup::kStudies:
      return "Studies";
    case CommandGroup::kLaboratory:
      return "Laboratory";
    case CommandGroup::kShelf:
      return "Beside them";
    case CommandGroup::kGenerator:
      return "Generators";
  }
  return "";
}

const std::vector<ExitCode>& ExitCodes() {
  static const std::vector<ExitCode> codes = {
      {"0",
       "done, even when records were quarantined (one line on standard error "
       "says how many)"},
      {"1",
       "failed or incomplete: an input could not be read, --strict was hit, "
       "every record was quarantined"},
      {"2", "the command line is wrong; nothing was written"},
      {"130, 143",
       "stopped by SIGINT or SIGTERM; dedup continues with --resume"},
  };
  return codes;
}

std::string OverviewText(bool everything) {
  std::string text = fmt::format(
      "twinset {}: finds, explains and removes duplicates in text, near or "
      "exact.\n\n"
      "Usage: twinset COMMAND [OPTIONS] INPUT...\n\n",
      kVersion);
  if (everything) {
    for (const CommandGroup group : kCommandGroups) AppendGroup(group, &text);
    text += "Exit codes\n";
    for (const ExitCode& code : ExitCodes())
      text += Entry(code.code, code.means, 15);
    text += "\n";
  } else {
    AppendFrontPage(&text);
  }
  const auto not_built = WingsNotBuilt();
  if (!not_built.empty()) text += "Not built here (make build)\n";
  for (const WingProgram* wing : not_built)
    text += Entry(wing->program,
                  fmt::format("{}", fmt::join(wing->commands, ", ")), 19);
  if (!not_built.empty()) text += "\n";
  text += "Start here: twinset dedup crawl.warc.gz --out dups\n";
  text += "Then:       twinset help dedup\n";
  if (!everything) text += "All of them: twinset --help\n";
  return text;
}

std::string CommandText(const Command& command, bool everything) {
  if (!everything) return BriefText(command);
  std::string text = Wrap(
      fmt::format("twinset {}: {}", command.name, command.help), 0, kWidth);
  text += fmt::format("\nUsage: {}\n", UsageLine(command));
  if (!command.long_help.empty())
    text += "\n" + Wrap(command.long_help, 0, kWidth);
  for (const FlagSection& section : FlagSections(command))
    text += fmt::format("\n{}\n{}", section.title, FullText(section.flags));
  if (!command.examples.empty()) text += "\nExamples\n";
  for (const Example& example : command.examples) text += ExampleText(example);
  if (FindFlag(command, "--resume") != nullptr) {
    text += "\nExit codes\n";
    for (const ExitCode& code : ExitCodes())
      text += Entry(code.code, code.means, 15);
  }
  return text;
}

}  // namespace twinset::cli
