#include "options/presets.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "base/choice.h"
#include "base/stop.h"
#include "twinset/methods.h"

namespace twinset {

namespace {

constexpr std::string_view kDashes = "--";

}  // namespace

Status ApplySetting(std::string_view flag, std::string_view value,
                    ParameterValues* options) {
  const Parameter* parameter =
      FindParameter(flag.substr(std::min(flag.size(), kDashes.size())));
  if (parameter == nullptr || !flag.starts_with(kDashes)) {
    return Fail(ErrorCode::kUsage,
                std::string(flag) + " is no setting of a preset");
  }
  Status status = SetParameter(*parameter, value, options);
  if (!status) {
    return Fail(status.error().code,
                std::string(flag) + ": " + status.error().message);
  }
  return {};
}

std::vector<PresetInfo> v1::Presets() {
  std::vector<PresetInfo> presets = PublishedPresets();
  std::vector<PresetInfo> packages = PackagePresets();
  presets.insert(presets.end(), std::make_move_iterator(packages.begin()),
                 std::make_move_iterator(packages.end()));
  return presets;
}

Status v1::ApplyPreset(std::string_view name, ParameterValues* options) try {
  const std::vector<PresetInfo> presets = Presets();
  for (const PresetInfo& preset : presets) {
    if (preset.name != name) continue;
    for (const auto& [flag, value] : preset.settings)
      TWINSET_TRY(ApplySetting(flag, value, options));
    return {};
  }
  return NoSuchChoice(name, "no preset is called '" + std::string(name) + "'",
                      presets, &PresetInfo::name);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
