// What the commands that measure engines and webs take, apart from Request so
// that what belongs to one of them stays with it.
#ifndef TWINSET_APPS_CLI_STUDIES_H_
#define TWINSET_APPS_CLI_STUDIES_H_

#include <vector>

#include "flags.h"

namespace twinset::cli {

struct StudyRequest {};

// The flags of each, rows of the one table.
std::vector<Flag> EngineFlags();
std::vector<Flag> SampleFlags();
std::vector<Flag> EstimateFlags();
std::vector<Flag> WalkFlags();
std::vector<Flag> RescueFlags();
std::vector<Flag> TrapsFlags();
std::vector<Flag> AuctionFlags();

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_STUDIES_H_
