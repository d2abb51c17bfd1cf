#include "flag_setters.h"
#include "studies.h"

namespace twinset::cli {

std::vector<Flag> RescueFlags() { return {}; }

}  // namespace twinset::cli
