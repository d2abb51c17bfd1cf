// What each stage of a run counts. Stages hand it on as it stands here; JSON is
// made of it at the door only: in summary.json, the journal and the manifest of
// a saved run.
#ifndef TWINSET_SRC_PIPELINE_RUN_COUNTS_H_
#define TWINSET_SRC_PIPELINE_RUN_COUNTS_H_

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "documents/read_outcome.h"
#include "pipeline/run/count_fields.h"

namespace twinset {

// Fields that a record has itself, as bits; kField + i is the i-th of
// ReadOptions::fields, as far as there are bits.
namespace field_bit {
inline constexpr size_t kId = 0, kUrl = 1, kDate = 2, kField = 3, kCount = 64;
}  // namespace field_bit

struct ReadCounts {
  uint64_t records = 0, documents = 0, quarantined = 0, empty = 0, revisits = 0;
  uint64_t tokens = 0, features = 0, payload_bytes = 0, code_points = 0;
  uint64_t fallback_parser = 0, malformed_text = 0, unsure_pages = 0;
  std::map<std::string, uint64_t> page_kinds;
  uint64_t pages = 0;  // in pages.blob
  std::map<std::string, uint64_t> skipped, quarantine_reasons;
  std::vector<uint64_t> source_documents;
  std::vector<std::string> incomplete;  // sources that broke off
  struct Side {
    ReadOutcome outcome;
    // Documents with each field (field_bit).
    std::array<uint64_t, field_bit::kCount> present{};
    // Of another run, whose i-th field is this one's number fields[i].
    void TakeFields(const std::vector<size_t>& fields);

    static void Fields(auto& side, auto& field) {
      field("records", side.outcome.records);
      field("documents", side.outcome.documents);
      field("quarantined", side.outcome.quarantined);
      field("problem", side.outcome.problem);
      field("present", side.present);
    }
  };
  std::array<Side, 2> sides;  // the second: of a match

  // Adds what a run has counted whose sources are those of this one from
  // `first` on, and all of `side`.
  void Add(const ReadCounts& other, size_t first, size_t side);

  static void Fields(auto& counts, auto& field) {
    field("records", counts.records);
    field("documents", counts.documents);
    field("quarantined", counts.quarantined);
    field("empty", counts.empty);
    field("revisits", counts.revisits);
    field("tokens", counts.tokens);
    field("features", counts.features);
    field("payload_bytes", counts.payload_bytes);
    field("code_points", counts.code_points);
    field("fallback_parser", counts.fallback_parser);
    field("malformed_text", counts.malformed_text);
    field("unsure_pages", counts.unsure_pages);
    field("page_kinds", counts.page_kinds);
    field("pages", counts.pages);
    field("skipped", counts.skipped);
    field("quarantine_reasons", counts.quarantine_reasons);
    field.BySource("source_documents", counts.source_documents);
    field("incomplete", counts.incomplete);
    field("sides", counts.sides);
  }
};

// Of all stages of one run.
struct RunCounts {
  ReadCounts read;
  std::map<std::string, Json, std::less<>> others;
  Json& operator[](const std::string& stage) { return others[stage]; }
  const Json& operator[](const std::string& stage) const {
    static const Json kNone;
    const auto found = others.find(stage);
    return found == others.end() ? kNone : found->second;
  }
  bool contains(const std::string& stage) const {
    return others.contains(stage);
  }
};

}  // namespace twinset

#endif  // TWINSET_SRC_PIPELINE_RUN_COUNTS_H_
