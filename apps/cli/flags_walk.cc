#include "flag_setters.h"
#include "studies.h"

namespace twinset::cli {

std::vector<Flag> WalkFlags() { return {}; }

}  // namespace twinset::cli
