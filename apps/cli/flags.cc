#include "flags.h"

#include <fmt/format.h>

#include <algorithm>

#include "values.h"

namespace twinset::cli {
namespace {

using Values = std::vector<std::string>;

constexpr uint32_t kReaders = kDedupBit | kExplainBit | kTextBit | kSketchBit;
constexpr uint32_t kComparers = kDedupBit | kExplainBit | kSketchBit;

// Setters. `Field` is a function from the request to a reference to its field.
template <auto Field>
Status Text(const Values& values, Request* request) {
  Field(*request) = values.back();
  return {};
}

template <auto Field>
Status TextList(const Values& values, Request* request) {
  TWINSET_ASSIGN(Field(*request), SplitLists(values));
  return {};
}

// For file names, which may hold commas.
template <auto Field>
Status Repeated(const Values& values, Request* request) {
  Field(*request) = values;
  return {};
}

template <auto Field>
Status Switch(const Values&, Request* request) {
  Field(*request) = true;
  return {};
}

template <auto Field, int kLow, int kHigh>
Status Int(const Values& values, Request* request) {
  TWINSET_ASSIGN(Field(*request), ParseInt(values.back(), kLow, kHigh));
  return {};
}

template <auto Field>
Status Count(const Values& values, Request* request) {
  TWINSET_ASSIGN(Field(*request), ParseCount(values.back()));
  return {};
}

template <auto Field>
Status Size(const Values& values, Request* request) {
  TWINSET_ASSIGN(Field(*request), ParseSize(values.back()));
  return {};
}

Status Threshold(const Values& values, Request* request) {
  TWINSET_ASSIGN(const double threshold, ParseNumber(values.back()));
  if (!(threshold > 0 && threshold <= 1))
    return Fail(
        ErrorCode::kUsage,
        fmt::format("'{}' is not above 0 and at most 1", values.back()));
  request->options.method.threshold = threshold;
  return {};
}

Status Verify(const Values& values, Request* request) {
  request->options.method.verify = values.back() != "none";
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
     "--overwrite or --resume is given.",
     "", kDedupBit, FlagGroup::kOutput, ValueKind::kFolder, {}, false,
     Text<[](Request& r) -> auto& { return r.options.out; }>},
    {"--format", 0, "FORMAT", "of clusters and pairs: jsonl or csv", "", "jsonl", kDedupBit,
     FlagGroup::kOutput, ValueKind::kChoice, {"jsonl", "csv"}, false,
     Text<[](Request& r) -> auto& { return r.options.output_format; }>},
    {"--write", 0, "DIR", "also write the corpus without its duplicates",
     "One file per input under the same name and in the input's own format. Inputs are never "
     "altered.",
     "(not written)", kDedupBit, FlagGroup::kOutput, ValueKind::kFolder, {}, false,
     Text<[](Request& r) -> auto& { return r.options.write; }>},
    {"--near", 0, "HOW", "with --write, near-duplicates in WARC: drop, metadata or keep",
     "A record with an equal payload becomes a revisit record. A near-duplicate is left out "
     "(drop), left out with a metadata record that says why (metadata), or kept with such a "
     "record (keep).",
     "drop", kDedupBit, FlagGroup::kOutput, ValueKind::kChoice, {"drop", "metadata", "keep"}, false,
     Text<[](Request& r) -> auto& { return r.options.near; }>},
    {"--overwrite", 0, "", "replace an existing result folder", "", "", kDedupBit, FlagGroup::kOutput,
     ValueKind::kNone, {}, false,
     Switch<[](Request& r) -> auto& { return r.options.overwrite; }>},
    {"--resume", 0, "", "continue an interrupted run",
     "Give the same command again and add this flag. A changed input or parameter is refused, "
     "with both shown. Standard input cannot be resumed.",
     "", kDedupBit, FlagGroup::kOutput, ValueKind::kNone, {}, false,
     Switch<[](Request& r) -> auto& { return r.options.resume; }>},
    {"--json", 0, "", "print machine-readable output", 
     "dedup: the content of summary.json. explain, methods, version: one JSON document. text: one "
     "JSON object a line. sketch always prints one JSON object a line.",
     "", kReaders | kMethodsBit | kVersionBit, FlagGroup::kOutput, ValueKind::kNone, {}, false,
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
     "minhash", kComparers, FlagGroup::kMethod, ValueKind::kMethod, {}, false,
     Text<[](Request& r) -> auto& { return r.options.method.name; }>},
    {"--threshold", 't', "T", "least similarity of a pair, above 0 and at most 1", "", "0.8",
     kComparers, FlagGroup::kMethod, ValueKind::kWord, {}, false, Threshold},
    {"--measure", 0, "NAME", "what similarity means: jaccard, containment, dice, cosine or s3", "",
     "jaccard", kDedupBit | kExplainBit, FlagGroup::kMethod, ValueKind::kChoice,
     {"jaccard", "containment", "dice", "cosine", "s3"}, false,
     Text<[](Request& r) -> auto& { return r.options.method.measure; }>},
    {"--level", 0, "LEVEL", "with --method exact, what must be equal: bytes, text or tokens",
     "The payload, the clean text, or only the tokens of it.", "bytes", kComparers,
     FlagGroup::kMethod, ValueKind::kChoice, {"bytes", "text", "tokens"}, false,
     Text<[](Request& r) -> auto& { return r.options.method.level; }>},
    {"--permutations", 0, "N", "values in a sketch",
     "More values estimate better and allow more bands, and cost as much more time and space.",
     "128", kComparers, FlagGroup::kMethod, ValueKind::kWord, {}, false,
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
     "4096", kDedupBit, FlagGroup::kMethod, ValueKind::kWord, {}, false,
     Count<[](Request& r) -> auto& { return r.options.method.bucket_limit; }>},
    {"--verify", 0, "HOW", "exact: compute each candidate's similarity; none: report estimates",
     "With none, every row says that its similarity is an estimate.", "exact", kDedupBit,
     FlagGroup::kMethod, ValueKind::kChoice, {"exact", "none"}, false, Verify},
    {"--seed", 0, "N", "of the sketches' constants",
     "The same input, parameters and seed give the same bytes, on any machine.", "1", kComparers,
     FlagGroup::kMethod, ValueKind::kWord, {}, false,
     Count<[](Request& r) -> auto& { return r.options.method.seed; }>},

    // ---- Features
    {"--content", 0, "WHAT", "what of a page is its text: main, all or raw",
     "main: what the page is there for, without navigation and frame. all: all that a reader sees. "
     "raw: the source, markup and all.",
     "main", kReaders, FlagGroup::kFeatures, ValueKind::kChoice, {"main", "all", "raw"}, false,
     Text<[](Request& r) -> auto& { return r.options.features.content; }>},
    {"--parser", 0, "NAME", "what reads HTML: fast or reference",
     "reference is a second parser, slower, to check the first against; it needs --content all or raw.", "fast", kReaders,
     FlagGroup::kFeatures, ValueKind::kChoice, {"fast", "reference"}, false,
     Text<[](Request& r) -> auto& { return r.options.features.parser; }>},
    {"--tokens", 0, "RULE", "what a word is: unicode or whitespace",
     "unicode folds case and width and splits by the classes of Unicode 15.0; each Han, kana, "
     "Thai, Lao, Khmer or Myanmar character is a word. whitespace is for text that is tokenised "
     "already.",
     "unicode", kReaders, FlagGroup::kFeatures, ValueKind::kChoice, {"unicode", "whitespace"},
     false, Text<[](Request& r) -> auto& { return r.options.features.tokens; }>},
    {"--shingle", 0, "KIND", "what is compared: word:N, char:N, line, sentence, paragraph, ...",
     "word:5 is every run of five words. Also char:N (code points), line, sentence, paragraph, "
     "chunk:MIN-MAX (cut where the content says so) and unions, as word:2+word:3.",
     "word:5", kComparers, FlagGroup::kFeatures, ValueKind::kWord, {}, false,
     Text<[](Request& r) -> auto& { return r.options.features.shingle; }>},
    {"--ignore", 0, "FILE", "text whose shingles do not count, as a licence or a footer",
     "May be repeated.", "(none)", kDedupBit, FlagGroup::kFeatures, ValueKind::kFile, {}, true,
     Repeated<[](Request& r) -> auto& { return r.options.ignore; }>},
    {"--max-df", 0, "N", "shingles in more than N documents do not count; 0: all count",
     "The most frequent of those left out are listed in summary.json.", "0", kDedupBit,
     FlagGroup::kFeatures, ValueKind::kWord, {}, false,
     Count<[](Request& r) -> auto& { return r.options.max_df; }>},

    // ---- Clusters
    {"--keep", 0, "RULE,...", "which document of a cluster stays, most important rule first",
     "longest, shortest, first, newest, oldest, https, canonical, shortest-url, max:FIELD, "
     "min:FIELD. What no rule decides, input order does. May be repeated.",
     "longest", kDedupBit, FlagGroup::kClusters, ValueKind::kWord, {}, true,
     TextList<[](Request& r) -> auto& { return r.options.keep; }>},
    {"--prefer", 0, "SOURCE,...", "sources whose documents stay, best first; before --keep",
     "A source is the name of an input as the rows of the results show it, or a glob for such "
     "names. May be repeated.", "(none)", kDedupBit, FlagGroup::kClusters, ValueKind::kFile, {}, true,
     TextList<[](Request& r) -> auto& { return r.options.prefer; }>},
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
     "drop", kDedupBit, FlagGroup::kClusters, ValueKind::kChoice,
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
     "(all)", kDedupBit, FlagGroup::kScope, ValueKind::kWord, {}, false,
     Text<[](Request& r) -> auto& { return r.options.window; }>},

    // ---- Input
    {"--in", 0, "INPUT", "where the two ids are found; without it X and Y are files",
     "May be repeated.", "", kExplainBit, FlagGroup::kInput, ValueKind::kFile, {}, true,
     Repeated<[](Request& r) -> auto& { return r.in; }>},
    {"--input-format", 0, "FORMAT", "auto, warc, arc, trec, jsonl, csv, tsv, html or text",
     "auto recognises format and compression by content, not by name.", "auto", kReaders,
     FlagGroup::kInput, ValueKind::kChoice,
     {"auto", "warc", "arc", "trec", "jsonl", "csv", "tsv", "html", "text"}, false,
     Text<[](Request& r) -> auto& { return r.options.input.format; }>},
    {"--preset", 0, "NAME", "named set of fields, as clueweb22", "", "(none)", kReaders,
     FlagGroup::kInput, ValueKind::kWord, {}, false,
     Text<[](Request& r) -> auto& { return r.options.input.preset; }>},
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
     "(all)", kDedupBit | kTextBit | kSketchBit, FlagGroup::kInput, ValueKind::kWord, {}, true,
     TextList<[](Request& r) -> auto& { return r.options.input.languages; }>},
    {"--max-document", 0, "SIZE", "larger documents are quarantined (decoded bytes)", "", "8M",
     kReaders, FlagGroup::kInput, ValueKind::kWord, {}, false,
     Size<[](Request& r) -> auto& { return r.options.input.max_document_bytes; }>},
    {"--max-ratio", 0, "N", "documents that decompress to more than N times are quarantined", "",
     "1000", kReaders, FlagGroup::kInput, ValueKind::kWord, {}, false,
     Count<[](Request& r) -> auto& { return r.options.input.max_ratio; }>},
    {"--digest", 0, "NAME", "payload digest: sha1-base32 (as archives write it) or sha256", "",
     "sha1-base32", kReaders, FlagGroup::kInput, ValueKind::kChoice, {"sha1-base32", "sha256"},
     false, Text<[](Request& r) -> auto& { return r.options.input.digest; }>},

    // ---- Run: nothing here changes a result
    {"--threads", 'j', "N", "worker threads; 0: one a processor", "", "0", kDedupBit, FlagGroup::kRun,
     ValueKind::kWord, {}, false,
     Int<[](Request& r) -> auto& { return r.options.resources.threads; }, 0, 4096>},
    {"--memory", 0, "SIZE", "memory budget, as 8G; what does not fit goes to disk",
     "At least 64M.", "(60 % of what is available)", kDedupBit, FlagGroup::kRun, ValueKind::kWord, {},
     false, Size<[](Request& r) -> auto& { return r.options.resources.memory_bytes; }>},
    {"--tmp", 0, "DIR", "folder for work files", "", "(in the result folder)", kDedupBit,
     FlagGroup::kRun, ValueKind::kFolder, {}, false,
     Text<[](Request& r) -> auto& { return r.options.resources.tmp; }>},
    {"--simd", 0, "NAME", "force a kernel target; see 'twinset version'", "", "(the best)", kDedupBit,
     FlagGroup::kRun, ValueKind::kWord, {}, false,
     Text<[](Request& r) -> auto& { return r.options.resources.simd; }>},
    {"--strict", 0, "", "fail at the first record that would be quarantined", "", "",
     kDedupBit | kTextBit | kSketchBit, FlagGroup::kRun, ValueKind::kNone, {}, false,
     Switch<[](Request& r) -> auto& { return r.options.strict; }>},
    {"--quiet", 'q', "", "no progress and no closing summary; problems are still told", "", "",
     kReaders, FlagGroup::kRun, ValueKind::kNone, {}, false,
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

const std::vector<Flag>& Flags() { return kFlags; }

std::vector<const Flag*> FlagsOf(uint32_t command) {
  std::vector<const Flag*> flags;
  for (const Flag& flag : kFlags)
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
  Status status = flag.set(values, request);
  if (!status) {
    Error error = std::move(status).error();
    error.message = fmt::format("{}: {}", flag.name, error.message);
    return tl::unexpected<Error>(std::move(error));
  }
  return {};
}

}  // namespace twinset::cli
