// twinset presets, and what --preset does.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/commands.h"
#include "cli/generate.h"
#include "cli/output.h"
#include "cli/presets.h"
#include "cli/values.h"
#include "twinset/json.h"
#include "twinset/methods.h"
#include "twinset/nearest.h"

namespace twinset::cli {
namespace {

constexpr size_t kWidth = 80;

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

// As they would be given.
std::string SettingsText(const PresetInfo& preset) {
  std::string text;
  for (const auto& [flag, value] : preset.settings)
    text += fmt::format("{}{} {}", text.empty() ? "" : " ", flag, value);
  return text;
}

Json PresetRow(const PresetInfo& preset) {
  Json settings = Json::object();
  for (const auto& [flag, value] : preset.settings) settings[flag] = value;
  return {{"name", preset.name},       {"summary", preset.summary},
          {"source", preset.source},   {"equal", preset.equal},
          {"differs", preset.differs}, {"settings", settings}};
}

std::string PresetText(const PresetInfo& preset) {
  std::string text = preset.name + "\n";
  text += Wrap(preset.summary, 2, kWidth);
  text += Wrap("source: " + preset.source, 2, kWidth);
  text += Wrap("equal: " + preset.equal, 2, kWidth);
  text += Wrap("differs: " + preset.differs, 2, kWidth);
  text += Wrap(SettingsText(preset), 4, kWidth);
  return text;
}

}  // namespace

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

int RunPresets(const Request& request) {
  std::vector<PresetInfo> presets = Presets();
  const std::vector<std::string>& asked = request.operands;
  for (const std::string& name : asked) {
    if (IsRowPreset(name))
      return TellError("presets",
                       {ErrorCode::kUsage,
                        fmt::format("{} is a preset of the names of fields",
                                    Printable(name)),
                        {},
                        "see --preset in 'twinset dedup --help'"});
    if (std::none_of(presets.begin(), presets.end(),
                     [&](const auto& p) { return p.name == name; }))
      return TellError("presets", UnknownPreset(name).value());
  }
  if (!asked.empty())
    std::erase_if(presets, [&](const auto& preset) {
      return std::find(asked.begin(), asked.end(), preset.name) == asked.end();
    });
  Output out;
  Json rows = Json::array();
  std::string text;
  for (const PresetInfo& preset : presets) {
    rows.push_back(PresetRow(preset));
    text += (text.empty() ? "" : "\n") + PresetText(preset);
  }
  out.Write(request.json ? rows.dump(2) + "\n" : text);
  return out.Finish("presets");
}

}  // namespace twinset::cli
