// What each stage of a run counts. Stages hand it on as it stands here; JSON is
// made of it at the door only: in summary.json, the journal and the manifest of
// a saved run.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RUN_COUNTS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RUN_COUNTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "core/field_list.h"
#include "pipeline/run/pair_counts.h"
#include "pipeline/run/read_counts.h"
#include "pipeline/run/result_counts.h"
#include "pipeline/run/unit_counts.h"
#include "twinset/json.h"

namespace twinset {

// Counts of all stages of one run; zeros for stages that it does not have.
struct RunCounts {
  ReadCounts read;
  std::optional<TemplateCounts> site_template;  // where pages were
  std::optional<PruneCounts> prune;             // with --max-df
  OrderCounts order;
  CandidateCounts candidate;
  VerifyCounts verify;
  ClusterCounts cluster;
  // Where pairs are listed otherwise than the verify stage left them.
  std::optional<ListCounts> list;
  ResultCounts result;
  uint64_t renamed_ids = 0;          // of any result (renamed_ids.h)
  std::optional<WriteCounts> write;  // with --write
  // Only in a match.
  std::optional<AskCounts> asked;  // a saved run
  BestCounts best;
  MatchResultCounts match_result;
  std::optional<PassageCounts> passages;  // of containment
  // Only in a run over units.
  SuspectCounts suspect;
  RepeatedUnitCounts unit;
  UnitResultCounts unit_result;

  // Those that a saved run keeps, by the name of their stage.
  static void Saved(auto& counts, const auto& stage) {
    stage("read", counts.read);
    stage("template", counts.site_template);
    stage("prune", counts.prune);
    stage("order", counts.order);
    stage("candidate", counts.candidate);
    stage("verify", counts.verify);
  }
  // Those that a resumed run takes from its journal.
  static void Journaled(auto& counts, const auto& stage) {
    Saved(counts, stage);
    stage("cluster", counts.cluster);
    stage("list", counts.list);
    stage("ask", counts.asked);
    stage("best", counts.best);
    stage("passages", counts.passages);
    stage("suspect", counts.suspect);
    stage("unit", counts.unit);
  }
};

// The counts that a saved run keeps, as JSON and back. False for JSON that is
// not such counts of a run over so many sources.
Json SavedCountsToJson(const RunCounts& counts);
bool SavedCountsFromJson(const Json& json, size_t sources, RunCounts* counts);

// Takes the counts of stage `name` from its line in the journal. False when
// they are not such counts, or the stage has none that are taken.
bool StageFieldsFromJson(const std::string& name, const Json& json,
                         size_t sources, RunCounts* counts);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RUN_COUNTS_H_
