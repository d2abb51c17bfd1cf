// summary.json of a run over units.
#include "pipeline/results/summary.h"
#include "pipeline/units/unit_stages.h"
#include "twinset/version.h"

namespace twinset {

namespace {

std::vector<std::string> SourceWarnings(const Run& run, const Json& result) {
  constexpr size_t kNamed = 3;
  std::vector<std::string> warnings;
  size_t count = 0;
  const auto tokens = SourceCounts(run, result, "tokens_by_source");
  const auto cut = SourceCounts(run, result, "tokens_cut_by_source");
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (cut[i] * 2 <= tokens[i]) continue;
    if (++count > kNamed) continue;
    warnings.push_back("source " + run.plan.inputs[i].source + " loses " +
                       std::to_string(cut[i] * 100 / tokens[i]) + " % of its " +
                       std::to_string(tokens[i]) + " tokens");
  }
  if (count > kNamed) {
    warnings.push_back(std::to_string(count - kNamed) +
                       " more sources lose more than half of their tokens");
  }
  return warnings;
}

Json Units(const Run& run, const RunCounts& counts) {
  const auto considered = counts["suspect"]["considered"].get<uint64_t>();
  const auto repeated = counts["unit"]["repeated"].get<uint64_t>();
  const auto occurrences = counts["unit"]["occurrences"].get<uint64_t>();
  uint64_t tokens_cut = 0;
  for (const uint64_t n :
       SourceCounts(run, counts["result"], "tokens_cut_by_source"))
    tokens_cut += n;
  Json units;
  units["read"] = counts["result"]["units"];
  units["considered"] = considered;
  units["distinct"] = considered - (occurrences - repeated);
  units["repeated"] = repeated;
  units["occurrences"] = occurrences;
  units["cut"] = counts["unit"]["cut"];
  units["tokens_cut"] = tokens_cut;
  units["collisions"] = counts["unit"]["collisions"];
  return units;
}

void AddSources(const Run& run, const RunCounts& counts, Json* json) {
  const Json& result = counts["result"];
  AddSourceRows(
      run,
      {{"documents", counts.read.source_documents},
       {"tokens", SourceCounts(run, result, "tokens_by_source")},
       {"tokens_cut", SourceCounts(run, result, "tokens_cut_by_source")}},
      json);
}

}  // namespace

DedupSummary SummariseUnits(Run* run, double seconds) {
  const RunCounts& counts = run->counts;
  DedupSummary summary = BeginSummary(*run, seconds);
  summary.kept = summary.documents;
  std::vector<std::string> alarms = FieldWarnings(*run);
  for (std::string& warning : SourceWarnings(*run, counts["result"]))
    alarms.push_back(std::move(warning));
  summary.warnings.insert(summary.warnings.end(), alarms.begin(), alarms.end());

  Json json;
  json["twinset"] = kVersion;
  json["spec"] = kSpec;
  json["complete"] = summary.complete;
  json["incomplete_sources"] = counts.read.incomplete;
  json["parameters"] = Json::Parse(run->plan.parameters_json);
  json["records"] = RecordCounts(counts);
  json["documents"] = {{"read", summary.documents},
                       {"cut", counts["result"]["documents_cut"]},
                       {"left_empty", counts["result"]["left_empty"]},
                       {"empty", summary.empty}};
  json["text"] = {{"payload_bytes", counts.read.payload_bytes},
                  {"code_points", counts.read.code_points},
                  {"tokens", counts.read.tokens},
                  {"fallback_parser", counts.read.fallback_parser},
                  {"malformed", counts.read.malformed_text}};
  json["repeated_ids"] = counts["order"]["repeated_ids"];
  json["units"] = Units(*run, counts);
  json["most_frequent"] = counts["result"]["most_frequent"];
  if (!counts["write"].empty()) json["written"] = counts["write"];
  AddSources(*run, counts, &json);
  json["warnings"] = alarms;
  json["run"] = RunObject(*run, seconds);
  summary.summary_json = json.dump(2) + "\n";
  return summary;
}

}  // namespace twinset
