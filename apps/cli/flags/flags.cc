#include "flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/values.h"
#include "twinset/plain_words.h"

namespace twinset::cli {

bool IsGiven(const Request& request, std::string_view flag) {
  return std::any_of(request.given.begin(), request.given.end(),
                     [&](const auto& given) { return given.first == flag; });
}

std::string_view GroupTitle(FlagGroup group) {
  switch (group) {
    case FlagGroup::kOutput:
      return "Output";
    case FlagGroup::kMethod:
      return "Method";
    case FlagGroup::kStudy:
      return "Study";
    case FlagGroup::kFeatures:
      return "What is compared";
    case FlagGroup::kClusters:
      return "Pairs and clusters";
    case FlagGroup::kUnits:
      return "Units of text";
    case FlagGroup::kScope:
      return "Scope";
    case FlagGroup::kInput:
      return "Input";
    case FlagGroup::kRun:
      return "Run (changes no result)";
    case FlagGroup::kGeneral:
      return "General";
  }
  return "";
}

Status SetFlag(const Flag& flag, const std::vector<std::string>& values,
               Request* request) {
  if (flag.kind == ValueKind::kChoice) {
    std::vector<std::string> chosen = values;
    if (flag.list) {
      TWINSET_ASSIGN(chosen, SplitLists(values));
    }
    for (const std::string& value : chosen) {
      if (std::find(flag.choices.begin(), flag.choices.end(), value) !=
          flag.choices.end())
        continue;
      return Fail(ErrorCode::kUsage,
                  fmt::format("{}: '{}' is not one of {}", flag.name,
                              Printable(value), fmt::join(flag.choices, ", ")),
                  {}, DidYouMean(value, flag.choices));
    }
  }
  // A method refuses what it does not read, also at its default value.
  if (flag.group == FlagGroup::kMethod)
    request->options.method.given.emplace_back(flag.name.substr(2));
  Status status = flag.set(values, request);
  if (!status) {
    Error error = std::move(status).error();
    error.message = fmt::format("{}: {}", flag.name, error.message);
    return tl::unexpected<Error>(std::move(error));
  }
  return {};
}

}  // namespace twinset::cli
