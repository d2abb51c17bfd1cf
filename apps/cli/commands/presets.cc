// twinset presets
#include "cli/presets.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/commands.h"
#include "cli/entries.h"
#include "cli/generate.h"
#include "cli/values.h"
#include "twinset/json.h"
#include "twinset/methods.h"
#include "twinset/plain_words.h"

namespace twinset::cli {
namespace {

constexpr size_t kWidth = 80;

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

int RunPresets(const Request& request) {
  const std::vector<PresetInfo> presets = Presets();
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
  return TellEntries("presets", request, presets, PresetRow, PresetText,
                     "sources, settings, what differs");
}

Command PresetsCommand() {
  return {
      .name = "presets",
      .group = CommandGroup::kLaboratory,
      .operands = "[NAME...]",
      .help = "published configurations and the defaults of other packages",
      .long_help =
          "Each is a set of flags that --preset gives by one name. The list "
          "says what is the same as there and what is not.",
      .examples = {{"twinset presets", "a line for each"},
                   {"twinset presets text-dedup", "source and settings of one"},
                   {"twinset dedup corpus.jsonl --out dups --preset text-dedup",
                    "run with one"}},
      .everyday = {"--json"},
      .shared = {"--json"},
      .texts = {kOneJsonDocument, kOnlyTheAnswer},
      .refusals = {kReadsNoDocuments},
      .run = RunPresets};
}

}  // namespace

const Registration kPresets(PresetsCommand);

}  // namespace twinset::cli
