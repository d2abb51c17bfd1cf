#include "complete.h"

#include <algorithm>

#include "commands.h"
#include "output.h"
#include "twinset/inspect.h"

namespace twinset::cli {
namespace {

// Flags whose values are inputs with rows.
bool NamesInput(std::string_view flag) {
  return flag == "--in" || flag == "--from" || flag == "--against";
}

// The inputs among words that may be half a command: what is no flag and no
// value of one.
std::vector<std::string> InputsOf(const Command& command, bool second_side,
                                  const std::vector<std::string>& words) {
  const std::vector<const Flag*> flags = FlagsOf(command);
  std::vector<std::string> inputs;
  std::string_view taken_by;  // the flag whose value comes next
  for (const std::string& word : words) {
    if (!taken_by.empty()) {
      const bool is_second = taken_by == "--against";
      if (word == "=") continue;  // bash takes --in=FILE apart
      if (NamesInput(taken_by) && is_second == second_side)
        inputs.push_back(word);
      taken_by = {};
      continue;
    }
    const auto flag =
        std::find_if(flags.begin(), flags.end(), [&](const Flag* one) {
          return word == one->name ||
                 (one->short_name != 0 &&
                  word == std::string("-") + one->short_name);
        });
    if (flag != flags.end()) {
      if (!(*flag)->IsSwitch()) taken_by = (*flag)->name;
    } else if (!word.starts_with('-') && !second_side) {
      inputs.push_back(word);
    }
  }
  return inputs;
}

}  // namespace

int RunComplete(const std::vector<std::string>& words) {
  if (words.size() < 3 || words[0] != "fields") return kExitDone;
  const Command* command = FindCommand(words[2]);
  if (command == nullptr) return kExitDone;
  const bool second_side = words[1].starts_with("--against-");
  Output out;
  for (const std::string& name : FieldNamesOfFiles(
           InputsOf(*command, second_side, {words.begin() + 3, words.end()})))
    out.Line(name);
  return out.Finish("");
}

}  // namespace twinset::cli
