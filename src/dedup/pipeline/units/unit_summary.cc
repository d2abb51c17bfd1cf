// summary.json of a run over units.
#include "pipeline/results/source_rows.h"
#include "pipeline/results/summary.h"
#include "pipeline/units/unit_stages.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

std::vector<std::string> SourceWarnings(const Run& run) {
  constexpr size_t kNamed = 3;
  std::vector<std::string> warnings;
  size_t count = 0;
  const auto& tokens = run.counts.unit_result.tokens_by_source;
  const auto& cut = run.counts.unit_result.tokens_cut_by_source;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (cut[i] * 2 <= tokens[i]) continue;
    if (++count > kNamed) continue;
    warnings.push_back("source " + run.plan.inputs.files[i].source + " loses " +
                       std::to_string(cut[i] * 100 / tokens[i]) + " % of its " +
                       CountText(tokens[i], "token"));
  }
  if (count > kNamed) {
    warnings.push_back(
        CountText(count - kNamed, "more source loses", "more sources lose") +
        " more than half of " + (count - kNamed == 1 ? "its" : "their") +
        " tokens");
  }
  return warnings;
}

Json Units(const RunCounts& counts, bool of_substrings) {
  const RepeatedUnitCounts& unit = counts.unit;
  uint64_t tokens_cut = 0;
  for (const uint64_t n : counts.unit_result.tokens_cut_by_source)
    tokens_cut += n;
  Json units;
  units["read"] = counts.unit_result.units;
  units["considered"] = counts.suspect.considered;
  if (!of_substrings) {
    units["distinct"] =
        counts.suspect.considered - (unit.occurrences - unit.repeated);
  }
  units["repeated"] = unit.repeated;
  units["occurrences"] = unit.occurrences;
  units["cut"] = unit.cut;
  units["tokens_cut"] = tokens_cut;
  units["collisions"] = unit.collisions;
  return units;
}

}  // namespace

CutSummary SummariseUnits(Run* run, double seconds) {
  const RunCounts& counts = run->counts;
  const UnitResultCounts& result = counts.unit_result;
  CutSummary summary = {BeginSummary(*run, seconds)};
  std::vector<std::string> alarms = ReadWarnings(*run);
  for (std::string& warning : SourceWarnings(*run))
    alarms.push_back(std::move(warning));
  summary.warnings.insert(summary.warnings.end(), alarms.begin(), alarms.end());

  Json json = SummaryHead(*run, result.revisit);
  json["documents"] = {{"read", summary.documents},
                       {"cut", result.documents_cut},
                       {"left_empty", result.left_empty},
                       {"empty", summary.empty}};
  json["text"] = TextObject(*run);
  json["repeated_ids"] = counts.order.repeated_ids;
  Json& units = json["units"] =
      Units(counts, run->plan.options.unit == UnitKind::kSubstring);
  units["read"].get_to(summary.units);
  units["repeated"].get_to(summary.repeated);
  units["cut"].get_to(summary.cut);
  units["tokens_cut"].get_to(summary.tokens_cut);
  json["most_frequent"] = FieldsToJson(result.most_frequent);
  if (counts.write) json["written"] = FieldsToJson(counts.write);
  AddSourceRows(*run, &json);
  json["warnings"] = alarms;
  json["run"] = RunObject(*run, seconds);
  summary.json = std::move(json);
  return summary;
}

}  // namespace twinset
