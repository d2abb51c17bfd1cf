#include "flag_setters.h"
#include "studies.h"

namespace twinset::cli {

std::vector<Flag> TrapsFlags() { return {}; }

}  // namespace twinset::cli
