// twinset/corpora/patch.h: a finished run as a patch (docs/methods/patch.md).
#include <memory>
#include <utility>

#include "base/bytes.h"
#include "base/choice.h"
#include "base/file.h"
#include "base/stop.h"
#include "documents/document_pass.h"
#include "documents/result_places.h"
#include "mirrors/run_pages.h"
#include "options/resources.h"
#include "patch/patch_entries.h"
#include "patch/patch_reading.h"
#include "pipeline/report/run_reading.h"
#include "pipeline/run/run_key.h"
#include "pipeline/saved/saved_options.h"
#include "report/kept_page.h"
#include "twinset/corpora/patch.h"
#include "twinset/plain_words.h"
#include "twinset/version.h"

namespace twinset {

namespace {

Status CheckMaking(const PatchMakeOptions& options) {
  if (options.run.empty())
    return Fail(ErrorCode::kUsage, "no run is given", {},
                "twinset patch make RUN --out FILE");
  if (options.out.empty())
    return Fail(ErrorCode::kUsage, "the patch needs a file", {},
                "add --out FILE");
  return {};
}

// kUsage for runs that leave nothing to repair, or say it otherwise.
Status CheckRun(const Json& summary, const PlanOptions& options,
                const std::string& run) {
  const char* reason = nullptr;
  if (IsMatch(summary))
    reason = "a match of two collections";
  else if (summary["parameters"].contains("unit"))
    reason = "a run over units, which cuts texts";
  else if (options.limit > 0)
    reason = "of the first documents alone (--limit)";
  else if (options.action == Action::kReport)
    reason = "one that changes nothing (--action report)";
  if (reason == nullptr) return {};
  return Fail(ErrorCode::kUsage,
              std::string("the run is ") + reason + ": there is no patch of it",
              run, "give the folder of dedup --out");
}

// How the run has read its inputs, as a run that writes would.
Result<Plan> PlanOfRun(const PatchMakeOptions& options, const Json& summary) {
  const Json& parameters = summary["parameters"];
  TWINSET_ASSIGN(PlanOptions run, OptionsOfParameters(parameters));
  TWINSET_TRY(CheckRun(summary, run, options.run));
  TWINSET_TRY(TakeChoice(parameters, "near", &run.near));
  run.input.inputs =
      options.inputs.empty() ? InputsOfRun(summary) : options.inputs;
  run.input.networks = options.networks;
  TWINSET_TRY(RefuseReadOnce(run.input.inputs));
  // Nothing is written there: the plan checks whether it could be.
  run.out = run.write = options.out;
  run.resources = options.resources;
  ForgetKey(&run.resources);
  run.resources.tmp.clear();
  run.stop = options.stop;
  TWINSET_ASSIGN(InputList inputs, ListInputs(run.input));
  return MakePlan(run, nullptr, std::move(inputs));
}

// kIo when the inputs cannot be those of the run, by their sizes and, where
// they are those that it names, the time of their last change. A run that added
// to a saved one says the size of a part of them only, and names no arguments.
Status CheckInputs(const Json& summary, const Plan& plan,
                   const PatchMakeOptions& options) {
  const Json& run = summary["run"];
  const auto changed = [](const std::string& path) {
    return Fail(ErrorCode::kIo, "the input is not what the run has read", path,
                "run dedup again, and make the patch of that run");
  };
  uint64_t bytes = 0;
  const int64_t newest = run.value("newest_input_ns", int64_t{0});
  for (const InputFile& input : plan.inputs.files) {
    bytes += input.state.size;
    if (options.inputs.empty() && newest > 0 && input.state.mtime_ns > newest)
      return changed(input.path);
  }
  if (run.contains("arguments") && bytes != run["input_bytes"].get<uint64_t>())
    return changed(plan.inputs.files.size() == 1 ? plan.inputs.files[0].path
                                                 : "");
  return {};
}

// The bytes of the file. After an error nothing stands in the way of the
// corrected command.
Result<uint64_t> WriteFile(const std::string& path, const SigningKey* key,
                           PatchEntries* entries) {
  const auto write = [&]() -> Result<uint64_t> {
    TWINSET_ASSIGN(PatchWriter writer,
                   PatchWriter::Create(path, entries->head));
    TWINSET_TRY(entries->Write(&writer));
    TWINSET_TRY(writer.Finish(key));
    return writer.bytes();
  };
  auto written = write();
  if (!written) (void)RemoveFile(path + ".part");
  return written;
}

Json SummaryOf(const PatchMakeOptions& options, const PatchMakeResult& result) {
  Json json = {{"command", "patch make"},       {"twinset", kVersion},
               {"spec", kSpecNumber},           {"inputs", result.inputs},
               {"documents", result.documents}, {"dropped", result.dropped},
               {"left_out", result.left_out},   {"entries", result.entries},
               {"bytes", result.bytes}};
  if (result.dropped > 0)
    json["bytes_per_dropped"] =
        static_cast<double>(result.bytes) / static_cast<double>(result.dropped);
  json["public_key"] =
      options.sign.empty() ? Json(nullptr) : Json(result.public_key);
  json["warnings"] = result.warnings;
  return json;
}

KeptPage PageOf(const PatchMakeOptions& options,
                const PatchMakeResult& result) {
  KeptPage page("patch", "Patch");
  page.Add(html::Lead{NameText(options.out) + " drops " +
                          NumberText(result.dropped) + " of " +
                          CountText(result.documents, "document") + ".",
                      result.public_key.empty()
                          ? "It is not signed."
                          : "It is signed by " + result.public_key + "."});
  html::Facts facts{{{"records named", NumberText(result.entries), ""},
                     {"size", BytesText(result.bytes), ""}}};
  if (result.dropped > 0)
    facts.facts.back().beside =
        FixedText(static_cast<double>(result.bytes) /
                      static_cast<double>(result.dropped),
                  1) +
        " bytes for each dropped document";
  page.Add(std::move(facts));
  return page;
}

}  // namespace

Result<PatchMakeResult> v1::MakePatch(const PatchMakeOptions& options) try {
  TWINSET_TRY(CheckMaking(options));
  TWINSET_TRY(CheckOutside(options.run, "the run", {options.out}));
  TWINSET_ASSIGN(const Json summary, ReadRunSummary(options.run));
  TWINSET_ASSIGN(const Plan plan, PlanOfRun(options, summary));
  TWINSET_TRY(CheckInputs(summary, plan, options));
  std::optional<SigningKey> key;
  if (!options.sign.empty()) {
    TWINSET_ASSIGN(SigningKey read, SigningKey::Read(options.sign));
    key.emplace(std::move(read));
  }
  std::vector<std::string> protect = plan.options.input.inputs;
  for (const char* name : {"summary.json", "keep.txt", "drop.txt",
                           "clusters.jsonl", "quarantine.jsonl"})
    protect.push_back(options.run + "/" + name);
  protect.push_back(options.sign);
  TWINSET_TRY(CheckResultFile(
      {.path = options.out, .flag = "--out", .overwrite = options.overwrite},
      protect));
  TWINSET_ASSIGN(const ScratchFolder work,
                 ScratchFolder::Below(options.resources.tmp, "twinset-patch"));
  MemoryBudget budget(plan.machine.memory_bytes);
  PatchEntries entries(options.run, plan, work, &budget);
  entries.head.twinset = kVersion;
  entries.head.action = plan.options.action;
  entries.head.near = plan.options.near;
  entries.head.is_verified = summary["parameters"]["verify"] != "none";
  entries.head.read =
      ReadingJson(summary["parameters"], plan.inputs.read.fields);
  PassProgress progress(options.on_progress, "patch", "", "records",
                        summary["records"]["read"].get<uint64_t>());
  TWINSET_TRY(entries.Read(options.stop, &progress));
  PatchMakeResult result;
  TWINSET_ASSIGN(result.bytes,
                 WriteFile(options.out, key ? &*key : nullptr, &entries));
  const PatchHead& head = entries.head;
  result.inputs = head.inputs;
  result.documents = head.documents;
  result.entries = head.entries;
  result.dropped = head.dropped;
  result.left_out = head.left_out;
  if (key) result.public_key = ToHex(key->public_key());
  result.warnings = std::move(entries.warnings);
  result.json = SummaryOf(options, result);
  result.page = ResultPage(PageOf(options, result));
  return result;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
