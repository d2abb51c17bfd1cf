// The options of a run. Every default is part of the spec. Each field has one
// flag; those that decide what is found are parameters (twinset/methods.h).
#ifndef TWINSET_OPTIONS_H_
#define TWINSET_OPTIONS_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "twinset/method_choices.h"
#include "twinset/progress.h"
#include "twinset/text_choices.h"
#include "twinset/unit_options.h"

namespace twinset {
inline namespace v1 {

// Which records are documents, and where their parts are.
struct RecordOptions {
  InputFormat format = InputFormat::kAuto;
  std::string id_field = "id";  // dotted paths reach into objects: metadata.id
  std::string text_field = "text";
  std::string
      html_field;  // when set, holds a row's markup; text_field is then ignored
  // When set, holds a row's features with their weights, which are then
  // compared in place of shingles of its text (docs/methods/shingles.md).
  std::string features_field;
  std::string url_field = "url";
  std::string date_field = "date";
  std::vector<int> statuses = {200};
  std::vector<std::string> mimes = {"text/html", "application/xhtml+xml",
                                    "text/plain"};
  uint64_t max_document_bytes = 8 << 20;
  uint64_t max_field_bytes = 64 << 10;  // of an id, URL, date or field
  uint64_t max_ratio = 1000;
  // Limit of the window of a zstd frame and the dictionary of an xz stream. The
  // part above 128 MB counts as memory of the command.
  uint64_t max_window_bytes = 128 << 20;
  RevisionRule revisions = RevisionRule::kNewest;  // of exports of wikis
  std::optional<Quoting> quoting;  // not set: of CSV kCsv, of TSV kNone
};

// What is read, and which of its documents are used.
struct InputOptions : RecordOptions {
  std::vector<std::string> inputs;  // files, folders, globs, "-", addresses
  // CIDR blocks that addresses may lead to beside the public internet.
  std::vector<std::string> networks;
  std::optional<FieldPreset> preset;
  TruncatedRule truncated = TruncatedRule::kQuarantine;
  // Only documents whose text is in one of these languages (BCP 47 ranges; und:
  // the language is unknown); empty: all.
  std::vector<std::string> languages;
  // Only documents of these kinds (docs/methods/content.md); empty: all.
  std::vector<PageKind> page_kinds;
  DigestKind digest = DigestKind::kSha1Base32;
};

// Which features of a text are compared.
struct FeatureOptions {
  TokenRule tokens = TokenRule::kUnicode;
  // Words that are left out, and what the others are reduced to
  // (docs/methods/tokens.md): "none", lists as "en" or "en+de", or a file;
  // "none", "porter" or "snowball:LANGUAGE".
  std::string stop_words = "none";
  std::string stem = "none";
  std::string shingle = "word:5";
  ContentMode content = ContentMode::kMain;
  TemplateRule template_blocks = TemplateRule::kDrop;
  // The field that tells sites apart, named as in ScopeOptions; repeated blocks
  // are counted within a site. Empty: the host, or else the input.
  std::string site;
};

// 128 secret bits.
using SecretBytes = std::array<uint8_t, 16>;

// How a run uses the machine. Nothing here changes a result byte.
struct ResourceOptions {
  int threads = 0;            // 0: all
  uint64_t memory_bytes = 0;  // 0: 60 % of what is available; minimum 64 MB
  std::string tmp;            // work files; empty: OUT/.work
  // Work files hold features of documents in a candidate pair alone, from a
  // second reading of the inputs (docs/methods/external-memory.md).
  bool late_features = false;
  std::string simd;  // forces a kernel target by name; empty: the best
  // File of 32 hexadecimal digits: the secret for the hashes that verification
  // compares. Empty: drawn for the run.
  std::string key;
  // The secret itself in place of the file: the bytes of its digits, not all
  // zero. No summary, journal or message tells of it; work files and saved runs
  // keep it as they keep one of a file (docs/methods/verification.md).
  std::optional<SecretBytes> key_bytes;
};

// A method with its parameters: a row of the registry (`twinset methods` says
// which parameters it reads; giving any other is kUsage).
struct MethodOptions {
  // Empty: complete, which finds every pair at the threshold.
  std::string name;
  // Names of parameters ("permutations") that count as given even when they
  // have their default values; any other counts as given when its value is not
  // the default.
  std::vector<std::string> given;
  double threshold = 0.8;
  Measure measure = Measure::kJaccard;
  uint64_t seed = 1;
  int permutations = 128;
  int bands = 0;  // 0: derived from threshold and recall >= 0.99
  int rows = 0;
  uint64_t bucket_limit = 4096;                    // 0: no limit
  CopyLevel level = CopyLevel::kBytes;             // method exact
  RabinModulus polynomial = RabinModulus::kFixed;  // method exact
  bool verify = true;        // false: report estimates and say so in every row
  bool verify_text = false;  // also compare the texts of accepted pairs

  // Candidates: bands, sorted, tables, psm, hamming or prefix; empty: the
  // method's own.
  std::string generator;
  // Features of the sketch, when they differ from those of the measure.
  std::string sketch_shingle;  // empty: features.shingle
  FeatureHash feature_hash = FeatureHash::kSpec;
  HashFamily hash_family = HashFamily::kSpec;
  int value_bits = 32;  // bits kept of each MinHash value
  FeatureWeights weights = FeatureWeights::kTf;  // simhash
  int bits = 64;                                 // simhash: 1..384
  int distance = 3;                              // most bits that may differ
  std::string tables;                            // block design; empty: derived
  uint64_t probes = 0;              // psm: look-ups per document; 0: all
  int groups = 6, group_size = 14;  // super-shingles
  GroupBy group_by = GroupBy::kPermutation;
  int agree = 0;        // least number of equal values; 0: the method's own
  int modulus = 25;     // mod-m
  std::string lexicon;  // i-match: file; empty: learnt
  int lexicons = 10;    // i-match: randomised lexica beside it
  double lexicon_drop = 0.1;  // share of the terms each one drops
  int min_terms = 4;          // i-match: documents with fewer are flagged
  // i-match: the lexicon for these documents, as the share of the range of idf
  // that it covers (0: they have none) or as a file.
  double short_coverage = 0;
  std::string short_lexicon;
  int chunks = 100;      // rare-chunks: stored per document
  int asked_chunks = 0;  // per document of a match's first side; 0: as chunks
};

// Which of several documents comes first: it stays, or leads the others.
struct PriorityOptions {
  std::vector<std::string> keep = {"longest"};  // most important rule first
  std::vector<std::string> prefer;  // sources, best first; before `keep`
};

// What a run does with verified pairs.
struct ClusterOptions : PriorityOptions {
  ClusterRule cluster = ClusterRule::kStar;
  ListedPairs pairs = ListedPairs::kAuto;
  Action action = Action::kDrop;
  // A document is only dropped for one that lacks no larger share of its
  // shingles; 1: whatever it lacks. Below 1 it needs ClusterRule::kStar and
  // exact verification.
  double max_loss = 1;
};

// Which documents may be a pair. Field names: source, host, url, language (as
// identified), or a row field; field:NAME is always a row field.
struct ScopeOptions {
  std::string within, across;
  std::string window;  // "date:30d"
};

// Which parts of documents are compared, and how.
struct ComparisonOptions {
  FeatureOptions features;
  MethodOptions method;
  uint64_t max_df = 0;  // shingles in more documents are ignored; 0: off
};

// Files beside the inputs, and what happens to near-duplicates.
struct CorpusOptions {
  // Files with further fields of documents, by url or id
  // (docs/formats/lists.md).
  std::vector<std::string> fields;
  std::vector<std::string> ignore;  // files whose shingles are ignored
  NearRule near = NearRule::kDrop;
  // Also says, for each listed pair and for each member of a cluster and its
  // representative, what they share, what differs, and how likely a reader
  // would call them near-duplicates (twinset/judgements.h).
  bool kinds = false;
  // Fields by whose values documents are counted in stats.jsonl
  // (docs/formats/results.md), named as in ScopeOptions; not "language".
  std::vector<std::string> stats_by;
};

// What most jobs over files have.
struct JobOptions {
  InputOptions input;
  ResourceOptions resources;
  std::string out;  // result folder; empty, where it may be: none
  bool overwrite = false;
  bool report = false;  // also report.html in `out`
  ProgressSink on_progress;
  const std::atomic<bool>* stop = nullptr;  // set: the job is kInterrupted
};

// What all runs over files have: Dedup, Match and Cut. A run that is stopped
// can be resumed.
struct RunOptions : JobOptions {
  std::string write;  // folder for the written corpora; empty: none
  // A file NAME.jsonl, or a folder for one file per input, with a row for each
  // document (docs/formats/results.md); empty: none.
  std::string attributes;
  OutputFormat output_format = OutputFormat::kJsonl;  // of lists in out
  int compression_level = 0;  // of what is written; 1 to 9, 0: the usual one
  uint64_t limit = 0;  // if not 0, so many documents are read, of each side
  bool resume = false, strict = false;
  bool names_empty_inputs = true;  // in warnings
  // Work is saved about this often, and survives a kill from then on.
  double checkpoint_seconds = 20;
  // Called with a line before a step that will cost notice_seconds or more; the
  // line names the cost and what would cost less (twinset/dedup.h).
  std::function<void(const std::string&)> on_notice;
  double notice_seconds = 600;
};

// Copies the parts (RunOptions, ScopeOptions, ...) that both have.
template <typename... Parts, typename From, typename To>
void CopyParts(const From& from, To* to) {
  const auto copy = [&]<typename Part>(const Part*) {
    if constexpr (std::is_base_of_v<Part, From> &&
                  std::is_base_of_v<Part, To>) {
      static_cast<Part&>(*to) = from;
    }
  };
  (copy(static_cast<const Parts*>(nullptr)), ...);
}

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_OPTIONS_H_
