// What each stage of a run counts. Stages hand it on as it stands here; JSON is
// made of it at the door only: in summary.json, the journal and the manifest of
// a saved run.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RUN_COUNTS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RUN_COUNTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/field_list.h"
#include "pipeline/run/pair_counts.h"
#include "pipeline/run/read_counts.h"
#include "pipeline/run/result_counts.h"
#include "twinset/json.h"

namespace twinset {

// ---- of a run over units alone ----

// With --unit substring: windows of so many tokens, and their anchors.
struct SuspectCounts {
  uint64_t considered = 0, suspected = 0;

  static void Fields(auto& counts, auto& field) {
    field("considered", counts.considered);
    field("suspected", counts.suspected);
  }
};

struct RepeatedUnitCounts {
  uint64_t repeated = 0, occurrences = 0, cut = 0, collisions = 0;

  static void Fields(auto& counts, auto& field) {
    field("repeated", counts.repeated);
    field("occurrences", counts.occurrences);
    field("cut", counts.cut);
    field("collisions", counts.collisions);
  }
};

struct UnitResultCounts {
  struct Frequent {
    std::string text;
    uint64_t count = 0, documents = 0;

    static void Fields(auto& unit, auto& field) {
      field("text", unit.text);
      field("count", unit.count);
      field("documents", unit.documents);
    }
  };
  RevisitCounts revisit;
  uint64_t units = 0, documents_cut = 0, left_empty = 0;
  std::vector<uint64_t> tokens_by_source, tokens_cut_by_source;
  std::vector<Frequent> most_frequent;  // most frequent first

  static void Fields(auto& counts, auto& field) {
    field("revisit", counts.revisit);
    field("units", counts.units);
    field("documents_cut", counts.documents_cut);
    field("left_empty", counts.left_empty);
    field.BySource("tokens_by_source", counts.tokens_by_source);
    field.BySource("tokens_cut_by_source", counts.tokens_cut_by_source);
    field("most_frequent", counts.most_frequent);
  }
};

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
