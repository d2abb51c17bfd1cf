// twinset runs.
#include "twinset/corpora/runs.h"

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/commands/corpora/line_counts.h"
#include "cli/flags/flag_setters.h"
#include "cli/job.h"
#include "cli/nouns.h"
#include "cli/values.h"
#include "twinset/options.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kRunsName = "runs";

template <typename Result>
int Run(const Request& request, const RunsOptions& options,
        Result (*job)(const RunsOptions&)) {
  return RunToResult(kRunsName, request, options, job, [](const auto& result) {
    TellLinesRead(kRunsName, result.lines());
  });
}

int RunRuns(const Request& request) {
  if (const Status noun = CheckNoun(kRunsName, request); !noun)
    return TellError(kRunsName, noun.error());
  auto options = JobOptionsOf<RunsOptions>(request);
  options.runs.assign(request.operands.begin() + 1, request.operands.end());
  options.against = request.against;
  options.seed = request.options.method.seed;
  options.strict = request.options.strict;
  std::vector<std::string> texts = std::move(options.texts.inputs);
  options.texts = request.options.input;
  options.texts.inputs = std::move(texts);
  const std::string& verb = request.operands.front();
  if (options.runs.empty())
    return TellError(kRunsName, {ErrorCode::kUsage,
                                 "no runs are given",
                                 {},
                                 fmt::format("twinset runs {} RUN...", verb)});
  if (verb == "make") return Run(request, options, MakeRuns);
  if (verb == "transfer") return Run(request, options, TransferRuns);
  if (verb == "collapse") return Run(request, options, CollapseRuns);
  return verb == "eval" ? Run(request, options, EvaluateRuns)
                        : Run(request, options, CompareRuns);
}

std::vector<Flag> RunsFlags() {
  return {
      {.name = "--qrels",
       .value = "FILE",
       .help = "eval, compare: the judgements",
       .long_help = "May be repeated.",
       .kind = ValueKind::kFile,
       .list = true,
       .set = SetRepeated<&RunsOptions::qrels>},
      {.name = "--measures",
       .value = "NAME,...",
       .help = "eval, compare: map, ndcg, ndcg_cut_10, P_10, rbp and others",
       .long_help = "By trec_eval's names; any depth may stand for 10: map, "
                    "ndcg, ndcg_cut_K, P_K, recip_rank, bpref, num_ret, "
                    "num_rel, num_rel_ret. Beside them rbp and unjudged_K, the "
                    "share of the first K that is not judged.",
       .default_text = "(eight of them)",
       .list = true,
       .set = SetTextList<&RunsOptions::evaluation, &RunEvaluation::measures>},
      {.name = "--by-topic",
       .help = "eval: the values of each topic too",
       .set = SetSwitch<&RunsOptions::by_topic>},
      {.name = "--topics",
       .value = "FILE",
       .help = "make: queries, ID:QUERY a line, which engines are asked",
       .long_help = "RUN are then folders of 'twinset engine build' on this "
                    "machine, and each gives eight runs. May be repeated.",
       .kind = ValueKind::kFile,
       .list = true,
       .set = SetRepeated<&RunsOptions::topics>},
      {.name = "--results",
       .value = "N",
       .help = "make: most documents of a topic",
       .default_text = "1000",
       .set = SetInt<1, 1000000, &RunsOptions::results>},
      {.name = "--relevance-level",
       .value = "N",
       .help = "grades from here on are relevant",
       .long_help = "nDCG counts every grade above 0.",
       .default_text = "1",
       .set = SetInt<1, 1000000, &RunsOptions::evaluation,
                     &RunEvaluation::relevance_level>},
      {.name = "--persistence",
       .value = "P",
       .help = "of rank-biased precision (rbp)",
       .default_text = "0.8",
       .set = SetProbability<&RunsOptions::evaluation,
                             &RunEvaluation::persistence>},
      {.name = "--condensed",
       .help = "take documents without a judgement away first",
       .set = SetSwitch<&RunsOptions::evaluation, &RunEvaluation::condensed>},
      {.name = "--all-topics",
       .help = "eval: judged topics that a run lacks count 0",
       .long_help = "By default they do not count.",
       .set = SetSwitch<&RunsOptions::evaluation, &RunEvaluation::all_topics>},
      {.name = "--duplicates",
       .value = "FILE",
       .help = "known duplicates: those below one of theirs are collapsed",
       .long_help = "What 'twinset dedup' lists, pairs of CopyCat (CSV or "
                    "JSON), rows of ids, groups {\"ids\":[...]}. In a "
                    "comparison the second side is collapsed. May be repeated.",
       .default_text = "(none)",
       .kind = ValueKind::kFile,
       .list = true,
       .set =
           SetRepeated<&RunsOptions::evaluation, &RunEvaluation::duplicates>},
      {.name = "--texts",
       .value = "INPUT",
       .help = "collapse: the collection, whose texts tell duplicates in place "
               "of --duplicates",
       .long_help =
           "A file, folder or pattern. Of the ranked documents every pair with "
           "a Jaccard similarity of --threshold, 0.9 where that is 0, is "
           "found. They are known by their ids or addresses. May be repeated.",
       .default_text = "(none)",
       .kind = ValueKind::kFile,
       .list = true,
       .set = SetRepeated<&RunsOptions::texts, &InputOptions::inputs>},
      {.name = "--collapse",
       .value = "HOW",
       .help = "a document with a duplicate above it: {}",
       .long_help = "remove: it goes. demote: it stands below all others. "
                    "mark: it keeps its place and counts as not relevant; in a "
                    "written run its tag is duplicate-of:ID.",
       .default_text = "remove",
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<CollapseAction>(),
       .set = SetPick<&RunsOptions::evaluation, &RunEvaluation::action>},
      {.name = "--threshold",
       .short_name = 't',
       .value = "T",
       .help = "least similarity of duplicates and pairs",
       .long_help = "Those without one pass.",
       .default_text = "0",
       .set = SetUpToOne<&RunsOptions::evaluation,
                         &RunEvaluation::least_similarity>},
      {.name = "--pairs",
       .value = "FILE",
       .help = "transfer: pairs of a match; ids of a become those of b",
       .long_help = "The most similar partner counts. May be repeated.",
       .kind = ValueKind::kFile,
       .list = true,
       .set = SetRepeated<&RunsOptions::pairs>},
      {.name = "--against-qrels",
       .value = "FILE",
       .help = "compare: judgements of the second side; by default the same",
       .long_help = "May be repeated.",
       .kind = ValueKind::kFile,
       .list = true,
       .set = SetRepeated<&RunsOptions::against_qrels>},
      {.name = "--most-tied",
       .value = "S",
       .help = "compare: runs of which more is tied stand apart",
       .long_help = "Tied is 1 - different scores / documents. Where ids "
                    "decide the order, a comparison of systems says nothing.",
       .default_text = "0.5",
       .set = SetUpToOne<&RunsOptions::most_tied>},
      {.name = "--rbo-persistence",
       .value = "P",
       .help = "compare: of rank-biased overlap",
       .default_text = "0.9",
       .set = SetProbability<&RunsOptions::overlap_persistence>},
      {.name = "--alpha",
       .value = "P",
       .help = "compare: differences of smaller p are significant",
       .default_text = "0.05",
       .set = SetProbability<&RunsOptions::alpha>},
      {.name = "--draws",
       .value = "N",
       .help = "compare: of a randomisation test",
       .default_text = "10000",
       .set = SetCount<&RunsOptions::permutations>},
      {.name = "--negative-as-zero",
       .help = "read grades below 0 as 0",
       .set = SetSwitch<&RunsOptions::negative_as_zero>},
      {.name = "--log",
       .value = "FILE",
       .help =
           "collapse: a row for each document that has a duplicate above it",
       .long_help = "CSV if the name ends in .csv, else JSON lines. A file "
                    "that exists is refused unless --overwrite is given.",
       .default_text = "(not written)",
       .group = FlagGroup::kOutput,
       .kind = ValueKind::kFile,
       .set = SetText<&RunsOptions::log>}};
}

Command RunsCommand() {
  return {
      .name = "runs",
      .group = CommandGroup::kStudies,
      .operands = "make|transfer|collapse|eval|compare RUN...",
      .help =
          "rankings of retrieval systems: evaluated, compared, without "
          "duplicates",
      .long_help =
          "RUN are TREC run files (topic, Q0, document, rank, score, tag), one "
          "system each. The order is that of trec_eval: scores as 32-bit "
          "floats, equal ones by descending id.\n\neval prints measures by "
          "trec_eval's names. collapse treats documents with a duplicate above "
          "them by --collapse. transfer gives documents the ids of their "
          "partners in --pairs. compare ranks the systems under two conditions "
          "and says how alike the rankings are and which significant "
          "differences are lost, found or turned round. make writes a run for "
          "each column of rows of features.",
      .nouns = {"make", "transfer", "collapse", "eval", "compare"},
      .prints_rows = true,
      .examples =
          {{"twinset runs eval a.run b.run --qrels web.qrels", "a table"},
           {"twinset runs eval a.run --qrels web.qrels --measures "
            "map,ndcg_cut_10,P_10 --by-topic --json",
            "a row for each topic, then the means"},
           {"twinset runs collapse a.run --duplicates groups.jsonl --out c.run",
            "the run without what is redundant"},
           {"twinset runs compare *.run --qrels web.qrels --against-qrels "
            "transferred.qrels",
            "whether systems rank the same under transferred judgements"}},
      .everyday = {"--qrels", "--measures", "--duplicates", "--texts",
                   "--collapse", "--pairs", "--against", "--against-qrels",
                   "--condensed", "--out", "--log", "--json", "--overwrite",
                   "--quiet"},
      .parameters = {.also = {"seed", "shingle", "content"}},
      .shared = {"--out", "--overwrite", "--json", "--against",
                 "--input-format", "--id-field", "--text-field", "--html-field",
                 "--threads", "--memory", "--tmp", "--strict", "--progress",
                 "--config"},
      .texts =
          {{.name = "--seed",
            .help = "compare: of the randomisation tests",
            .long_help = ""},
           {.name = "--out",
            .help =
                "file of the run; of several, of make and compare, a folder",
            .long_help = "What exists is refused unless --overwrite is given, "
                         "and always when it is or holds an input or anything "
                         "that twinset did not make."},
           {.name = "--overwrite",
            .help = "replace files or a result folder that exist"},
           {.name = "--json",
            .help = "print one JSON object a run, or a measure that is "
                    "compared, and line"},
           {.name = "--against",
            .help = "compare: runs of the second side; by default the same",
            .long_help = "Matched by the names of the files. May be repeated."},
           {.name = "--threads",
            .help = "collapse --texts: worker threads; 0: one a processor"},
           {.name = "--memory",
            .help = "most memory for the lists; more is refused",
            .long_help = "At least 64M. With collapse --texts it is also that "
                         "of the search in the texts."},
           {.name = "--strict",
            .help = "fail at the first line that would be left out"},
           kOnlyTheAnswer},
      .flags = RunsFlags(),
      .refusals = {kBeginsAnew, kPrintsText},
      .run = RunRuns};
}

}  // namespace

const Registration kRuns(RunsCommand);

}  // namespace twinset::cli
