#include "flag_setters.h"
#include "studies.h"

namespace twinset::cli {

std::vector<Flag> AuctionFlags() { return {}; }

}  // namespace twinset::cli
