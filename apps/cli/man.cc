// The manual as roff, for man(7).
#include <fmt/format.h>

#include "generate.h"
#include "twinset/version.h"

namespace twinset::cli {
namespace {

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
  text += ".SH DESCRIPTION\n" + Roff(kWhatItDoes) + "\n";
  text += ".SH INPUT\n" + Roff(kWhatIsRead) + "\n";
  text += ".SH COMMANDS\n";
  for (const Command& command : Commands())
    if (only == nullptr || only == &command) text += RoffCommand(command);
  text += ".SH EXIT STATUS\n";
  for (const ExitCode& code : ExitCodes())
    text += ".TP\n.B " + Roff(code.code) + "\n" + Roff(code.means) + "\n";
  text +=
      ".SH FILES\n.TP\n.I share/doc/twinset\nThe pages that are named docs/ "
      "here, and what their examples read, in the folder that twinset is "
      "installed in: /usr, /usr/local, or that of the tarball.\n";
  text += ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nWhen set, nothing is coloured.\n";
  return text;
}

}  // namespace twinset::cli
