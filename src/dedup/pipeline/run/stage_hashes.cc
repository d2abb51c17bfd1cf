#include "pipeline/run/stage_hashes.h"

#include <algorithm>
#include <iterator>

#include "base/hash.h"
#include "options/parameters.h"
#include "twinset/version.h"

namespace twinset {

namespace {

constexpr std::string_view kOrder[] = {"keep", "prefer"};
constexpr std::string_view kPairs[] = {
    "threshold", "bands",  "rows",  "bucket_limit", "verify",   "distance",
    "tables",    "probes", "agree", "generator",    "min_terms"};
constexpr std::string_view kRows[] = {
    "cluster",     "pairs",       "action", "near",
    "max_loss",    "format",      "report", "passage_tokens",
    "passage_gap", "unit_action", "kinds",  "stats_by"};

template <size_t n>
bool IsIn(const std::string_view (&names)[n], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// The hash of those parameters that `belongs` takes.
template <typename Belongs>
uint64_t HashOf(const Json& parameters, uint64_t seed, const Belongs& belongs) {
  Json taken = Json::object();
  for (const auto& [name, value] : parameters.items())
    if (belongs(name)) taken[name] = value;
  return Hash64(taken.dump(), seed);
}

// Work files by the first word of their names; others rest on everything.
constexpr std::string_view kReadFiles[] = {
    "documents", "features", "clean",  "texts",   "quarantine",
    "revisits",  "pages",    "common", "renames", "ignored",
    "ids",       "inputs",   "dealt",  "pieces"};
constexpr std::string_view kOrderFiles[] = {"ranks", "copies"};
constexpr std::string_view kSketchFiles[] = {"views", "model"};
constexpr std::string_view kPairFiles[] = {"sketches", "candidates",
                                           "identical", "verified", "hot"};

}  // namespace

bool DecidesOrder(std::string_view parameter) {
  return IsIn(kOrder, parameter);
}

bool DecidesPairs(std::string_view parameter) {
  return IsIn(kPairs, parameter);
}

bool DecidesRows(std::string_view parameter) { return IsIn(kRows, parameter); }

bool DecidesSketch(std::string_view parameter) {
  if (DecidesPairs(parameter)) return false;
  std::string flag(parameter);
  std::replace(flag.begin(), flag.end(), '_', '-');
  const Parameter* known = FindParameter(flag);
  return known != nullptr && (known->group == ParameterGroup::kSearch ||
                              known->group == ParameterGroup::kMethod);
}

uint64_t StageHashes::Of(std::string_view name) const {
  const std::string_view word = name.substr(0, name.find_first_of("-."));
  if (IsIn(kReadFiles, word)) return read;
  if (IsIn(kOrderFiles, word)) return order;
  if (IsIn(kSketchFiles, word)) return sketch;
  if (IsIn(kPairFiles, word)) return pairs;
  return all;
}

StageHashes ChainOf(const Json& parameters, const std::string& features) {
  StageHashes chain;
  chain.read = HashOf(parameters, Hash64(features, kSpecCode),
                      [](const std::string& name) {
                        return !DecidesOrder(name) && !DecidesSketch(name) &&
                               !DecidesPairs(name) && !DecidesRows(name);
                      });
  chain.order = HashOf(parameters, chain.read, DecidesOrder);
  chain.sketch = HashOf(parameters, chain.read, DecidesSketch);
  chain.pairs =
      HashOf(parameters, Mix64(chain.order) ^ chain.sketch, DecidesPairs);
  chain.all = HashOf(parameters, chain.pairs, DecidesRows);
  return chain;
}

}  // namespace twinset
