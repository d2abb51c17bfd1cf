// twinset explain
#include "twinset/explain.h"

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/commands/explanation.h"
#include "cli/commands/steps.h"
#include "cli/diff_text.h"
#include "cli/flags/flag_setters.h"
#include "cli/generate.h"
#include "cli/output.h"
#include "cli/values.h"
#include "twinset/inspect.h"
#include "twinset/json.h"
#include "twinset/options.h"
#include "twinset/plain_words.h"
#include "twinset/steps.h"
#include "twinset/version.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kExplainName = "explain";

Json DocumentJson(const DocumentText& document) {
  Json row = {{"id", document.id},
              {"title", document.title},
              {"language", document.language},
              {"charset", document.charset},
              {"url", document.url},
              {"date", document.date},
              {"source", document.source},
              {"ordinal", document.ordinal}};
  if (document.truncated) row["truncated"] = true;
  return row;
}

Json GradeJson(const Grade& grade) {
  Json features = Json::object();
  for (const auto& [name, value] : grade.features) features[name] = value;
  return {{"probability", grade.probability},
          {"reason", grade.reason},
          {"features", features}};
}

Json StandardErrorJson(double value) {
  return value < 0 ? Json(nullptr) : Json(value);
}

Json SketchesJson(const std::vector<SketchPair>& sketches) {
  Json rows = Json::array();
  for (const SketchPair& pair : sketches) {
    rows.push_back({{"name", pair.name},
                    {"value_bits", pair.value_bits},
                    {"compared", pair.compared},
                    {"equal", pair.equal},
                    {"of", pair.of},
                    {"estimate", pair.estimate},
                    {"standard_error", StandardErrorJson(pair.standard_error)},
                    {"a", pair.x},
                    {"b", pair.y}});
    if (!pair.modulus.empty()) rows.back()["modulus"] = pair.modulus;
  }
  return rows;
}

Json ScoresJson(const std::vector<PairScore>& scores) {
  Json rows = Json::array();
  for (const PairScore& score : scores) {
    rows.push_back({{"name", score.name},
                    {"value", score.value},
                    {"standard_error", StandardErrorJson(score.standard_error)},
                    {"meaning", score.meaning}});
  }
  return rows;
}

Json EstimatesJson(const std::vector<SketchEstimate>& estimates) {
  Json rows = Json::array();
  for (const SketchEstimate& e : estimates) {
    rows.push_back({{"method", e.method},
                    {"estimate", e.estimate},
                    {"standard_error", StandardErrorJson(e.standard_error)}});
  }
  return rows;
}

}  // namespace

Json ExplanationJson(const Explanation& e, const MethodOptions& method) {
  Json diff = Json::array();
  for (const DiffRun& run : e.diff) {
    const char* in = run.kind == DiffRun::kBoth    ? "both"
                     : run.kind == DiffRun::kOnlyX ? "a"
                                                   : "b";
    Json row = {{"in", in}, {"tokens", run.tokens}, {"text", run.text}};
    if (run.kind == DiffRun::kBoth && run.text_y != run.text)
      row["text_b"] = run.text_y;
    diff.push_back(std::move(row));
  }
  return {{"a", e.x.id},
          {"b", e.y.id},
          {"kind", e.kind},
          {"kind_of_difference", e.kind_of_difference},
          {"difference", e.difference},
          {"duplicate_kind", e.duplicate_kind},
          {"grade", GradeJson(e.grade)},
          {"jaccard", e.jaccard},
          {"containment_ab", e.containment_ab},
          {"containment_ba", e.containment_ba},
          {"dice", e.dice},
          {"cosine", e.cosine},
          {"s3", e.s3},
          {"layout", e.layout < 0 ? Json(nullptr) : Json(e.layout)},
          {"edit", e.edit},
          {"edit_distance", e.edit_distance},
          {"edit_exact", e.edit_exact},
          {"cosine_sets", e.cosine_sets},
          {"cosine_tf", e.cosine_tf},
          {"hamming_tokens", e.hamming_tokens},
          {"edit_chars", e.edit_chars},
          {"edit_chars_distance", e.edit_chars_distance},
          {"edit_chars_exact", e.edit_chars_exact},
          {"hamming_chars", e.hamming_chars},
          {"estimates", EstimatesJson(e.estimates)},
          {"scores", ScoresJson(e.scores)},
          {"sketches", SketchesJson(e.sketches)},
          {"hamming", e.hamming},
          {"estimate", e.estimate},
          {"shingles_a", e.shingles_x},
          {"shingles_b", e.shingles_y},
          {"common", e.common},
          {"method", method.name},
          {"spec", kSpecNumber},
          {"documents", Json::array({DocumentJson(e.x), DocumentJson(e.y)})},
          {"diff", diff}};
}

namespace {

std::string DocumentLine(std::string_view name, const DocumentText& document,
                         uint64_t shingles) {
  std::string line = fmt::format("{}  {}  {}", name, Printable(document.id),
                                 CountText(shingles, "shingle"));
  if (!document.title.empty())
    line += fmt::format("  \"{}\"", Printable(document.title));
  return line + "\n";
}

std::string MeasureLine(std::string_view name, double value,
                        const std::string& note) {
  std::string line = fmt::format("  {:<12} {:.4f}", name, value);
  if (!note.empty()) line += "   " + note;
  return line + "\n";
}

std::string StandardErrorText(double value) {
  return value < 0 ? "" : fmt::format(", standard error {:.4f}", value);
}

// What the sketches of the method say, one line each.
std::string SketchLines(const Explanation& e, const MethodOptions& method) {
  if (e.sketches.empty() && method.name == MethodOptions().name) return {};
  if (e.sketches.empty()) {
    return fmt::format(
        "  {:<12} none     {} learns from a corpus first: name it with --in\n",
        "estimate", Printable(method.name));
  }
  std::string text;
  for (const SketchPair& pair : e.sketches) {
    const std::string what =
        pair.compared == "bits"
            ? fmt::format("{} of {} bits are equal", NumberText(pair.equal),
                          NumberText(pair.of))
        : pair.compared == "members"
            ? fmt::format("{} of the {} values of both are in both",
                          NumberText(pair.equal), NumberText(pair.of))
            : fmt::format("{} of {} values are equal", NumberText(pair.equal),
                          NumberText(pair.of));
    text += MeasureLine(text.empty() ? "estimate" : "", pair.estimate,
                        fmt::format("by {}: {}{}", Printable(pair.name), what,
                                    StandardErrorText(pair.standard_error)));
    if (!pair.modulus.empty())
      text += fmt::format("  {:<12} modulo {}\n", "", pair.modulus);
  }
  return text;
}

// How far two texts are from each other. Where the distance is known only to be
// so large or larger, the measure beside it is the most that it can be.
std::string ChangesText(uint64_t distance, const char* unit, bool is_exact) {
  return (is_exact ? "" : "at most: at least ") + CountText(distance, unit) +
         " to change";
}

// Sketches that are one signature say only whether it is the same one, which is
// no share of anything.
std::string EstimateLine(const SketchEstimate& estimate) {
  if (estimate.standard_error < 0 &&
      (estimate.estimate == 0 || estimate.estimate == 1)) {
    return fmt::format(
        "  {:<12} {:<6}   {}: the signatures {}\n", "",
        estimate.estimate == 1 ? "equal" : "differ", estimate.method,
        estimate.estimate == 1 ? "are equal, which says little of the texts"
                               : "differ, which says little of the texts");
  }
  return MeasureLine(
      "", estimate.estimate,
      estimate.method + StandardErrorText(estimate.standard_error));
}

std::string Measures(const Explanation& e, const MethodOptions& method) {
  const uint64_t all = e.shingles_x + e.shingles_y - e.common;
  std::string text =
      MeasureLine("jaccard", e.jaccard,
                  fmt::format("{} of the {} shingles of both are in both",
                              NumberText(e.common), NumberText(all)));
  text += MeasureLine("containment", e.containment_ab, "of X in Y");
  text += MeasureLine("", e.containment_ba, "of Y in X");
  text += MeasureLine("dice", e.dice, "");
  text += MeasureLine("cosine", e.cosine, "of how often each word occurs");
  text += MeasureLine("", e.cosine_tf, "of how often each shingle occurs");
  text += MeasureLine("", e.cosine_sets, "of which shingles occur");
  text += MeasureLine("s3", e.s3, "");
  if (e.layout >= 0)
    text += MeasureLine("layout", e.layout, "of the paths of their elements");
  text += MeasureLine("edit", e.edit,
                      ChangesText(e.edit_distance, "word", e.edit_exact));
  text += MeasureLine(
      "", e.edit_chars,
      ChangesText(e.edit_chars_distance, "character", e.edit_chars_exact));
  text += MeasureLine("hamming", e.hamming_tokens,
                      "of the places have the same word; 0 for different "
                      "lengths");
  text +=
      MeasureLine("", e.hamming_chars, "of the places have the same character");
  text += SketchLines(e, method);
  for (const PairScore& score : e.scores) {
    text += MeasureLine("", score.value,
                        score.name + ": " + score.meaning +
                            StandardErrorText(score.standard_error));
  }
  for (const SketchEstimate& estimate : e.estimates)
    text += EstimateLine(estimate);
  return text;
}

// What differs, and how it shows in the alignment.
std::string DifferenceText(const Explanation& e) {
  std::string text(ChoiceName(e.difference));
  if (!e.kind_of_difference.empty() && e.kind_of_difference != "none")
    text += " (aligned: " + Printable(e.kind_of_difference) + ")";
  return text;
}

}  // namespace

std::string ExplanationText(const Explanation& e, const MethodOptions& method) {
  std::string text = DocumentLine("X", e.x, e.shingles_x) +
                     DocumentLine("Y", e.y, e.shingles_y);
  text += fmt::format(
      "\n{}\n  they share   {}\n  they differ  {}\n"
      "A reader would call them near-duplicates with probability {:.3f}:\n{}"
      "\n\n",
      ChoiceName(e.kind), ChoiceName(e.duplicate_kind), DifferenceText(e),
      e.grade.probability, Printable(e.grade.reason));
  text += Measures(e, method);
  const std::string diff = DiffText(e.diff, StdoutTakesColour());
  return diff.empty() ? text : text + "\n" + diff;
}

namespace {

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
  Output out;
  WriteSteps(request, steps->written, &out);
  return out.Finish(kExplainName);
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
  InputOptions input = request.options.input;
  input.inputs = request.in;
  auto explanation = Explain(request.operands[0], request.operands[1], input,
                             request.options.features, request.options.method);
  if (!explanation) return TellError(kExplainName, explanation.error());
  // Files are called what the user called them: their ids may be the same.
  if (request.in.empty()) {
    explanation->x.id = NameText(request.operands[0]);
    explanation->y.id = NameText(request.operands[1]);
  }
  if (!request.html.empty()) {
    std::vector<std::string> inputs = request.in;
    if (inputs.empty()) inputs = request.operands;
    const auto written = WriteExplanationPage(
        ExplanationPage(nullptr, &*explanation), request.html, inputs);
    if (!written) return TellError(kExplainName, written.error());
  }
  Output out;
  if (request.json)
    out.Line(ExplanationJson(*explanation, request.options.method).dump(2));
  else
    out.Write(ExplanationText(*explanation, request.options.method));
  return out.Finish(kExplainName);
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
           {.name = "--preset",
            .long_help = "A preset of a method sets the text and method flags "
                         "as 'twinset presets' shows; flags given beside it "
                         "count more. One preset of each kind may be given."},
           {.name = "--mime",
            .long_help = "Declared, or recognised where none or only a generic "
                         "one is declared. With --method exact, '*' takes "
                         "every record. May be repeated."}},
      .flags = ExplainFlags(),
      .refusals = {{{"--threads"},
                    "it looks at a few documents, on one thread"},
                   {{"--memory"}, "it holds little"},
                   kNoWorkFiles,
                   {{"--overwrite", "--resume", "--out"},
                    "it prints its results and writes no folder"},
                   kPassesOver,
                   kPrintsText},
      .run = RunExplain};
}

}  // namespace

const Registration kExplain(ExplainCommand);

}  // namespace twinset::cli
