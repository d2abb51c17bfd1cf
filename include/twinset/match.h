// Finds duplicates between two corpora: which documents of A also occur in B,
// and where.
#ifndef TWINSET_MATCH_H_
#define TWINSET_MATCH_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/judgements.h"
#include "twinset/options.h"
#include "twinset/result_page.h"
#include "twinset/sides.h"

namespace twinset {
inline namespace v1 {

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
  // Corpus B: inputs, or the folder of one saved run, which is then asked
  // instead of its inputs. With a saved run, all options that decide how a text
  // is processed are those of the run (OptionsOfSavedRun in twinset/recut.h),
  // and measure "containment", resources.key and against_input do not apply.
  std::vector<std::string> against;
  AgainstOptions against_input;
  std::string window;             // as in ScopeOptions
  Action action = Action::kDrop;  // of documents of A; kDropAll is refused
  // Passages (docs/methods/passages.md), in tokens.
  int passage_tokens = 10;  // shorter ones are not reported
  int passage_gap = 8;      // differing tokens allowed between equal runs
};

struct MatchSummary {
  uint64_t documents_a = 0, documents_b = 0, skipped = 0, quarantined = 0;
  uint64_t pairs = 0, matched = 0;  // matched: documents of A with a pair
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

// Writes pairs.jsonl (a of A, b of B), best.jsonl (the most similar b of each
// a), keep.txt, drop.txt and empty.txt of A, quarantine.jsonl, revisits.jsonl,
// with containment passages.jsonl, and summary.json last, into options.out.
// Errors and resume are those of Dedup; also kCorrupt when A or B has no
// document: then only quarantine.jsonl is written.
Result<MatchSummary> Match(const MatchOptions& options);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_MATCH_H_
