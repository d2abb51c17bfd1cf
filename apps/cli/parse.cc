#include "parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "foreign_flags.h"
#include "listed_words.h"
#include "presets.h"
#include "twinset/index_files.h"
#include "twinset/json.h"
#include "twinset/plain_words.h"
#include "twinset/saved_run.h"
#include "values.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kShortHelp = "-h";

Error NeedsValue(const Flag& flag) {
  return Error{ErrorCode::kUsage,
               fmt::format("{} needs a value", flag.name),
               {},
               fmt::format("{} {}", flag.name, flag.value)};
}

// What a word says of a flag: NAME, NAME=VALUE, -n or -nVALUE.
struct GivenFlag {
  size_t place = 0;  // among the flags; their number where it names none
  std::optional<std::string> value;
};

GivenFlag FlagIn(const std::vector<const Flag*>& flags,
                 const std::string& word) {
  const auto after = [&](size_t i, size_t end, size_t value) {
    return end == word.size() ? GivenFlag{i, {}}
                              : GivenFlag{i, word.substr(value)};
  };
  const size_t end = std::min(word.find('='), word.size());
  for (size_t i = 0; i < flags.size(); ++i) {
    if (word.compare(0, end, flags[i]->name) == 0)
      return after(i, end, end + 1);
    if (flags[i]->short_name != 0 && word.size() > 1 && word[0] == '-' &&
        word[1] == flags[i]->short_name)
      return after(i, 2, 2);
  }
  return {flags.size(), {}};
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
  const Refusal* const refusal = FindRefusal(command, name);
  if (refusal == nullptr)
    return Error{ErrorCode::kUsage,
                 fmt::format("unknown flag {}", Printable(name)),
                 {},
                 remedy};
  if (!refusal->remedy.empty()) remedy = refusal->remedy;
  return Error{ErrorCode::kUsage,
               fmt::format("{} does not take {}: {}", command.name, name,
                           refusal->reason),
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

// What `words` say of the flags; what is left of them goes to *rest.
Result<FlagValues> ValuesOf(const std::vector<const Flag*>& flags,
                            std::vector<std::string> words,
                            std::vector<std::string>* rest) {
  FlagValues values(flags.size());
  for (size_t i = 0; i < words.size(); ++i) {
    auto [place, value] = FlagIn(flags, words[i]);
    if (place == flags.size()) {
      rest->push_back(words[i]);
      continue;
    }
    const Flag& flag = *flags[place];
    if (flag.IsSwitch()) {
      if (value && words[i][1] != '-') {  // -qo is -q -o
        words[i] = "-" + *value;
        --i;
      } else if (value && *value != "true") {
        return Fail(ErrorCode::kUsage,
                    fmt::format("{} takes no value", flag.name));
      }
      values[place].emplace_back();
      continue;
    }
    if (!value && i + 1 < words.size()) {
      const GivenFlag next = FlagIn(flags, words[i + 1]);
      if (next.place == flags.size() || next.value) value = words[++i];
    }
    if (!value || value->empty())
      return tl::unexpected<Error>(NeedsValue(flag));
    values[place].push_back(*std::move(value));
  }
  return values;
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

// A flag that would have no effect is a mistake. Not every command that has it
// has what it needs elsewhere.
Status CheckNeeds(const std::vector<const Flag*>& flags,
                  const Request& request) {
  for (const Flag* flag : flags) {
    const bool can = std::any_of(
        flags.begin(), flags.end(),
        [&](const Flag* other) { return other->name == flag->needs; });
    if (!can || !IsGiven(request, flag->name) || IsGiven(request, flag->needs))
      continue;
    return Fail(ErrorCode::kUsage,
                fmt::format("{} needs {}", flag->name, flag->needs), {},
                fmt::format("without {} it has no effect", flag->needs));
  }
  return {};
}

// `request` with what `values` say of the flags of the command.
Result<Request> SetFlags(const Command& command, const FlagValues& values,
                         Request request) {
  const std::vector<const Flag*> flags = FlagsOf(command);
  // What a preset says comes first: the other flags count more.
  std::vector<size_t> order(flags.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_partition(order.begin(), order.end(), [&](size_t i) {
    return flags[i]->name == kPresetFlag;
  });
  for (const size_t i : order) {
    if (values[i].empty()) continue;
    TWINSET_TRY(CheckText(*flags[i], values[i]));
    TWINSET_TRY(SetFlag(*flags[i], values[i], &request));
    for (const std::string& value : values[i])
      request.given.emplace_back(flags[i]->name, value);
  }
  TWINSET_TRY(CheckNeeds(flags, request));
  return request;
}

}  // namespace

Result<Request> Parse(const Command& command,
                      const std::vector<std::string>& line) {
  Request request;
  // Everything after "--" is an operand, whatever it looks like.
  const auto mark = std::find(line.begin(), line.end(), "--");
  // Help is wanted also where the rest would not parse.
  request.help_short = std::find(line.begin(), mark, kShortHelp) != mark;
  request.help_long = std::find(line.begin(), mark, "--help") != mark;
  if (request.help_short || request.help_long) return request;
  TWINSET_ASSIGN(
      FlagValues values,
      ValuesOf(FlagsOf(command), {line.begin(), mark}, &request.operands));
  for (const std::string& word : request.operands)
    if (word.size() > 1 && word[0] == '-')
      return tl::unexpected<Error>(UnknownFlag(command, word));
  if (mark != line.end())
    request.operands.insert(request.operands.end(), mark + 1, line.end());
  if (command.operands.empty() && !request.operands.empty())
    return Fail(ErrorCode::kUsage,
                fmt::format("'{}': {} takes no arguments",
                            Printable(request.operands[0]), command.name));
  TWINSET_TRY(AddConfig(command, &values));
  Request begun = request;
  TWINSET_ASSIGN(request, SetFlags(command, values, std::move(request)));
  const std::string saved =
      command.saved_run == nullptr ? "" : command.saved_run(request);
  if (!saved.empty()) {
    // What is not given is as the saved run had it.
    TWINSET_ASSIGN(const DedupOptions options, IsIndex(saved)
                                                   ? OptionsOfIndex(saved)
                                                   : OptionsOfSavedRun(saved));
    CopyParts<RunOptions, ComparisonOptions, CorpusOptions, PriorityOptions,
              ClusterOptions, ScopeOptions>(options, &begun.options);
    if (command.forget != nullptr) command.forget(&begun.options);
    TWINSET_ASSIGN(request, SetFlags(command, values, std::move(begun)));
  }
  TWINSET_TRY(AddListedInputs(&request));
  return request;
}

}  // namespace twinset::cli
