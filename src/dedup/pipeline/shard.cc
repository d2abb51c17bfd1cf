// One shard of a run: the read stage over some of its records.
#include <chrono>

#include "base/stop.h"
#include "documents/deal.h"
#include "pipeline/results/summary.h"
#include "pipeline/run/run_inputs.h"
#include "pipeline/run_control.h"
#include "pipeline/shards/shard_folder.h"
#include "twinset/plain_words.h"
#include "twinset/shards.h"

namespace twinset {

namespace {

tl::unexpected<Error> NotOfShards(const char* what, const char* remedy) {
  return Fail(ErrorCode::kUsage,
              std::string(what) +
                  " does not go with a shard, which decides "
                  "nothing",
              "", remedy);
}

Status CheckShardOptions(const DedupOptions& options, const Shard& shard) {
  if (shard.of == 0 || shard.of > kMostShards || shard.number >= shard.of) {
    return Fail(ErrorCode::kUsage, "there is no shard " + ShardText(shard) +
                                       ": of N shards, at "
                                       "most " +
                                       NumberText(kMostShards) +
                                       ", the first is 0/N");
  }
  if (options.save.empty()) {
    return Fail(ErrorCode::kUsage, "no folder for the shard is given", "",
                "add --save DIR");
  }
  if (!GivesKey(options.resources)) {
    return Fail(ErrorCode::kUsage,
                "shards are compared under one secret, and no key is given", "",
                "make one file for all shards with: openssl rand -hex 16 > "
                "run.key; and add --key run.key");
  }
  constexpr const char* kToMerge = "give it to twinset merge";
  if (!options.out.empty()) return NotOfShards("--out", kToMerge);
  if (options.report) return NotOfShards("--report", kToMerge);
  if (!options.write.empty()) {
    return NotOfShards("--write",
                       "write the corpus from the drop list of the "
                       "merge: twinset patch");
  }
  if (!options.attributes.empty())
    return NotOfShards("--attributes", "leave it out");
  if (options.limit > 0) return NotOfShards("--limit", "leave it out");
  if (options.resources.late_features)
    return NotOfShards("--late-features",
                       "leave it out: the merge compares what shards keep");
  if (!options.add.empty() || options.reconsider)
    return NotOfShards("--add", "add the merged run, which merge --save keeps");
  return {};
}

// All inputs have sizes, which the deal goes by.
Status CheckFiles(const Plan& plan) {
  for (const InputFile& input : plan.inputs.files) {
    if (input.state.regular) continue;
    return Fail(ErrorCode::kUsage,
                "a shard reads files alone: which records are its own follows "
                "from their sizes",
                input.path, "write it into a file first");
  }
  return {};
}

Result<Plan> PlanShard(const DedupOptions& options, const Shard& shard) {
  TWINSET_TRY(CheckShardOptions(options, shard));
  PlanOptions shaped(options);
  shaped.out = std::move(shaped.save);
  shaped.save.clear();
  shaped.shard = shard;
  TWINSET_ASSIGN(Plan plan, MakePlan(shaped));
  TWINSET_TRY(CheckAskedSide(plan));
  TWINSET_TRY(MakeSketching(plan.options, &plan.features));
  TWINSET_TRY(CheckFiles(plan));
  return plan;
}

ShardSummary SummaryOf(const Shard& shard, const ReadCounts& read,
                       uint64_t input_bytes, double seconds) {
  ShardSummary summary;
  summary.shard = shard;
  summary.records = read.records;
  summary.documents = read.documents;
  summary.quarantined = read.quarantined;
  summary.skipped = read.records - read.documents - read.quarantined;
  summary.empty = read.empty;
  summary.complete = read.incomplete.empty();
  summary.seconds = seconds;
  summary.json["shard"] = {{"number", shard.number}, {"of", shard.of}};
  summary.json["records"] = {{"read", read.records},
                             {"documents", read.documents},
                             {"skipped", read.skipped},
                             {"quarantined", read.quarantined},
                             {"quarantine_reasons", read.quarantine_reasons}};
  summary.json["incomplete_sources"] = read.incomplete;
  summary.json["run"] = {{"seconds", seconds}, {"input_bytes", input_bytes}};
  return summary;
}

// The shard that stands in the folder, if it is the one that is asked for.
std::optional<ShardSummary> FindFinished(const Plan& plan) {
  const std::string& folder = plan.options.out;
  if (plan.options.overwrite || !SavedRun::IsOfKind(folder, kShardOfRun))
    return {};
  const auto shard = SavedRun::Open(folder, kShardOfRun);
  if (!shard || NumberOf(*shard) != plan.options.shard ||
      !CheckSameRun(*shard, plan))
    return {};
  const auto key = LoadKey(folder, "shard");
  ReadCounts read;
  if (!key || *key != plan.features.key ||
      !FieldsFromJson(shard->description()["counts_of_read"],
                      plan.inputs.files.size(), &read))
    return {};
  ShardSummary summary =
      SummaryOf(plan.options.shard, read,
                shard->description()["input_bytes"].get<uint64_t>(), 0);
  summary.was_there = true;
  return summary;
}

JobFiles FilesOfShard() {
  JobFiles job = {"dedup", ShardFiles(), kShardOfRun.manifest};
  job.files.push_back(job.done);
  job.begins_on_resume = true;
  return job;
}

}  // namespace

Result<ShardSummary> v1::ReadShard(const DedupOptions& options,
                                   const Shard& shard) try {
  const auto begin = std::chrono::steady_clock::now();
  TWINSET_ASSIGN(Plan plan, PlanShard(options, shard));
  if (auto finished = FindFinished(plan)) return *std::move(finished);
  TWINSET_ASSIGN(RunFolders folders, RunFolders::Open(plan, FilesOfShard()));
  TWINSET_ASSIGN(Journal journal, BeginJournal(plan, &folders));
  TWINSET_TRY(KeepKey(journal, &plan));
  // What was not begun does not go on.
  plan.options.resume &=
      journal.IsDone("read") || !journal.Progress("read").empty();
  Run run(std::move(plan), std::move(journal));
  CountInputBytes(&run);
  if (const Status done = RunStages(&run, {&kReadStage, 1}); !done) {
    TWINSET_TRY(LeaveFailed(run, done.error(), &folders));
    return tl::unexpected(done.error());
  }
  TWINSET_TRY(KeepShard(&run));
  TWINSET_TRY(folders.RemoveWork());
  ShardSummary summary =
      SummaryOf(shard, run.counts.read, run.input_bytes, SecondsSince(begin));
  summary.warnings = run.warnings;
  return summary;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
