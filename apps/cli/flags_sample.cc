#include "flag_setters.h"
#include "studies.h"

namespace twinset::cli {

std::vector<Flag> SampleFlags() { return {}; }

}  // namespace twinset::cli
