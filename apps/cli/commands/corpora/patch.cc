// twinset patch.
#include "twinset/corpora/patch.h"

#include "cli/commands.h"
#include "cli/flags/flag_setters.h"
#include "cli/job.h"
#include "cli/nouns.h"
#include "cli/output.h"
#include "cli/values.h"
#include "twinset/plain_words.h"

namespace twinset::cli {
namespace {

// What patch was asked beside its options.
struct PatchAsked {
  bool allow_mismatch = false;  // apply --allow-mismatch
};

constexpr std::string_view kPatchName = "patch";

// Checks that it is said where the results go, and what becomes of those that
// are there.
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

int Make(const Request& request) {
  auto options = JobOptionsOf<PatchMakeOptions>(request);
  options.networks = request.options.input.networks;
  if (request.operands.size() > 1) {
    options.run = request.operands[1];
    options.inputs.assign(request.operands.begin() + 2, request.operands.end());
  }
  return RunToResult(kPatchName, request, options, MakePatch);
}

void TellMismatches(const PatchApplyOptions& options,
                    const PatchApplyResult& result) {
  const std::string out = NameText(options.out);
  if (result.mismatches() > 0)
    Tell(kPatchName,
         CountText(result.mismatches(), "record does", "records do") +
             " not match and " +
             std::string(WordFor(result.mismatches(), "stays", "stay")) + ": " +
             NumberText(result.missing) + " not there, " +
             NumberText(result.differing) + " with another payload, " +
             NumberText(result.without_kept) +
             " without what they are duplicates of; see " + out +
             "/mismatches.jsonl");
  if (result.differing_inputs + result.missing_inputs > 0)
    Tell(kPatchName,
         CountText(result.differing_inputs, "input is", "inputs are") +
             " not as the patch has them, " +
             NumberText(result.missing_inputs) +
             " of the patch were not given; see " + out + "/inputs.jsonl");
}

int Apply(const Request& request) {
  auto options = JobOptionsOf<PatchApplyOptions>(request);
  options.networks = request.options.input.networks;
  if (request.operands.size() > 1) {
    options.patch = request.operands[1];
    options.inputs.assign(request.operands.begin() + 2, request.operands.end());
  }
  options.checkpoint_seconds =
      SecondsFor("TWINSET_CHECKPOINT_SECONDS", options.checkpoint_seconds);
  bool fails = false;
  const int code = RunToResult(
      kPatchName, request, options, ApplyPatch,
      [&](const PatchApplyResult& result) {
        TellMismatches(options, result);
        fails = !result.is_exact && !request.Of<PatchAsked>().allow_mismatch;
      });
  return code == kExitDone && fails ? kExitFailed : code;
}

int RunPatch(const Request& request) {
  if (const Status noun = CheckNoun(kPatchName, request); !noun)
    return TellError(kPatchName, noun.error());
  if (const Status places = CheckPlaces(request); !places)
    return TellError(kPatchName, places.error());
  return request.operands.front() == "make" ? Make(request) : Apply(request);
}

std::vector<Flag> PatchFlags() {
  return {
      {.name = "--key",
       .value = "FILE",
       .help = "make: private key that signs the patch",
       .long_help = "A PEM file with an Ed25519 key, without passphrase.",
       .default_text = "(not signed)",
       .kind = ValueKind::kFile,
       .is_laboratory = true,
       .set = SetText<&PatchMakeOptions::sign>},
      {.name = "--trusted-key",
       .value = "FILE",
       .help = "apply: public key that must have signed the patch",
       .long_help = "A PEM file. A patch that is not signed, or by another "
                    "key, is refused.",
       .default_text = "(any, or none)",
       .kind = ValueKind::kFile,
       .set = SetText<&PatchApplyOptions::trusted_key>},
      {.name = "--match-by",
       .value = "WHAT",
       .help = "apply: how records of the copy are found: {}",
       .long_help = "place: input and number of the record, in inputs that "
                    "should be the same byte for byte. id, digest: by the id "
                    "of a document or the digest of its payload, however the "
                    "copy is compressed and divided into files.",
       .default_text = "place",
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<PatchMatch>(),
       .set = SetPick<&PatchApplyOptions::match_by>},
      {.name = "--allow-mismatch",
       .help = "apply: end with 0 although something did not match",
       .long_help = "It is kept and listed either way.",
       .set = SetSwitch<&PatchAsked::allow_mismatch>}};
}

Command PatchCommand() {
  return {
      .name = "patch",
      .group = CommandGroup::kStudies,
      .operands = "make RUN [INPUT...] | apply PATCH INPUT...",
      .help =
          "a finished run as a small file that repairs a copy of its corpus",
      .long_help =
          "make writes what RUN, a folder of dedup --out, drops or annotates: "
          "for each record its place, its id and a digest of its payload, and "
          "the size and digest of each input. It reads the inputs of the run "
          "again; INPUT says where these are now. With --key the patch is "
          "signed.\n\napply compares INPUT, a copy of the corpus, with PATCH "
          "and writes it without these records into --write, with the bytes "
          "that dedup --write has written: no document is compared with "
          "another. Inputs of another compression or in other files are "
          "repaired with --match-by. A record that the copy lacks, or has with "
          "another payload, or whose representative is not there, is kept and "
          "listed in mismatches.jsonl; then the command ends with 1, unless "
          "--allow-mismatch is given. Without --write the copy is only "
          "compared.\n\nKeys are PEM files, as 'openssl genpkey -algorithm "
          "ed25519' and 'openssl pkey -pubout' write them.",
      .nouns = {"make", "apply"},
      .examples = {{"twinset patch make dups --key key.pem --out crawl.patch",
                    "sign and publish this"},
                   {"twinset patch apply crawl.patch crawl/ --trusted-key "
                    "pub.pem --out applied --write clean",
                    "elsewhere: the corpus without its duplicates"},
                   {"twinset patch apply crawl.patch shards/ --match-by digest "
                    "--out applied --write clean",
                    "a copy in other files"}},
      .everyday = {"--out", "--write", "--key", "--trusted-key", "--match-by",
                   "--allow-mismatch", "--json", "--overwrite", "--resume",
                   "--threads", "--memory", "--quiet"},
      .shared = {"--out", "--write", "--overwrite", "--resume", "--json",
                 "--threads", "--memory", "--tmp", "--progress", "--config",
                 "--networks"},
      .texts =
          {{.name = "--out",
            .help =
                "make: file of the patch; apply: folder for what did not match",
            .long_help = "The folder holds inputs.jsonl, mismatches.jsonl and "
                         "summary.json, which is written last. What exists is "
                         "refused unless --overwrite or, of a folder, --resume "
                         "is given, and always when it is or holds an input or "
                         "anything that twinset did not make."},
           {.name = "--write",
            .help = "apply: folder for the repaired corpus",
            .long_help =
                "One file per input under the same name and in the input's own "
                "format. Inputs are never altered: a folder that holds one, or "
                "anything that twinset did not make, is refused. Without it "
                "the copy is only compared."},
           {.name = "--overwrite",
            .help = "replace a file or result folders that exist"},
           {.name = "--resume",
            .help = "apply: continue an interrupted command",
            .long_help = "Give the same command again and add this flag. A "
                         "changed patch or input is refused."},
           kSummaryAsJson,
           {.name = "--tmp",
            .default_text =
                "(make: the system's; apply: in the result folder)"}},
      .flags = PatchFlags(),
      .refusals = {kDrawsNothing,
                   {{"--strict"}, "it reads bad records as the run did"},
                   kPrintsText},
      .run = RunPatch};
}

}  // namespace

const Registration kPatch(PatchCommand);

}  // namespace twinset::cli
