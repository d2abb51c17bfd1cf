#include "flag_setters.h"
#include "studies.h"

namespace twinset::cli {

std::vector<Flag> EstimateFlags() { return {}; }

}  // namespace twinset::cli
