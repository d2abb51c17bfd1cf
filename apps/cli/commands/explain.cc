// twinset explain
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/commands/explanation.h"
#include "cli/commands/steps.h"
#include "cli/flags/flag_setters.h"
#include "cli/generate.h"
#include "cli/job.h"
#include "cli/output.h"
#include "cli/values.h"
#include "twinset/decision.h"
#include "twinset/inspect.h"
#include "twinset/options.h"
#include "twinset/plain_words.h"
#include "twinset/steps.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kExplainName = "explain";

int RunSteps(const Request& request) {
  if (request.json)
    return TellError(kExplainName,
                     {ErrorCode::kUsage,
                      "--steps prints text, --json does not go with it",
                      {},
                      "leave out one of them"});
  InputOptions input = request.options.input;
  input.inputs = request.in;
  const auto steps =
      ExplainSteps(request.operands, input, request.options.features,
                   request.options.method, request.step_options);
  if (!steps) return TellError(kExplainName, steps.error());
  if (!request.html.empty()) {
    const Status written = WriteExplanationPage(
        steps->page, request.html,
        request.in.empty() ? request.operands : request.in);
    if (!written) return TellError(kExplainName, written.error());
  }
  TellWarnings(kExplainName, steps->warnings);
  Output out;
  WriteSteps(request, steps->written, &out);
  return out.Finish(kExplainName);
}

int RunPair(const Request& request) {
  ExplainOptions options;
  options.x = request.operands[0];
  options.y = request.operands[1];
  options.in = request.options.input;
  options.in.inputs = request.in;
  options.features = request.options.features;
  options.method = request.options.method;
  return RunShown(
      kExplainName, request, options, {},
      [&](const ExplainOptions& given) -> Result<Explanation> {
        TWINSET_ASSIGN(Explanation explanation, Explain(given));
        // Files are called what the user called them: their ids may be the
        // same.
        if (request.in.empty()) {
          explanation.x.id = NameText(given.x);
          explanation.y.id = NameText(given.y);
        }
        if (!request.html.empty())
          TWINSET_TRY(WriteExplanationPage(
              ExplanationPage(nullptr, &explanation), request.html,
              request.in.empty() ? request.operands : request.in));
        return explanation;
      },
      [&](const Explanation& explanation, uint64_t, Output* out) {
        out->Write(request.json ? JsonText(explanation)
                                : ExplanationText(explanation));
        return std::string();
      });
}

}  // namespace

int RunExplain(const Request& request) {
  if (request.steps) return RunSteps(request);
  if (request.operands.size() == 2 && IsFinishedRun(request.operands[1]))
    return RunDecision(request);
  if (!request.against.empty()) {
    return TellError(kExplainName,
                     {ErrorCode::kUsage,
                      "--against is for a document of a finished match",
                      {},
                      "twinset explain ID RUN --in A --against B"});
  }
  if (request.operands.size() != 2)
    return TellError(kExplainName,
                     {ErrorCode::kUsage,
                      fmt::format("two documents are explained, {} given",
                                  request.operands.size()),
                      {},
                      "twinset explain X Y, with --in INPUT for ids; or "
                      "twinset explain ID RUN for one of a finished run"});
  return RunPair(request);
}

namespace {

std::vector<Flag> ExplainFlags() {
  return {
      {.name = "--steps",
       .help = "derive everything for these documents instead, step by step",
       .long_help = "For one or more documents: their shingles, what --method "
                    "makes of them step by step (slots, votes, tables, "
                    "candidates), and how alike they are. docs/examples has "
                    "such pages; the page of --html also has drawings.",
       .group = FlagGroup::kOutput,
       .set = SetSwitch<&Request::steps>},
      {.name = "--html",
       .value = "FILE",
       .help = "also write it as one page for any browser",
       .long_help = "The two texts beside each other and the measures; of a "
                    "document of a run also the decision; with --steps the "
                    "steps with their drawings.",
       .default_text = "(not written)",
       .group = FlagGroup::kOutput,
       .kind = ValueKind::kFile,
       .set = SetText<&Request::html>},
      {.name = "--step-rows",
       .value = "N",
       .help = "with --steps, the most rows of a table",
       .default_text = "24",
       .group = FlagGroup::kOutput,
       .is_laboratory = true,
       .needs = "--steps",
       .set = SetCount<&Request::step_options, &StepOptions::most_rows>},
      {.name = "--parts",
       .value = "PART,...",
       .help = "with --steps, only these parts",
       .long_help = "features, rows, measures, sketch, votes, fingerprints, "
                    "tables, candidates. May be repeated.",
       .default_text = "(all)",
       .group = FlagGroup::kOutput,
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<StepPart>(),
       .list = true,
       .needs = "--steps",
       .set = SetPickList<&Request::step_options, &StepOptions::parts>},
      {.name = "--functions",
       .value = "F,...",
       .help = "with --steps, hash functions of slot tables, as '2x+1 mod 5'",
       .long_help =
           "May be repeated. For rabin-mod-prime 'x mod P' names the prime.",
       .default_text = "(none)",
       .group = FlagGroup::kOutput,
       .list = true,
       .is_laboratory = true,
       .needs = "--steps",
       .set = SetTextList<&Request::step_options, &StepOptions::functions>},
      {.name = "--orders",
       .value = "ORDER,...",
       .help = "with --steps, permutations as orders of the rows, as 34512",
       .long_help = "May be repeated. Rows above 9: '10 3 4 ...'.",
       .default_text = "(none)",
       .group = FlagGroup::kOutput,
       .list = true,
       .is_laboratory = true,
       .needs = "--steps",
       .set = SetTextList<&Request::step_options, &StepOptions::orders>},
      {.name = "--images",
       .value = "IMAGES,...",
       .help = "with --steps, permutations as the images of 1, 2, ..., as 3412",
       .long_help = "May be repeated.",
       .default_text = "(none)",
       .group = FlagGroup::kOutput,
       .list = true,
       .is_laboratory = true,
       .needs = "--steps",
       .set = SetTextList<&Request::step_options, &StepOptions::images>},
      {.name = "--universe",
       .value = "N",
       .help = "with --steps, also show the rows 1 to N that no document has",
       .default_text = "0",
       .group = FlagGroup::kOutput,
       .is_laboratory = true,
       .needs = "--steps",
       .set = SetInt<0, 10000, &Request::step_options, &StepOptions::universe>},
      {.name = "--query",
       .value = "X",
       .help = "with --steps, a document that is looked up in the tables of "
               "the others",
       .long_help = "May be repeated.",
       .default_text = "(none)",
       .group = FlagGroup::kOutput,
       .list = true,
       .needs = "--steps",
       .set = SetRepeated<&Request::step_options, &StepOptions::queries>}};
}

Command ExplainCommand() {
  return {
      .name = "explain",
      .group = CommandGroup::kEveryday,
      .front_page = 5,
      .operands = "X Y | ID RUN",
      .help = "why two documents are alike, or why a run dropped one",
      .long_help =
          "Shows every measure, what the sketches estimate, the kind of "
          "duplicate and of difference, and both texts aligned. X and Y are "
          "files of one document each; with --in INPUT they are ids of "
          "documents in it. A method that learns from a corpus learns from "
          "INPUT.\n\nIn --json, containment_ab is the share of X's shingles "
          "that Y has, and edit is 1 minus the distance in tokens over the "
          "length of the longer text.\n\nWith ID RUN, RUN being the folder of "
          "--out of dedup, match or recut: what became of the document, which "
          "one stays in its place, how alike they are, what differs and which "
          "rule decided. ID is the one that the run gives the document, or the "
          "one of its record where that holds a line end. The texts are read "
          "again from the inputs of the run, or from where --in (and "
          "--against) say they are; where they are gone, the rows of the run "
          "are explained alone.\n\nWith --steps, one document or more, as "
          "files or ids.",
      .examples =
          {{"twinset explain doc-17 dups", "why a run dropped or kept doc-17"},
           {"twinset explain old.html new.html", "two files"},
           {"twinset explain --in corpus.jsonl doc-17 doc-4711",
            "two rows of a corpus"},
           {"twinset explain --steps --method simhash old.html new.html",
            "every step of a method"},
           {"twinset explain --steps --method i-match --in corpus.jsonl doc-17 "
            "doc-4711",
            "the same of a method that learns"}},
      .everyday = {"--in", "--method", "--measure", "--shingle", "--content",
                   "--text-field", "--id-field", "--input-format", "--preset",
                   "--steps", "--parts", "--query", "--json", "--quiet"},
      .parameters = {.groups = kComparing,
                     .but = {"bucket-limit", "verify", "asked-chunks",
                             "template", "max-df"}},
      .shared = Join({kRecordFlags,
                      {"--json", "--markdown", "--against", "--in", "--digest",
                       "--progress", "--config"}}),
      .texts =
          {{.name = "--method",
            .help = "whose sketches are compared; see 'twinset methods'",
            .long_help =
                "With --steps, which method is derived. 'twinset methods' "
                "lists all with their parameters and sources.",
            .default_text = "minhash"},
           {.name = "--json",
            .help = "print one JSON document",
            .long_help = "It does not go with --steps, which prints text."},
           {.name = "--against",
            .long_help =
                "May be repeated. It may also be one folder of 'twinset dedup "
                "--save': the run is then asked in place of its inputs, and "
                "flags that are not given are as it had them."},
           kPresetsOfMethods,
           kTypesOfRecords},
      .flags = ExplainFlags(),
      .refusals = {{{"--threads"},
                    "it looks at a few documents, on one thread"},
                   {{"--memory"}, "it holds little"},
                   kNoWorkFiles,
                   kWritesNoFolder,
                   kPassesOver,
                   kPrintsText},
      .run = RunExplain};
}

}  // namespace

const Registration kExplain(ExplainCommand);

}  // namespace twinset::cli
