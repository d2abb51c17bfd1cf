// A saved run decided again.
#include "twinset/recut.h"

#include <algorithm>
#include <chrono>

#include "pipeline/results/summary.h"
#include "pipeline/run/recut_with.h"
#include "pipeline/run/run_key.h"
#include "pipeline/run_control.h"
#include "pipeline/saved/recut_stages.h"
#include "pipeline/saved/save_run.h"
#include "store/file_identity.h"
#include "twinset/names.h"

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

Result<DedupOptions> OptionsOf(const SavedRun& saved,
                               const RecutOptions& options) {
  TWINSET_ASSIGN(DedupOptions run, SavedOptions(saved));
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
  take(options.cluster, &run.cluster);
  take(options.pairs, &run.pairs);
  take(options.action, &run.action);
  take(options.output_format, &run.output_format);
  run.out = options.out;
  run.report = options.report;
  run.overwrite = options.overwrite;
  run.resources = options.resources;
  run.resources.key.clear();
  run.on_progress = options.on_progress;
  run.stop = options.stop;
  return run;
}

// Where the fields that the plan asks for stand among the stored ones.
Status PlaceFields(const SavedRun& saved, Plan* plan) {
  std::vector<std::string> stored;
  for (const Json& name : saved.description()["stored_fields"]) {
    const auto text = name.get<std::string>();
    stored.push_back(NameBytes(text).value_or(text));
  }
  plan->field_places.clear();
  for (const std::string& field : plan->read.fields) {
    const auto at = std::find(stored.begin(), stored.end(), field);
    if (at == stored.end()) {
      return Fail(ErrorCode::kUsage,
                  "the saved run has not kept the field \"" + NameText(field) +
                      "\": it has those that its own --keep, --within and "
                      "--across named",
                  saved.folder(), "run dedup with --keep max:FIELD and --save");
    }
    plan->field_places.push_back(static_cast<size_t>(at - stored.begin()));
  }
  return {};
}

// Links that nothing of this run changes are those of the saved run.
void TakeHashes(const SavedRun& saved, Plan* plan) {
  const StageHashes old = SavedHashes(saved);
  const Json& before = saved.description()["parameters"];
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
}

// Not even beside its files is anything written.
Status CheckPlaces(const RecutOptions& options) {
  TWINSET_ASSIGN(const std::string saved, CanonicalPath(options.saved));
  for (const std::string& place : {options.out, options.resources.tmp}) {
    if (place.empty()) continue;
    TWINSET_ASSIGN(const std::string path, CanonicalPath(place));
    if (path != saved && !path.starts_with(saved + "/")) continue;
    return Fail(ErrorCode::kUsage, "the folder is in the saved run", place,
                "choose another: a saved run is never written");
  }
  return {};
}

Result<Plan> PlanRecut(const SavedRun& saved, const RecutOptions& options,
                       const Method* method) {
  TWINSET_ASSIGN(const DedupOptions run, OptionsOf(saved, options));
  TWINSET_ASSIGN(InputList inputs, SavedInputs(saved));
  TWINSET_ASSIGN(Plan plan, MakePlan(run, method, std::move(inputs)));
  TWINSET_TRY(PlaceFields(saved, &plan));
  TWINSET_TRY(PlanSketching(&plan));
  TakeHashes(saved, &plan);
  if (saved.Has(SavedRun::kKey)) {
    TWINSET_TRY(TakeKey(saved.folder(), &plan));
  } else if (saved.description()["counts"]["template"]["pages_cut"]
                 .get<uint64_t>() > 0) {
    return Fail(ErrorCode::kUsage,
                "the key of the saved run is not there, and without it pages "
                "cannot be compared with their template",
                saved.Path(SavedRun::kKey));
  }
  return plan;
}

}  // namespace

Result<DedupSummary> RecutWith(const RecutOptions& options,
                               const Method* method) {
  const auto begin = std::chrono::steady_clock::now();
  TWINSET_ASSIGN(const SavedRun saved, SavedRun::Open(options.saved));
  TWINSET_TRY(CheckPlaces(options));
  TWINSET_ASSIGN(Plan plan, PlanRecut(saved, options, method));
  JobFiles job = FilesOfDocuments(plan, "recut");
  job.inputs = {options.saved};
  job.resumable = false;
  TWINSET_ASSIGN(RunFolders folders, RunFolders::Open(plan, std::move(job)));
  TWINSET_TRY(folders.Begin(plan));
  TWINSET_ASSIGN(Journal journal, Journal::Create(plan.work, "{}"));
  Run run(std::move(plan), std::move(journal));
  TWINSET_TRY(TakeSaved(saved, &run));
  TWINSET_TRY(PrepareStage(&run));
  TWINSET_ASSIGN(const bool made_again, DecideAgain(saved, &run));
  constexpr Stage kStages[] = {{"cluster", ClusterStage},
                               {"result", ResultStage}};
  TWINSET_TRY(RunStages(&run, kStages));
  DedupSummary summary = Summarise(
      &run,
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count());
  Json json = Json::Parse(summary.summary_json);
  json["run"]["recut"] = {
      {"saved_run", NameText(options.saved)},
      {"saved_threshold", saved.description()["parameters"]["threshold"]},
      {"candidates", made_again ? "made again" : "kept"}};
  summary.summary_json = json.dump(2) + "\n";
  TWINSET_TRY(FinishRun(run, summary.summary_json, &folders));
  return summary;
}

Result<DedupSummary> Recut(const RecutOptions& options) {
  return RecutWith(options, nullptr);
}

}  // namespace twinset
