#include "nouns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "twinset/plain_words.h"
#include "values.h"

namespace twinset::cli {

std::vector<std::string_view> NounsOf(const Command& command) {
  if (!command.takes_command) return command.nouns;
  std::vector<std::string_view> names;
  for (const Command& other : Commands()) names.push_back(other.name);
  return names;
}

namespace {

std::vector<std::string_view> SplitAt(std::string_view text,
                                      std::string_view separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == text.npos) return parts;
    text.remove_prefix(at + separator.size());
  }
}

bool IsAmong(std::string_view word,
             const std::vector<std::string_view>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The nouns that a flag is of by its help: "build: ...", "eval, compare: ...",
// "make: ...; apply: ...". None: it is of all.
std::vector<std::string_view> NounsOfHelp(
    std::string_view help, const std::vector<std::string_view>& nouns) {
  std::vector<std::string_view> named;
  for (const std::string_view part : SplitAt(help, "; ")) {
    const size_t colon = part.find(": ");
    if (colon == part.npos) continue;
    for (const std::string_view word : SplitAt(part.substr(0, colon), ", "))
      if (IsAmong(word, nouns)) named.push_back(word);
  }
  return named;
}

Status CheckFlagsOfNoun(const Command& command, const Request& request,
                        const std::vector<std::string_view>& nouns) {
  for (const Flag* flag : FlagsOf(command)) {
    if (!IsGiven(request, flag->name)) continue;
    const auto named = NounsOfHelp(flag->help, nouns);
    if (named.empty() || IsAmong(request.operands.front(), named)) continue;
    return Fail(ErrorCode::kUsage,
                fmt::format("{} goes with {} {} alone", flag->name,
                            command.name, fmt::join(named, " and ")));
  }
  return {};
}

}  // namespace

Status CheckNoun(std::string_view name, const Request& request) {
  const Command& command = *FindCommand(name);
  const std::vector<std::string_view> nouns = NounsOf(command);
  const std::string word =
      request.operands.empty() ? "" : request.operands.front();
  if (IsAmong(word, nouns)) return CheckFlagsOfNoun(command, request, nouns);
  const std::string meant = DidYouMean(word, nouns);
  return Fail(ErrorCode::kUsage,
              word.empty()
                  ? fmt::format("what {} should do is not said", name)
                  : fmt::format("{} cannot '{}'", name, Printable(word)),
              {},
              fmt::format("{}{}use {}", meant, meant.empty() ? "" : " ",
                          OrList(nouns)));
}

}  // namespace twinset::cli
