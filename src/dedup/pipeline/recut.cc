// A saved run decided again.
#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <utility>

#include "base/stop.h"
#include "pipeline/results/summary.h"
#include "pipeline/run/run_key.h"
#include "pipeline/run_control.h"
#include "pipeline/saved/recut_stages.h"
#include "pipeline/saved/save_run.h"
#include "pipeline/saved/saved_options.h"
#include "twinset/plain_words.h"
#include "twinset/saved_run.h"

namespace twinset {

namespace {

Status CheckThreshold(const SavedRun& saved, double threshold) {
  const auto least =
      saved.description()["parameters"]["threshold"].get<double>();
  if (threshold >= least) return {};
  return Fail(ErrorCode::kUsage,
              "--threshold " + Json(threshold).dump() +
                  " is below that of the saved run, " + Json(least).dump() +
                  ": pairs below it were not kept",
              saved.folder(), "run dedup with the lower threshold");
}

Result<PlanOptions> OptionsOf(const SavedRun& saved,
                              const RecutOptions& options) {
  TWINSET_ASSIGN(PlanOptions run, SavedOptions(saved));
  // Those that were derived from the threshold stay.
  const auto bands = saved.description()["bands"].get<int>();
  if (bands > 0) {
    run.method.bands = bands;
    run.method.rows = saved.description()["rows"].get<int>();
  }
  if (options.threshold) {
    TWINSET_TRY(CheckThreshold(saved, *options.threshold));
    run.method.threshold = *options.threshold;
    run.method.given.push_back("threshold");
  }
  const auto take = [](const auto& from, auto* to) {
    if (from) *to = *from;
  };
  take(options.keep, &run.keep);
  take(options.prefer, &run.prefer);
  take(options.stats_by, &run.stats_by);
  take(options.cluster, &run.cluster);
  take(options.pairs, &run.pairs);
  take(options.action, &run.action);
  take(options.max_loss, &run.max_loss);
  take(options.output_format, &run.output_format);
  run.out = options.out;
  run.report = options.report;
  run.kinds |= options.kinds;
  if (run.kinds) TWINSET_TRY(CheckKeepsTexts(saved));
  run.overwrite = options.overwrite;
  run.resources = options.resources;
  ForgetKey(&run.resources);
  run.on_progress = options.on_progress;
  run.stop = options.stop;
  return run;
}

// Links that nothing of this run changes are those of the saved run.
Status TakeHashes(const SavedRun& saved, Plan* plan) {
  const StageHashes old = SavedHashes(saved);
  TWINSET_ASSIGN(const Json before, SavedParameters(saved));
  const Json now = Json::Parse(plan->parameters_json);
  const auto same = [&](bool (*belongs)(std::string_view)) {
    for (const auto& [name, value] : now.items()) {
      const bool is_derived = name == "bands" || name == "rows";
      if (belongs(name) && !is_derived && before[name] != value) return false;
    }
    return true;
  };
  plan->hashes.read = old.read;
  plan->hashes.sketch = old.sketch;
  const bool same_order = same(DecidesOrder);
  if (same_order) plan->hashes.order = old.order;
  if (same_order && same(DecidesPairs)) plan->hashes.pairs = old.pairs;
  return {};
}

// The list of stop words is not read: what it has left of the texts is stored.
// So the run says of it what the saved one did, in the same place.
void KeepStopWords(const SavedRun& saved, const std::string& stop_words,
                   Plan* plan) {
  plan->options.features.stop_words = stop_words;
  const Json& before = saved.description()["parameters"];
  std::map<std::string, std::string> stands_before;
  std::string last;
  for (const auto& [name, value] : before.items()) {
    if (last.starts_with("stop_words")) stands_before[name] = last;
    last = name;
  }
  const Json now = Json::Parse(plan->parameters_json);
  Json parameters;
  for (const auto& [name, value] : now.items()) {
    const auto at = stands_before.find(name);
    if (at != stands_before.end()) parameters[at->second] = before[at->second];
    parameters[name] = value;
  }
  plan->parameters_json = parameters.dump();
}

Result<Plan> PlanRecut(const SavedRun& saved, const RecutOptions& options) {
  TWINSET_ASSIGN(PlanOptions run, OptionsOf(saved, options));
  TWINSET_ASSIGN(InputList inputs, SavedInputs(saved));
  const std::string stop_words =
      std::exchange(run.features.stop_words, FeatureOptions().stop_words);
  TWINSET_ASSIGN(Plan plan, MakePlan(run, nullptr, std::move(inputs)));
  TWINSET_ASSIGN(plan.scope.field_places,
                 PlacesOfFields(saved, plan.inputs.read.fields));
  TWINSET_TRY(MakeSketching(plan.options, &plan.features));
  TWINSET_TRY(TakeHashes(saved, &plan));
  TWINSET_ASSIGN(const RunCounts counts,
                 SavedCounts(saved, plan.inputs.files.size()));
  if (saved.Has(SavedRun::kKey)) {
    TWINSET_TRY(TakeKey(saved.folder(), &plan));
  } else if (counts.site_template && counts.site_template->pages_cut > 0) {
    return Fail(ErrorCode::kUsage,
                "the key of the saved run is not there, and without it pages "
                "cannot be compared with their template",
                saved.Path(SavedRun::kKey));
  }
  KeepStopWords(saved, stop_words, &plan);
  return plan;
}

}  // namespace

Result<DedupSummary> v1::Recut(const RecutOptions& options) try {
  const auto begin = std::chrono::steady_clock::now();
  TWINSET_ASSIGN(const SavedRun saved, SavedRun::Open(options.saved));
  TWINSET_TRY(CheckPlaces(saved, {options.out, options.resources.tmp}));
  TWINSET_ASSIGN(Plan plan, PlanRecut(saved, options));
  JobFiles job = FilesOfDocuments(plan, "recut");
  job.inputs = {options.saved};
  job.resumable = false;
  TWINSET_ASSIGN(RunFolders folders, RunFolders::Open(plan, std::move(job)));
  TWINSET_TRY(folders.Begin(plan));
  TWINSET_ASSIGN(Journal journal, Journal::Create(plan.machine.work, "{}"));
  Run run(std::move(plan), std::move(journal));
  run.stage = "decide";
  TWINSET_TRY(TakeSaved(saved, &run));
  TWINSET_TRY(PrepareStage(&run));
  TWINSET_ASSIGN(const bool made_again, DecideAgain(saved, &run));
  const Stage stages[] = {kClusterStage, kListStage, kResultStage};
  TWINSET_TRY(RunStages(&run, stages));
  DedupSummary summary = Summarise(&run, SecondsSince(begin));
  Json& json = summary.json;
  json["run"]["recut"] = {
      {"saved_run", NameText(options.saved)},
      {"saved_threshold", saved.description()["parameters"]["threshold"]},
      {"candidates", made_again ? "made again" : "kept"}};
  TWINSET_ASSIGN(summary.page, FinishRun(&run, begin, &folders, &json));
  summary.seconds = json["run"]["seconds"].get<double>();
  return summary;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
