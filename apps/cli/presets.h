// --preset: named settings of rows (which fields are what) and of methods.
#ifndef TWINSET_APPS_CLI_PRESETS_H_
#define TWINSET_APPS_CLI_PRESETS_H_

#include <string>
#include <string_view>
#include <vector>

#include "cli/flags/flags.h"
#include "twinset/error.h"

namespace twinset::cli {

// The flag whose settings come before those of all others.
inline constexpr std::string_view kPresetFlag = "--preset";

// All names that --preset knows: of rows, then of methods.
std::vector<std::string> PresetNames();

// Returns true iff the preset is one of the names of fields.
bool IsRowPreset(std::string_view name);
// The error for a name that no preset has.
tl::unexpected<Error> UnknownPreset(const std::string& name);

// Comma lists of names: at most one of each kind. kUsage for others, with all
// names as remedy.
Status SetPresets(const std::vector<std::string>& values, Request* request);

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_PRESETS_H_
