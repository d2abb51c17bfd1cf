#include "pipeline/results/summary.h"

#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <optional>
#include <utility>

#include "base/keyed_hash.h"
#include "base/memory_budget.h"
#include "documents/read_outcome.h"
#include "pipeline/read/ingest.h"
#include "pipeline/read/run_fields.h"
#include "pipeline/results/sketch_forecast.h"
#include "pipeline/results/source_rows.h"
#include "pipeline/results/value_stats.h"
#include "report/html_blocks.h"
#include "sketch/simd_target.h"
#include "twinset/plain_words.h"
#include "twinset/version.h"

namespace twinset {

namespace {

// "1,203 of 4,000 documents".
std::string CountOf(uint64_t part, uint64_t documents) {
  return NumberText(part) + " of " + NumberText(documents) + " documents";
}

// Records that the options leave out are no failure.
bool IsComplete(const ReadCounts& read) {
  const bool all_quarantined = read.records > 0 && read.documents == 0 &&
                               read.quarantined == read.records;
  return read.incomplete.empty() && !all_quarantined;
}

constexpr size_t kNamedSources = 3;

// Sources of two documents or more that lose more than half of them: the
// largest losses by name, the others counted.
void SourceAlarm(const Run& run, std::vector<std::string>* warnings) {
  const auto& kept = run.counts.result.kept_by_source;
  const auto& dropped = run.counts.result.dropped_by_source;
  std::vector<size_t> wiped;
  for (size_t i = 0; i < kept.size(); ++i) {
    if (dropped[i] > kept[i] && kept[i] + dropped[i] > 1) wiped.push_back(i);
  }
  std::stable_sort(wiped.begin(), wiped.end(),
                   [&](size_t x, size_t y) { return dropped[x] > dropped[y]; });
  for (size_t n = 0; n < std::min(wiped.size(), kNamedSources); ++n) {
    const size_t i = wiped[n];
    warnings->push_back(
        "source " + run.plan.inputs.files[i].source + " loses " +
        ShareText(dropped[i], kept[i] + dropped[i]) + " of its " +
        CountText(kept[i] + dropped[i], "document"));
  }
  if (wiped.size() > kNamedSources) {
    const size_t more = wiped.size() - kNamedSources;
    warnings->push_back(
        CountText(more, "more source loses", "more sources lose") +
        " more than half of " + (more == 1 ? "its" : "their") + " documents");
  }
}

// Losing most of a source, or one giant cluster, is more often a mistake than a
// finding.
void WipeOutAlarm(const Run& run, std::vector<std::string>* warnings) {
  SourceAlarm(run, warnings);
  const uint64_t documents = run.documents();
  for (const auto& cluster : run.counts.result.largest_clusters) {
    if (cluster.size < 3 || cluster.size * 10 <= documents) continue;
    warnings->push_back("the cluster of " + cluster.cluster + " holds " +
                        CountOf(cluster.size, documents) +
                        "; look at some of them before you delete anything");
  }
}

// `of_side`: what was counted of it.
void SideWarnings(const Run& run, size_t side, const ReadCounts::Side& of_side,
                  std::vector<std::string>* warnings) {
  const Plan& plan = run.plan;
  const std::string whose = plan.inputs.first_side == 0 ? ""
                            : side == 0                 ? " of A"
                                                        : " of B";
  const std::string none = "no document" + whose + " has ";
  const uint64_t documents = of_side.outcome.documents;
  const auto missing = [&](size_t bit) {
    return bit < field_bit::kCount && of_side.present[bit] == 0;
  };
  for (const AskedField& field : AskedFieldsOf(run, side)) {
    if (field.present == documents) continue;
    const std::string what =
        "the field \"" + field.name + "\" of " + field.flag;
    // None is an error unless a program or a saved run handed them over.
    warnings->push_back(field.present == 0
                            ? none + what
                            : CountOf(documents - field.present, documents) +
                                  whose + " do not have " + what);
  }
  for (const ScopeField* scope : {&plan.scope.within, &plan.scope.across}) {
    const bool by_url =
        scope->kind == ScopeField::kHost || scope->kind == ScopeField::kUrl;
    if (by_url && missing(field_bit::kUrl)) {
      warnings->push_back(none + "an address, which --within or --across " +
                          scope->name + " compares");
    }
  }
  if (plan.scope.window_seconds != 0 && missing(field_bit::kDate))
    warnings->push_back(none + "a date, which --window compares");
}

// A file that is read again, by whatever name, makes duplicates of all its
// documents. Of saved runs it is not known which files they were.
void RepeatWarning(const Plan& plan, size_t side,
                   std::vector<std::string>* warnings) {
  struct Known {
    uint64_t device, inode;
    size_t file;
    auto operator<=>(const Known&) const = default;
  };
  std::vector<Known> known;
  for (size_t i = 0; i < plan.inputs.files.size(); ++i) {
    if (plan.inputs.SideOf(i) != side || plan.inputs.IsStored(i)) continue;
    const InputFile file = plan.inputs.files[i];
    if (IsRemote(file.path))  // objects may have equal entity tags
      known.push_back({0, EqualityHash::OfProcess().Short(file.path), i});
    else if (file.state.regular)
      known.push_back({file.state.device, file.state.inode, i});
  }
  std::sort(known.begin(), known.end());
  std::optional<std::pair<size_t, size_t>> first;  // repeat, what it repeats
  uint64_t repeats = 0;
  for (size_t i = 1; i < known.size(); ++i) {
    const Known &is = known[i], &before = known[i - 1];
    if (is.device != before.device || is.inode != before.inode) continue;
    ++repeats;
    if (!first || is.file < first->first) first = {is.file, before.file};
  }
  if (!first) return;
  const auto& files = plan.inputs.files;
  std::string text = files[first->first].source + " is the same file as " +
                     files[first->second].source;
  if (repeats > 1)
    text += ", and " +
            CountText(repeats - 1, "more input repeats", "more inputs repeat") +
            " one";
  warnings->push_back(text +
                      ": what is in it counts each time; name each "
                      "file once");
}

void PreferWarning(const Plan& plan, std::vector<std::string>* warnings) {
  std::string names;
  for (const std::string& idle :
       Preferences(plan.scope.priority, plan.inputs.files).Idle())
    names += (names.empty() ? "'" : ", '") + NameText(idle) + "'";
  if (!names.empty()) warnings->push_back("--prefer names no input: " + names);
}

// What was given to read, for who reads it again from another folder.
void AddArguments(const std::vector<std::string>& inputs, Json* object) {
  if (inputs.empty() || inputs.size() > kMostNamedSources) return;
  std::error_code error;
  const std::string here = std::filesystem::current_path(error).string();
  Json arguments = Json::array();
  for (const std::string& input : inputs) {
    const bool is_whole =
        error || input == "-" || input.starts_with('/') || IsRemote(input);
    arguments.push_back(NameText(is_whole ? input : here + "/" + input));
  }
  (*object)["arguments"] = std::move(arguments);
}

}  // namespace

std::vector<std::string> ReadWarnings(const Run& run) {
  const ReadCounts& read = run.counts.read;
  std::vector<std::string> warnings = OddityWarnings(read.oddities);
  for (std::string& warning :
       CutOffWarnings(read.quarantine_reasons, "quarantine.jsonl"))
    warnings.push_back(std::move(warning));
  for (size_t side = 0; side < 2; ++side) {
    const ReadCounts::Side& of_side = run.counts.read.sides[side];
    if (of_side.outcome.documents == 0) continue;
    SideWarnings(run, side, of_side, &warnings);
    RepeatWarning(run.plan, side, &warnings);
  }
  PreferWarning(run.plan, &warnings);
  return warnings;
}

Json SummaryHead(const Run& run, const RevisitCounts& revisit) {
  const ReadCounts& read = run.counts.read;
  Json json;
  json["twinset"] = kVersion;
  json["spec"] = kSpecNumber;
  json["complete"] = IsComplete(read);
  json["incomplete_sources"] = read.incomplete;
  if (read.more_incomplete)
    json["more_incomplete_sources"] = *read.more_incomplete;
  if (run.plan.features.form != FeatureForm::kUnits)
    json["seed"] = run.plan.options.method.seed;
  json["parameters"] = RunParameters(run);
  json["records"] = {{"read", read.records},
                     {"documents", read.documents},
                     {"skipped", read.skipped},
                     {"revisit", FieldsToJson(revisit)},
                     {"quarantined", read.quarantined},
                     {"quarantine_reasons", read.quarantine_reasons}};
  if (run.counts.renamed_ids > 0) json["renamed_ids"] = run.counts.renamed_ids;
  if (const uint64_t limit = run.plan.options.limit; limit > 0) {
    const auto reached = [&](size_t side) {
      return read.sides[side].limited.has_value();
    };
    json["limit"]["documents"] = limit;
    if (run.plan.inputs.first_side == 0)
      json["limit"]["reached"] = reached(0);
    else
      json["limit"]["reached"] = {{"a", reached(0)}, {"b", reached(1)}};
  }
  return json;
}

Json TextObject(const Run& run) {
  const ReadCounts& read = run.counts.read;
  Json text = {{"payload_bytes", read.payload_bytes},
               {"code_points", read.code_points},
               {"tokens", read.tokens}};
  if (run.plan.features.form != FeatureForm::kUnits)
    text["features"] = read.features;
  text["fallback_parser"] = read.fallback_parser;
  text["malformed"] = read.malformed_text;
  if (const uint64_t pages = read.oddities.malformed_xml.count; pages > 0)
    text["malformed_xml"] = pages;
  return text;
}

void AddFlagged(const CandidateCounts& counts, Json* json) {
  if (counts.flagged > 0) (*json)["flagged"] = counts.flagged;
}

void AddPages(const ReadCounts& read, Json* summary) {
  if (read.page_kinds.empty()) return;
  (*summary)["pages"] = {{"kinds", read.page_kinds},
                         {"unsure", read.unsure_pages}};
}

void AddTemplate(const Run& run, Json* summary) {
  const auto& counts = run.counts.site_template;
  if (!counts) return;
  Json& json = (*summary)["template"];
  json["sites"] = counts->sites;
  json["pages"] = counts->pages;
  json["blocks"] = counts->blocks;
  json["pages_cut"] = counts->pages_cut;
  json["code_points_dropped"] = counts->code_points_dropped;
  json["pages_whole"] = counts->pages_whole;
  json["pages_widened"] = counts->pages_widened;
  if (run.plan.inputs.first_side == 0)
    json["clusters_mostly_template"] = run.counts.result.mostly_template;
  json["most_frequent"] = FieldsToJson(counts->most_frequent);
  json["largest_sites"] = FieldsToJson(counts->largest_sites);
}

void AddCorrections(const Run& run, Json* summary) {
  if (!run.plan.options.method.verify_text) return;
  (*summary)["verify"]["corrected"] = run.counts.order.corrected.value_or(0) +
                                      run.counts.verify.corrected.value_or(0);
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
  Json recall;
  if (run.parts.expected_recall) {
    recall["at_threshold"] = *run.parts.expected_recall;
  } else {
    recall["at_threshold"] = nullptr;
  }
  // By construction, not by a law of chance.
  recall["complete"] = run.parts.complete && run.plan.options.method.verify;
  recall["not_guaranteed_for_documents"] =
      run.counts.candidate.hot_buckets.members;
  return recall;
}

Json StoredFolders(const Plan& plan) {
  if (plan.inputs.stored.size() == 1)
    return NameText(plan.inputs.stored[0].name);
  Json folders = Json::array();
  for (const StoredInputs& stored : plan.inputs.stored)
    folders.push_back(NameText(stored.name));
  return folders;
}

Json RunObject(const Run& run, double seconds) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  Json object;
  object["seconds"] = seconds;
  object["stage_seconds"] = run.stage_seconds;
  object["threads"] = run.plan.machine.threads;
  object["memory_bytes"] =
      run.plan.machine.memory_bytes + run.plan.machine.window_bytes;
  object["peak_reserved_bytes"] = run.budget.peak_bytes();
  object["peak_resident_bytes"] = static_cast<uint64_t>(usage.ru_maxrss) << 10;
  object["simd"] = CurrentSimdTarget();
  object["input_bytes"] = run.input_bytes;
  object["newest_input_ns"] = run.newest_input_ns;
  Json inputs = Json::array();
  const size_t named =
      std::min(run.plan.inputs.files.size(), kMostNamedSources);
  for (size_t i = 0; i < named; ++i)
    inputs.push_back(NameText(run.plan.inputs.files[i].path));
  object["input_files"] = run.plan.inputs.files.size();
  object["inputs"] = std::move(inputs);
  // Who joins a saved run names but its own inputs.
  if (const auto& shards = run.plan.inputs.shards; !shards.empty()) {
    object["shards"] = shards.size();
  } else if (run.plan.inputs.stored.empty()) {
    AddArguments(run.plan.options.input.inputs, &object);
  } else {
    object["saved_run"] = StoredFolders(run.plan);
    if (run.plan.inputs.first_side == 0)
      object["reconsidered"] = !run.plan.inputs.stored[0].keeps;
  }
  if (run.counts.asked)
    object["saved_documents_taken"] = run.counts.asked->taken;
  if (const auto sketches = ForecastSketches(run, seconds)) {
    object["by_sketches"] = {
        {"method", sketches->method},
        {"seconds", sketches->seconds},
        {"recall_at_threshold", sketches->recall_at_threshold}};
  }
  return object;
}

RunSummary BeginSummary(const Run& run, double seconds) {
  const ReadCounts& read = run.counts.read;
  RunSummary summary;
  summary.records = read.records;
  summary.documents = read.documents;
  summary.quarantined = read.quarantined;
  summary.skipped = summary.records - summary.documents - summary.quarantined;
  summary.empty = read.empty;
  summary.complete = IsComplete(read);
  summary.seconds = seconds;
  summary.warnings = run.warnings;
  if (read.more_incomplete) {
    summary.warnings.push_back(CountText(*read.more_incomplete, "more input") +
                               " could not be read to their end");
  }
  if (summary.records > 0 && summary.documents == 0) {
    summary.warnings.push_back(
        NoDocumentText(read.sides[0].outcome, "the input"));
  }
  return summary;
}

namespace {

// What may be wrong.
// A rule of --keep that no document has a value for.
void KeepAlarm(const Run& run, std::vector<std::string>* warnings) {
  const auto names = run.plan.scope.priority.Names();
  for (size_t i = 0; i < names.size(); ++i) {
    if (run.documents() == 0 ||
        run.counts.order.keep_missing[i] != run.documents())
      continue;
    const bool is_date = names[i] == "newest" || names[i] == "oldest";
    const bool is_field =
        names[i].starts_with("max:") || names[i].starts_with("min:");
    warnings->push_back("--keep " + names[i] +
                        " decides nothing: no document has " +
                        (is_date    ? "a date there, as 2026-01-31"
                         : is_field ? "a number there"
                                    : "an address"));
  }
}

std::vector<std::string> AlarmsOf(const Run& run) {
  std::vector<std::string> alarms = ReadWarnings(run);
  KeepAlarm(run, &alarms);
  WipeOutAlarm(run, &alarms);
  return alarms;
}

// What deserves a look before anything is dropped.
std::vector<std::string> NoticesOf(const Run& run) {
  const uint64_t n = run.counts.result.mostly_template;
  if (n == 0) return {};
  return {CountText(n, "cluster is", "clusters are") +
          " represented by a page that is mostly the template of its site, "
          "with hardly a word of its own: look before dropping, or name the "
          "repeated text with --ignore FILE"};
}

Json PairsObject(const RunCounts& counts) {
  Json pairs = {
      {"written", counts.result.pairs},
      {"implied", counts.result.pairs_implied},
      {"compared", counts.verify.compared},
      {"accepted", counts.list ? counts.list->listed : counts.verify.accepted}};
  if (counts.list && counts.list->large_clusters > 0) {
    pairs["large_clusters"] = {{"count", counts.list->large_clusters},
                               {"documents", counts.list->large_documents}};
  }
  return pairs;
}

// The text of the documents that go.
Json DroppedObject(const DroppedText& text) {
  const auto sum = [](const std::vector<uint64_t>& counts) {
    return std::accumulate(counts.begin(), counts.end(), uint64_t{0});
  };
  return {{"payload_bytes", sum(text.bytes)}, {"tokens", sum(text.tokens)}};
}

Json KeepMissing(const Run& run) {
  Json missing = Json::object();
  const auto names = run.plan.scope.priority.Names();
  for (size_t i = 0; i < names.size(); ++i)
    missing[names[i]] = run.counts.order.keep_missing[i];
  return missing;
}

}  // namespace

DedupSummary Summarise(Run* run, double seconds) {
  const RunCounts& counts = run->counts;
  DedupSummary summary = {BeginSummary(*run, seconds)};
  summary.pairs = counts.result.pairs;
  summary.clusters = counts.cluster.clusters;
  for (const uint64_t n : counts.result.dropped_by_source) summary.dropped += n;
  summary.kept = summary.documents - summary.dropped;
  const std::vector<std::string> alarms = AlarmsOf(*run);
  summary.warnings.insert(summary.warnings.end(), alarms.begin(), alarms.end());
  summary.notices = NoticesOf(*run);

  Json json = SummaryHead(*run, counts.result.revisit);
  json["documents"] = {{"read", summary.documents},
                       {"kept", summary.kept},
                       {"dropped", summary.dropped},
                       {"empty", summary.empty}};
  json["dropped"] = DroppedObject(counts.result.dropped_text);
  json["text"] = TextObject(*run);
  AddPages(counts.read, &json);
  json["repeated_ids"] = counts.order.repeated_ids;
  json["classes"] = {{"count", counts.order.classes},
                     {"copies", counts.order.copies}};
  json["candidates"] = counts.candidate.pairs;
  AddFlagged(counts.candidate, &json);
  json["hot_buckets"] = FieldsToJson(counts.candidate.hot_buckets);
  json["expected_recall"] = ExpectedRecall(*run);
  json["pairs"] = PairsObject(counts);
  AddCorrections(*run, &json);
  if (const auto& judged = counts.result.judged) {
    summary.judgements = *judged;
    json["judgements"] = JudgementsJson(*judged);
  }
  // Which pairs such a join proposes depends on the memory and the secret.
  const bool memory_counts =
      run->parts.join != nullptr && run->parts.filter == nullptr;
  if (memory_counts) json["candidates"] = json["pairs"]["compared"] = nullptr;
  json["clusters"] = summary.clusters;
  json["largest_clusters"] = FieldsToJson(counts.result.largest_clusters);
  if (counts.result.contained)
    json["contained"] = FieldsToJson(*counts.result.contained);
  json["keep_missing"] = KeepMissing(*run);
  AddTemplate(*run, &json);
  if (counts.prune) {
    json["max_df"] = {
        {"common_shingles", counts.prune->common_shingles},
        {"most_frequent", FieldsToJson(counts.prune->most_frequent)}};
  }
  if (counts.write) json["written"] = FieldsToJson(counts.write);
  AddSourceRows(*run, &json);
  AddValueStats(*run, counts.result.stats_by, &json);
  json["warnings"] = alarms;
  if (!summary.notices.empty()) json["notices"] = summary.notices;
  json["run"] = RunObject(*run, seconds);
  if (memory_counts) json["run"]["candidates"] = counts.candidate.pairs;
  summary.json = std::move(json);
  return summary;
}

}  // namespace twinset
