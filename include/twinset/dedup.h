// The runs over files: Dedup finds duplicates inside a corpus, Match between
// two corpora, Cut repeated units of text, and a forecast says what a run would
// cost.
#ifndef TWINSET_DEDUP_H_
#define TWINSET_DEDUP_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/judgements.h"
#include "twinset/options.h"
#include "twinset/results.h"

namespace twinset {
inline namespace v1 {

// Folders of saved runs (docs/formats/saved-run.md); empty: none.
struct SavedRunOptions {
  // Where the run is saved, so that Recut can decide it again
  // (twinset/saved_run.h).
  std::string save;
  // The run covers the inputs of these saved runs, in this order, and then
  // input.inputs. It reads no input of a saved run, and never writes one. All
  // options that decide what is read and how it is sketched are those of the
  // saved runs (OptionsOfSavedRun in twinset/saved_run.h). Several saved runs
  // must have been made with one key.
  std::vector<std::string> add;
  // For a run that adds. If true, it decides everything anew, and the results
  // are those of Dedup over all inputs. If false, it keeps what the saved runs
  // decided about their documents: ranks, ids, features and pairs.
  bool reconsider = false;
};

struct DedupOptions : RunOptions,
                      ComparisonOptions,
                      CorpusOptions,
                      ClusterOptions,
                      ScopeOptions,
                      SavedRunOptions {};

// What happened to the inputs of a run over files.
struct RunSummary {
  uint64_t records = 0, documents = 0, skipped = 0, quarantined = 0, empty = 0;
  bool complete = true;  // false: an input could not be read to its end
  std::vector<std::string> warnings;  // one line each, for stderr
  std::vector<std::string> notices;   // what is worth a look, one line each
  Json json;                          // what summary.json holds
  ResultPage page;                    // the finding
  double seconds = 0;
  std::optional<JudgementCounts> judgements;  // of the listed pairs
};

inline const Json& SummaryJson(const RunSummary& summary) {
  return summary.json;
}

// What a finished run did. The files in `DedupOptions::out` hold the rest.
struct DedupSummary : RunSummary {
  uint64_t pairs = 0, clusters = 0, kept = 0, dropped = 0;
};

// Reads every input, finds and verifies the pairs, clusters them and writes the
// result files (docs/formats/results.md) into options.out, summary.json last.
// Errors: kUsage for bad options (nothing was written), kIo,
// kMemory, kInterrupted. After any of the last three the folder can be resumed
// with the same options plus resume = true. Memory:
// options.resources.memory_bytes + 64 MB. Thread-safe as long as `out` differs.
// A kernel target (resources.simd) belongs to the whole process: while one run
// holds a target, a run that asks for a different one is refused (kUsage), and
// a run that asks for none uses it too. A run changes nothing else in the
// process.
Result<DedupSummary> Dedup(const DedupOptions& options);

// Which units of text (paragraphs, lines, sentences or substrings) are looked
// for. With `write`, the inputs must be text (JSONL, CSV, TSV, text files),
// because a cut would leave markup broken.
struct CutOptions : RunOptions, UnitOptions {
  TokenRule tokens = TokenRule::kUnicode;  // or kWhitespace
  ContentMode content = ContentMode::kMain;
  // Above 0: units also count as the same if their shingles have this
  // similarity (Jaccard), at most 1; the first of them stays. Not of
  // substrings.
  double threshold = 0;
  std::string shingle = "word:5";  // what is compared with a threshold
};

// What a finished run did. The files in `CutOptions::out` hold the rest.
struct CutSummary : RunSummary {
  uint64_t units = 0;     // in all documents, the short ones too
  uint64_t repeated = 0;  // different texts that stand more than once
  uint64_t cut = 0, tokens_cut = 0;
};

// Reads every input, finds the units that stand more than once and writes the
// result files (docs/methods/units.md) into options.out, summary.json last. All
// documents stay. Errors, resume, memory and threads are as those of Dedup.
Result<CutSummary> Cut(const CutOptions& options);

// How records of B are read if they are written differently from those of A.
// Where a member is empty, B is read as InputOptions says for A. The preset is
// applied first, then the fields.
struct AgainstOptions {
  std::optional<InputFormat> format;
  std::optional<FieldPreset> preset;
  std::optional<std::string> id_field, text_field, html_field, url_field,
      date_field;
};

// Corpus A is input.inputs. With Measure::kContainment the similarity of a pair
// is |A & B| / |A|, every pair that reaches the threshold is found, unless
// method.name is one that samples (docs/methods/containment-search.md), and
// passages are written. `keep` and `prefer` say which documents lead a bucket
// above method.bucket_limit.
struct MatchOptions : RunOptions,
                      ComparisonOptions,
                      CorpusOptions,
                      PriorityOptions {
  // Corpus B: inputs, or folders of saved runs, which are then asked instead of
  // their inputs: one after the other, and rows name the run that they are of
  // (docs/formats/results.md). With a saved run, all options that decide how a
  // text is processed are those of the run (OptionsOfSavedRun in
  // twinset/saved_run.h), and measure "containment", the key and
  // against_input do not apply.
  std::vector<std::string> against;
  AgainstOptions against_input;
  std::string window;             // as in ScopeOptions
  Action action = Action::kDrop;  // of documents of A; kDropAll is refused
  // A pair is a match only if its document of B lacks no larger share of the
  // shingles of that of A; 1: whatever it lacks. Below 1 it needs exact
  // verification.
  double max_loss = 1;
  // Passages (docs/methods/passages.md), in tokens.
  int passage_tokens = 10;  // shorter ones are not reported
  int passage_gap = 8;      // differing tokens allowed between equal runs
};

// What a finished match did.
struct MatchSummary {
  uint64_t documents_a = 0, documents_b = 0, skipped = 0, quarantined = 0;
  // matched: documents of A with a match, a pair that max_loss lets count
  uint64_t pairs = 0, matched = 0;
  uint64_t dropped = 0, passages = 0;
  bool complete = true;
  std::vector<std::string> warnings;
  Json json;        // what summary.json holds
  ResultPage page;  // the finding
  double seconds = 0;
  std::optional<JudgementCounts> judgements;  // of the listed pairs
  std::vector<SideRead> sides;                // A and B
};

inline const Json& SummaryJson(const MatchSummary& summary) {
  return summary.json;
}

// Finds which documents of A also occur in B, and where. Writes pairs.jsonl (a
// of A, b of B), best.jsonl (the most similar match of each a), keep.txt,
// drop.txt and empty.txt of A, quarantine.jsonl, revisits.jsonl, with
// containment passages.jsonl, and summary.json last, into options.out. Errors
// and resume are those of Dedup; also kCorrupt when A or B has no document:
// then only quarantine.jsonl is written.
Result<MatchSummary> Match(const MatchOptions& options);

// What a run would read, do and cost, without doing it.
struct RunForecast {
  // False if nothing of the inputs could be read beforehand (pipes); then the
  // forecast expects nothing.
  bool has_sample = false;
  uint64_t documents = 0;                      // about
  double least_seconds = 0, most_seconds = 0;  // between these, most likely
  uint64_t memory_bytes = 0;                   // resident at most, about
  uint64_t work_bytes = 0;            // of work files, which the run removes
  uint64_t result_bytes = 0;          // of the result files
  std::vector<std::string> costs;     // what is worth a warning, a line each
  std::vector<std::string> warnings;  // one line each
  Json json;                          // all of it (docs/methods/forecast.md)
};

// The corpus that a forecast is of, where the inputs are only like it; 0: as
// large as they are.
struct ForecastSize {
  uint64_t documents = 0;
  uint64_t bytes = 0;  // as they lie on the disk
};

// Checks the options as the run would, looks at the inputs, and lets a few
// megabytes of them go through the stages of the run, in memory. `out` need not
// be given; nothing is written into it. Errors: those that the run would have
// before it reads, and those that its sample has. Takes a few seconds and
// within options.resources.memory_bytes + 64 MB. The same options, and
// resources, as the run.
Result<RunForecast> ForecastDedup(const DedupOptions& options,
                                  const ForecastSize& corpus = {});
Result<RunForecast> ForecastMatch(const MatchOptions& options);
Result<RunForecast> ForecastCut(const CutOptions& options);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_DEDUP_H_
