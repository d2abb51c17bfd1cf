// What the commands that measure engines and webs take, apart from Request so
// that what belongs to one of them stays with it.
#ifndef TWINSET_APPS_CLI_STUDIES_H_
#define TWINSET_APPS_CLI_STUDIES_H_

#include <vector>

#include "flags.h"
#include "twinset/auction.h"
#include "twinset/sample.h"
#include "twinset/traps.h"
#include "twinset/walk.h"

namespace twinset::cli {

struct StudyRequest {
  SampleOptions sample;
  WalkOptions walk;
  bool walk_structure = false;
  RankOptions rank = {.method = ""};  // empty: no ranks
  SearchPageOptions auction;  // its options of the auction serve all forms
  QueryLogOptions query_log;
  TrapsOptions traps;
};

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
