// What the commands that measure engines and webs take, apart from Request so
// that what belongs to one of them stays with it.
#ifndef TWINSET_APPS_CLI_STUDIES_H_
#define TWINSET_APPS_CLI_STUDIES_H_

#include <optional>
#include <string>
#include <vector>

#include "cli/flags/flags.h"
#include "twinset/assess.h"
#include "twinset/auction.h"
#include "twinset/change.h"
#include "twinset/engine.h"
#include "twinset/estimate.h"
#include "twinset/fetch.h"
#include "twinset/leak.h"
#include "twinset/mirrors.h"
#include "twinset/patch.h"
#include "twinset/predict.h"
#include "twinset/qrels.h"
#include "twinset/random_ip.h"
#include "twinset/rescue.h"
#include "twinset/runs.h"
#include "twinset/sample.h"
#include "twinset/seeds.h"
#include "twinset/traps.h"
#include "twinset/urls.h"
#include "twinset/walk.h"

namespace twinset::cli {

struct StudyRequest {
  FetchOptions fetching;  // of whichever command fetches
  EngineBuildOptions engine_build;
  EngineQueryOptions engine_query;
  EstimateOptions estimate;
  SampleOptions sample;
  RandomIpOptions random_ip;
  RescueOptions rescue;
  bool rescue_all = false;
  WalkOptions walk;
  bool walk_structure = false;
  RankOptions rank;
  std::optional<RankMethod> walk_rank;  // none: no ranks
  SearchPageOptions auction;  // its options of the auction serve all forms
  QueryLogOptions query_log;
  TrapsOptions traps;
  QrelsOptions qrels;
  RunsOptions runs;
  bool runs_by_topic = false;  // runs eval --by-topic
  UrlsOptions urls;
  MirrorsOptions mirrors;
  LeakOptions leak;
  ChangeOptions change;
  AssessOptions assess;
  PredictOptions predict;
  PatchMakeOptions patch_make;
  PatchApplyOptions patch_apply;
  bool allow_mismatch = false;  // patch apply --allow-mismatch
  SeedsOptions seeds;
  CrawlOverlapOptions crawls;
};

// The flags of each, rows of the one table.
std::vector<Flag> FetchFlags();
std::vector<Flag> EngineFlags();
std::vector<Flag> SampleFlags();
std::vector<Flag> RandomIpFlags();
std::vector<Flag> EstimateFlags();
std::vector<Flag> WalkFlags();
std::vector<Flag> RescueFlags();
std::vector<Flag> TrapsFlags();
std::vector<Flag> AuctionFlags();
std::vector<Flag> QrelsFlags();
std::vector<Flag> RunsFlags();
std::vector<Flag> CorporaFlags();  // urls ... patch
std::vector<Flag> SeedsFlags();

// Flags of random-ip go with it alone, and no others do.
Status CheckRandomIpFlags(const Request& request);
// `sample --sampler random-ip`.
int RunRandomIp(const Request& request);

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_STUDIES_H_
