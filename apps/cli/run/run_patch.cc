// twinset patch.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/job.h"
#include "cli/nouns.h"
#include "cli/output.h"
#include "cli/studies.h"
#include "cli/values.h"
#include "twinset/names.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kPatchName = "patch";

// Whether it is said where the results go, and what of those that are there.
Status CheckPlaces(const Request& request) {
  const bool makes = request.operands.front() == "make";
  if (request.options.overwrite && request.options.resume)
    return Fail(ErrorCode::kUsage,
                "--overwrite and --resume exclude each other");
  if (request.options.out.empty())
    return Fail(ErrorCode::kUsage,
                makes ? "no file for the patch is given"
                      : "no folder for the results is given",
                {}, makes ? "--out FILE" : "--out DIR");
  return {};
}

std::string MadeText(const PatchMakeOptions& options,
                     const PatchMakeResult& result) {
  std::string text = fmt::format(
      "{}: {} of {} documents dropped, {} records named, {} bytes{}\n",
      NameText(options.out), Grouped(result.dropped), Grouped(result.documents),
      Grouped(result.entries), Grouped(result.bytes),
      result.dropped > 0 ? fmt::format(", {:.1f} a dropped document",
                                       static_cast<double>(result.bytes) /
                                           static_cast<double>(result.dropped))
                         : "");
  if (!result.public_key.empty())
    text += fmt::format("signed by {}\n", result.public_key);
  return text;
}

int Make(const Request& request) {
  PatchMakeOptions options = request.study->patch_make;
  if (request.operands.size() > 1) {
    options.run = request.operands[1];
    options.inputs.assign(request.operands.begin() + 2, request.operands.end());
  }
  options.resources = request.options.resources;
  options.out = request.options.out;
  options.overwrite = request.options.overwrite;
  ProgressTeller progress(kPatchName, request);
  const StopOnSignal stop;
  options.stop = stop.flag();
  options.on_progress = [&progress](const Progress& now) {
    progress.Update(now);
  };
  const auto result = MakePatch(options);
  progress.Clear();
  if (!result)
    return TellErrorOrStop(kPatchName, result.error(), stop.signal());
  TellWarnings(kPatchName, result->warnings);
  Output out;
  if (request.json)
    out.Write(result->summary_json);
  else if (!request.quiet)
    out.Write(MadeText(options, *result));
  return out.Finish(kPatchName);
}

std::string AppliedText(const PatchApplyOptions& options,
                        const PatchApplyResult& result) {
  std::string text =
      fmt::format("{} of {} records of the patch found as they were\n",
                  Grouped(result.matched), Grouped(result.entries));
  if (options.match_by == PatchMatch::kPlace)
    text += fmt::format("{} of {} inputs are those of the patch\n",
                        Grouped(result.identical), Grouped(result.inputs));
  text +=
      fmt::format("{} records {}\n", Grouped(result.changed),
                  options.write.empty()
                      ? "would change; nothing was written without --write"
                      : fmt::format("changed in {}", NameText(options.write)));
  text += result.signed_by.empty()
              ? "the patch is not signed\n"
              : fmt::format(
                    "signed by {}{}\n", result.signed_by,
                    options.trusted_key.empty() ? ", who is not known" : "");
  return text;
}

void TellMismatches(const PatchApplyOptions& options,
                    const PatchApplyResult& result) {
  if (result.mismatches() > 0)
    Tell(kPatchName,
         fmt::format("{} record{} not match and stay{}: {} not there, {} with "
                     "another payload, {} without what they are duplicates "
                     "of; see {}/mismatches.jsonl",
                     Grouped(result.mismatches()),
                     result.mismatches() == 1 ? " does" : "s do",
                     result.mismatches() == 1 ? "s" : "",
                     Grouped(result.missing), Grouped(result.differing),
                     Grouped(result.without_kept), NameText(options.out)));
  if (result.differing_inputs + result.missing_inputs > 0)
    Tell(kPatchName,
         fmt::format("{} of the inputs {} not as the patch has them, {} of the "
                     "patch were not given; see {}/inputs.jsonl",
                     Grouped(result.differing_inputs),
                     result.differing_inputs == 1 ? "is" : "are",
                     Grouped(result.missing_inputs), NameText(options.out)));
}

int Apply(const Request& request) {
  PatchApplyOptions options = request.study->patch_apply;
  if (request.operands.size() > 1) {
    options.patch = request.operands[1];
    options.inputs.assign(request.operands.begin() + 2, request.operands.end());
  }
  options.resources = request.options.resources;
  options.out = request.options.out;
  options.write = request.options.write;
  options.overwrite = request.options.overwrite;
  options.resume = request.options.resume;
  options.checkpoint_seconds =
      SecondsFor("TWINSET_CHECKPOINT_SECONDS", options.checkpoint_seconds);
  ProgressTeller progress(kPatchName, request);
  const StopOnSignal stop;
  options.stop = stop.flag();
  options.on_progress = [&progress](const Progress& now) {
    progress.Update(now);
  };
  const auto result = ApplyPatch(options);
  progress.Clear();
  if (!result) {
    if (result.error().code == ErrorCode::kInterrupted && stop.signal() != 0)
      return TellInterrupted(kPatchName, request, progress.last(),
                             stop.signal());
    return TellError(kPatchName, result.error());
  }
  TellWarnings(kPatchName, result->warnings);
  TellMismatches(options, *result);
  Output out;
  if (request.json)
    out.Write(result->summary_json);
  else if (!request.quiet)
    out.Write(AppliedText(options, *result));
  const int code = out.Finish(kPatchName);
  const bool fails = !result->is_exact && !request.study->allow_mismatch;
  return code == kExitDone && fails ? kExitFailed : code;
}

}  // namespace

int RunPatch(const Request& request) {
  if (const Status noun = CheckNoun(kPatchName, request); !noun)
    return TellError(kPatchName, noun.error());
  if (const Status places = CheckPlaces(request); !places)
    return TellError(kPatchName, places.error());
  return request.operands.front() == "make" ? Make(request) : Apply(request);
}

}  // namespace twinset::cli
