// twinset/corpora/patch.h: a patch applied to a copy (docs/methods/patch.md).
#include <utility>

#include "base/bytes.h"
#include "base/file.h"
#include "base/stop.h"
#include "documents/document_pass.h"
#include "options/resources.h"
#include "patch/patch_editor.h"
#include "patch/patch_match.h"
#include "patch/patch_reading.h"
#include "pipeline/run/run_key.h"
#include "pipeline/run_control.h"
#include "read/table_helpers.h"
#include "report/kept_page.h"
#include "twinset/corpora/patch.h"
#include "twinset/plain_words.h"
#include "twinset/version.h"

namespace twinset {

namespace {

// Counts of the comparison, which a resumed run takes from its journal.
constexpr std::pair<const char*, uint64_t PatchApplyResult::*> kCompared[] = {
    {"inputs", &PatchApplyResult::inputs},
    {"identical_inputs", &PatchApplyResult::identical},
    {"differing_inputs", &PatchApplyResult::differing_inputs},
    {"missing_inputs", &PatchApplyResult::missing_inputs},
    {"entries", &PatchApplyResult::entries},
    {"matched", &PatchApplyResult::matched},
    {"missing", &PatchApplyResult::missing},
    {"differing", &PatchApplyResult::differing},
    {"without_kept", &PatchApplyResult::without_kept},
    {"quarantined", &PatchApplyResult::quarantined},
    {"changed", &PatchApplyResult::changed}};

Json ComparedJson(const PatchApplyResult& result) {
  Json json = Json::object();
  for (const auto& [name, member] : kCompared) json[name] = result.*member;
  return json;
}

Status CheckApplying(const PatchApplyOptions& options) {
  if (options.patch.empty())
    return Fail(ErrorCode::kUsage, "no patch is given", {},
                "twinset patch apply PATCH INPUT... --out DIR --write DIR");
  if (options.inputs.empty())
    return Fail(ErrorCode::kUsage, "no copy of the corpus is given", {},
                "twinset patch apply PATCH INPUT... --out DIR --write DIR");
  return RefuseReadOnce(options.inputs);
}

// kCorrupt unless the trusted key, where there is one, has signed.
Status CheckSigner(const PatchApplyOptions& options, const PatchReader& patch) {
  if (options.trusted_key.empty()) return {};
  TWINSET_ASSIGN(const std::string trusted, ReadPublicKey(options.trusted_key));
  if (patch.signed_by() == trusted) return {};
  return Fail(ErrorCode::kCorrupt,
              patch.signed_by().empty()
                  ? "the patch is not signed"
                  : "the patch is signed by another key than the trusted one",
              options.patch, "get the patch from who owns the key");
}

Result<Plan> PlanOfPatch(const PatchApplyOptions& options,
                         const PatchReader& patch) {
  const PatchHead& head = patch.head();
  TWINSET_ASSIGN(PlanOptions run, OptionsOfReading(head.read));
  run.input.inputs = options.inputs;
  run.input.networks = options.networks;
  run.action = head.action;
  run.method.verify = head.is_verified;
  if (!options.write.empty()) run.near = head.near;
  run.resources = options.resources;
  ForgetKey(&run.resources);
  run.out = options.out;
  run.write = options.write;
  run.overwrite = options.overwrite;
  run.resume = options.resume;
  run.checkpoint_seconds = options.checkpoint_seconds;
  run.stop = options.stop;
  run.on_progress = options.on_progress;
  TWINSET_ASSIGN(Plan plan, MakePlan(run));
  TWINSET_ASSIGN(plan.inputs.read.fields, FieldsOfReading(head.read));
  // What a run must have in common with one that it goes on with.
  plan.parameters_json =
      Json({{"patch", ToHex({patch.digest().data(), patch.digest().size()})},
            {"match_by", options.match_by},
            {"write", !options.write.empty()}})
          .dump();
  SetHashes(&plan);
  return plan;
}

Status Compare(const PatchApplyOptions& options, Run* run, PatchReader* patch,
               PatchApplyResult* result) {
  run->stage = "compare";
  constexpr char kStage[] = "compare";
  const std::string out = options.out + "/";
  if (run->journal.IsDone(kStage) && FileExists(out + "inputs.jsonl") &&
      FileExists(out + "mismatches.jsonl")) {
    TWINSET_TRY(run->journal.Verify(kStage));
    TWINSET_ASSIGN(const std::string state, run->journal.StageState(kStage));
    const Json json = Json::Parse(state);
    for (const auto& [name, member] : kCompared)
      json[name].get_to(result->*member);
    for (const Json& warning : json["warnings"])
      run->warnings.push_back(warning.get<std::string>());
    return {};
  }
  TWINSET_TRY(MatchPatch(run, patch, options.match_by, result));
  const std::string names = kPatchNames;
  Json state = ComparedJson(*result);
  state["warnings"] = run->warnings;
  return run->journal.FinishStage(kStage, {kPatchEdits, names, names + ".idx"},
                                  state.dump());
}

Json SummaryOf(const PatchApplyOptions& options, const PatchReader& patch,
               const Run& run, const PatchApplyResult& result) {
  Json json = {{"command", "patch apply"},
               {"twinset", kVersion},
               {"spec", kSpecNumber},
               {"complete", result.is_exact},
               {"match_by", options.match_by}};
  json["patch"] = {
      {"twinset", patch.head().twinset},
      {"digest", ToHex({patch.digest().data(), patch.digest().size()})},
      {"signed_by",
       result.signed_by.empty() ? Json(nullptr) : Json(result.signed_by)},
      {"trusted", !options.trusted_key.empty()},
      {"action", patch.head().action},
      {"documents", patch.head().documents},
      {"dropped", patch.head().dropped}};
  json.update(ComparedJson(result));
  if (run.counts.write) json["written"] = FieldsToJson(*run.counts.write);
  json["warnings"] = result.warnings;
  return json;
}

KeptPage PageOf(const PatchApplyOptions& options,
                const PatchApplyResult& result) {
  KeptPage page("patch", "Patch applied");
  const std::string changed = CountText(result.changed, "record");
  const std::string key =
      result.signed_by.empty()
          ? "The patch is not signed."
          : "The patch is signed by " + result.signed_by +
                (options.trusted_key.empty() ? ", who is not known." : ".");
  page.Add(html::Lead{
      options.write.empty()
          ? changed + " would change; nothing was written without "
                      "--write."
          : changed + std::string(WordFor(result.changed, " is", " are")) +
                " changed in " + NameText(options.write) + ".",
      key});
  html::Facts facts{{{"records found as they were", NumberText(result.matched),
                      "of " + NumberText(result.entries)}}};
  if (options.match_by == PatchMatch::kPlace)
    facts.facts.push_back({"inputs that are those of the patch",
                           NumberText(result.identical),
                           "of " + NumberText(result.inputs)});
  page.Add(std::move(facts));
  return page;
}

Status Apply(const PatchApplyOptions& options, Run* run, PatchReader* patch,
             PatchApplyResult* result) {
  Status compared = Compare(options, run, patch, result);
  if (!compared && compared.error().code == ErrorCode::kUnavailable)
    return tl::unexpected(WithWayOn(std::move(compared).error(), {}));
  TWINSET_TRY(compared);
  if (options.write.empty()) return {};
  run->stage = "write";
  run->step.clear();
  return WritePatched(run);
}

}  // namespace

Result<PatchApplyResult> v1::ApplyPatch(const PatchApplyOptions& options) try {
  TWINSET_TRY(CheckApplying(options));
  InputOptions window;
  TWINSET_ASSIGN(
      PatchReader patch,
      PatchReader::Open(options.patch,
                        MemoryBesideWindow(options.resources, window) / 4));
  TWINSET_TRY(CheckSigner(options, patch));
  TWINSET_ASSIGN(Plan plan, PlanOfPatch(options, patch));
  JobFiles job;
  job.command = "patch";
  job.files = {"inputs.jsonl", "mismatches.jsonl", job.done};
  job.inputs = {options.patch, options.trusted_key};
  TWINSET_ASSIGN(RunFolders folders, RunFolders::Open(plan, std::move(job)));
  TWINSET_ASSIGN(Journal journal, BeginJournal(plan, &folders));
  Run run(std::move(plan), std::move(journal));
  CountInputBytes(&run);
  PatchApplyResult result;
  if (const Status done = Apply(options, &run, &patch, &result); !done) {
    TWINSET_TRY(LeaveFailed(run, done.error(), &folders));
    return tl::unexpected(done.error());
  }
  result.is_exact = result.mismatches() == 0 && result.differing_inputs == 0 &&
                    result.missing_inputs == 0 && result.quarantined == 0;
  if (!patch.signed_by().empty()) result.signed_by = ToHex(patch.signed_by());
  result.warnings = run.warnings;
  result.json = SummaryOf(options, patch, run, result);
  result.page = ResultPage(PageOf(options, result));
  TWINSET_TRY(WriteWholeFile(options.out + "/" + "summary.json",
                             result.json.dump(2) + "\n"));
  TWINSET_TRY(folders.RemoveWork());
  return result;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
