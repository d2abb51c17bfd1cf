#include "flag_setters.h"
#include "studies.h"

namespace twinset::cli {

std::vector<Flag> EngineFlags() { return {}; }

}  // namespace twinset::cli
