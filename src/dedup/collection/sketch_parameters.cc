#include "collection/sketch_parameters.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/file.h"
#include "base/hash.h"
#include "options/parameters.h"
#include "text/tokens/features.h"
#include "text/tokens/token_filter.h"
#include "twinset/methods.h"
#include "twinset/version.h"

namespace twinset {

namespace {

// What is done with sketches and features, and what only pages and runs have.
// The first two decide the prefixes of a complete join.
constexpr std::string_view kNotOfSketches[] = {
    "threshold", "measure",  "bands",        "rows",     "bucket-limit",
    "verify",    "distance", "generator",    "tables",   "probes",
    "agree",     "content",  "asked-chunks", "template", "max-df"};

bool TakesPart(const Parameter& parameter, const MethodInfo& method) {
  if (method.complete &&
      (parameter.name == "threshold" || parameter.name == "measure"))
    return true;
  if (std::find(std::begin(kNotOfSketches), std::end(kNotOfSketches),
                parameter.name) != std::end(kNotOfSketches))
    return false;
  return parameter.group == ParameterGroup::kFeatures ||
         (parameter.group == ParameterGroup::kMethod &&
          Reads(method, parameter.name));
}

}  // namespace

Result<std::vector<SketchParameters>> ParametersOfSketches(
    const TextSketcher& sketcher, const FeatureOptions& features) {
  const MethodInfo& method = sketcher.method().info;
  ParameterValues values;
  values.features = features;
  values.method = sketcher.options();
  TWINSET_ASSIGN(const auto shingles, ParseShingles(features.shingle));
  values.features.shingle = ShinglesToString(shingles);
  if (values.method.sketch_shingle.empty())
    values.method.sketch_shingle = values.features.shingle;
  SketchParameters made = {{"spec", kSpecText}, {"method", method.name}};
  for (const Parameter& parameter : Parameters()) {
    if (!TakesPart(parameter, method)) continue;
    const std::string name(parameter.name);
    made[name] = ParameterText(parameter, values);
    if (parameter.range.kind != ParameterRange::kFile || made[name].empty())
      continue;
    TWINSET_ASSIGN(const std::string content, ReadWholeFile(made[name]));
    made[name] = ToHex(Sha256(content));
  }
  if (const auto& filter = sketcher.plan().features.token_filter)
    made["stop-words"] = ToHex(filter->stop_words_hash());
  if (sketcher.model() != nullptr)
    made["learnt"] = ToHex(Sha256(sketcher.model()->bytes));
  std::vector<SketchParameters> all;
  for (const auto& one : sketcher.parts().sketchers) {
    made["sketch"] = std::to_string(all.size() + 1) + ": " + one->name();
    all.push_back(made);
  }
  return all;
}

}  // namespace twinset
