#include "flags.h"

#include <fmt/format.h>

#include <algorithm>

#include "flag_setters.h"
#include "presets.h"
#include "studies.h"
#include "values.h"

namespace twinset::cli {
namespace {

using namespace setters;  // NOLINT: the table reads better

// Commands that write a result folder, that compare documents, that read them.
constexpr uint32_t kRuns = kDedupBit | kMatchBit;
constexpr uint32_t kComparers = kRuns | kExplainBit | kSketchBit | kEvaluateBit;
constexpr uint32_t kReaders = kComparers | kTextBit | kLexiconBit | kTuneBit |
                              kEngineBit | kWalkBit | kTrapsBit | kRescueBit;
// Commands that measure methods instead of applying one.
constexpr uint32_t kStudies = kEvaluateBit | kTuneBit;
// Commands that draw at random, and those that write results of their own kind.
constexpr uint32_t kSamplers = kSampleBit | kWalkBit | kEstimateBit;
constexpr uint32_t kWriters =
    kEngineBit | kSampleBit | kWalkBit | kTrapsBit | kAuctionBit;

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

Status Verify(const Values& values, Request* request) {
  request->options.method.verify = values.back() != "none";
  request->options.method.verify_text = values.back() == "text";
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

// One flag after the other, each in the order of struct Flag.
// clang-format off
const std::vector<Flag> kFlags = {
    // ---- Output
    {"--out", 'o', "DIR", "folder for the results",
     "Holds clusters, pairs, keep and drop lists, what was quarantined and summary.json, which is "
     "written last: when it is there, the run is done. A folder that exists is refused unless "
     "--overwrite or --resume is given, and always when it holds an input or anything that twinset did "
     "not make. Of lexicon build: the file of the lexicon.",
     "", kRuns | kLexiconBit | kEvaluateBit | kWriters, FlagGroup::kOutput, ValueKind::kFolder, {}, false,
     Text<[](Request& r) -> auto& { return r.options.out; }>},
    {"--steps", 0, "", "derive everything for these documents instead, as Markdown",
     "For one or more documents: their shingles, what --method makes of them step by step (slots, "
     "votes, tables, candidates), and how alike they are. docs/examples has such pages.",
     "", kExplainBit, FlagGroup::kOutput, ValueKind::kNone, {}, false,
     Switch<[](Request& r) -> auto& { return r.steps; }>},
    {"--step-rows", 0, "N", "with --steps, the most rows of a table", "", "24", kExplainBit,
     FlagGroup::kOutput, ValueKind::kWord, {}, false,
     Count<[](Request& r) -> auto& { return r.step_options.most_rows; }>},
    {"--parts", 0, "PART,...", "with --steps, only these parts",
     "features, rows, measures, sketch, votes, fingerprints, tables, candidates. May be repeated.",
     "(all)", kExplainBit, FlagGroup::kOutput, ValueKind::kWord, {}, true,
     TextList<[](Request& r) -> auto& { return r.step_options.parts; }>},
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
    {"--format", 0, "FORMAT", "of clusters and pairs: jsonl or csv", "", "jsonl", kRuns,
     FlagGroup::kOutput, ValueKind::kChoice, {"jsonl", "csv"}, false,
     Text<[](Request& r) -> auto& { return r.options.output_format; }>},
    {"--write", 0, "DIR", "also write the corpus without its duplicates",
     "One file per input under the same name and in the input's own format. Inputs are never "
     "altered: a folder that holds one, or anything that twinset did not make, is refused.",
     "(not written)", kRuns, FlagGroup::kOutput, ValueKind::kFolder, {}, false,
     Text<[](Request& r) -> auto& { return r.options.write; }>},
    {"--report", 0, "", "also write report.html",
     "Counts, similarities, cluster sizes and examples, in one file that needs nothing else.", "", kRuns | kSampleBit | kWalkBit | kTrapsBit, FlagGroup::kOutput,
     ValueKind::kNone, {}, false,
     Switch<[](Request& r) -> auto& { return r.options.report; }>},
    {"--near", 0, "HOW", "with --write, near-duplicates in WARC: drop, metadata or keep",
     "A record with an equal payload becomes a revisit record. A near-duplicate is left out "
     "(drop), left out with a metadata record that says why (metadata), or kept with such a "
     "record (keep).",
     "drop", kRuns, FlagGroup::kOutput, ValueKind::kChoice, {"drop", "metadata", "keep"}, false,
     Text<[](Request& r) -> auto& { return r.options.near; }>},
    {"--overwrite", 0, "", "replace an existing result folder",
     "Removes what the folder's own list says that twinset made there, and nothing else.", "", kRuns | kLexiconBit | kEvaluateBit | kWriters, FlagGroup::kOutput,
     ValueKind::kNone, {}, false,
     Switch<[](Request& r) -> auto& { return r.options.overwrite; }>},
    {"--resume", 0, "", "continue an interrupted run",
     "Give the same command again and add this flag. A changed input or parameter is refused, "
     "with both shown. Standard input cannot be resumed. Of sample: answers that were recorded in the "
     "folder are not asked for again.",
     "", kRuns | kSampleBit, FlagGroup::kOutput, ValueKind::kNone, {}, false,
     Switch<[](Request& r) -> auto& { return r.options.resume; }>},
    {"--json", 0, "", "print machine-readable output", 
     "dedup: the content of summary.json. explain, methods, presets, version: one JSON document. text: one "
     "JSON object a line. sketch always prints one JSON object a line.",
     "", kReaders | kHammingBit | kMethodsBit | kPresetsBit | kVersionBit | kWriters | kEstimateBit, FlagGroup::kOutput, ValueKind::kNone, {}, false,
     Switch<[](Request& r) -> auto& { return r.json; }>},
    {"--show-tokens", 0, "", "add the normalised tokens of each document", "", "", kTextBit,
     FlagGroup::kOutput, ValueKind::kNone, {}, false,
     Switch<[](Request& r) -> auto& { return r.show_tokens; }>},
    {"--blocks", 0, "", "with --json, add the blocks of each page and why each was kept or not",
     "Each block with its text, its score (how likely it is main content), the reason in words and "
     "its place in the page.",
     "", kTextBit, FlagGroup::kOutput, ValueKind::kNone, {}, false,
     Switch<[](Request& r) -> auto& { return r.blocks; }>},
    {"--markdown", 0, "", "print the manual as Markdown instead of roff", "", "", kManBit,
     FlagGroup::kOutput, ValueKind::kNone, {}, false,
     Switch<[](Request& r) -> auto& { return r.markdown; }>},

    // ---- Method
    {"--method", 'm', "NAME", "how duplicates are found; see 'twinset methods'",
     "minhash finds near-duplicates by the shingles they share, exact finds equal documents. "
     "'twinset methods' lists all with their parameters and sources.",
     "(minhash)", (kComparers & ~kEvaluateBit) | kTuneBit, FlagGroup::kMethod, ValueKind::kMethod, {}, false,
     Text<[](Request& r) -> auto& { return r.options.method.name; }>},
    {"--threshold", 't', "T", "least similarity of a pair, above 0 and at most 1", "", "0.8",
     (kComparers & ~kEvaluateBit) | kTuneBit, FlagGroup::kMethod, ValueKind::kWord, {}, false,
     Share<[](Request& r) -> auto& { return r.options.method.threshold; }>},
    {"--methods", 0, "SPEC,...", "methods to compare; a SPEC is NAME or NAME@FLAG=VALUE@...",
     "NAME is a method or a preset of one, FLAG a flag of a method or of what is compared, without "
     "its dashes: simhash@distance=5@sketch-shingle=word:2+word:3. Flags given beside --methods "
     "count for all. May be repeated.",
     "", kEvaluateBit, FlagGroup::kMethod, ValueKind::kMethod, {}, true,
     Repeated<[](Request& r) -> auto& { return r.methods; }>},
    {"--thresholds", 0, "T,...", "least similarities of a true pair, each above 0 and at most 1",
     "Methods whose parameters follow from the threshold are run anew for each.", "0.8",
     kEvaluateBit, FlagGroup::kMethod, ValueKind::kWord, {}, true, Thresholds},
    {"--truth", 0, "WHAT", "exact, none, or a file of judged pairs",
     "exact: every pair at the threshold, by the complete join. none: recall is estimated by "
     "capture-recapture over the methods. A file has rows with a, b and label or similarity; with "
     "labels, only these pairs are judged.",
     "exact", kEvaluateBit, FlagGroup::kMethod, ValueKind::kFile, {}, false,
     Text<[](Request& r) -> auto& { return r.truth; }>},
    {"--relevant", 0, "LABEL", "with --truth FILE, labels from here on count as duplicates", "", "1",
     kEvaluateBit, FlagGroup::kMethod, ValueKind::kWord, {}, false,
     Number<[](Request& r) -> auto& { return r.relevant; }>},
    {"--floor", 0, "T", "pairs from here on stand in histogram and recall by similarity", "",
     "(the least threshold)", kStudies, FlagGroup::kMethod, ValueKind::kWord, {}, false,
     Share<[](Request& r) -> auto& { return r.floor; }>},
    {"--sample", 0, "N", "true pairs whose kind of difference is looked at; 0: none",
     "And a quarter as many false pairs of each method.", "1000", kEvaluateBit, FlagGroup::kMethod,
     ValueKind::kWord, {}, false, Count<[](Request& r) -> auto& { return r.sample; }>},
    {"--recall", 0, "R", "share of the pairs at the threshold that must be found", "", "0.99",
     kTuneBit, FlagGroup::kMethod, ValueKind::kWord, {}, false,
     Share<[](Request& r) -> auto& { return r.recall; }>},
    {"--rule", 0, "NAME", "what makes bands and rows good: cheapest or datasketch",
     "cheapest: the most rows, then the fewest bands, that reach --recall at the threshold. "
     "datasketch: the least sum of false positives and false negatives over all similarities, "
     "weighed equally, as that package does; --recall does not count then.",
     "cheapest", kTuneBit, FlagGroup::kMethod, ValueKind::kChoice, {"cheapest", "datasketch"}, false,
     Text<[](Request& r) -> auto& { return r.rule; }>},
    {"--measure", 0, "NAME", "what similarity means: jaccard, containment, dice, cosine, s3, ...",
     "These are of the sets of shingles. cosine-tf and cosine-tf-idf count how often each shingle "
     "occurs; edit and hamming compare the tokens in order.",
     "jaccard", kRuns | kExplainBit | kEvaluateBit, FlagGroup::kMethod, ValueKind::kChoice,
     {"jaccard", "containment", "dice", "cosine", "s3", "cosine-tf", "cosine-tf-idf", "edit",
      "hamming"}, false,
     Text<[](Request& r) -> auto& { return r.options.method.measure; }>},
    {"--level", 0, "LEVEL", "with --method exact, what must be equal: bytes, text or tokens",
     "The payload, the clean text, or only the tokens of it.", "bytes", kComparers,
     FlagGroup::kMethod, ValueKind::kChoice, {"bytes", "text", "tokens"}, false,
     Text<[](Request& r) -> auto& { return r.options.method.level; }>},
    {"--permutations", 0, "N", "values in a sketch",
     "More values estimate better and allow more bands, and cost as much more time and space.",
     "128", kComparers | kTuneBit, FlagGroup::kMethod, ValueKind::kWord, {}, false,
     Int<[](Request& r) -> auto& { return r.options.method.permutations; }, 1, 1 << 20>},
    {"--bands", 0, "B", "bands of a sketch; a pair that agrees on one is a candidate",
     "With --rows. By default both follow from the threshold: the cheapest plan that finds at "
     "least 99 % of the pairs that stand at the threshold exactly.",
     "(from --threshold)", kComparers, FlagGroup::kMethod, ValueKind::kWord, {}, false,
     Int<[](Request& r) -> auto& { return r.options.method.bands; }, 1, 1 << 20>},
    {"--rows", 0, "R", "values in a band", "With --bands.", "(from --threshold)", kComparers,
     FlagGroup::kMethod, ValueKind::kWord, {}, false,
     Int<[](Request& r) -> auto& { return r.options.method.rows; }, 1, 1 << 20>},
    {"--bucket-limit", 0, "N", "members above which a band bucket is not expanded; 0: no limit",
     "The members of a larger bucket are compared with at most 64 leaders instead of each other. "
     "Each such bucket stands in summary.json.",
     "4096", kRuns, FlagGroup::kMethod, ValueKind::kWord, {}, false,
     Count<[](Request& r) -> auto& { return r.options.method.bucket_limit; }>},
    {"--verify", 0, "HOW", "exact; none: report estimates; text: compare the texts of what is accepted too",
     "With none, every row says that its similarity is an estimate. exact compares hashes under a "
     "secret of the run; text needs no such secret, and a copy of all texts in the work folder.", "exact", kRuns,
     FlagGroup::kMethod, ValueKind::kChoice, {"exact", "none", "text"}, false, Verify},
    {"--exact", 0, "", "find every pair, provably",
     "The complete join of the measure instead of sketches. Slower; nothing at the threshold is missed.", "", kRuns | kEvaluateBit, FlagGroup::kMethod,
     ValueKind::kNone, {}, false,
     Switch<[](Request& r) -> auto& { return r.options.method.exact; }>},
    {"--generator", 0, "NAME", "what proposes pairs: bands, sorted, tables, psm, hamming or prefix",
     "Only generators that fit the method's sketches are accepted.", "(the method's own)", kComparers, FlagGroup::kMethod,
     ValueKind::kChoice, {"bands", "sorted", "tables", "psm", "hamming", "prefix"}, false,
     Text<[](Request& r) -> auto& { return r.options.method.generator; }>},
    {"--sketch-shingle", 0, "KIND", "what sketches are made of, if not of --shingle",
     "As --shingle. word:2+word:3 puts both lengths into one sketch.", "(as --shingle)", kComparers, FlagGroup::kMethod,
     ValueKind::kWord, {}, false,
     Text<[](Request& r) -> auto& { return r.options.method.sketch_shingle; }>},
    {"--feature-hash", 0, "NAME", "how a feature of a sketch becomes a number",
     "spec is the engine's own and the fastest. The others exist to reproduce published values and to compare: md5 (first 8 bytes), md5-low (last 8), sha1-32, sha1-64, xxh3, xxh3-32, rabin, rabin-mixed, binary and decimal (the token is the number).", "spec", kComparers, FlagGroup::kMethod,
     ValueKind::kChoice, {"spec", "md5", "md5-low", "sha1-32", "sha1-64", "xxh3", "xxh3-32", "rabin", "rabin-mixed", "binary", "decimal"}, false,
     Text<[](Request& r) -> auto& { return r.options.method.feature_hash; }>},
    {"--hash-family", 0, "NAME", "the hash functions of MinHash: spec, datasketch, datasketch-2 or text-dedup",
     "The last three give the values of those packages, bit for bit, where the features are theirs too; datasketch-2 those of its version 2. mixed, of rabin-minhash, mixes shingles before it takes remainders.", "spec", kComparers, FlagGroup::kMethod,
     ValueKind::kChoice, {"spec", "mixed", "datasketch", "datasketch-2", "text-dedup"}, false,
     Text<[](Request& r) -> auto& { return r.options.method.hash_family; }>},
    {"--value-bits", 0, "N", "bits of each MinHash value that are kept",
     "Fewer bits make smaller sketches that agree by chance more often; the estimate is corrected for it.", "32", kComparers, FlagGroup::kMethod,
     ValueKind::kWord, {}, false,
     Int<[](Request& r) -> auto& { return r.options.method.value_bits; }, 1, 32>},
    {"--weights", 0, "NAME", "simhash: how much a feature counts: set, tf or tf-idf",
     "", "tf", kComparers, FlagGroup::kMethod,
     ValueKind::kChoice, {"set", "tf", "tf-idf"}, false,
     Text<[](Request& r) -> auto& { return r.options.method.weights; }>},
    {"--bits", 0, "N", "simhash: length of a fingerprint, as 32, 64, 128 or 384",
     "1 to 384. Below 64 the leading bits count; beyond, more bits are derived from each feature.", "64", kComparers | kTuneBit | kHammingBit, FlagGroup::kMethod,
     ValueKind::kWord, {}, false,
     Int<[](Request& r) -> auto& { return r.options.method.bits; }, 1, 384>},
    {"--distance", 'k', "K", "most bits in which two fingerprints of a pair differ",
     "", "3", kComparers | kHammingBit, FlagGroup::kMethod,
     ValueKind::kWord, {}, false,
     Int<[](Request& r) -> auto& { return r.options.method.distance; }, 0, 383>},
    {"--tables", 0, "DESIGN", "simhash: blocks of the permuted tables, as 4, 5, 6 or 4/4",
     "A number of blocks above --distance: one table for each choice of blocks that may stay equal. 4/4: one of four blocks, then one of four blocks of the rest. manku-20, manku-16, manku-10 and manku-4 are the published designs.", "(from --distance)", kComparers, FlagGroup::kMethod,
     ValueKind::kWord, {}, false,
     Text<[](Request& r) -> auto& { return r.options.method.tables; }>},
    {"--probes", 0, "N", "psm: look-ups a document; 0: all",
     "", "0", kComparers, FlagGroup::kMethod,
     ValueKind::kWord, {}, false,
     Count<[](Request& r) -> auto& { return r.options.method.probes; }>},
    {"--groups", 0, "N", "super-shingles of a document",
     "", "6", kComparers | kTuneBit, FlagGroup::kMethod,
     ValueKind::kWord, {}, false,
     Int<[](Request& r) -> auto& { return r.options.method.groups; }, 1, 64>},
    {"--group-size", 0, "N", "MinHash values in a super-shingle",
     "", "14", kComparers, FlagGroup::kMethod,
     ValueKind::kWord, {}, false,
     Int<[](Request& r) -> auto& { return r.options.method.group_size; }, 1, 64>},
    {"--group-by", 0, "HOW", "what a super-shingle takes together: permutation or value",
     "permutation: the values of consecutive permutations, as published. value: consecutive values in ascending order, which one changed value shifts.", "permutation", kComparers, FlagGroup::kMethod,
     ValueKind::kChoice, {"permutation", "value"}, false,
     Text<[](Request& r) -> auto& { return r.options.method.group_by; }>},
    {"--agree", 0, "N", "least number of sketch values that two documents share",
     "0: the method's own.", "0", kComparers | kTuneBit, FlagGroup::kMethod,
     ValueKind::kWord, {}, false,
     Int<[](Request& r) -> auto& { return r.options.method.agree; }, 0, 4096>},
    {"--modulus", 0, "M", "mod-m: keeps shingles whose hash is a multiple of M",
     "", "25", kComparers, FlagGroup::kMethod,
     ValueKind::kWord, {}, false,
     Int<[](Request& r) -> auto& { return r.options.method.modulus; }, 1, 1000000000>},
    {"--lexicon", 0, "FILE", "i-match: frozen lexicon; without it one is learnt from the corpus",
     "Made by 'twinset lexicon build'.", "(learnt)", kComparers, FlagGroup::kMethod,
     ValueKind::kFile, {}, false,
     Text<[](Request& r) -> auto& { return r.options.method.lexicon; }>},
    {"--lexicons", 0, "N", "i-match: randomised lexica beside the first",
     "", "10", kComparers | kLexiconBit, FlagGroup::kMethod,
     ValueKind::kWord, {}, false,
     Int<[](Request& r) -> auto& { return r.options.method.lexicons; }, 0, 256>},
    {"--lexicon-drop", 0, "SHARE", "i-match: share of the terms that each randomised lexicon drops",
     "", "0.1", kComparers | kLexiconBit, FlagGroup::kMethod,
     ValueKind::kWord, {}, false,
     Share<[](Request& r) -> auto& { return r.options.method.lexicon_drop; }>},
    {"--min-terms", 0, "N", "i-match: documents with fewer retained terms are flagged, not matched",
     "", "4", kComparers | kLexiconBit, FlagGroup::kMethod,
     ValueKind::kWord, {}, false,
     Int<[](Request& r) -> auto& { return r.options.method.min_terms; }, 1, 1000000>},
    {"--min-df", 0, "N", "lexicon build: terms in fewer documents are left out",
     "", "2", kLexiconBit, FlagGroup::kMethod, ValueKind::kWord, {}, false,
     Int<[](Request& r) -> auto& { return r.lexicon_rules.min_df; }, 1, 1000000000>},
    {"--drop-common", 0, "SHARE", "lexicon build: share of the terms left out at the common end",
     "Of the terms that --min-df leaves, ranked by inverse document frequency.",
     "0.02", kLexiconBit, FlagGroup::kMethod, ValueKind::kWord, {}, false,
     Part<[](Request& r) -> auto& { return r.lexicon_rules.drop_common; }>},
    {"--drop-rare", 0, "SHARE", "lexicon build: share of the terms left out at the rare end",
     "Of the terms that --min-df leaves, ranked by inverse document frequency.",
     "0.95", kLexiconBit, FlagGroup::kMethod, ValueKind::kWord, {}, false,
     Part<[](Request& r) -> auto& { return r.lexicon_rules.drop_rare; }>},
    {"--chunks", 0, "N", "rare-chunks: chunks stored of a document",
     "", "100", kComparers, FlagGroup::kMethod,
     ValueKind::kWord, {}, false,
     Int<[](Request& r) -> auto& { return r.options.method.chunks; }, 1, 100000>},
    {"--seed", 0, "N", "of all that is drawn at random: constants of sketches, samples, walks",
     "The same input, parameters and seed give the same bytes, on any machine.", "1", kComparers | kTuneBit | kLexiconBit | kSamplers | kEngineBit | kAuctionBit,
     FlagGroup::kMethod, ValueKind::kWord, {}, false,
     Count<[](Request& r) -> auto& { return r.options.method.seed; }>},

    // ---- Features
    {"--content", 0, "WHAT", "what of a page is its text: main, all or raw",
     "main: what the page is there for, without navigation and frame. all: all that a reader sees. "
     "raw: the source, markup and all.",
     "main", kReaders | kAuctionBit, FlagGroup::kFeatures, ValueKind::kChoice, {"main", "all", "raw"}, false,
     Text<[](Request& r) -> auto& { return r.options.features.content; }>},
    {"--parser", 0, "NAME", "what reads HTML: fast or reference",
     "reference is a second parser, slower, to check the first against; it needs --content all or raw.", "fast", kReaders,
     FlagGroup::kFeatures, ValueKind::kChoice, {"fast", "reference"}, false,
     Text<[](Request& r) -> auto& { return r.options.features.parser; }>},
    {"--template", 0, "WHAT", "blocks that stand on many pages of their site: drop or keep",
     "drop: what stands on 20 pages and on one in twenty of its site's pages is left out of what is "
     "compared, unless fewer than 25 words of the page remain. keep: all of the text that --content "
     "chooses is compared. It concerns pages of HTML.",
     "drop", kRuns | kEvaluateBit, FlagGroup::kFeatures, ValueKind::kChoice, {"drop", "keep"}, false,
     Text<[](Request& r) -> auto& { return r.options.features.template_blocks; }>},
    {"--site", 0, "FIELD", "what tells sites apart for --template, as --within names it",
     "Without it the host of a page's address; else, for files that are pages, the folder that was "
     "given. Pages without a site keep all their text.",
     "(host or folder)", kRuns | kEvaluateBit, FlagGroup::kFeatures, ValueKind::kWord, {}, false,
     Text<[](Request& r) -> auto& { return r.options.input.site; }>},
    {"--tokens", 0, "RULE", "what a word is: unicode, whitespace, or a rule of another package",
     "unicode folds case and width and splits by the classes of Unicode 15.0; each Han, kana, "
     "Thai, Lao, Khmer or Myanmar character is a word. whitespace is for text that is tokenised "
     "already. The others are the rules of other packages: nonword-split (lower case, split at "
     "each character that is no letter, number or underscore), joined-words (lower case, only "
     "those characters, joined), lower-space (lower case, split at spaces), raw (the text as it "
     "is, for char:N).",
     "unicode", kReaders | kAuctionBit, FlagGroup::kFeatures, ValueKind::kChoice,
     {"unicode", "whitespace", "nonword-split", "joined-words", "lower-space", "raw"},
     false, Text<[](Request& r) -> auto& { return r.options.features.tokens; }>},
    {"--shingle", 0, "KIND", "what is compared: word:N, char:N, line, sentence, paragraph, ...",
     "word:5 is every run of five words. Also char:N (code points), line, sentence, paragraph, "
     "chunk:MIN-MAX (cut where the content says so) and unions, as word:2+word:3.",
     "word:5", kComparers | kTuneBit, FlagGroup::kFeatures, ValueKind::kWord, {}, false,
     Text<[](Request& r) -> auto& { return r.options.features.shingle; }>},
    {"--ignore", 0, "FILE", "text whose shingles do not count, as a licence or a footer",
     "May be repeated.", "(none)", kRuns, FlagGroup::kFeatures, ValueKind::kFile, {}, true,
     Repeated<[](Request& r) -> auto& { return r.options.ignore; }>},
    {"--max-df", 0, "N", "shingles in more than N documents do not count; 0: all count",
     "The most frequent of those left out are listed in summary.json.", "0", kRuns,
     FlagGroup::kFeatures, ValueKind::kWord, {}, false,
     Count<[](Request& r) -> auto& { return r.options.max_df; }>},

    // ---- Clusters
    {"--keep", 0, "RULE,...", "which document of a cluster stays, most important rule first",
     "longest, shortest, first, newest, oldest, https, canonical, shortest-url, max:FIELD, "
     "min:FIELD. What no rule decides, input order does. May be repeated.",
     "longest", kRuns, FlagGroup::kClusters, ValueKind::kWord, {}, true,
     TextList<[](Request& r) -> auto& { return r.options.keep; }>},
    {"--prefer", 0, "SOURCE,...", "sources whose documents stay, best first; before --keep",
     "A source is the name of an input as the rows of the results show it, or a glob for such "
     "names. May be repeated.", "(none)", kRuns, FlagGroup::kClusters, ValueKind::kFile, {}, true,
     TextList<[](Request& r) -> auto& { return r.options.prefer; }>},
    {"--fields", 0, "FILE", "further fields of documents, rows by url or id, for --keep max:FIELD",
     "JSON lines such as {\"url\": ..., \"pagerank\": 0.0012}, as walk --rank writes them; a document's "
     "own fields go before. --keep, --within and --across can use them. May be repeated.",
     "(none)", kRuns, FlagGroup::kClusters, ValueKind::kFile, {}, true,
     Repeated<[](Request& r) -> auto& { return r.options.fields; }>},
    {"--cluster", 0, "HOW", "star or components",
     "star: every dropped document is as similar as the threshold asks to the one kept for it. "
     "components: everything connected by pairs is one cluster, however long the chain.",
     "star", kDedupBit, FlagGroup::kClusters, ValueKind::kChoice, {"star", "components"}, false,
     Text<[](Request& r) -> auto& { return r.options.cluster; }>},
    {"--pairs", 0, "WHICH", "which pairs are listed: auto, all or star",
     "all: every verified pair. star: representative and member. auto: all, except that a class "
     "of equal documents with more than a million pairs is listed as a chain.",
     "auto", kDedupBit, FlagGroup::kClusters, ValueKind::kChoice, {"auto", "all", "star"}, false,
     Text<[](Request& r) -> auto& { return r.options.pairs; }>},
    {"--action", 0, "WHAT", "drop, annotate, drop-all or report",
     "drop: copies go, one document of each cluster stays. annotate: nothing goes, rows say what "
     "they belong to. drop-all: no document that has a copy stays. report: lists only.",
     "drop", kRuns, FlagGroup::kClusters, ValueKind::kChoice,
     {"drop", "annotate", "drop-all", "report"}, false,
     Text<[](Request& r) -> auto& { return r.options.action; }>},

    // ---- Units
    {"--unit", 0, "UNIT", "find repeated units of text instead: paragraph, line or sentence",
     "Every document stays; a paragraph, line or sentence that stands twice in the corpus is cut as "
     "--unit-action says. units.jsonl lists them, cuts.jsonl has the place of every cut, --write "
     "writes rows and texts without them. Flags of methods, pairs, clusters and scope do not go "
     "with it.",
     "(whole documents)", kDedupBit, FlagGroup::kUnits, ValueKind::kChoice,
     {"paragraph", "line", "sentence"}, false,
     Text<[](Request& r) -> auto& { return r.options.unit; }>},
    {"--unit-action", 0, "WHAT", "keep-first, drop-all or list",
     "keep-first: the first in input order stays, later ones are cut. drop-all: all are cut. list: "
     "nothing is cut.",
     "keep-first", kDedupBit, FlagGroup::kUnits, ValueKind::kChoice,
     {"keep-first", "drop-all", "list"}, false,
     Text<[](Request& r) -> auto& { return r.options.unit_action; }>},
    {"--min-tokens", 0, "N", "units with fewer tokens are neither listed nor cut", "", "5", kDedupBit,
     FlagGroup::kUnits, ValueKind::kWord, {}, false,
     Count<[](Request& r) -> auto& { return r.options.min_tokens; }>},

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
     "(all)", kDedupBit, FlagGroup::kScope, ValueKind::kWord, {}, false,
     Text<[](Request& r) -> auto& { return r.options.within; }>},
    {"--across", 0, "FIELD", "compare only documents that differ in it", "", "(all)", kDedupBit,
     FlagGroup::kScope, ValueKind::kWord, {}, false,
     Text<[](Request& r) -> auto& { return r.options.across; }>},
    {"--window", 0, "FIELD:SPAN", "compare only documents this near in time, as date:30d", "",
     "(all)", kRuns, FlagGroup::kScope, ValueKind::kWord, {}, false,
     Text<[](Request& r) -> auto& { return r.options.window; }>},

    // ---- Input
    {"--against", 0, "INPUT", "the second side, which is only compared with",
     "May be repeated.", "", kMatchBit | kHammingBit, FlagGroup::kInput, ValueKind::kFile, {}, true,
     Repeated<[](Request& r) -> auto& { return r.against; }>},
    {"--against-format", 0, "FORMAT", "of the second side: as --input-format", "",
     "(as --input-format)", kMatchBit, FlagGroup::kInput, ValueKind::kChoice,
     {"auto", "warc", "arc", "trec", "jsonl", "csv", "tsv", "html", "text"}, false,
     Text<[](Request& r) -> auto& { return r.against_input.format.emplace(); }>},
    {"--against-preset", 0, "NAME", "of the second side: a named setting of fields, as clueweb22",
     "What --id-field and its like say of the first side then does not count for the second.",
     "(as --preset)", kMatchBit, FlagGroup::kInput, ValueKind::kWord, {}, false,
     Text<[](Request& r) -> auto& { return r.against_input.preset.emplace(); }>},
    {"--against-id-field", 0, "PATH", "of the second side: field of a row that is its id", "",
     "(as --id-field)", kMatchBit, FlagGroup::kInput, ValueKind::kWord, {}, false,
     Text<[](Request& r) -> auto& { return r.against_input.id_field.emplace(); }>},
    {"--against-text-field", 0, "PATH", "of the second side: field of a row that is its text", "",
     "(as --text-field)", kMatchBit, FlagGroup::kInput, ValueKind::kWord, {}, false,
     Text<[](Request& r) -> auto& { return r.against_input.text_field.emplace(); }>},
    {"--against-html-field", 0, "PATH", "of the second side: field of a row that is markup", "",
     "(as --html-field)", kMatchBit, FlagGroup::kInput, ValueKind::kWord, {}, false,
     Text<[](Request& r) -> auto& { return r.against_input.html_field.emplace(); }>},
    {"--against-url-field", 0, "PATH", "of the second side: field of a row that is its URL", "",
     "(as --url-field)", kMatchBit, FlagGroup::kInput, ValueKind::kWord, {}, false,
     Text<[](Request& r) -> auto& { return r.against_input.url_field.emplace(); }>},
    {"--against-date-field", 0, "PATH", "of the second side: field of a row that is its date", "",
     "(as --date-field)", kMatchBit, FlagGroup::kInput, ValueKind::kWord, {}, false,
     Text<[](Request& r) -> auto& { return r.against_input.date_field.emplace(); }>},
    {"--in", 0, "INPUT", "where the two ids are found; without it X and Y are files",
     "May be repeated.", "", kExplainBit, FlagGroup::kInput, ValueKind::kFile, {}, true,
     Repeated<[](Request& r) -> auto& { return r.in; }>},
    {"--input-format", 0, "FORMAT", "auto, warc, arc, trec, jsonl, csv, tsv, html or text",
     "auto recognises format and compression by content, not by name.", "auto", kReaders,
     FlagGroup::kInput, ValueKind::kChoice,
     {"auto", "warc", "arc", "trec", "jsonl", "csv", "tsv", "html", "text"}, false,
     Text<[](Request& r) -> auto& { return r.options.input.format; }>},
    {"--preset", 0, "NAME,...", "named settings: of fields, as clueweb22, or of a method, as broder97",
     "A preset of a method sets the text and method flags as 'twinset presets' shows; flags given "
     "beside it count more. One preset of each kind may be given.",
     "(none)", kReaders, FlagGroup::kInput, ValueKind::kWord, {}, true, SetPresets},
    {"--id-field", 0, "PATH", "field of a row that is its id; dots reach into objects", "", "id",
     kReaders, FlagGroup::kInput, ValueKind::kWord, {}, false,
     Text<[](Request& r) -> auto& { return r.options.input.id_field; }>},
    {"--text-field", 0, "PATH", "field of a row that is its text", "", "text", kReaders,
     FlagGroup::kInput, ValueKind::kWord, {}, false,
     Text<[](Request& r) -> auto& { return r.options.input.text_field; }>},
    {"--html-field", 0, "PATH", "field of a row that is markup, instead of --text-field", "",
     "(none)", kReaders, FlagGroup::kInput, ValueKind::kWord, {}, false,
     Text<[](Request& r) -> auto& { return r.options.input.html_field; }>},
    {"--url-field", 0, "PATH", "field of a row that is its URL", "", "url", kReaders,
     FlagGroup::kInput, ValueKind::kWord, {}, false,
     Text<[](Request& r) -> auto& { return r.options.input.url_field; }>},
    {"--date-field", 0, "PATH", "field of a row that is its date (RFC 3339)", "", "date", kReaders,
     FlagGroup::kInput, ValueKind::kWord, {}, false,
     Text<[](Request& r) -> auto& { return r.options.input.date_field; }>},
    {"--status", 0, "CODE,...", "HTTP status of the records that are documents", 
     "A record without a status passes. May be repeated.", "200", kReaders, FlagGroup::kInput,
     ValueKind::kWord, {}, true, Statuses},
    {"--mime", 0, "TYPE,...", "media type of the records that are documents",
     "Declared, or recognised where none or only a generic one is declared. With --method exact, "
     "'*' takes every record. May be repeated.",
     "text/html,application/xhtml+xml,text/plain", kReaders, FlagGroup::kInput, ValueKind::kWord,
     {}, true, TextList<[](Request& r) -> auto& { return r.options.input.mimes; }>},
    {"--language", 0, "CODE,...", "only documents whose text is in one of these languages",
     "Codes as de, en, zh, zh-Hant; und for texts whose language is not clear. The others are "
     "counted as skipped. May be repeated.",
     "(all)", kRuns | kStudies | kTextBit | kSketchBit, FlagGroup::kInput, ValueKind::kWord, {}, true,
     TextList<[](Request& r) -> auto& { return r.options.input.languages; }>},
    {"--page-kind", 0, "KIND,...", "only pages of these kinds",
     "As their structure shows: article, reference, documentation, forum, listing, product, other; "
     "none for what is not HTML. The others are counted as skipped. May be repeated.",
     "(all)", kRuns | kStudies | kTextBit | kSketchBit, FlagGroup::kInput, ValueKind::kWord, {}, true,
     TextList<[](Request& r) -> auto& { return r.options.input.page_kinds; }>},
    {"--max-document", 0, "SIZE", "larger documents are quarantined (decoded bytes)", "", "8M",
     kReaders, FlagGroup::kInput, ValueKind::kWord, {}, false,
     Size<[](Request& r) -> auto& { return r.options.input.max_document_bytes; }>},
    {"--max-field", 0, "SIZE", "records with a longer id, URL, date or field are quarantined", "",
     "64K", kReaders, FlagGroup::kInput, ValueKind::kWord, {}, false,
     Size<[](Request& r) -> auto& { return r.options.input.max_field_bytes; }>},
    {"--max-ratio", 0, "N", "documents that decompress to more than N times are quarantined", "",
     "1000", kReaders, FlagGroup::kInput, ValueKind::kWord, {}, false,
     Count<[](Request& r) -> auto& { return r.options.input.max_ratio; }>},
    {"--truncated", 0, "WHAT", "documents cut off inside their compressed member: quarantine or keep",
     "What can be read of a document that is kept so is compared as it stands, and its rows say "
     "\"truncated\": true.", "quarantine", kReaders, FlagGroup::kInput, ValueKind::kChoice,
     {"quarantine", "keep"}, false,
     Text<[](Request& r) -> auto& { return r.options.input.truncated; }>},
    {"--digest", 0, "NAME", "payload digest: sha1-base32 (as archives write it) or sha256", "",
     "sha1-base32", kReaders, FlagGroup::kInput, ValueKind::kChoice, {"sha1-base32", "sha256"},
     false, Text<[](Request& r) -> auto& { return r.options.input.digest; }>},

    // ---- Run: nothing here changes a result
    {"--threads", 'j', "N", "worker threads; 0: one a processor", "", "0", kRuns | kStudies | kTextBit | kHammingBit | kTrapsBit, FlagGroup::kRun,
     ValueKind::kWord, {}, false,
     Int<[](Request& r) -> auto& { return r.options.resources.threads; }, 0, 4096>},
    {"--memory", 0, "SIZE", "memory budget, as 8G; what does not fit goes to disk",
     "At least 64M.", "(60 % of what is available)", kRuns | kStudies | kTextBit | kHammingBit | kWalkBit | kTrapsBit | kAuctionBit, FlagGroup::kRun, ValueKind::kWord, {},
     false, Size<[](Request& r) -> auto& { return r.options.resources.memory_bytes; }>},
    {"--tmp", 0, "DIR", "folder for work files", "", "(in the result folder)", kRuns | kStudies | kTrapsBit,
     FlagGroup::kRun, ValueKind::kFolder, {}, false,
     Text<[](Request& r) -> auto& { return r.options.resources.tmp; }>},
    {"--key", 0, "FILE", "secret under which what is verified is hashed: 32 hexadecimal digits",
     "No result depends on it. It makes runs proof against texts made to collide, so keep it to yourself.",
     "(drawn for the run)", kRuns | kEvaluateBit, FlagGroup::kRun, ValueKind::kFile, {}, false,
     Text<[](Request& r) -> auto& { return r.options.resources.key; }>},
    {"--simd", 0, "NAME", "force a kernel target; see 'twinset version'", "", "(the best)", kRuns | kStudies | kHammingBit,
     FlagGroup::kRun, ValueKind::kWord, {}, false,
     Text<[](Request& r) -> auto& { return r.options.resources.simd; }>},
    {"--strict", 0, "", "fail at the first record that would be quarantined", "", "",
     kRuns | kTextBit | kSketchBit, FlagGroup::kRun, ValueKind::kNone, {}, false,
     Switch<[](Request& r) -> auto& { return r.options.strict; }>},
    {"--quiet", 'q', "", "no progress and no closing summary; problems are still told", "", "",
     kReaders | kWriters, FlagGroup::kRun, ValueKind::kNone, {}, false,
     Switch<[](Request& r) -> auto& { return r.quiet; }>},

    // ---- General
    {"--help", 'h', "", "-h: this in short; --help: everything", "", "", kEveryCommand,
     FlagGroup::kGeneral, ValueKind::kNone, {}, false,
     Switch<[](Request& r) -> auto& { return r.help_long; }>},
};
// clang-format on

}  // namespace

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
    std::vector<Flag> all = kFlags;
    for (const auto& more : {FetchFlags(), EngineFlags(), SampleFlags(),
                             RandomIpFlags(), EstimateFlags(), WalkFlags(),
                             RescueFlags(), TrapsFlags(), AuctionFlags()}) {
      all.insert(all.end(), more.begin(), more.end());
    }
    return all;
  }();
  return flags;
}

std::vector<const Flag*> FlagsOf(uint32_t command) {
  std::vector<const Flag*> flags;
  for (const Flag& flag : Flags())
    if (flag.commands & command) flags.push_back(&flag);
  return flags;
}

Status SetFlag(const Flag& flag, const std::vector<std::string>& values,
               Request* request) {
  if (flag.kind == ValueKind::kChoice) {
    for (const std::string& value : values) {
      if (std::find(flag.choices.begin(), flag.choices.end(), value) !=
          flag.choices.end())
        continue;
      const std::vector<std::string> choices(flag.choices.begin(),
                                             flag.choices.end());
      const std::string near = Nearest(value, choices);
      return Fail(ErrorCode::kUsage,
                  fmt::format("{}: '{}' is not one of {}", flag.name,
                              Printable(value), fmt::join(choices, ", ")),
                  {},
                  near.empty() ? "" : fmt::format("did you mean {}?", near));
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
