#include "presets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/values.h"
#include "twinset/methods.h"
#include "twinset/plain_words.h"

namespace twinset::cli {

bool IsRowPreset(std::string_view name) {
  return FindChoice<FieldPreset>(name).has_value();
}

tl::unexpected<Error> UnknownPreset(const std::string& name) {
  const std::vector<std::string> known = PresetNames();
  std::string meant = DidYouMean(name, known);
  if (!meant.empty()) meant += " ";
  return Fail(ErrorCode::kUsage,
              fmt::format("no preset is called '{}'", Printable(name)), {},
              fmt::format("{}use one of: {}", meant, fmt::join(known, ", ")));
}

std::vector<std::string> PresetNames() {
  std::vector<std::string> names;
  for (const std::string_view name : ChoiceNames<FieldPreset>())
    names.emplace_back(name);
  for (const PresetInfo& preset : Presets()) names.push_back(preset.name);
  return names;
}

Status SetPresets(const std::vector<std::string>& values, Request* request) {
  TWINSET_ASSIGN(const std::vector<std::string> names, SplitLists(values));
  const std::vector<PresetInfo> presets = Presets();
  std::string of_rows, of_method;
  for (const std::string& name : names) {
    const bool rows = IsRowPreset(name);
    const bool known =
        rows || std::any_of(presets.begin(), presets.end(),
                            [&](const auto& p) { return p.name == name; });
    if (!known) return UnknownPreset(name);
    std::string& chosen = rows ? of_rows : of_method;
    if (!chosen.empty()) {
      return Fail(ErrorCode::kUsage,
                  fmt::format("{} and {} exclude each other", chosen, name), {},
                  "give one preset of fields and one of a method at most");
    }
    chosen = name;
  }
  request->options.input.preset = FindChoice<FieldPreset>(of_rows);
  if (of_method.empty()) return {};
  return ApplyPreset(of_method, &request->options);
}

}  // namespace twinset::cli
