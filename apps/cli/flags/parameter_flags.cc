// The flags of the parameters: each row of the table of parameters
// (twinset/methods.h) is one.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <iterator>

#include "cli/values.h"
#include "flags.h"
#include "twinset/methods.h"

namespace twinset::cli {
namespace {

using Values = std::vector<std::string>;

char ShortNameOf(std::string_view name) {
  if (name == "method") return 'm';
  if (name == "threshold") return 't';
  if (name == "distance") return 'k';
  return 0;
}

// Returns true iff who needs the parameter knows of it, so that help shows it
// late.
bool IsForLaboratory(std::string_view name) {
  constexpr std::string_view kNames[] = {
      "bucket-limit", "polynomial",   "generator",      "sketch-shingle",
      "feature-hash", "hash-family",  "value-bits",     "weights",
      "tables",       "probes",       "group-size",     "group-by",
      "modulus",      "lexicon-drop", "short-coverage", "short-lexicon",
      "chunks",       "asked-chunks"};
  return std::find(std::begin(kNames), std::end(kNames), name) !=
         std::end(kNames);
}

FlagGroup GroupOf(const Parameter& parameter) {
  switch (parameter.group) {
    case ParameterGroup::kFeatures:
      return FlagGroup::kFeatures;
    case ParameterGroup::kClusters:
      return FlagGroup::kClusters;
    case ParameterGroup::kUnits:
      return FlagGroup::kUnits;
    default:
      return FlagGroup::kMethod;
  }
}

ValueKind KindOf(const Parameter& parameter) {
  if (parameter.value.empty()) return ValueKind::kNone;
  switch (parameter.range.kind) {
    case ParameterRange::kChoice:
      return ValueKind::kChoice;
    case ParameterRange::kMethod:
      return ValueKind::kMethod;
    case ParameterRange::kFile:
      return ValueKind::kFile;
    default:
      return ValueKind::kWord;
  }
}

// The texts of the flags of parameters, which last as long as the program.
std::string_view Kept(std::string text) {
  static std::deque<std::string> texts;
  return texts.emplace_back(std::move(text));
}

std::string DefaultOf(const Parameter& parameter) {
  if (parameter.value.empty()) return "";
  if (parameter.range.kind == ParameterRange::kMethod) {
    std::string pairs, sketches;
    for (const MethodInfo& method : Methods()) {
      if (method.is_standard) pairs = method.name;
      if (method.is_standard_sketch) sketches = method.name;
    }
    return "(" + pairs + "; of explain, sketch and tune: " + sketches + ")";
  }
  const std::string text = DefaultText(parameter);
  return parameter.default_words.empty() ? text : "(" + text + ")";
}

// Who reads it, where not all do.
std::string ReadersOf(const Parameter& parameter) {
  const Values readers = MethodsReading(parameter.name);
  Values others;
  for (const MethodInfo& method : Methods()) {
    if (std::find(readers.begin(), readers.end(), method.name) == readers.end())
      others.push_back(method.name);
  }
  if (readers.empty() || others.empty()) return "";
  return readers.size() <= others.size()
             ? fmt::format("Read by {}.", fmt::join(readers, ", "))
             : fmt::format("Read by all methods but {}.",
                           fmt::join(others, ", "));
}

Flag FlagOfParameter(const Parameter& parameter) {
  const std::vector<std::string> readers = MethodsReading(parameter.name);
  std::string help(parameter.help), details(parameter.details);
  if (readers.size() == 1) {
    help = readers[0] + ": " + help;
  } else if (const std::string all = ReadersOf(parameter); !all.empty()) {
    details += (details.empty() ? "" : " ") + all;
  }
  const bool list =
      std::holds_alternative<std::vector<std::string> PriorityOptions::*>(
          parameter.field);
  Flag flag{.name = Kept("--" + std::string(parameter.name)),
            .short_name = ShortNameOf(parameter.name),
            .value = parameter.value,
            .help = Kept(std::move(help)),
            .long_help = Kept(std::move(details)),
            .default_text = Kept(DefaultOf(parameter)),
            .group = GroupOf(parameter),
            .kind = KindOf(parameter),
            .choices = parameter.range.choices,
            .list = list};
  flag.is_laboratory = IsForLaboratory(parameter.name);
  flag.set = [&parameter, list](const Values& values,
                                Request* request) -> Status {
    if (!list) return SetParameter(parameter, values.back(), &request->options);
    TWINSET_ASSIGN(const Values items, SplitLists(values));
    return SetParameter(parameter, fmt::format("{}", fmt::join(items, ",")),
                        &request->options);
  };
  return flag;
}

}  // namespace

const std::vector<Flag>& ParameterFlags() {
  static const std::vector<Flag> flags = [] {
    std::vector<Flag> all;
    for (const Parameter& parameter : Parameters())
      all.push_back(FlagOfParameter(parameter));
    return all;
  }();
  return flags;
}

ParameterGroup GroupOfParameter(const Flag& flag) {
  return FindParameter(flag.name.substr(2))->group;
}

}  // namespace twinset::cli
