// Named settings: published configurations and the defaults of other packages
// (docs/methods/presets.md). The rows are plain values; applying one is the
// same as giving its flags.
#ifndef TWINSET_SRC_DEDUP_OPTIONS_PRESETS_H_
#define TWINSET_SRC_DEDUP_OPTIONS_PRESETS_H_

#include <string_view>
#include <vector>

#include "twinset/methods.h"
#include "twinset/options.h"

namespace twinset {

std::vector<PresetInfo> PublishedPresets();  // of papers and lectures
std::vector<PresetInfo> PackagePresets();    // of other packages

// Sets what `flag` sets on the command line, for the flags that decide how
// duplicates are found. kUsage for other flags and for values that are none.
Status ApplySetting(std::string_view flag, std::string_view value,
                    ParameterValues* options);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_OPTIONS_PRESETS_H_
