#include "pipeline/results/summary.h"

#include <sys/resource.h>

#include <algorithm>
#include <numeric>

#include "base/memory_budget.h"
#include "pipeline/read/ingest.h"
#include "pipeline/run/run_inputs.h"
#include "sketch/simd_target.h"
#include "twinset/names.h"
#include "twinset/version.h"

namespace twinset {

namespace {

uint64_t Count(const RunCounts& counts, const char* stage, const char* key) {
  return counts[stage][key].get<uint64_t>();
}

std::string Percent(uint64_t part, uint64_t whole) {
  return std::to_string(whole == 0 ? 0 : part * 100 / whole) + " %";
}

constexpr size_t kNamedSources = 3;

// Sources of two documents or more that lose more than half of them: the
// largest losses by name, the others counted.
void SourceAlarm(const Run& run, const std::vector<uint64_t>& kept,
                 const std::vector<uint64_t>& dropped,
                 std::vector<std::string>* warnings) {
  std::vector<size_t> wiped;
  for (size_t i = 0; i < kept.size(); ++i) {
    if (dropped[i] > kept[i] && kept[i] + dropped[i] > 1) wiped.push_back(i);
  }
  std::stable_sort(wiped.begin(), wiped.end(),
                   [&](size_t x, size_t y) { return dropped[x] > dropped[y]; });
  for (size_t n = 0; n < std::min(wiped.size(), kNamedSources); ++n) {
    const size_t i = wiped[n];
    warnings->push_back("source " + run.plan.inputs[i].source + " loses " +
                        Percent(dropped[i], kept[i] + dropped[i]) + " of its " +
                        std::to_string(kept[i] + dropped[i]) + " documents");
  }
  if (wiped.size() > kNamedSources) {
    warnings->push_back(std::to_string(wiped.size() - kNamedSources) +
                        " more sources lose more than half of their documents");
  }
}

// Losing most of a source, or one giant cluster, is more often a mistake than a
// finding.
void WipeOutAlarm(const Run& run, const RunCounts& counts,
                  std::vector<std::string>* warnings) {
  SourceAlarm(run, SourceCounts(run, counts["result"], "kept_by_source"),
              SourceCounts(run, counts["result"], "dropped_by_source"),
              warnings);
  const uint64_t documents = counts.read.documents;
  for (const Json& cluster : counts["result"]["largest_clusters"]) {
    const uint64_t size = cluster["size"].get<uint64_t>();
    if (size < 3 || size * 10 <= documents) continue;
    warnings->push_back("the cluster of " +
                        cluster["cluster"].get<std::string>() + " holds " +
                        std::to_string(size) + " of " +
                        std::to_string(documents) + " documents");
  }
}

constexpr size_t kMostNamedSources = 1000;  // named in a summary

// `of_side`: what was counted of it.
void SideWarnings(const Plan& plan, size_t side,
                  const ReadCounts::Side& of_side,
                  std::vector<std::string>* warnings) {
  const ReadOptions standard, &read = side == 0 ? plan.read : plan.read_against;
  const std::string flags = side == 0 ? "--" : "--against-";
  const std::string none = std::string("no document") +
                           (plan.first_side == 0 ? ""
                            : side == 0          ? " of A"
                                                 : " of B") +
                           " has ";
  const auto missing = [&](size_t bit) {
    return bit < field_bit::kCount && of_side.present[bit] == 0;
  };
  const auto named = [&](size_t bit, const char* flag, const std::string& field,
                         const std::string& usual) {
    // Presets name fields for many corpora.
    const bool asked =
        field != usual && (side == 1 || plan.options.input.preset.empty());
    if (asked && missing(bit)) {
      warnings->push_back(none + "the field \"" + field + "\" of " + flags +
                          flag);
    }
  };
  named(field_bit::kId, "id-field", read.id_field, standard.id_field);
  named(field_bit::kUrl, "url-field", read.url_field, standard.url_field);
  named(field_bit::kDate, "date-field", read.date_field, standard.date_field);
  for (size_t i = 0; i < read.fields.size(); ++i) {
    if (missing(field_bit::kField + i)) {
      warnings->push_back(none + "the field \"" + read.fields[i] +
                          "\" that --keep, --within or --across asks for");
    }
  }
  for (const ScopeField* scope : {&plan.within, &plan.across}) {
    const bool by_url =
        scope->kind == ScopeField::kHost || scope->kind == ScopeField::kUrl;
    if (by_url && missing(field_bit::kUrl)) {
      warnings->push_back(none + "an address, which --within or --across " +
                          scope->name + " compares");
    }
  }
  if (plan.window_seconds != 0 && missing(field_bit::kDate))
    warnings->push_back(none + "a date, which --window compares");
}

}  // namespace

std::vector<uint64_t> SourceCounts(const Run& run, const Json& stage,
                                   const char* key) {
  std::vector<uint64_t> counts;
  if (!UnpackCounts(stage.at(key).get<std::string>(), run.plan.inputs.size(),
                    &counts))
    counts.assign(run.plan.inputs.size(), 0);
  return counts;
}

void AddSourceRows(const Run& run, const std::vector<SourceColumn>& columns,
                   Json* json) {
  const size_t all = run.plan.inputs.size();
  std::vector<uint32_t> named(all);
  std::iota(named.begin(), named.end(), 0u);
  const std::vector<uint64_t>& lost = columns.back().second;
  if (all > kMostNamedSources) {
    std::stable_sort(named.begin(), named.end(),
                     [&](uint32_t x, uint32_t y) { return lost[x] > lost[y]; });
    Json others = {{"sources", all - kMostNamedSources}};
    for (const auto& [name, counts] : columns) {
      uint64_t sum = 0;
      for (size_t i = kMostNamedSources; i < all; ++i) sum += counts[named[i]];
      others[name] = sum;
    }
    (*json)["other_sources"] = std::move(others);
    named.resize(kMostNamedSources);
    std::sort(named.begin(), named.end());
  }
  Json rows = Json::array();
  for (const uint32_t i : named) {
    Json row = {{"source", run.plan.inputs[i].source}};
    for (const auto& [name, counts] : columns) row[name] = counts[i];
    rows.push_back(std::move(row));
  }
  (*json)["sources"] = std::move(rows);
}

std::vector<std::string> FieldWarnings(const Run& run) {
  std::vector<std::string> warnings;
  for (size_t side = 0; side < 2; ++side) {
    const ReadCounts::Side& of_side = run.counts.read.sides[side];
    if (of_side.outcome.documents == 0) continue;
    SideWarnings(run.plan, side, of_side, &warnings);
  }
  return warnings;
}

Json RecordCounts(const RunCounts& counts) {
  Json records;
  records["read"] = counts.read.records;
  records["documents"] = counts.read.documents;
  records["skipped"] = counts.read.skipped;
  records["revisit"] = counts["result"]["revisit"];
  records["quarantined"] = counts.read.quarantined;
  records["quarantine_reasons"] = counts.read.quarantine_reasons;
  return records;
}

void AddFlagged(const RunCounts& counts, Json* json) {
  const uint64_t flagged = Count(counts, "candidate", "flagged");
  if (flagged > 0) (*json)["flagged"] = flagged;
}

void AddPages(const ReadCounts& read, Json* summary) {
  if (read.page_kinds.empty()) return;
  (*summary)["pages"] = {{"kinds", read.page_kinds},
                         {"unsure", read.unsure_pages}};
}

void AddTemplate(const Run& run, Json* summary) {
  const Json& counts = run.counts["template"];
  if (counts.empty()) return;
  Json& json = (*summary)["template"];
  for (const char* name :
       {"sites", "pages", "blocks", "pages_cut", "code_points_dropped",
        "pages_whole", "pages_widened"})
    json[name] = counts[name];
  if (run.counts["result"].contains("mostly_template"))
    json["clusters_mostly_template"] = run.counts["result"]["mostly_template"];
  json["most_frequent"] = counts["most_frequent"];
  json["largest_sites"] = counts["largest_sites"];
}

void AddCorrections(const Run& run, Json* summary) {
  if (!run.plan.options.method.verify_text) return;
  (*summary)["verify"]["corrected"] =
      run.counts["order"].value("corrected", uint64_t{0}) +
      run.counts["verify"].value("corrected", uint64_t{0});
}

Json RunParameters(const Run& run) {
  Json parameters = Json::Parse(run.plan.parameters_json);
  if (run.parts.bands > 0) {
    parameters["bands"] = run.parts.bands;
    parameters["rows"] = run.parts.rows;
  }
  return parameters;
}

Json ExpectedRecall(const Run& run) {
  const RunCounts& counts = run.counts;
  Json recall;
  if (run.parts.expected_recall) {
    recall["at_threshold"] = *run.parts.expected_recall;
  } else {
    recall["at_threshold"] = nullptr;
  }
  const uint64_t hot =
      counts["candidate"].contains("hot_buckets")
          ? counts["candidate"]["hot_buckets"]["members"].get<uint64_t>()
          : 0;
  recall["not_guaranteed_for_documents"] = hot;
  return recall;
}

Json RunObject(const Run& run, double seconds) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  Json object;
  object["seconds"] = seconds;
  object["stage_seconds"] = run.stage_seconds;
  object["threads"] = run.plan.threads;
  object["memory_bytes"] = run.plan.memory_bytes;
  object["peak_reserved_bytes"] = run.budget.peak_bytes();
  object["peak_resident_bytes"] = static_cast<uint64_t>(usage.ru_maxrss) << 10;
  object["simd"] = CurrentSimdTarget();
  object["input_bytes"] = run.input_bytes;
  Json inputs = Json::array();
  const size_t named = std::min(run.plan.inputs.size(), kMostNamedSources);
  for (size_t i = 0; i < named; ++i)
    inputs.push_back(NameText(run.plan.inputs[i].path));
  object["input_files"] = run.plan.inputs.size();
  object["inputs"] = std::move(inputs);
  if (const SavedRun* saved = run.plan.stored.run.get())
    object["saved_run"] = NameText(saved->folder());
  return object;
}

DedupSummary BeginSummary(const Run& run, double seconds) {
  const ReadCounts& read = run.counts.read;
  DedupSummary summary;
  summary.records = read.records;
  summary.documents = read.documents;
  summary.quarantined = read.quarantined;
  summary.skipped = summary.records - summary.documents - summary.quarantined;
  summary.empty = read.empty;
  summary.complete = read.incomplete.empty();
  summary.seconds = seconds;
  summary.warnings = run.warnings;
  if (summary.records > 0 && summary.documents == 0) {
    // Records that the options leave out are no failure.
    if (summary.quarantined == summary.records) summary.complete = false;
    summary.warnings.push_back(
        NoDocumentText(read.sides[0].outcome, "the input"));
  }
  return summary;
}

DedupSummary Summarise(Run* run, double seconds) {
  const RunCounts& counts = run->counts;
  DedupSummary summary = BeginSummary(*run, seconds);
  summary.pairs = Count(counts, "result", "pairs");
  summary.clusters = Count(counts, "cluster", "clusters");
  for (const uint64_t n :
       SourceCounts(*run, counts["result"], "dropped_by_source"))
    summary.dropped += n;
  summary.kept = summary.documents - summary.dropped;
  std::vector<std::string> alarms = FieldWarnings(*run);
  WipeOutAlarm(*run, counts, &alarms);
  if (const uint64_t n = Count(counts, "result", "mostly_template"); n > 0) {
    alarms.push_back(
        std::to_string(n) + (n == 1 ? " cluster is" : " clusters are") +
        " represented by a page that is mostly the template of its site, with "
        "hardly a word of its own: look before dropping, or name the repeated "
        "text with --ignore FILE");
  }
  summary.warnings.insert(summary.warnings.end(), alarms.begin(), alarms.end());

  Json json;
  json["twinset"] = kVersion;
  json["spec"] = kSpec;
  json["complete"] = summary.complete;
  json["incomplete_sources"] = counts.read.incomplete;
  json["seed"] = run->plan.options.method.seed;
  json["parameters"] = RunParameters(*run);
  json["records"] = RecordCounts(counts);
  json["documents"] = {{"read", summary.documents},
                       {"kept", summary.kept},
                       {"dropped", summary.dropped},
                       {"empty", summary.empty}};
  json["text"] = {{"payload_bytes", counts.read.payload_bytes},
                  {"code_points", counts.read.code_points},
                  {"tokens", counts.read.tokens},
                  {"features", counts.read.features},
                  {"fallback_parser", counts.read.fallback_parser},
                  {"malformed", counts.read.malformed_text}};
  AddPages(counts.read, &json);
  json["repeated_ids"] = counts["order"]["repeated_ids"];
  json["classes"] = {{"count", counts["order"]["classes"]},
                     {"copies", counts["order"]["copies"]}};
  json["candidates"] = counts["candidate"]["pairs"];
  AddFlagged(counts, &json);
  json["hot_buckets"] = counts["candidate"]["hot_buckets"];
  json["expected_recall"] = ExpectedRecall(*run);
  json["pairs"] = {{"written", summary.pairs},
                   {"implied", counts["result"]["pairs_implied"]},
                   {"compared", counts["verify"]["compared"]},
                   {"accepted", counts["verify"]["accepted"]}};
  AddCorrections(*run, &json);
  // A join in memory proposes other pairs than the keys that stand in for it.
  const bool memory_counts =
      run->parts.join != nullptr && run->parts.filter == nullptr;
  if (memory_counts) json["candidates"] = json["pairs"]["compared"] = nullptr;
  json["clusters"] = summary.clusters;
  json["largest_clusters"] = counts["result"]["largest_clusters"];
  Json missing = Json::object();
  const auto names = run->plan.priority.Names();
  for (size_t i = 0; i < names.size(); ++i)
    missing[names[i]] = counts["order"]["keep_missing"][i];
  json["keep_missing"] = missing;
  AddTemplate(*run, &json);
  if (counts.contains("prune") && !counts["prune"].empty()) {
    json["max_df"] = {{"common_shingles", counts["prune"]["common_shingles"]},
                      {"most_frequent", counts["prune"]["most_frequent"]}};
  }
  if (counts.contains("write") && !counts["write"].empty())
    json["written"] = counts["write"];
  AddSourceRows(
      *run,
      {{"kept", SourceCounts(*run, counts["result"], "kept_by_source")},
       {"dropped", SourceCounts(*run, counts["result"], "dropped_by_source")}},
      &json);
  json["warnings"] = alarms;
  json["run"] = RunObject(*run, seconds);
  if (memory_counts) json["run"]["candidates"] = counts["candidate"]["pairs"];
  summary.summary_json = json.dump(2) + "\n";
  return summary;
}

}  // namespace twinset
