#include "parse.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <numeric>

#include "foreign_flags.h"
#include "listed_words.h"
#include "presets.h"
#include "twinset/json.h"
#include "twinset/names.h"
#include "twinset/nearest.h"
#include "twinset/recut.h"
#include "values.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kShortHelp = "-h";

std::string Names(const Flag& flag) {
  // --help is registered without its short form: the two show different texts.
  if (flag.short_name == 0 || flag.name == "--help")
    return std::string(flag.name);
  return fmt::format("-{},{}", flag.short_name, flag.name);
}

Error NeedsValue(const Flag& flag) {
  return Error{ErrorCode::kUsage,
               fmt::format("{} needs a value", flag.name),
               {},
               fmt::format("{} {}", flag.name, flag.value)};
}

const Flag* FlagNamed(const std::vector<const Flag*>& flags,
                      std::string_view word) {
  for (const Flag* flag : flags) {
    if (word == flag->name) return flag;
    if (flag->short_name != 0 && word.size() == 2 && word[0] == '-' &&
        word[1] == flag->short_name)
      return flag;
  }
  return nullptr;
}

Error UnknownFlag(const Command& command, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  std::vector<std::string_view> own;
  for (const Flag* flag : FlagsOf(command)) own.push_back(flag->name);
  std::string remedy;
  std::vector<std::string_view> elsewhere;
  for (const Command& other : Commands())
    if (FindFlag(other, name) != nullptr) elsewhere.push_back(other.name);
  if (const std::string meant = OwnNameOf(name, own); !meant.empty()) {
    remedy = meant;
  } else if (!elsewhere.empty()) {
    remedy = fmt::format("it is a flag of {}", fmt::join(elsewhere, ", "));
  } else {
    remedy = DidYouMean(name, own);
  }
  if (remedy.empty())
    remedy = fmt::format("see 'twinset {} --help'", command.name);
  const std::string_view reason = RefusalReason(command, name);
  return Error{ErrorCode::kUsage,
               reason.empty() ? fmt::format("unknown flag {}", Printable(name))
                              : fmt::format("{} does not take {}: {}",
                                            command.name, name, reason),
               {},
               remedy};
}

// Paths may be any bytes; everything else is text.
Status CheckText(const Flag& flag, const std::vector<std::string>& values) {
  if (flag.kind == ValueKind::kFile || flag.kind == ValueKind::kFolder)
    return {};
  for (const std::string& value : values) {
    // JSON holds UTF-8 only.
    if (Json::Parse(Json(value).dump()) == value) continue;
    return Fail(ErrorCode::kUsage,
                fmt::format("the value of {} is not UTF-8: {}", flag.name,
                            NameText(value)));
  }
  return {};
}

// What CLI11 would take silently: a flag as another's value, and an empty value
// after '='.
Status CheckValuesPresent(const std::vector<const Flag*>& flags,
                          const std::vector<std::string>& words) {
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word.size() > 2 && word.back() == '=') {
      const Flag* flag =
          FlagNamed(flags, std::string_view(word).substr(0, word.size() - 1));
      if (flag != nullptr && !flag->IsSwitch())
        return tl::unexpected<Error>(NeedsValue(*flag));
    }
    const Flag* flag = FlagNamed(flags, word);
    if (flag == nullptr || flag->IsSwitch()) continue;
    if (i + 1 == words.size() || FlagNamed(flags, words[i + 1]) != nullptr ||
        words[i + 1].empty())
      return tl::unexpected<Error>(NeedsValue(*flag));
    ++i;
  }
  return {};
}

}  // namespace

Result<const Command*> ParseCommand(const std::string& word) {
  if (const Command* command = FindCommand(word)) return command;
  if (!word.empty() && word[0] == '-')
    return Fail(ErrorCode::kUsage,
                fmt::format("the command stands before its flags, {} stands "
                            "first",
                            Printable(word)),
                {}, "see 'twinset help'");
  std::vector<std::string_view> names;
  for (const Command& command : Commands()) names.push_back(command.name);
  const std::string meant = DidYouMean(word, names);
  return Fail(ErrorCode::kUsage,
              fmt::format("unknown command '{}'", Printable(word)), {},
              meant.empty() ? "see 'twinset help'" : meant);
}

namespace {

Result<Request> ParseFrom(const Command& command,
                          const std::vector<std::string>& words,
                          Request request) {
  const std::vector<const Flag*> flags = FlagsOf(command);
  // Everything after "--" is an operand, whatever it looks like.
  const auto mark = std::find(words.begin(), words.end(), "--");
  std::vector<std::string> before(words.begin(), mark);

  // Help is wanted also where the rest would not parse.
  for (const std::string& word : before) {
    request.help_short |= word == kShortHelp;
    request.help_long |= word == "--help";
  }
  if (request.help_short || request.help_long) return request;
  TWINSET_TRY(CheckValuesPresent(flags, before));

  CLI::App parser;
  parser.set_help_flag();
  parser.allow_extras();
  std::vector<CLI::Option*> options;
  for (const Flag* flag : flags) {
    // The raw results are read below; CLI11 converts nothing.
    const CLI::callback_t accept = [](const CLI::results_t&) { return true; };
    CLI::Option* option = flag->IsSwitch()
                              ? parser.add_flag(Names(*flag))
                              : parser.add_option(Names(*flag), accept);
    option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    options.push_back(option);
  }
  try {
    std::reverse(before.begin(),
                 before.end());  // CLI11 takes the words from the back
    parser.parse(before);
  } catch (const CLI::Error& error) {
    return Fail(ErrorCode::kUsage, error.what(), {},
                fmt::format("see 'twinset {} --help'", command.name));
  }

  for (const std::string& word : parser.remaining()) {
    if (word.size() > 1 && word[0] == '-')
      return tl::unexpected<Error>(UnknownFlag(command, word));
    request.operands.push_back(word);
  }
  if (mark != words.end())
    request.operands.insert(request.operands.end(), mark + 1, words.end());
  if (command.operands.empty() && !request.operands.empty())
    return Fail(ErrorCode::kUsage,
                fmt::format("'{}': {} takes no arguments",
                            Printable(request.operands[0]), command.name));

  // What a preset says comes first: the other flags count more.
  std::vector<size_t> order(flags.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_partition(order.begin(), order.end(), [&](size_t i) {
    return flags[i]->name == kPresetFlag;
  });
  for (const size_t i : order) {
    const std::vector<std::string>& values = options[i]->results();
    if (values.empty()) continue;
    if (flags[i]->IsSwitch() &&
        std::any_of(values.begin(), values.end(),
                    [](const auto& v) { return v != "true"; }))
      return Fail(ErrorCode::kUsage,
                  fmt::format("{} takes no value", flags[i]->name));
    TWINSET_TRY(CheckText(*flags[i], values));
    TWINSET_TRY(SetFlag(*flags[i], values, &request));
    for (const std::string& value : values)
      request.given.emplace_back(flags[i]->name,
                                 flags[i]->IsSwitch() ? "" : value);
  }
  return request;
}

}  // namespace

Result<Request> Parse(const Command& command,
                      const std::vector<std::string>& line) {
  TWINSET_ASSIGN(const std::vector<std::string> words,
                 WithConfig(command, line));
  TWINSET_ASSIGN(Request request, ParseFrom(command, words, {}));
  const std::string saved =
      command.saved_run == nullptr ? "" : command.saved_run(request);
  if (saved.empty()) {
    TWINSET_TRY(AddListedInputs(&request));
    return request;
  }
  // What is not given is as the saved run had it.
  Request begun;
  TWINSET_ASSIGN(const DedupOptions options, OptionsOfSavedRun(saved));
  CopyParts<RunOptions, ComparisonOptions, CorpusOptions, PriorityOptions,
            ClusterOptions, ScopeOptions>(options, &begun.options);
  if (command.forget != nullptr) command.forget(&begun.options);
  TWINSET_ASSIGN(request, ParseFrom(command, words, std::move(begun)));
  TWINSET_TRY(AddListedInputs(&request));
  return request;
}

}  // namespace twinset::cli
