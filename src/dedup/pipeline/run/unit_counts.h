// What the stages of a run over units count (counts.h).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RUN_UNIT_COUNTS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RUN_UNIT_COUNTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "pipeline/run/result_counts.h"

namespace twinset {

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

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RUN_UNIT_COUNTS_H_
