// twinset sketch: one row per document
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/printed_rows.h"
#include "twinset/inspect.h"
#include "twinset/json.h"
#include "twinset/version.h"

namespace twinset::cli {
namespace {

int RunSketch(const Request& request) {
  constexpr std::string_view kName = "sketch";
  const auto input = InputsOf(request);
  if (!input) return TellError(kName, input.error());
  Output out;
  Rejections rejections(kName, request);
  PrintedProgress progress(kName, request);
  uint64_t documents = 0;
  const auto warnings = ForEachSketch(
      *input, request.options.features, request.options.method,
      [&](const SketchRow& row) {
        if (!rejections.GoOn()) return false;
        ++documents;
        progress.Add();
        Json json = {{"id", row.id},
                     {"spec", kSpecNumber},
                     {"method", row.method},
                     {"sketch", row.sketch}};
        if (!row.original_id.empty()) json["original_id"] = row.original_id;
        if (!row.modulus.empty()) json["modulus"] = row.modulus;
        if (row.truncated) json["truncated"] = true;
        return out.Line(json.dump());
      },
      [&](const RejectedRecord& record) {
        progress.Clear();
        rejections.Add(record);
      });
  progress.Clear();
  const int finished = out.Finish(kName);
  if (!warnings) return TellError(kName, warnings.error());
  TellWarnings(kName, *warnings);
  const int code = rejections.Finish(documents);
  return code != kExitDone ? code : finished;
}

Command SketchCommand() {
  return {
      .name = "sketch",
      .group = CommandGroup::kLaboratory,
      .operands = "INPUT...",
      .help = "the fingerprint of each document, one JSON object a line",
      .long_help =
          "Rows {\"id\",\"spec\",\"method\",\"sketch\"}; the sketch is written "
          "in hexadecimal digits, value by value, each big-endian. Two rows "
          "compare only if their spec and method are the same. A method that "
          "learns from a corpus learns from the inputs.",
      .prints_rows = true,
      .examples = {{"twinset sketch corpus.jsonl --method minhash",
                    "128 values of 32 bits each"}},
      .everyday = {"--method", "--permutations", "--bits", "--shingle",
                   "--sketch-shingle", "--content", "--text-field",
                   "--id-field", "--seed", "--json", "--strict", "--quiet"},
      .parameters = {.groups = kComparing,
                     .but = {"measure", "bucket-limit", "verify",
                             "asked-chunks", "template", "max-df"}},
      .shared = Join({kRecordFlags,
                      {"--json", "--files-from", "--null", "--features-field",
                       "--language", "--page-kind", "--digest", "--strict",
                       "--progress", "--config"}}),
      .texts = {{.name = "--method",
                 .help = "whose sketches are printed; see 'twinset methods'",
                 .long_help = "'twinset methods' lists all with their "
                              "parameters and sources.",
                 .default_text = "minhash"},
                {.name = "--json",
                 .help = "rows are JSON objects, with and without this flag"},
                kPresetsOfMethods,
                kTypesOfRecords},
      .refusals = {kReadsOnOneThread, kHoldsOneDocument, kNoWorkFiles,
                   kWritesNoFolder, kPrintsText},
      .run = RunSketch};
}

}  // namespace

const Registration kSketch(SketchCommand);

}  // namespace twinset::cli
