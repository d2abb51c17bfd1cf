#include "pipeline/presets.h"

#include <charconv>
#include <iterator>
#include <string>
#include <utility>

namespace twinset {

namespace {

tl::unexpected<Error> BadValue(std::string_view flag, std::string_view value) {
  return Fail(ErrorCode::kUsage, std::string(flag) + " does not take '" +
                                     std::string(value) + "'");
}

template <class Number>
Status SetNumber(std::string_view flag, std::string_view value, Number* field) {
  const char* const end = value.data() + value.size();
  const auto [rest, error] = std::from_chars(value.data(), end, *field);
  if (error != std::errc() || rest != end) return BadValue(flag, value);
  return {};
}

Status SetField(std::string_view, std::string_view value, std::string* field) {
  *field = value;
  return {};
}

template <class Number>
Status SetField(std::string_view flag, std::string_view value, Number* field) {
  return SetNumber(flag, value, field);
}

// A flag and the field it sets; `Field` is a function from the options to a
// reference.
struct Setting {
  std::string_view flag;
  Status (*set)(std::string_view flag, std::string_view value,
                DedupOptions* options);
};

template <auto Field>
Status Set(std::string_view flag, std::string_view value,
           DedupOptions* options) {
  return SetField(flag, value, &Field(*options));
}

Status SetVerify(std::string_view flag, std::string_view value,
                 DedupOptions* options) {
  if (value != "none" && value != "exact") return BadValue(flag, value);
  options->method.verify = value == "exact";
  return {};
}

Status SetKeep(std::string_view, std::string_view value,
               DedupOptions* options) {
  options->keep = {std::string(value)};
  return {};
}

using Options = DedupOptions;

constexpr Setting kSettings[] = {
    {"--method", Set < [](Options& o) -> auto& {return o.method.name;
}  // namespace
>
}  // namespace twinset
, {"--threshold", Set < [](Options& o) -> auto& {return o.method.threshold;
}
>
}
, {"--measure", Set < [](Options& o) -> auto& {return o.method.measure;
}
>
}
, {"--seed", Set < [](Options& o) -> auto& {return o.method.seed;
}
>
}
, {"--permutations",
   Set < [](Options& o) -> auto& {return o.method.permutations;
}
>
}
, {"--bands", Set < [](Options& o) -> auto& {return o.method.bands;
}
>
}
, {"--rows", Set < [](Options& o) -> auto& {return o.method.rows;
}
>
}
, {"--bucket-limit",
   Set < [](Options& o) -> auto& {return o.method.bucket_limit;
}
>
}
, {"--level", Set < [](Options& o) -> auto& {return o.method.level;
}
>
}
, {"--verify", SetVerify},
    {"--generator", Set < [](Options& o) -> auto& {return o.method.generator;
}
>
}
, {"--sketch-shingle",
   Set < [](Options& o) -> auto& {return o.method.sketch_shingle;
}
>
}
, {"--feature-hash",
   Set < [](Options& o) -> auto& {return o.method.feature_hash;
}
>
}
, {"--hash-family", Set < [](Options& o) -> auto& {return o.method.hash_family;
}
>
}
, {"--value-bits", Set < [](Options& o) -> auto& {return o.method.value_bits;
}
>
}
, {"--weights", Set < [](Options& o) -> auto& {return o.method.weights;
}
>
}
, {"--bits", Set < [](Options& o) -> auto& {return o.method.bits;
}
>
}
, {"--distance", Set < [](Options& o) -> auto& {return o.method.distance;
}
>
}
, {"--tables", Set < [](Options& o) -> auto& {return o.method.tables;
}
>
}
, {"--groups", Set < [](Options& o) -> auto& {return o.method.groups;
}
>
}
, {"--group-size", Set < [](Options& o) -> auto& {return o.method.group_size;
}
>
}
, {"--group-by", Set < [](Options& o) -> auto& {return o.method.group_by;
}
>
}
, {"--agree", Set < [](Options& o) -> auto& {return o.method.agree;
}
>
}
, {"--modulus", Set < [](Options& o) -> auto& {return o.method.modulus;
}
>
}
, {"--tokens", Set < [](Options& o) -> auto& {return o.features.tokens;
}
>
}
, {"--shingle", Set < [](Options& o) -> auto& {return o.features.shingle;
}
>
}
, {"--content", Set < [](Options& o) -> auto& {return o.features.content;
}
>
}
, {"--template",
   Set < [](Options& o) -> auto& {return o.features.template_blocks;
}
>
}
, {"--cluster", Set < [](Options& o) -> auto& {return o.cluster;
}
>
}
, {"--keep", SetKeep},
    {"--max-df", Set < [](Options& o) -> auto& {return o.max_df;
}
>
}
, {"--unit", Set < [](Options& o) -> auto& {return o.unit;
}
>
}
, {"--unit-action", Set < [](Options& o) -> auto& {return o.unit_action;
}
>
}
, {"--min-tokens", Set < [](Options& o) -> auto& {return o.min_tokens;
}
>
}
,
}
;

}  // namespace

Status ApplySetting(std::string_view flag, std::string_view value,
                    DedupOptions* options) {
  for (const Setting& setting : kSettings) {
    if (setting.flag == flag) return setting.set(flag, value, options);
  }
  return Fail(ErrorCode::kUsage,
              std::string(flag) + " is no setting of a preset");
}

std::vector<PresetInfo> Presets() {
  std::vector<PresetInfo> presets = PublishedPresets();
  std::vector<PresetInfo> packages = PackagePresets();
  presets.insert(presets.end(), std::make_move_iterator(packages.begin()),
                 std::make_move_iterator(packages.end()));
  return presets;
}

Status ApplyPreset(std::string_view name, DedupOptions* options) {
  std::string known;
  for (const PresetInfo& preset : Presets()) {
    if (preset.name == name) {
      for (const auto& [flag, value] : preset.settings)
        TWINSET_TRY(ApplySetting(flag, value, options));
      return {};
    }
    known += (known.empty() ? "" : ", ") + preset.name;
  }
  return Fail(ErrorCode::kUsage,
              "no preset is called '" + std::string(name) + "'", "",
              "use one of: " + known);
}

}  // namespace twinset
