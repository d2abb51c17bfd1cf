#include "flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>

#include "cli/presets.h"
#include "cli/studies.h"
#include "cli/values.h"
#include "drawers.h"
#include "flag_setters.h"
#include "twinset/methods.h"
#include "twinset/nearest.h"
#include "twinset/parameters.h"

namespace twinset::cli {
namespace {

using namespace setters;  // NOLINT: the table reads better

// Commands that write a result folder, that compare documents, that read them.
constexpr CommandBits kRuns = kDedupBit | kMatchBit;
constexpr CommandBits kComparers =
    kRuns | kExplainBit | kSketchBit | kEvaluateBit;
constexpr CommandBits kReaders =
    kComparers | kTextBit | kLexiconBit | kTuneBit | kEngineBit | kWalkBit |
    kTrapsBit | kRescueBit | kLeakBit | kChangeBit | kAssessBit | kSeedsBit;
// Commands that take records as documents, and those that take addresses of
// them.
constexpr CommandBits kRecordReaders = kReaders | kMirrorsBit | kPredictBit;
constexpr CommandBits kAddressReaders = kRecordReaders | kUrlsBit;
// Commands that compare whole corpora.
constexpr CommandBits kCorpora =
    kUrlsBit | kMirrorsBit | kLeakBit | kChangeBit | kAssessBit | kPredictBit;
// Commands of any number of inputs.
constexpr CommandBits kListed =
    kRuns | kSketchBit | kEvaluateBit | kTextBit | kTuneBit | kLexiconBit;
// Commands that measure methods instead of applying one.
constexpr CommandBits kStudies = kEvaluateBit | kTuneBit;
// Commands that draw at random, and those that write results of their own kind.
constexpr CommandBits kSamplers = kSampleBit | kWalkBit | kEstimateBit;
// Those that read judgements and rankings, not documents.
constexpr CommandBits kJudging = kQrelsBit | kRunsBit;
constexpr CommandBits kWriters = kEngineBit | kSampleBit | kWalkBit |
                                 kTrapsBit | kAuctionBit | kCorpora | kSeedsBit;

Status Thresholds(const Values& values, Request* request) {
  TWINSET_ASSIGN(const Values items, SplitLists(values));
  request->thresholds.clear();
  for (const std::string& item : items) {
    TWINSET_ASSIGN(const double threshold, ParseNumber(item));
    if (!(threshold > 0 && threshold <= 1))
      return Fail(ErrorCode::kUsage,
                  fmt::format("'{}' is not above 0 and at most 1", item));
    request->thresholds.push_back(threshold);
  }
  return {};
}

// One of the rules, or a file of judged pairs.
Status TruthOf(const Values& values, Request* request) {
  const auto truth = FindChoice<TruthKind>(values.back());
  if (!truth && values.back().empty())
    return Fail(ErrorCode::kUsage, "no file of judged pairs is named");
  request->judged = truth ? "" : values.back();
  request->truth = truth.value_or(TruthKind::kComplete);
  return {};
}

Status Statuses(const Values& values, Request* request) {
  TWINSET_ASSIGN(const Values items, SplitLists(values));
  std::vector<int> statuses;
  for (const std::string& item : items) {
    TWINSET_ASSIGN(const int status, ParseInt(item, 100, 999));
    statuses.push_back(status);
  }
  request->options.input.statuses = statuses;
  return {};
}

// For flags that are done with when the words are taken apart.
Status Nothing(const Values&, Request*) { return {}; }

// One flag after the other, each in the order of struct Flag. In help {} stands
// for the choices.
// clang-format off
const std::vector<Flag> kFlags = {
    // ---- Output
    {"--out", 'o', "DIR", "folder for the results",
     "Holds clusters, pairs, keep and drop lists, what was quarantined and summary.json, which is "
     "written last: when it is there, the run is done. A folder that exists is refused unless "
     "--overwrite or --resume is given, and always when it holds an input or anything that twinset did "
     "not make.",
     "", kRuns | kRecutBit | kLexiconBit | kEvaluateBit | kEstimateBit | kWriters | kJudging | kStudyBit | kPatchBit, FlagGroup::kOutput, ValueKind::kFolder, {}, false,
     Text<[](Request& r) -> auto& { return r.options.out; }>},
    {"--steps", 0, "", "derive everything for these documents instead, step by step",
     "For one or more documents: their shingles, what --method makes of them step by step (slots, "
     "votes, tables, candidates), and how alike they are. docs/examples has such pages; the page of --html also "
     "has drawings.",
     "", kExplainBit, FlagGroup::kOutput, ValueKind::kNone, {}, false,
     Switch<[](Request& r) -> auto& { return r.steps; }>},
    {"--html", 0, "FILE", "also write it as one page for any browser",
     "The two texts beside each other and the measures; of a document of a run also the decision; with --steps the "
     "steps with their drawings.", "(not written)",
     kExplainBit, FlagGroup::kOutput, ValueKind::kFile, {}, false,
     Text<[](Request& r) -> auto& { return r.html; }>},
    {"--step-rows", 0, "N", "with --steps, the most rows of a table", "", "24", kExplainBit,
     FlagGroup::kOutput, ValueKind::kWord, {}, false,
     Count<[](Request& r) -> auto& { return r.step_options.most_rows; }>},
    {"--parts", 0, "PART,...", "with --steps, only these parts",
     "features, rows, measures, sketch, votes, fingerprints, tables, candidates. May be repeated.",
     "(all)", kExplainBit, FlagGroup::kOutput, ValueKind::kChoice,
     ChoiceNames<StepPart>(), true,
     PickList<[](Request& r) -> auto& { return r.step_options.parts; }>},
    {"--functions", 0, "F,...", "with --steps, hash functions of slot tables, as '2x+1 mod 5'",
     "May be repeated. For rabin-mod-prime 'x mod P' names the prime.", "(none)", kExplainBit,
     FlagGroup::kOutput, ValueKind::kWord, {}, true,
     TextList<[](Request& r) -> auto& { return r.step_options.functions; }>},
    {"--orders", 0, "ORDER,...", "with --steps, permutations as orders of the rows, as 34512",
     "May be repeated. Rows above 9: '10 3 4 ...'.", "(none)", kExplainBit, FlagGroup::kOutput,
     ValueKind::kWord, {}, true,
     TextList<[](Request& r) -> auto& { return r.step_options.orders; }>},
    {"--images", 0, "IMAGES,...", "with --steps, permutations as the images of 1, 2, ..., as 3412",
     "May be repeated.", "(none)", kExplainBit, FlagGroup::kOutput, ValueKind::kWord, {}, true,
     TextList<[](Request& r) -> auto& { return r.step_options.images; }>},
    {"--universe", 0, "N", "with --steps, also show the rows 1 to N that no document has", "", "0",
     kExplainBit, FlagGroup::kOutput, ValueKind::kWord, {}, false,
     Int<[](Request& r) -> auto& { return r.step_options.universe; }, 0, 10000>},
    {"--query", 0, "X", "with --steps, a document that is looked up in the tables of the others",
     "May be repeated.", "(none)", kExplainBit, FlagGroup::kOutput, ValueKind::kWord, {}, true,
     Repeated<[](Request& r) -> auto& { return r.step_options.queries; }>},
    {"--format", 0, "FORMAT", "of clusters and pairs: {}", "", "jsonl", kRuns | kRecutBit,
     FlagGroup::kOutput, ValueKind::kChoice, ChoiceNames<OutputFormat>(), false,
     Pick<[](Request& r) -> auto& { return r.options.output_format; }>},
    {"--write", 0, "DIR", "also write the corpus without its duplicates",
     "One file per input under the same name and in the input's own format. Inputs are never "
     "altered: a folder that holds one, or anything that twinset did not make, is refused.",
     "(not written)", kRuns | kPatchBit, FlagGroup::kOutput, ValueKind::kFolder, {}, false,
     Text<[](Request& r) -> auto& { return r.options.write; }>},
    {"--attributes", 0, "DIR|FILE", "also write a row for each document: its cluster and what becomes of it",
     "In input order: a file NAME.jsonl (or .jsonl.gz, .jsonl.zst, ...) for all inputs, or a folder with one "
     "file per input under the same name. For programs that join attributes by id instead of reading texts "
     "again.",
     "(not written)", kRuns, FlagGroup::kOutput, ValueKind::kFile, {}, false,
     Text<[](Request& r) -> auto& { return r.options.attributes; }>},
    {"--save", 0, "DIR", "keep the run in a folder, to be decided again with recut",
     "Holds what was made of the documents, so recut needs neither inputs nor texts. Takes about as much "
     "room as the work files. Whoever has its verify.key can make texts that collide; without it a "
     "saved run can only be recut.",
     "(not kept)", kDedupBit, FlagGroup::kOutput, ValueKind::kFolder, {}, false,
     Text<[](Request& r) -> auto& { return r.options.save; }>},
    {"--add", 0, "DIR", "add the INPUTs to the run that was saved in a folder, whose decisions stay",
     "DIR is a folder of --save and is never written; only the INPUTs are read. Documents of the saved run "
     "stay before the new ones: what was kept stays kept, and its pairs stay pairs. The results are of both, "
     "and --write writes the INPUTs alone. Flags that are not given are as in the saved run; those that "
     "decide what is read or sketched cannot be others. With --save the two together are kept in a folder of "
     "their own. May be repeated for runs that were saved with one --key.",
     "(nothing)", kDedupBit, FlagGroup::kInput, ValueKind::kFolder, {}, true,
     Repeated<[](Request& r) -> auto& { return r.options.add; }>},
    {"--reconsider", 0, "", "with --add, decide about old and new documents anew",
     "The results are then those of a run over the inputs of the saved run and after them the INPUTs. Another "
     "--threshold, --measure or --max-df, --cluster components and --action drop-all need it.",
     "", kDedupBit, FlagGroup::kInput, ValueKind::kNone, {}, false,
     Switch<[](Request& r) -> auto& { return r.options.reconsider; }>},
    {"--report", 0, "", "also write report.html",
     "What was found in plain words, with examples side by side, in one file that needs nothing else. "
     "'twinset report DIR' makes it later.", "", kRuns | kRecutBit | kSampleBit | kWalkBit | kTrapsBit | kCorpora | kSeedsBit, FlagGroup::kOutput,
     ValueKind::kNone, {}, false,
     Switch<[](Request& r) -> auto& { return r.options.report; }>},
    {"--figures", 0, "DIR", "also write each drawing as SVG and each table as CSV and LaTeX",
     "Tables are set with booktabs and have a caption. A folder that exists is refused unless --overwrite is given.", "(not written)",
     kReportBit, FlagGroup::kOutput, ValueKind::kFolder, {}, false,
     Text<[](Request& r) -> auto& { return r.figures; }>},
    {"--kinds", 0, "", "also say of each pair what it shares, what differs and how alike readers find it",
     "Rows get duplicate_kind, difference and grade, as 'twinset explain' prints them, and summary.json their "
     "counts. The texts of all documents are kept in work files meanwhile.", "", kRuns | kRecutBit, FlagGroup::kOutput,
     ValueKind::kNone, {}, false,
     Switch<[](Request& r) -> auto& { return r.options.kinds; }>},
    {"--stats-by", 0, "FIELD,...", "also count documents, bytes and duplicates by the values of a field",
     "A row for each value in stats.jsonl; the most frequent ones stand in summary.json and the report. FIELD is "
     "source, host, url or a field of the rows, as metadata.source or tags.0; field:NAME is one also where NAME is "
     "one of the words. May be repeated.", "(none)", kRuns | kRecutBit, FlagGroup::kOutput,
     ValueKind::kField, {"source", "host", "url"}, true,
     TextList<[](Request& r) -> auto& { return r.options.stats_by; }>},
    {"--near", 0, "HOW", "with --write, near-duplicates in WARC: {}",
     "A record with an equal payload becomes a revisit record. A near-duplicate is left out "
     "(drop), left out with a metadata record that says why (metadata), or kept with such a "
     "record (keep).",
     "drop", kRuns, FlagGroup::kOutput, ValueKind::kChoice, ChoiceNames<NearRule>(), false,
     Pick<[](Request& r) -> auto& { return r.options.near; }>},
    {"--overwrite", 0, "", "replace an existing result folder",
     "Removes what the folder's own list says that twinset made there, and nothing else.", "", kRuns | kRecutBit | kReportBit | kLexiconBit | kEvaluateBit | kEstimateBit | kWriters | kJudging | kStudyBit | kPatchBit, FlagGroup::kOutput,
     ValueKind::kNone, {}, false,
     Switch<[](Request& r) -> auto& { return r.options.overwrite; }>},
    {"--resume", 0, "", "continue an interrupted run",
     "Give the same command again and add this flag. A changed input or parameter is refused, "
     "with both shown. Standard input cannot be resumed.",
     "", kRuns | kSampleBit | kStudyBit | kPatchBit, FlagGroup::kOutput, ValueKind::kNone, {}, false,
     Switch<[](Request& r) -> auto& { return r.options.resume; }>},
    {"--dry-run", 0, "", "say what would be read and done, and what it would cost; write nothing",
     "A few megabytes of the inputs go through the stages of the run, in memory, and what they took and found is "
     "scaled up: documents, pairs, time, memory and disk, each with what it rests on. Inputs that would not be "
     "read are named with the reason. --out need not be given. With --json one JSON document.", "", kRuns,
     FlagGroup::kOutput, ValueKind::kNone, {}, false,
     Switch<[](Request& r) -> auto& { return r.dry_run; }>},
    {"--json", 0, "", "print machine-readable output", "", "", kReaders | kRecutBit | kHammingBit | kMethodsBit | kPresetsBit | kVersionBit | kWriters | kEstimateBit | kJudging | kStudyBit | kPatchBit, FlagGroup::kOutput, ValueKind::kNone, {}, false,
     Switch<[](Request& r) -> auto& { return r.json; }>},
    {"--show-tokens", 0, "", "add the normalised tokens of each document", "", "", kTextBit,
     FlagGroup::kOutput, ValueKind::kNone, {}, false,
     Switch<[](Request& r) -> auto& { return r.show_tokens; }>},
    {"--blocks", 0, "", "with --json, add the blocks of each page and why each was kept or not",
     "Each block with its text, its score (how likely it is main content), the reason in words and "
     "its place in the page.",
     "", kTextBit, FlagGroup::kOutput, ValueKind::kNone, {}, false,
     Switch<[](Request& r) -> auto& { return r.blocks; }>},
    {"--markdown", 0, "", "print the manual as Markdown instead of roff", "", "",
     kManBit | kExplainBit | kAuctionBit,
     FlagGroup::kOutput, ValueKind::kNone, {}, false,
     Switch<[](Request& r) -> auto& { return r.markdown; }>},

    // ---- Method
    {"--methods", 0, "SPEC,...", "methods to compare; a SPEC is NAME or NAME@FLAG=VALUE@...",
     "NAME is a method or a preset of one, FLAG a flag of a method or of what is compared, without "
     "its dashes: simhash@distance=5@sketch-shingle=word:2+word:3. Flags given beside --methods "
     "count for all. May be repeated.",
     "", kEvaluateBit, FlagGroup::kStudy, ValueKind::kMethod, {}, true,
     Repeated<[](Request& r) -> auto& { return r.methods; }>},
    {"--thresholds", 0, "T,...", "least similarities of a true pair, each above 0 and at most 1",
     "Methods whose parameters follow from the threshold are run anew for each.", "0.8",
     kEvaluateBit, FlagGroup::kStudy, ValueKind::kWord, {}, true, Thresholds},
    {"--truth", 0, "WHAT", "complete, none, or a file of judged pairs",
     "complete: every pair at the threshold, by the complete join. none: recall is estimated by "
     "capture-recapture over the methods. A file has rows with a, b and label or similarity; with "
     "labels, only these pairs are judged.",
     "complete", kEvaluateBit, FlagGroup::kStudy, ValueKind::kFile, {"complete", "none"}, false,
     TruthOf},
    {"--relevant", 0, "LABEL", "with --truth FILE, labels from here on count as duplicates", "", "1",
     kEvaluateBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
     Number<[](Request& r) -> auto& { return r.relevant; }>},
    {"--floor", 0, "T", "pairs from here on stand in histogram and recall by similarity", "",
     "(the least threshold)", kStudies, FlagGroup::kStudy, ValueKind::kWord, {}, false,
     Share<[](Request& r) -> auto& { return r.floor; }>},
    {"--sample", 0, "N", "true pairs whose kind of difference is looked at; 0: none",
     "And a quarter as many false pairs of each method.", "1000", kEvaluateBit, FlagGroup::kStudy,
     ValueKind::kWord, {}, false, Count<[](Request& r) -> auto& { return r.sample; }>},
    {"--recall", 0, "R", "share of the pairs at the threshold that must be found", "", "0.99",
     kTuneBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
     Share<[](Request& r) -> auto& { return r.recall; }>},
    {"--rule", 0, "NAME", "what makes bands and rows good: {}",
     "cheapest: the most rows, then the fewest bands, that reach --recall at the threshold. "
     "datasketch: the least sum of false positives and false negatives over all similarities, "
     "weighed equally, as that package does; --recall does not count then.",
     "cheapest", kTuneBit, FlagGroup::kStudy, ValueKind::kChoice, ChoiceNames<BandRule>(), false,
     Pick<[](Request& r) -> auto& { return r.rule; }>},
    {"--documents", 0, "N", "of copies: different texts that there are", "", "1000000", kTuneBit,
     FlagGroup::kStudy, ValueKind::kWord, {}, false,
     Count<[](Request& r) -> auto& { return r.collisions.documents; }>},
    {"--document-bytes", 0, "SIZE", "of copies: length of the longest text", "", "1K", kTuneBit,
     FlagGroup::kStudy, ValueKind::kWord, {}, false,
     Size<[](Request& r) -> auto& { return r.collisions.document_bytes; }>},
    {"--collisions", 0, "N", "of copies: pairs of different texts with one fingerprint that may be expected",
     "0.001 is one chance in a thousand that there is any.", "0.001", kTuneBit,
     FlagGroup::kStudy, ValueKind::kWord, {}, false,
     Number<[](Request& r) -> auto& { return r.collisions.tolerated; }>},
    {"--differing-terms", 0, "N", "of i-match: terms of the lexicon in which two texts differ that must be found",
     "", "1", kTuneBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
     Int<[](Request& r) -> auto& { return r.differing_terms; }, 1, 64>},
    {"--min-df", 0, "N", "lexicon build: terms in fewer documents are left out",
     "", "2", kLexiconBit, FlagGroup::kMethod, ValueKind::kWord, {}, false,
     Int<[](Request& r) -> auto& { return r.lexicon_rules.min_df; }, 1, 1000000000>},
    {"--drop-common", 0, "SHARE", "lexicon build: share of the range of idf left out at the common end",
     "The range goes from the inverse document frequency of the most common of the terms that --min-df "
     "leaves to that of the rarest.",
     "0.33", kLexiconBit, FlagGroup::kMethod, ValueKind::kWord, {}, false,
     Part<[](Request& r) -> auto& { return r.lexicon_rules.drop_common; }>},
    {"--drop-rare", 0, "SHARE", "lexicon build: share of the range of idf left out at the rare end",
     "As --drop-common.",
     "0.33", kLexiconBit, FlagGroup::kMethod, ValueKind::kWord, {}, false,
     Part<[](Request& r) -> auto& { return r.lexicon_rules.drop_rare; }>},

    // ---- Features
    {"--site", 0, "FIELD", "what tells sites apart for --template, as --within names it",
     "Without it the host of a page's address; else, for files that are pages, the folder that was "
     "given. Pages without a site keep all their text.",
     "(host or folder)", kRuns | kEvaluateBit, FlagGroup::kFeatures, ValueKind::kField,
     {"source", "host", "url", "language"}, false,
     Text<[](Request& r) -> auto& { return r.options.features.site; }>},
    {"--ignore", 0, "FILE", "text whose shingles do not count, as a licence or a footer",
     "May be repeated.", "(none)", kRuns, FlagGroup::kFeatures, ValueKind::kFile, {}, true,
     Repeated<[](Request& r) -> auto& { return r.options.ignore; }>},

    // ---- Clusters
    {"--prefer", 0, "SOURCE,...", "sources whose documents stay, best first; before --keep",
     "A source is the name of an input as the rows of the results show it, or a glob for such "
     "names. May be repeated.", "(none)", kRuns | kRecutBit, FlagGroup::kClusters, ValueKind::kFile, {}, true,
     TextList<[](Request& r) -> auto& { return r.options.prefer; }>},
    {"--fields", 0, "FILE", "further fields of documents, rows by url or id, for --keep max:FIELD",
     "JSON lines such as {\"url\": ..., \"pagerank\": 0.0012}, as 'twinset walk --rank' writes them; a document's "
     "own fields go before. --keep, --within, --across and --stats-by can use them. May be repeated.",
     "(none)", kRuns, FlagGroup::kClusters, ValueKind::kFile, {}, true,
     Repeated<[](Request& r) -> auto& { return r.options.fields; }>},

    // ---- Passages
    {"--passage-tokens", 0, "N", "with --measure containment, shorter passages are not listed", "",
     "10", kMatchBit, FlagGroup::kClusters, ValueKind::kWord, {}, false,
     Int<[](Request& r) -> auto& { return r.passage_tokens; }, 1, 1 << 20>},
    {"--passage-gap", 0, "N", "words that may differ between two copied runs of one passage", "", "8",
     kMatchBit, FlagGroup::kClusters, ValueKind::kWord, {}, false,
     Int<[](Request& r) -> auto& { return r.passage_gap; }, 0, 1 << 20>},

    // ---- Scope
    {"--within", 0, "FIELD", "compare only documents alike in source, host, url, language or FIELD",
     "language is that of the text, identified by the text itself. FIELD is a field of the rows; "
     "field:NAME is one also where NAME is one of the words above.",
     "(all)", kDedupBit, FlagGroup::kScope, ValueKind::kField, {"source", "host", "url", "language"}, false,
     Text<[](Request& r) -> auto& { return r.options.within; }>},
    {"--across", 0, "FIELD", "compare only documents that differ in it", "", "(all)", kDedupBit,
     FlagGroup::kScope, ValueKind::kField, {"source", "host", "url", "language"}, false,
     Text<[](Request& r) -> auto& { return r.options.across; }>},
    {"--window", 0, "FIELD:SPAN", "compare only documents this near in time, as date:30d", "",
     "(all)", kRuns, FlagGroup::kScope, ValueKind::kWord, {}, false,
     Text<[](Request& r) -> auto& { return r.options.window; }>},

    // ---- Input
    {"--against", 0, "INPUT", "the second side, which is only compared with",
     "May be repeated. It may also be one folder of 'twinset dedup --save': the run is then asked in "
     "place of its inputs, and flags that are not given are as it had them.", "",
     kExplainBit | kMatchBit | kHammingBit | kReportBit | kEvaluateBit | kRunsBit | kAssessBit,
     FlagGroup::kInput, ValueKind::kFile, {}, true,
     Repeated<[](Request& r) -> auto& { return r.against; }>},
    {"--against-format", 0, "FORMAT", "of the second side: as --input-format", "",
     "(as --input-format)", kMatchBit, FlagGroup::kInput, ValueKind::kChoice, ChoiceNames<InputFormat>(), false,
     Pick<[](Request& r) -> auto& { return r.against_input.format.emplace(); }>},
    {"--against-preset", 0, "NAME", "of the second side: a named setting of fields, as clueweb22",
     "What --id-field and its like say of the first side then does not count for the second.",
     "(as --preset)", kMatchBit, FlagGroup::kInput, ValueKind::kChoice, ChoiceNames<FieldPreset>(), false,
     Pick<[](Request& r) -> auto& { return r.against_input.preset.emplace(); }>},
    {"--against-id-field", 0, "PATH", "of the second side: field of a row that is its id", "",
     "(as --id-field)", kMatchBit, FlagGroup::kInput, ValueKind::kField, {}, false,
     Text<[](Request& r) -> auto& { return r.against_input.id_field.emplace(); }>},
    {"--against-text-field", 0, "PATH", "of the second side: field of a row that is its text", "",
     "(as --text-field)", kMatchBit, FlagGroup::kInput, ValueKind::kField, {}, false,
     Text<[](Request& r) -> auto& { return r.against_input.text_field.emplace(); }>},
    {"--against-html-field", 0, "PATH", "of the second side: field of a row that is markup", "",
     "(as --html-field)", kMatchBit, FlagGroup::kInput, ValueKind::kField, {}, false,
     Text<[](Request& r) -> auto& { return r.against_input.html_field.emplace(); }>},
    {"--against-url-field", 0, "PATH", "of the second side: field of a row that is its URL", "",
     "(as --url-field)", kMatchBit, FlagGroup::kInput, ValueKind::kField, {}, false,
     Text<[](Request& r) -> auto& { return r.against_input.url_field.emplace(); }>},
    {"--against-date-field", 0, "PATH", "of the second side: field of a row that is its date", "",
     "(as --date-field)", kMatchBit, FlagGroup::kInput, ValueKind::kField, {}, false,
     Text<[](Request& r) -> auto& { return r.against_input.date_field.emplace(); }>},
    {"--in", 0, "INPUT", "where the two ids are found; without it X and Y are files",
     "May be repeated.", "", kExplainBit | kAssessBit, FlagGroup::kInput, ValueKind::kFile, {}, true,
     Repeated<[](Request& r) -> auto& { return r.in; }>},
    {"--files-from", 0, "FILE", "a file that lists further inputs, a name a line; - is standard input",
     "Names may be of any bytes: where the list has a NUL byte, as find -print0 writes it, each ends with "
     "one. Empty names are passed over. May be repeated.",
     "(none)", kListed, FlagGroup::kInput, ValueKind::kFile, {}, true, Nothing},
    {"--null", '0', "", "names in --files-from end with NUL bytes, which is also seen without this", "", "",
     kListed, FlagGroup::kInput, ValueKind::kNone, {}, false, Nothing},
    {"--limit", 0, "N", "read only the first N documents, in input order",
     "Documents count as summary.json counts them: what is skipped or quarantined does not. Inputs behind the "
     "last of them are not opened. With --add the documents of the saved run are beside the N. It does not go "
     "with --write, whose corpus would lack the rest.",
     "(all)", kRuns, FlagGroup::kInput, ValueKind::kWord, {}, false,
     Count<[](Request& r) -> auto& { return r.options.limit; }>},
    {"--input-format", 0, "FORMAT", "{}",
     "auto recognises format and compression by content, not by name.", "auto", kAddressReaders | kRunsBit,
     FlagGroup::kInput, ValueKind::kChoice, ChoiceNames<InputFormat>(), false,
     Pick<[](Request& r) -> auto& { return r.options.input.format; }>},
    {"--preset", 0, "NAME,...", "named settings: of fields, as clueweb22, or of a method, as broder97",
     "A preset of a method sets the text and method flags as 'twinset presets' shows; flags given "
     "beside it count more. One preset of each kind may be given.",
     "(none)", kAddressReaders, FlagGroup::kInput, ValueKind::kPreset, {}, true, SetPresets},
    {"--id-field", 0, "PATH", "field of a row that is its id; dots reach into objects", "", "id",
     kAddressReaders | kRunsBit, FlagGroup::kInput, ValueKind::kField, {}, false,
     Text<[](Request& r) -> auto& { return r.options.input.id_field; }>},
    {"--text-field", 0, "PATH", "field of a row that is its text", "", "text", kRecordReaders | kRunsBit,
     FlagGroup::kInput, ValueKind::kField, {}, false,
     Text<[](Request& r) -> auto& { return r.options.input.text_field; }>},
    {"--html-field", 0, "PATH", "field of a row that is markup, instead of --text-field", "",
     "(none)", kRecordReaders | kRunsBit, FlagGroup::kInput, ValueKind::kField, {}, false,
     Text<[](Request& r) -> auto& { return r.options.input.html_field; }>},
    {"--features-field", 0, "PATH", "field of a row that is its features with weights; they are compared, no text",
     "{\"word\": 2.5, ...}, or a list of which each element is a name or a pair [name, weight]. The sets of "
     "features are what is compared, and the method simhash weighs each as the field says.",
     "(none)", kRuns | kSketchBit | kEvaluateBit, FlagGroup::kInput, ValueKind::kField, {}, false,
     Text<[](Request& r) -> auto& { return r.options.input.features_field; }>},
    {"--url-field", 0, "PATH", "field of a row that is its URL", "", "url", kAddressReaders,
     FlagGroup::kInput, ValueKind::kField, {}, false,
     Text<[](Request& r) -> auto& { return r.options.input.url_field; }>},
    {"--date-field", 0, "PATH", "field of a row that is its date (RFC 3339)", "", "date", kRecordReaders,
     FlagGroup::kInput, ValueKind::kField, {}, false,
     Text<[](Request& r) -> auto& { return r.options.input.date_field; }>},
    {"--status", 0, "CODE,...", "HTTP status of the records that are documents", 
     "A record without a status passes. May be repeated.", "200", kAddressReaders, FlagGroup::kInput,
     ValueKind::kWord, {}, true, Statuses},
    {"--mime", 0, "TYPE,...", "media type of the records that are documents",
     "Declared, or recognised where none or only a generic one is declared. With --method exact, "
     "'*' takes every record. May be repeated.",
     "text/html,application/xhtml+xml,text/plain", kAddressReaders, FlagGroup::kInput, ValueKind::kWord,
     {}, true, TextList<[](Request& r) -> auto& { return r.options.input.mimes; }>},
    {"--language", 0, "CODE,...", "only documents whose text is in one of these languages",
     "Codes as de, en, zh, zh-Hant; und for texts whose language is not clear. The others are "
     "counted as skipped. May be repeated.",
     "(all)", kRuns | kStudies | kTextBit | kSketchBit, FlagGroup::kInput, ValueKind::kWord, {}, true,
     TextList<[](Request& r) -> auto& { return r.options.input.languages; }>},
    {"--page-kind", 0, "KIND,...", "only pages of these kinds",
     "As their structure shows: article, reference, documentation, forum, listing, product, other; "
     "none for what is not HTML. The others are counted as skipped. May be repeated.",
     "(all)", kRuns | kStudies | kTextBit | kSketchBit, FlagGroup::kInput, ValueKind::kChoice,
     ChoiceNames<PageKind>(), true,
     PickList<[](Request& r) -> auto& { return r.options.input.page_kinds; }>},
    {"--max-document", 0, "SIZE", "larger documents are quarantined (decoded bytes)", "", "8M",
     kRecordReaders, FlagGroup::kInput, ValueKind::kWord, {}, false,
     Size<[](Request& r) -> auto& { return r.options.input.max_document_bytes; }>},
    {"--max-field", 0, "SIZE", "records with a longer id, URL, date or field are quarantined", "",
     "64K", kAddressReaders, FlagGroup::kInput, ValueKind::kWord, {}, false,
     Size<[](Request& r) -> auto& { return r.options.input.max_field_bytes; }>},
    {"--max-ratio", 0, "N", "documents that decompress to more than N times are quarantined", "",
     "1000", kAddressReaders, FlagGroup::kInput, ValueKind::kWord, {}, false,
     Count<[](Request& r) -> auto& { return r.options.input.max_ratio; }>},
    {"--max-window", 0, "SIZE", "largest zstd window and xz dictionary that is read",
     "zstd makes larger ones in its long mode from 28 on. Inputs that need more are quarantined with the size "
     "that they need. What is above 128M counts as memory of the command.",
     "128M", kAddressReaders, FlagGroup::kInput, ValueKind::kWord, {}, false,
     Size<[](Request& r) -> auto& { return r.options.input.max_window_bytes; }>},
    {"--quoting", 0, "HOW", "what quotation marks around a field of CSV or TSV mean: {}",
     "none: a line is a row, separators part it, and a quotation mark is a character like any other. csv: a "
     "field in quotation marks may hold separators and line ends (RFC 4180).",
     "(csv for CSV, none for TSV)", kAddressReaders, FlagGroup::kInput, ValueKind::kChoice, ChoiceNames<Quoting>(),
     false, Pick<[](Request& r) -> auto& { return r.options.input.quoting.emplace(); }>},
    {"--truncated", 0, "WHAT", "documents cut off inside their compressed member: {}",
     "What can be read of a document that is kept so is compared as it stands, and its rows say "
     "\"truncated\": true.", "quarantine", kRecordReaders, FlagGroup::kInput, ValueKind::kChoice, ChoiceNames<TruncatedRule>(), false,
     Pick<[](Request& r) -> auto& { return r.options.input.truncated; }>},
    {"--revisions", 0, "WHICH", "revisions of a page of a MediaWiki export that are documents: {}",
     "Each of all revisions has the id TITLE@REVISION.", "newest", kRecordReaders, FlagGroup::kInput,
     ValueKind::kChoice, ChoiceNames<RevisionRule>(), false,
     Pick<[](Request& r) -> auto& { return r.options.input.revisions; }>},
    {"--digest", 0, "NAME", "payload digest: sha1-base32 (as archives write it) or sha256", "",
     "sha1-base32", kReaders, FlagGroup::kInput, ValueKind::kChoice, ChoiceNames<DigestKind>(),
     false, Pick<[](Request& r) -> auto& { return r.options.input.digest; }>},

    // ---- Run: nothing here changes a result
    {"--threads", 'j', "N", "worker threads; 0: one a processor", "", "0", kRuns | kRunsBit | kRecutBit | kStudies | kTextBit | kHammingBit | kTrapsBit | kUrlsBit | kLeakBit | kStudyBit | kPatchBit, FlagGroup::kRun,
     ValueKind::kWord, {}, false,
     Int<[](Request& r) -> auto& { return r.options.resources.threads; }, 0, 4096>},
    {"--memory", 0, "SIZE", "memory budget, as 8G; what does not fit goes to disk",
     "At least 64M.", "(60 % of what is available)", kRuns | kQrelsBit | kRunsBit | kRecutBit | kStudies | kTextBit | kHammingBit | kWalkBit | kTrapsBit | kCorpora | kStudyBit | kAuctionBit | kPatchBit | kSeedsBit, FlagGroup::kRun, ValueKind::kWord, {},
     false, Size<[](Request& r) -> auto& { return r.options.resources.memory_bytes; }>},
    {"--tmp", 0, "DIR", "folder for work files", "", "(in the result folder)", kRuns | kRunsBit | kRecutBit | kStudies | kTrapsBit | kUrlsBit | kLeakBit | kStudyBit | kChangeBit | kPatchBit,
     FlagGroup::kRun, ValueKind::kFolder, {}, false,
     Text<[](Request& r) -> auto& { return r.options.resources.tmp; }>},
    {"--key", 0, "FILE", "secret under which what is verified is hashed: 32 hexadecimal digits",
     "No result depends on it. It makes runs proof against texts made to collide, so keep it to yourself.",
     "(drawn for the run)", kRuns | kEvaluateBit, FlagGroup::kRun, ValueKind::kFile, {}, false,
     Text<[](Request& r) -> auto& { return r.options.resources.key; }>},
    {"--simd", 0, "NAME", "force a kernel target; see 'twinset version'", "", "(the best)", kRuns | kRecutBit | kStudies | kHammingBit,
     FlagGroup::kRun, ValueKind::kWord, {}, false,
     Text<[](Request& r) -> auto& { return r.options.resources.simd; }>},
    {"--strict", 0, "", "fail at the first record that would be quarantined", "", "",
     kRuns | kTextBit | kSketchBit | kJudging, FlagGroup::kRun, ValueKind::kNone, {}, false,
     Switch<[](Request& r) -> auto& { return r.options.strict; }>},
    {"--quiet", 'q', "", "no progress and no closing summary; problems are still told", "", "",
     kEveryCommand, FlagGroup::kRun, ValueKind::kNone, {}, false,
     Switch<[](Request& r) -> auto& { return r.quiet; }>},
    {"--progress", 0, "FORM", "how far the run is, on standard error: auto, bar, plain, json or none",
     "bar draws one line again and again, plain writes a line every 30 seconds, json an object a line at "
     "most once a second: stage, step, unit, done, total, share, bytes (read, decoded), seconds and "
     "left_seconds of the step; what is not known is null. auto: bar on a terminal, plain elsewhere, none "
     "with --quiet.",
     "auto", kExplainBit | kReaders | kRecutBit | kReportBit | kWriters | kPatchBit, FlagGroup::kRun, ValueKind::kChoice,
     {"auto", "bar", "plain", "json", "none"}, false,
     Text<[](Request& r) -> auto& { return r.progress; }>},

    // ---- General
    {"--config", 0, "FILE", "a file that sets flags; those given beside it count more",
     "TOML: the long names of flags without their dashes, as threshold = 0.9, true for a switch, a list "
     "for a flag that may be repeated. What stands below [dedup] is for dedup alone.",
     "(none)", kReaders | kRecutBit | kHammingBit | kWriters | kEstimateBit | kJudging | kPatchBit, FlagGroup::kGeneral, ValueKind::kFile, {}, false, Nothing},
    {"--help", 'h', "", "-h: what is for everyday; --help: everything", "", "", kEveryCommand,
     FlagGroup::kGeneral, ValueKind::kNone, {}, false,
     Switch<[](Request& r) -> auto& { return r.help_long; }>},
};
// clang-format on

// Where a parameter is a flag, if not where the others of its group are, and
// its short name.
struct Asked {
  std::string_view name;
  CommandBits commands;
  char short_name = 0;
};
constexpr Asked kAsked[] = {
    {"method", (kComparers & ~kEvaluateBit) | kTuneBit, 'm'},
    {"threshold", (kComparers & ~kEvaluateBit) | kTuneBit | kRecutBit, 't'},
    {"measure", kComparers & ~kSketchBit},
    {"seed", kComparers | kTuneBit | kLexiconBit | kSamplers | kEngineBit |
                 kAuctionBit | kRunsBit | kAssessBit | kPredictBit},
    {"permutations", kComparers | kTuneBit},
    {"bucket-limit", kRuns},
    {"verify", kRuns},
    {"bits", kComparers | kTuneBit | kHammingBit},
    {"distance", kComparers | kHammingBit, 'k'},
    {"groups", kComparers | kTuneBit},
    {"agree", kComparers | kTuneBit},
    {"lexicons", kComparers | kTuneBit | kLexiconBit},
    {"lexicon-drop", kComparers | kTuneBit | kLexiconBit},
    {"min-terms", kComparers | kLexiconBit},
    {"asked-chunks", kMatchBit | kEvaluateBit},
    {"tokens", kReaders | kAuctionBit},
    {"stop-words", kComparers | kTuneBit | kTextBit | kLexiconBit},
    {"stem", kComparers | kTuneBit | kTextBit | kLexiconBit},
    {"shingle", kComparers | kTuneBit | kLeakBit | kChangeBit | kRunsBit},
    {"content", kReaders | kAuctionBit | kRunsBit},
    {"parser", kReaders},
    {"template", kRuns | kEvaluateBit},
    {"max-df", kRuns},
    {"keep", kRuns | kRecutBit},
    {"action", kRuns | kRecutBit},
    {"cluster", kDedupBit | kRecutBit},
    {"pairs", kDedupBit | kRecutBit},
};

Asked AskedOf(const Parameter& parameter) {
  for (const Asked& asked : kAsked)
    if (asked.name == parameter.name) return asked;
  const bool of_dedup = parameter.group == ParameterGroup::kClusters ||
                        parameter.group == ParameterGroup::kUnits;
  return {parameter.name, of_dedup ? CommandBits{kDedupBit} : kComparers};
}

FlagGroup GroupOf(const Parameter& parameter) {
  switch (parameter.group) {
    case ParameterGroup::kFeatures:
      return FlagGroup::kFeatures;
    case ParameterGroup::kClusters:
      return FlagGroup::kClusters;
    case ParameterGroup::kUnits:
      return FlagGroup::kUnits;
    default:
      return FlagGroup::kMethod;
  }
}

ValueKind KindOf(const Parameter& parameter) {
  if (parameter.value.empty()) return ValueKind::kNone;
  switch (parameter.range.kind) {
    case ParameterRange::kChoice:
      return ValueKind::kChoice;
    case ParameterRange::kMethod:
      return ValueKind::kMethod;
    case ParameterRange::kFile:
      return ValueKind::kFile;
    default:
      return ValueKind::kWord;
  }
}

// The texts of the flags of parameters, which last as long as the program.
std::string_view Kept(std::string text) {
  static std::deque<std::string> texts;
  return texts.emplace_back(std::move(text));
}

std::string DefaultOf(const Parameter& parameter) {
  if (parameter.value.empty()) return "";
  if (parameter.range.kind == ParameterRange::kMethod) {
    std::string pairs, sketches;
    for (const MethodInfo& method : Methods()) {
      if (method.is_standard) pairs = method.name;
      if (method.is_standard_sketch) sketches = method.name;
    }
    return "(" + pairs + "; of explain, sketch and tune: " + sketches + ")";
  }
  const std::string text = DefaultText(parameter);
  return parameter.default_words.empty() ? text : "(" + text + ")";
}

// Who reads it, where not all do.
std::string ReadersOf(const Parameter& parameter) {
  const Values readers = MethodsReading(parameter.name);
  Values others;
  for (const MethodInfo& method : Methods()) {
    if (std::find(readers.begin(), readers.end(), method.name) == readers.end())
      others.push_back(method.name);
  }
  if (readers.empty() || others.empty()) return "";
  return readers.size() <= others.size()
             ? fmt::format("Read by {}.", fmt::join(readers, ", "))
             : fmt::format("Read by all methods but {}.",
                           fmt::join(others, ", "));
}

Flag FlagOfParameter(const Parameter& parameter) {
  const Asked asked = AskedOf(parameter);
  const std::vector<std::string> readers = MethodsReading(parameter.name);
  std::string help(parameter.help), details(parameter.details);
  if (readers.size() == 1) {
    help = readers[0] + ": " + help;
  } else if (const std::string all = ReadersOf(parameter); !all.empty()) {
    details += (details.empty() ? "" : " ") + all;
  }
  const bool list =
      std::holds_alternative<std::vector<std::string> PriorityOptions::*>(
          parameter.field);
  return {Kept("--" + std::string(parameter.name)),
          asked.short_name,
          parameter.value,
          Kept(std::move(help)),
          Kept(std::move(details)),
          Kept(DefaultOf(parameter)),
          asked.commands,
          GroupOf(parameter),
          KindOf(parameter),
          parameter.range.choices,
          list,
          [&parameter, list](const Values& values, Request* request) -> Status {
            if (!list)
              return SetParameter(parameter, values.back(), &request->options);
            TWINSET_ASSIGN(const Values items, SplitLists(values));
            return SetParameter(parameter,
                                fmt::format("{}", fmt::join(items, ",")),
                                &request->options);
          }};
}

Flag WithTexts(Flag flag, CommandBits command) {
  for (const FlagText& text : FlagTexts()) {
    if (text.name != flag.name || (text.commands & command) == 0) continue;
    flag.help = text.help.value_or(flag.help);
    flag.long_help = text.long_help.value_or(flag.long_help);
    flag.default_text = text.default_text.value_or(flag.default_text);
  }
  return flag;
}

}  // namespace

bool IsGiven(const Request& request, std::string_view flag) {
  return std::any_of(request.given.begin(), request.given.end(),
                     [&](const auto& given) { return given.first == flag; });
}

std::string_view GroupTitle(FlagGroup group) {
  switch (group) {
    case FlagGroup::kOutput:
      return "Output";
    case FlagGroup::kMethod:
      return "Method";
    case FlagGroup::kStudy:
      return "Study";
    case FlagGroup::kFeatures:
      return "What is compared";
    case FlagGroup::kClusters:
      return "Pairs and clusters";
    case FlagGroup::kUnits:
      return "Units of text";
    case FlagGroup::kScope:
      return "Scope";
    case FlagGroup::kInput:
      return "Input";
    case FlagGroup::kRun:
      return "Run (changes no result)";
    case FlagGroup::kGeneral:
      return "General";
  }
  return "";
}

const std::vector<Flag>& Flags() {
  static const std::vector<Flag> flags = [] {
    std::vector<Flag> all;
    for (const Parameter& parameter : Parameters())
      all.push_back(FlagOfParameter(parameter));
    all.insert(all.end(), kFlags.begin(), kFlags.end());
    for (const auto& more :
         {FetchFlags(), EngineFlags(), SampleFlags(), RandomIpFlags(),
          EstimateFlags(), WalkFlags(), RescueFlags(), TrapsFlags(),
          AuctionFlags(), QrelsFlags(), RunsFlags(), CorporaFlags(),
          SeedsFlags()}) {
      all.insert(all.end(), more.begin(), more.end());
    }
    for (Flag& flag : all) {
      const size_t place = flag.help.find("{}");
      if (place == std::string_view::npos) continue;
      flag.help =
          Kept(std::string(flag.help).replace(place, 2, OrList(flag.choices)));
    }
    return all;
  }();
  return flags;
}

std::vector<const Flag*> FlagsOf(CommandBits command) {
  // The flags of each command, with its own texts.
  static const std::map<CommandBits, std::vector<Flag>> tables = [] {
    std::map<CommandBits, std::vector<Flag>> all;
    for (CommandBits bit = 1; bit <= kEveryCommand; bit <<= 1) {
      for (const Flag& flag : Flags())
        if ((flag.commands & bit) != 0)
          all[bit].push_back(WithTexts(flag, bit));
    }
    return all;
  }();
  std::vector<const Flag*> flags;
  if (const auto table = tables.find(command); table != tables.end())
    for (const Flag& flag : table->second) flags.push_back(&flag);
  return flags;
}

Status SetFlag(const Flag& flag, const std::vector<std::string>& values,
               Request* request) {
  if (flag.kind == ValueKind::kChoice) {
    std::vector<std::string> chosen = values;
    if (flag.list) {
      TWINSET_ASSIGN(chosen, SplitLists(values));
    }
    for (const std::string& value : chosen) {
      if (std::find(flag.choices.begin(), flag.choices.end(), value) !=
          flag.choices.end())
        continue;
      return Fail(ErrorCode::kUsage,
                  fmt::format("{}: '{}' is not one of {}", flag.name,
                              Printable(value), fmt::join(flag.choices, ", ")),
                  {}, DidYouMean(value, flag.choices));
    }
  }
  // A method refuses what it does not read, also at its default value.
  if (flag.group == FlagGroup::kMethod)
    request->options.method.given.emplace_back(flag.name.substr(2));
  Status status = flag.set(values, request);
  if (!status) {
    Error error = std::move(status).error();
    error.message = fmt::format("{}: {}", flag.name, error.message);
    return tl::unexpected<Error>(std::move(error));
  }
  return {};
}

}  // namespace twinset::cli
