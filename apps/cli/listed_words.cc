#include "listed_words.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <sstream>

#include "twinset/lists.h"
#include "twinset/names.h"
#include "twinset/nearest.h"
#include "values.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kConfigFlag = "--config";
constexpr std::string_view kListFlag = "--files-from";

// The value of --config in `words`; the last counts.
std::string ConfigOf(const std::vector<std::string>& words) {
  std::string path;
  for (size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    if (words[i] == kConfigFlag && i + 1 < words.size()) path = words[i + 1];
    const std::string head = std::string(kConfigFlag) + "=";
    if (words[i].starts_with(head)) path = words[i].substr(head.size());
  }
  return path;
}

// Returns true iff `words` give the flag.
bool IsAmong(const Flag& flag, const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return word == flag.name ||
           word.starts_with(std::string(flag.name) + "=") ||
           (flag.short_name != 0 && word.size() >= 2 && word[0] == '-' &&
            word[1] == flag.short_name);
  });
}

Error BadConfig(const std::string& path, std::string message,
                std::string remedy) {
  return Error{ErrorCode::kUsage, std::move(message), NameText(path),
               std::move(remedy)};
}

// The words that say what an entry says.
Result<std::vector<std::string>> WordsOf(const Flag& flag,
                                         const CLI::ConfigItem& item,
                                         const std::string& path) {
  std::vector<std::string> words;
  for (const std::string& value : item.inputs) {
    if (!flag.IsSwitch()) {
      words.push_back(fmt::format("{}={}", flag.name, value));
    } else if (value == "true") {
      words.emplace_back(flag.name);
    } else if (value != "false") {
      return tl::unexpected<Error>(BadConfig(
          path, fmt::format("{} is '{}'", item.name, Printable(value)),
          "it is a switch: write true or false"));
    }
  }
  return words;
}

}  // namespace

Status AddListedInputs(Request* request) {
  for (const auto& [flag, path] : request->given) {
    if (flag != kListFlag) continue;
    TWINSET_ASSIGN(std::vector<std::string> names,
                   ReadNameList(path, request->options.resources.memory_bytes));
    if (path == "-" && std::count(names.begin(), names.end(), "-") > 0)
      return Fail(ErrorCode::kUsage,
                  "standard input cannot be the list and an input");
    request->operands.insert(request->operands.end(),
                             std::make_move_iterator(names.begin()),
                             std::make_move_iterator(names.end()));
    if (names.empty())
      return Fail(ErrorCode::kUsage, "the list names no input", NameText(path));
  }
  return {};
}

Result<std::vector<std::string>> WithConfig(
    const Command& command, const std::vector<std::string>& words) {
  const std::string path = ConfigOf(words);
  if (path.empty()) return words;
  TWINSET_ASSIGN(const std::string text, ReadSettings(path));
  std::vector<CLI::ConfigItem> items;
  try {
    std::istringstream stream(text);
    items = CLI::ConfigTOML().from_config(stream);
  } catch (const std::exception& error) {
    return tl::unexpected<Error>(BadConfig(path, error.what(), "write TOML"));
  }
  const std::vector<const Flag*> flags = FlagsOf(command);
  std::vector<std::string> names, all;
  for (const Flag* flag : flags) names.emplace_back(flag->name.substr(2));
  for (const CLI::ConfigItem& item : items) {
    if (item.name == "++" || item.name == "--") continue;  // of a section
    if (!item.parents.empty()) {
      if (item.parents.size() > 1 || FindCommand(item.parents[0]) == nullptr)
        return tl::unexpected<Error>(BadConfig(
            path,
            fmt::format("unknown section [{}]", Printable(item.parents[0])),
            "a section has the name of a command"));
      if (item.parents[0] != command.name) continue;
    }
    const auto flag = std::find_if(
        flags.begin(), flags.end(),
        [&](const Flag* f) { return f->name.substr(2) == item.name; });
    if (flag == flags.end() || (*flag)->name == kConfigFlag) {
      const std::string near = DidYouMean(item.name, names);
      return tl::unexpected<Error>(BadConfig(
          path,
          fmt::format("{} has no flag --{}", command.name,
                      Printable(item.name)),
          near.empty() ? fmt::format("see 'twinset {} --help'", command.name)
                       : near));
    }
    if (IsAmong(**flag, words)) continue;
    TWINSET_ASSIGN(const auto more, WordsOf(**flag, item, path));
    all.insert(all.end(), more.begin(), more.end());
  }
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

}  // namespace twinset::cli
