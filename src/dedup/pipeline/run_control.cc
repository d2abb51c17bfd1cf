#include "pipeline/run_control.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>

#include "base/file.h"
#include "base/stop.h"
#include "documents/deal.h"
#include "pipeline/report/write_report.h"
#include "pipeline/results/renamed_ids.h"
#include "pipeline/results/source_rows.h"
#include "pipeline/run/run_inputs.h"
#include "twinset/version.h"

namespace twinset {

namespace {

Json DescribeRun(const Plan& plan) {
  Json json;
  json["spec"] = kSpecNumber;
  json["version"] = kVersion;
  json["parameters"] = Json::Parse(plan.parameters_json);
  json["parameters"]["late_features"] = plan.features.late;
  if (const Shard& shard = plan.options.shard; shard.of > 0)
    json["parameters"]["shard"] = ShardText(shard);
  if (const Shard& part = plan.options.part; part.of > 0)
    json["parameters"]["part"] = ShardText(part);
  return json;
}

// The first difference between the run that was begun and the one asked for, in
// words.
std::string Difference(const Json& begun, const Json& asked) {
  for (const char* key : {"spec", "version"}) {
    if (begun.at(key) != asked.at(key)) {
      return std::string(key) + " was " + begun.at(key).dump() + " and is " +
             asked.at(key).dump();
    }
  }
  for (const auto& [key, value] : asked.at("parameters").items()) {
    const Json old = begun.at("parameters").value(key, Json());
    if (old != value)
      return "parameter " + key + " was " + old.dump() + " and is " +
             value.dump();
  }
  return "";
}

}  // namespace

void AddStatsFile(const Plan& plan, JobFiles* job) {
  if (plan.scope.stats_by.empty()) return;
  job->files.push_back("stats." +
                       std::string(ChoiceName(plan.options.output_format)));
}

void AddStoredFolders(const Plan& plan, JobFiles* job) {
  for (const StoredInputs& stored : plan.inputs.stored)
    job->inputs.push_back(stored.run->folder());
  for (const auto* folders : {&plan.inputs.shards, &plan.inputs.parts})
    for (const auto& folder : *folders) job->inputs.push_back(folder->folder());
}

JobFiles FilesOfDocuments(const Plan& plan, const std::string& command) {
  const std::string format(ChoiceName(plan.options.output_format));
  JobFiles job = {command,
                  {"clusters." + format, "pairs." + format, "keep.txt",
                   "drop.txt", "empty.txt", "revisits.jsonl",
                   "quarantine.jsonl", "sources.jsonl", kRenamedIds}};
  AddStatsFile(plan, &job);
  if (plan.options.report) job.files.push_back("report.html");
  job.files.push_back(job.done);
  return job;
}

namespace {

Result<Journal> BeginNewJournal(const Plan& plan, RunFolders* folders) {
  Json description = DescribeRun(plan);
  TWINSET_TRY(folders->Begin(plan));
  TWINSET_ASSIGN(description["inputs"], RecordRunInputs(plan));
  return Journal::Create(plan.machine.work, description.dump());
}

}  // namespace

Result<Journal> BeginJournal(const Plan& plan, RunFolders* folders) {
  const PlanOptions& options = plan.options;
  if (!options.resume) return BeginNewJournal(plan, folders);
  const Json description = DescribeRun(plan);
  const JobFiles& job = folders->job();
  if (FileExists(options.out + "/" + job.done)) {
    TWINSET_TRY(folders->RemoveWork());
    return Fail(ErrorCode::kUsage,
                "there is nothing to resume: the run is finished", options.out);
  }
  auto journal = Journal::Open(plan.machine.work);
  if (!journal) {
    if (journal.error().code != ErrorCode::kIo) return journal;
    if (job.begins_on_resume) return BeginNewJournal(plan, folders);
    return Fail(ErrorCode::kUsage, "there is nothing to resume",
                plan.machine.work, "run the command without --resume");
  }
  const Json begun = Json::Parse(journal->begin());
  std::string difference = Difference(begun, description);
  if (difference.empty()) {
    TWINSET_ASSIGN(
        difference,
        CompareRunInputs(plan, begun.at("inputs").get<std::string>()));
  }
  if (!difference.empty()) {
    return Fail(
        ErrorCode::kUsage, "cannot resume: " + difference, options.out,
        "use the same command and inputs, or start anew with --overwrite");
  }
  TWINSET_TRY(folders->Begin(plan));
  return journal;
}

namespace {

// Memory that is not there ends the run as any other error does: it can be
// resumed.
Status RunStage(const Stage& stage, Run* run) try {
  return stage.run(run);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace

Status RunStages(Run* run, std::span<const Stage> stages) {
  bool told = !run->plan.options.resume;  // where this run goes on
  for (const Stage& stage : stages) {
    const std::string name = stage.name;
    TWINSET_TRY(run->CheckStop());
    run->stage = name;
    run->step.clear();
    const auto begin = std::chrono::steady_clock::now();
    if (!stage.repeats && run->journal.IsDone(name)) {
      TWINSET_TRY(run->journal.Verify(name));
      TWINSET_ASSIGN(const std::string entered, run->journal.StageState(name));
      const Json state = Json::Parse(entered);
      if (!StageFieldsFromJson(name, state, run->plan.inputs.files.size(),
                               &run->counts))
        return run->WrongJournal();
      run->TakeWarnings(state);
      if (stage.take_up != nullptr) TWINSET_TRY(stage.take_up(run));
    } else {
      Progress progress;
      if (!told && !stage.is_brief) {
        // A stage that goes on in its middle says so itself.
        progress.resumed = run->journal.Progress(name).empty();
        told = true;
      }
      run->Report(std::move(progress));
      TWINSET_TRY(RunStage(stage, run));
    }
    run->stage_seconds[name] = SecondsSince(begin);
  }
  return {};
}

namespace {

// Returns true iff all was read, and there is no document but those of saved
// runs.
bool AddsNothing(const Run& run) {
  const std::vector<uint64_t>& documents = run.counts.read.source_documents;
  const size_t own = run.plan.inputs.first_own();
  return own > 0 && documents.size() > own &&
         std::all_of(documents.begin() + static_cast<ptrdiff_t>(own),
                     documents.end(), [](uint64_t n) { return n == 0; });
}

}  // namespace

Status LeaveFailed(const Run& run, const Error& error, RunFolders* folders) {
  const bool is_read = run.journal.IsDone("read");
  if (!is_read && (error.code == ErrorCode::kUsage || AddsNothing(run)))
    return folders->Remove();
  const auto& sides = run.counts.read.sides;
  const auto has_nothing = [](const ReadCounts::Side& side) {
    return side.outcome.documents == side.outcome.wordless;
  };
  const bool lacks_side = is_read && run.plan.inputs.first_side != 0 &&
                          (has_nothing(sides[0]) || has_nothing(sides[1]));
  return lacks_side ? folders->RemoveWork() : Status();
}

void CountInputBytes(Run* run) {
  for (const InputFile& input : run->plan.inputs.files)
    run->newest_input_ns = std::max(run->newest_input_ns, input.state.mtime_ns);
  (void)ForEachReadInput(run->plan, [&](const InputFile& input) -> Status {
    if (IsRemote(input.path)) {
      run->input_bytes += input.state.size;
      return {};
    }
    std::error_code error;
    const auto size = std::filesystem::file_size(input.path, error);
    if (!error) run->input_bytes += size;
    return {};
  });
}

namespace {

// What the run has taken, all in all. What was counted before the report was
// made, as if it were all, grows by as much.
void AddTimes(const Run& run, std::chrono::steady_clock::time_point begin,
              Json* object) {
  const double before = (*object)["seconds"].get<double>();
  const double seconds = SecondsSince(begin);
  (*object)["seconds"] = seconds;
  if (object->contains("by_sketches")) {
    Json& sketches = (*object)["by_sketches"]["seconds"];
    sketches = sketches.get<double>() + seconds - before;
  }
  (*object)["stage_seconds"] = run.stage_seconds;
  (*object)["passes"] = Json::array();
  for (const auto& [stage, bytes] : run.passes.stages) {
    Json pass = {{"stage", stage}, {"bytes", bytes}};
    if (const auto at = run.stage_seconds.find(stage);
        at != run.stage_seconds.end())
      pass["seconds"] = at->second;
    (*object)["passes"].push_back(std::move(pass));
  }
}

}  // namespace

Result<ResultPage> FinishRun(Run* run,
                             std::chrono::steady_clock::time_point begin,
                             RunFolders* folders, Json* summary) {
  const std::string& out = run->plan.options.out;
  TWINSET_TRY(WriteSourceRows(*run));
  std::optional<RunStory> story;
  if (run->plan.options.report) {
    const auto begun = std::chrono::steady_clock::now();
    ReportOptions options;
    options.networks = run->plan.options.input.networks;
    options.on_progress = run->plan.options.on_progress;
    TWINSET_ASSIGN(story, GatherRun(out, *summary, options));
    run->stage_seconds["report"] = SecondsSince(begun);
    run->passes.Add("report", story->texts.bytes_read());
  }
  AddTimes(*run, begin, &(*summary)["run"]);
  if (story) {
    story->summary["run"] = (*summary)["run"];
    TWINSET_TRY(WriteRunReport(out, *story));
  }
  TWINSET_ASSIGN(ResultPage page, FindingPage(out, *summary));
  TWINSET_TRY(WriteWholeFile(out + "/summary.json", summary->dump(2) + "\n"));
  TWINSET_TRY(folders->RemoveWork());
  return page;
}

}  // namespace twinset
