// What a flag says in commands in which its general text is not right.
#include "drawers.h"

namespace twinset::cli {
namespace {

constexpr CommandBits kPageReaders =
    kTextBit | kTuneBit | kEngineBit | kWalkBit | kRescueBit | kTrapsBit |
    kLexiconBit | kUrlsBit | kMirrorsBit | kLeakBit | kChangeBit | kAssessBit |
    kPredictBit | kSeedsBit;
constexpr std::string_view kNotOver =
    "A folder that exists is refused unless --overwrite is given, and always "
    "when it holds an input or anything that twinset did not make.";
constexpr std::string_view kNotOverFile =
    "A file that exists is refused unless --overwrite is given.";

// clang-format off
const FlagText kTexts[] = {
    {"--out", kMatchBit, {},
     "Holds pairs, the best match of each document of A, keep and drop lists for A, what was quarantined and "
     "summary.json, which is written last: when it is there, the run is done. A folder that exists is refused "
     "unless --overwrite or --resume is given, and always when it holds an input or anything that twinset did "
     "not make."},
    {"--out", kRecutBit, {},
     "Holds clusters, pairs, keep and drop lists and summary.json, which is written last: when it is there, the "
     "run is done. A folder that exists is refused unless --overwrite is given, and always when it holds "
     "anything that twinset did not make."},
    {"--out", kEvaluateBit, "folder for the tables",
     "Holds evaluation.json, evaluation.csv and evaluation.html. A folder that exists is refused unless "
     "--overwrite is given, and always when it holds an input or anything that twinset did not make."},
    {"--out", kLexiconBit, "build: file of the lexicon", kNotOverFile},
    {"--out", kEngineBit, "build: folder of the engine", kNotOver},
    {"--out", kSampleBit, "folder for the sample",
     "Holds sample.jsonl, summary.json and the recorded answers. A folder that exists is refused unless "
     "--overwrite or --resume is given, and always when it holds anything that twinset did not make."},
    {"--out", kWalkBit, "folder for the walk; with --rank, file of the ranks",
     "The folder holds sample.jsonl, which is the sample, and summary.json. What exists is refused unless "
     "--overwrite is given, and always when it holds an input or anything that twinset did not make."},
    {"--out", kTrapsBit, "folder for the rows; without it they are printed",
     "Holds traps.jsonl and summary.json. A folder that exists is refused unless --overwrite is given, and always "
     "when it holds an input or anything that twinset did not make."},
    {"--out", kEstimateBit, "folder for summary.json and report.html",
     "summary.json is what --json prints; 'twinset report DIR --figures DIR' makes tables for a paper of it. A folder "
     "that exists is refused unless --overwrite is given, and always when it holds an input or anything that twinset "
     "did not make."},
    {"--out", kUrlsBit, "folder for the tables; without it they are printed",
     "Holds tlds.csv, domains.csv, hosts.csv, rules.csv, bad.jsonl and summary.json. A folder that exists is refused "
     "unless --overwrite is given, and always when it holds an input or anything that twinset did not make."},
    {"--out", kMirrorsBit, "folder for the rows; without it they are printed",
     "Holds mirrors.jsonl, degrees.jsonl, with --dead alternatives.jsonl, and summary.json. A folder that exists is "
     "refused unless --overwrite is given, and always when it holds an input or anything that twinset did not make."},
    {"--out", kLeakBit, "folder for the rows; without it they are printed",
     "Holds leaks.jsonl, splits.csv, clean.txt and summary.json. A folder that exists is refused unless --overwrite "
     "is given, and always when it holds an input or anything that twinset did not make."},
    {"--out", kStudyBit, "folder for the study",
     "Holds what each step found, numbers.csv, page.json, report.html and study.json, which is written last. A folder "
     "that exists is refused unless --overwrite or --resume is given, and always when it holds an input or anything "
     "that twinset did not make."},
    {"--resume", kStudyBit, "keep the steps that an interrupted study has finished",
     "Give the same command again and add this flag. A changed configuration or input is refused."},
    {"--json", kStudyBit, "print study.json instead of a table", ""},
    {"--out", kAssessBit, "folder for the page; of score, for the tables",
     "Holds assess.html, sample.json and summary.json; of score shares.csv, truth.jsonl and disagreements.jsonl too. A "
     "folder that exists is refused unless --overwrite is given, and always when it holds an input or anything that "
     "twinset did not make."},
    {"--out", kPredictBit, "folder for the rules and the answers",
     "Holds rules.jsonl, validation.csv, page.json and summary.json, and with URLS predictions.jsonl and bad.jsonl. A "
     "folder that exists is refused unless --overwrite is given, and always when it holds an input or anything that "
     "twinset did not make."},
    {"--out", kSeedsBit, "folder for the seeds; of overlap, for the table",
     "Holds seeds.txt, seeds.jsonl, left-out.jsonl, page.json and summary.json; of overlap overlap.csv, page.json and "
     "summary.json. A folder that exists is refused unless --overwrite is given, and always when it holds an input or "
     "anything that twinset did not make."},
    {"--seed", kPredictBit, "of the folds", ""},
    {"--out", kPatchBit, "make: file of the patch; apply: folder for what did not match",
     "The folder holds inputs.jsonl, mismatches.jsonl and summary.json, which is written last. What exists is refused "
     "unless --overwrite or, of a folder, --resume is given, and always when it is or holds an input or anything that "
     "twinset did not make."},
    {"--write", kPatchBit, "apply: folder for the repaired corpus",
     "One file per input under the same name and in the input's own format. Inputs are never altered: a folder that "
     "holds one, or anything that twinset did not make, is refused. Without it the copy is only compared.",
     "(not written)"},
    {"--overwrite", kPatchBit, "replace a file or result folders that exist", {}},
    {"--resume", kPatchBit, "apply: continue an interrupted command",
     "Give the same command again and add this flag. A changed patch or input is refused."},
    {"--json", kPatchBit, "print summary.json instead of a summary in words", ""},
    {"--tmp", kPatchBit, {}, {}, "(make: the system's; apply: in the result folder)"},
    {"--report", kPredictBit, {}, "Rules and what they save, in one file that needs nothing else."},
    {"--in", kAssessBit, "where the texts are; by default where the run read them", "May be repeated."},
    {"--against", kAssessBit, "where the texts of the second side are", "May be repeated."},
    {"--seed", kAssessBit, "of the sample", ""},
    {"--report", kAssessBit, "score: also write report.html", "Tables in one file that needs nothing else."},
    {"--out", kAuctionBit, "page: file of the search page", kNotOverFile},
    {"--out", kQrelsBit, "transfer, merge: file of the judgements", kNotOverFile},
    {"--out", kRunsBit, "file of the run; of several, of make and compare, a folder",
     "What exists is refused unless --overwrite is given, and always when it is or holds an input or anything "
     "that twinset did not make."},
    {"--overwrite", kQrelsBit, "replace files that exist", ""},
    {"--overwrite", kRunsBit, "replace files or a result folder that exist", {}},
    {"--overwrite", kLexiconBit | kAuctionBit, "replace a file that exists", ""},
    {"--overwrite", kEngineBit, "build: replace an existing engine", {}},
    {"--format", kMatchBit, "of pairs and best matches: jsonl or csv", {}},
    {"--limit", kMatchBit, "read only the first N documents of each side, in input order",
     "Documents count as summary.json counts them: what is skipped or quarantined does not. Inputs behind the "
     "last of them are not opened. A saved run given with --against counts whole. It does not go with --write, "
     "whose corpus would lack the rest."},
    {"--write", kMatchBit, "also write A without what has a match", {}},
    {"--report", kMatchBit, {}, "Counts, similarities and examples, in one file that needs nothing else."},
    {"--out", kChangeBit, "folder for the lists; without it a table is printed",
     "Holds changes.csv, recrawl.csv, captures.jsonl, steps.csv, stability.csv, survival.csv, quarantine.jsonl, page.json and "
     "summary.json. A folder that exists is refused unless --overwrite is given.", {}},
    {"--report", kUrlsBit | kMirrorsBit | kLeakBit | kChangeBit | kSeedsBit, {}, "Counts and tables, in one file that needs nothing else."},
    {"--report", kSampleBit | kWalkBit | kTrapsBit, {}, "Counts and charts, in one file that needs nothing else."},
    {"--resume", kSampleBit, "continue an interrupted sample",
     "Give the same command again and add this flag. Answers that were recorded in the folder are not asked for "
     "again."},
    {"--json", kDedupBit | kMatchBit | kRecutBit, "print summary.json instead of a summary in words", ""},
    {"--json", kExplainBit, "print one JSON document", "It does not go with --steps, which prints text."},
    {"--markdown", kExplainBit | kAuctionBit, "with --steps, print Markdown instead of aligned columns", ""},
    {"--json", kTextBit, "print one JSON object a document and line", ""},
    {"--json", kSketchBit, "rows are JSON objects, with and without this flag", ""},
    {"--json", kEvaluateBit, "print evaluation.json instead of a table", ""},
    {"--json", kHammingBit, "print one JSON object a pair and line", ""},
    {"--json", kMethodsBit | kPresetsBit | kVersionBit | kTuneBit, "print one JSON document", ""},
    {"--json", kSampleBit, "print summary.json instead of a summary in words", ""},
    {"--json", kWalkBit, "print one JSON object with what was found", ""},
    {"--json", kTrapsBit | kRescueBit, "print one JSON object a row and line", ""},
    {"--json", kUrlsBit | kMirrorsBit | kLeakBit | kChangeBit | kAssessBit | kPredictBit | kSeedsBit, "print summary.json instead of a table", ""},
    {"--json", kLexiconBit | kEngineBit | kAuctionBit, "print JSON, one object a line", ""},
    {"--json", kQrelsBit, "print one JSON object", ""},
    {"--json", kRunsBit, "print one JSON object a run, or a measure that is compared, and line", ""},
    {"--strict", kQrelsBit | kRunsBit, "fail at the first line that would be left out", ""},
    {"--json", kEstimateBit, "print one JSON object: the estimate, its error and interval", ""},

    {"--method", kDedupBit | kMatchBit, {}, {}, "complete"},
    {"--method", kExplainBit, "whose sketches are compared; see 'twinset methods'",
     "With --steps, which method is derived. 'twinset methods' lists all with their parameters and sources.",
     "minhash"},
    {"--method", kSketchBit, "whose sketches are printed; see 'twinset methods'",
     "'twinset methods' lists all with their parameters and sources.", "minhash"},
    {"--method", kTuneBit, "whose parameters are chosen: minhash, simhash, super-shingle, ...",
     "A method with a law of its own, as 'twinset methods' says.", "minhash"},
    {"--lexicons", kTuneBit, "of i-match: randomised lexica beside the first", "", "(the fewest for --recall)"},
    {"--bits", kTuneBit, "length of a fingerprint, as 32, 64, 128 or 384",
     "Of copies any length from 5 on; without it that of the method's own fingerprints."},
    {"--threshold", kRecutBit, "least similarity of a pair; not below that of the saved run", "",
     "(as it was run)"},
    {"--keep", kRecutBit, {}, {}, "(as it was run)"},
    {"--cluster", kRecutBit, {}, {}, "(as it was run)"},
    {"--pairs", kRecutBit, {}, {}, "(as it was run)"},
    {"--action", kRecutBit, {}, {}, "(as it was run)"},
    {"--keep", kMatchBit, "which of two matches is the better one, after the similarity",
     "longest, shortest, first, newest, oldest, https, canonical, shortest-url, max:FIELD, min:FIELD. What no rule "
     "decides, input order does. May be repeated."},
    {"--action", kMatchBit, "what becomes of documents of A with a match: drop, annotate or report",
     "drop: they go. annotate: nothing goes, rows say what they match. report: lists only."},
    {"--prefer", kMatchBit, "sources whose documents are the better matches, best first", {}},
    {"--fields", kMatchBit, {},
     "JSON lines such as {\"url\": ..., \"pagerank\": 0.0012}; a document's own fields go before. May be repeated."},
    {"--site", kMatchBit | kEvaluateBit, "what tells sites apart for --template: host, source, url or a field", {}},
    {"--bands", kEvaluateBit, {}, {}, "(from --thresholds)"},
    {"--rows", kEvaluateBit, {}, {}, "(from --thresholds)"},
    {"--bits", kHammingBit, "length of a fingerprint: 32, 64 or 128", ""},
    {"--distance", kHammingBit, "most bits in which the fingerprints of a pair differ", ""},
    {"--lexicons", kLexiconBit, "diff: randomised lexica beside the first", ""},
    {"--lexicon-drop", kLexiconBit, "diff: share of the terms that each randomised lexicon drops", ""},
    {"--min-terms", kLexiconBit, "diff: documents with fewer retained terms have no signature", ""},
    {"--seed", kEngineBit, "of the hashes that --share, --timeouts and --sabotage-share go by", ""},
    {"--seed", kSampleBit, "of all that is drawn at random", ""},
    {"--seed", kEstimateBit, "of the samples drawn again for bootstrap intervals", ""},
    {"--seed", kWalkBit, "of the walk, and of the rows drawn from it", ""},
    {"--seed", kLexiconBit, "diff: of the randomised lexica", ""},
    {"--seed", kRunsBit, "compare: of the randomisation tests", ""},
    {"--seed", kAuctionBit, "log: of the comparison with chance", ""},
    {"--against", kHammingBit | kEvaluateBit, {}, "May be repeated."},
    {"--against", kRunsBit, "compare: runs of the second side; by default the same", "Matched by the names of the files. May be repeated."},
    {"--against", kReportBit, "where the second side of a match stands now", "May be repeated."},
    {"--kinds", kRecutBit, {},
     "Rows get duplicate_kind, difference and grade, as 'twinset explain' prints them, and summary.json their "
     "counts. Only of a run that was saved with it."},
    {"--mime", kPageReaders | kEvaluateBit, {},
     "Declared, or recognised where none or only a generic one is declared. May be repeated."},
    {"--preset", kTextBit | kEngineBit | kWalkBit | kRescueBit | kTrapsBit | kLexiconBit | kUrlsBit | kMirrorsBit |
     kLeakBit | kAssessBit | kPredictBit | kSeedsBit, {},
     "Of a preset of a method only the settings of the text count. One preset of each kind may be given."},
    {"--memory", kHammingBit, "most memory for the fingerprints; more is refused", "At least 64M."},
    {"--memory", kTextBit | kWalkBit | kAuctionBit | kSeedsBit, "memory budget, as 8G", "At least 64M."},
    {"--memory", kQrelsBit, "most memory for the lists; more is refused", "At least 64M."},
    {"--memory", kRunsBit, "most memory for the lists; more is refused",
     "At least 64M. With collapse --texts it is also that of the search in the texts."},
    {"--threads", kRunsBit, "collapse --texts: worker threads; 0: one a processor", {}},
    {"--tmp", kTuneBit | kRunsBit | kTrapsBit | kUrlsBit | kLeakBit | kStudyBit | kChangeBit, {}, {}, "(the system's)"},
    {"--quiet", kHammingBit | kEstimateBit | kQrelsBit | kRunsBit | kMethodsBit | kPresetsBit | kVersionBit | kHelpBit | kManBit |
     kCompletionsBit, "nothing but the answer; problems are still told", ""},

    {"--networks", kEngineBit | kWalkBit | kRescueBit | kTrapsBit, {},
     "Without it nothing is asked of loopback, private, link-local and other special addresses or of the metadata "
     "services of clouds, whatever name, link or redirect leads there. Name only networks that are yours or that "
     "allow it. May be repeated."},
    {"--timeout", kEngineBit | kRescueBit, {}, "Of pages 20, of engines 30, unless it is given.", "(20 or 30)"},
    {"--timeout", kWalkBit | kTrapsBit, {}, "", "(20)"},
    {"--max-requests", kSampleBit, {},
     "Then the command stops, and the same one with --resume goes on. Recorded answers cost nothing."},
    {"--max-requests", kEngineBit | kRescueBit, {},
     "Then the command stops, and the same one with --record goes on. Recorded answers cost nothing."},
};
// clang-format on

}  // namespace

std::span<const FlagText> FlagTexts() { return kTexts; }

}  // namespace twinset::cli
