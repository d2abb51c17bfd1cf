// What the stages count that make clusters and results (counts.h).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RUN_RESULT_COUNTS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RUN_RESULT_COUNTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/run/judged_counts.h"

namespace twinset {

struct ClusterCounts {
  uint64_t clusters = 0, members = 0;
  // Size and representative, largest first.
  std::vector<std::pair<uint64_t, uint64_t>> largest;

  static void Fields(auto& counts, auto& field) {
    field("clusters", counts.clusters);
    field("members", counts.members);
    field("largest", counts.largest);
  }
};

struct RevisitCounts {
  uint64_t resolved = 0, unresolved = 0;
  std::optional<uint64_t> target_skipped;  // among the unresolved; never 0

  static void Fields(auto& counts, auto& field) {
    field("resolved", counts.resolved);
    field("unresolved", counts.unresolved);
    field("target_skipped", counts.target_skipped);
  }
};

// What was counted of a value of a field (--stats-by).
struct ValueCounts {
  uint64_t documents = 0, payload_bytes = 0;
  // In a cluster, or in a match in a pair, beside another document that stands
  // for them; of them those with the similarity 1 to it.
  uint64_t duplicates = 0, identical = 0;
  uint64_t dropped = 0, dropped_bytes = 0;
  uint64_t tokens = 0, dropped_tokens = 0;

  static void Fields(auto& counts, auto& field) {
    field("documents", counts.documents);
    field("payload_bytes", counts.payload_bytes);
    field("duplicates", counts.duplicates);
    field("identical", counts.identical);
    field("dropped", counts.dropped);
    field("dropped_bytes", counts.dropped_bytes);
    field("tokens", counts.tokens);
    field("dropped_tokens", counts.dropped_tokens);
  }
  void Add(const ValueCounts& other) {
    documents += other.documents;
    payload_bytes += other.payload_bytes;
    duplicates += other.duplicates;
    identical += other.identical;
    dropped += other.dropped;
    dropped_bytes += other.dropped_bytes;
    tokens += other.tokens;
    dropped_tokens += other.dropped_tokens;
  }
  double kept_share() const {
    return documents == 0 ? 0
                          : static_cast<double>(documents - dropped) /
                                static_cast<double>(documents);
  }
};

// The values of one field: how many there are, those of most documents, and
// the sums of the others.
struct FieldStats {
  struct Value {
    std::string value;
    ValueCounts counts;

    static void Fields(auto& value, auto& field) {
      field("value", value.value);
      field("counts", value.counts);
    }
  };
  uint64_t values = 0;
  std::vector<Value> largest;
  ValueCounts others;

  static void Fields(auto& stats, auto& field) {
    field("values", stats.values);
    field("largest", stats.largest);
    field("others", stats.others);
  }
};

// What goes with the dropped documents, by source.
struct DroppedText {
  std::vector<uint64_t> bytes, tokens;

  static void Fields(auto& counts, auto& field) {
    field.BySource("bytes", counts.bytes);
    field.BySource("tokens", counts.tokens);
  }
};

// How much of the duplicates those documents have that stand for them.
struct ContainedCounts {
  // Documents of which this share or more is there, and less than the share of
  // the step before.
  struct Step {
    double from = 0;
    uint64_t documents = 0;

    static void Fields(auto& step, auto& field) {
      field("from", step.from);
      field("documents", step.documents);
    }
  };
  double least = 1;  // 1: there is no duplicate
  std::vector<Step> steps = {{1, 0},  {.99, 0}, {.95, 0}, {.9, 0},
                             {.8, 0}, {.5, 0},  {0, 0}};

  static void Fields(auto& counts, auto& field) {
    field("least", counts.least);
    field("steps", counts.steps);
  }
  void Add(double contained) {
    if (contained < least) least = contained;
    for (Step& step : steps) {
      if (contained < step.from) continue;
      ++step.documents;
      return;
    }
  }
};

struct ResultCounts {
  struct Cluster {
    std::string cluster;
    uint64_t size = 0;
    std::vector<std::string> samples;

    static void Fields(auto& cluster, auto& field) {
      field("cluster", cluster.cluster);
      field("size", cluster.size);
      field("samples", cluster.samples);
    }
  };
  uint64_t pairs = 0, pairs_implied = 0;
  uint64_t mostly_template = 0;  // clusters represented by such a page
  std::vector<uint64_t> kept_by_source, dropped_by_source;
  DroppedText dropped_text;
  RevisitCounts revisit;
  std::vector<Cluster> largest_clusters;
  std::optional<JudgedCounts> judged;        // with --kinds
  std::vector<FieldStats> stats_by;          // by field of --stats-by
  std::optional<ContainedCounts> contained;  // where pairs were verified

  static void Fields(auto& counts, auto& field) {
    field("pairs", counts.pairs);
    field("pairs_implied", counts.pairs_implied);
    field("mostly_template", counts.mostly_template);
    field.BySource("kept_by_source", counts.kept_by_source);
    field.BySource("dropped_by_source", counts.dropped_by_source);
    field("dropped_text", counts.dropped_text);
    field("revisit", counts.revisit);
    field("largest_clusters", counts.largest_clusters);
    field("judged", counts.judged);
    field("stats_by", counts.stats_by);
    field("contained", counts.contained);
  }
};

// What --write left in its folder. A run over units counts those changed by
// cuts; the others count revisit and metadata records.
struct WriteCounts {
  uint64_t records = 0, left_out = 0;
  std::optional<uint64_t> revisits, metadata, changed;

  static void Fields(auto& counts, auto& field) {
    field("records", counts.records);
    field("revisits", counts.revisits);
    field("metadata", counts.metadata);
    field("changed", counts.changed);
    field("left_out", counts.left_out);
  }
  void Add(const WriteCounts& other) {
    records += other.records;
    left_out += other.left_out;
    for (const auto member : {&WriteCounts::revisits, &WriteCounts::metadata,
                              &WriteCounts::changed})
      if (other.*member)
        this->*member = (this->*member).value_or(0) + *(other.*member);
  }
};

// ---- of a match alone ----

struct BestCounts {
  uint64_t matched = 0;

  static void Fields(auto& counts, auto& field) {
    field("matched", counts.matched);
  }
};

struct MatchResultCounts {
  uint64_t pairs = 0;
  std::vector<uint64_t> kept_by_source, dropped_by_source;
  DroppedText dropped_text;
  RevisitCounts revisit;
  std::optional<JudgedCounts> judged;  // with --kinds
  std::vector<FieldStats> stats_by;
  std::optional<ContainedCounts> contained;  // where pairs were verified

  static void Fields(auto& counts, auto& field) {
    field("pairs", counts.pairs);
    field.BySource("kept_by_source", counts.kept_by_source);
    field.BySource("dropped_by_source", counts.dropped_by_source);
    field("dropped_text", counts.dropped_text);
    field("revisit", counts.revisit);
    field("judged", counts.judged);
    field("stats_by", counts.stats_by);
    field("contained", counts.contained);
  }
};

struct PassageCounts {
  uint64_t count = 0;

  static void Fields(auto& counts, auto& field) {
    field("count", counts.count);
  }
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RUN_RESULT_COUNTS_H_
