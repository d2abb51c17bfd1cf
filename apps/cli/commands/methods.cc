// twinset methods
#include "twinset/methods.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.h"
#include "cli/entries.h"
#include "cli/generate.h"
#include "cli/values.h"
#include "twinset/json.h"
#include "twinset/plain_words.h"

namespace twinset::cli {
namespace {

constexpr size_t kWidth = 80;

Json MethodRow(const MethodInfo& method) {
  Json parameters = Json::array();
  for (const MethodParameter& parameter : method.parameters)
    parameters.push_back({{"name", parameter.name},
                          {"default", parameter.default_value},
                          {"range", parameter.range.Text()},
                          {"unit", parameter.unit},
                          {"meaning", parameter.meaning},
                          {"source", parameter.source}});
  return {{"name", method.name},           {"summary", method.summary},
          {"source", method.source},       {"prepare", method.prepare},
          {"sketches", method.sketches},   {"generator", method.generator},
          {"filters", method.filters},     {"verifier", method.verifier},
          {"parameters", parameters},      {"incremental", method.incremental},
          {"symmetric", method.symmetric}, {"complete", method.complete}};
}

std::string Chain(const MethodInfo& method) {
  std::vector<std::string> parts = method.prepare;
  parts.insert(parts.end(), method.sketches.begin(), method.sketches.end());
  parts.push_back(method.generator);
  parts.insert(parts.end(), method.filters.begin(), method.filters.end());
  parts.push_back(method.verifier);
  std::string chain;
  for (const std::string& part : parts) {
    if (part.empty()) continue;
    chain += (chain.empty() ? "" : " > ") + part;
  }
  return chain;
}

std::string MethodText(const MethodInfo& method) {
  std::string text = fmt::format("{}\n", method.name);
  text += Wrap(method.summary, 2, kWidth);
  text += Wrap("stages: " + Chain(method), 2, kWidth);
  text += Wrap(method.complete
                   ? "finds every pair at the threshold"
                   : "finds most pairs: see the expected recall of a run",
               2, kWidth);
  for (const MethodParameter& parameter : method.parameters)
    text += Wrap(
        fmt::format("{} = {} ({}): {}", parameter.name, parameter.default_value,
                    parameter.range.Text(), parameter.meaning),
        4, kWidth);
  if (!method.source.empty())
    text += Wrap("source: " + method.source, 2, kWidth);
  return text;
}

int RunMethods(const Request& request) {
  const std::vector<MethodInfo> methods = Methods();
  const std::vector<std::string>& asked = request.operands;
  std::vector<std::string> known;
  for (const MethodInfo& method : methods) known.push_back(method.name);
  for (const std::string& name : asked) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string meant = DidYouMean(name, known);
    return TellError(
        "methods",
        {ErrorCode::kUsage,
         fmt::format("no method is called '{}'", Printable(name)),
         {},
         fmt::format("{}{}use one of: {}", meant, meant.empty() ? "" : " ",
                     fmt::join(known, ", "))});
  }
  return TellEntries("methods", request, methods, MethodRow, MethodText,
                     "stages, parameters, sources");
}

Command MethodsCommand() {
  return {.name = "methods",
          .group = CommandGroup::kLaboratory,
          .operands = "[NAME...]",
          .help = "the methods that are inside, with parameters and sources",
          .examples = {{"twinset methods", "names and what they do"},
                       {"twinset methods minhash", "one of them"},
                       {"twinset methods --json", "all of it, for programs"}},
          .everyday = {"--json"},
          .shared = {"--json"},
          .texts = {kOneJsonDocument, kOnlyTheAnswer},
          .refusals = {kReadsNoDocuments},
          .run = RunMethods};
}

}  // namespace

const Registration kMethods(MethodsCommand);

}  // namespace twinset::cli
