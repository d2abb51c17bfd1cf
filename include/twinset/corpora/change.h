// What changed between snapshots of one web: pages, their text and links, how
// long both live, and which pages are worth another visit
// (docs/methods/change.md).
#ifndef TWINSET_CORPORA_CHANGE_H_
#define TWINSET_CORPORA_CHANGE_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "twinset/corpora/change_counts.h"
#include "twinset/corpora/study_counts.h"
#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/options.h"
#include "twinset/progress.h"
#include "twinset/results.h"
#include "twinset/text_choices.h"
#include "twinset/version.h"

namespace twinset {
inline namespace v1 {

// `input` says how snapshots are written; its inputs are not used.
struct ChangeOptions : JobOptions {
  std::vector<std::string> snapshots;  // files or folders, in order of time
  // One date per snapshot, ascending: RFC 3339, a date alone, or 14 digits. If
  // empty, the latest date of its records dates each snapshot.
  std::vector<std::string> dates;
  FeatureOptions features;
  double near = 0.9;  // least Jaccard of a page that is nearly the same
  // New text lasts if this many further captures still have it.
  int lasting = 2;
  // File with the visits of addresses, in lines url,count; empty: none.
  std::string visits;
};

// What decided the result.
struct ChangeParameters {
  double near = 0;
  int lasting = 0;
  TokenRule tokens = TokenRule::kUnicode;
  std::string shingle;
  ContentMode content = ContentMode::kMain;

  static void Fields(auto& parameters, auto& field) {
    field("near", parameters.near);
    field("lasting", parameters.lasting);
    field("tokens", parameters.tokens);
    field("shingle", parameters.shingle);
    field("content", parameters.content);
  }
};

struct ChangeResult {
  std::vector<std::string> dates;  // of the snapshots
  std::vector<ChangeStep> steps;   // one less than snapshots
  std::vector<ChangeCurve> curves;
  std::vector<ChangeCorrelation> correlations;
  uint64_t captures = 0;  // pages of all snapshots
  uint64_t pages = 0;     // different addresses
  uint64_t repeated = 0;  // captures that a later one of the snapshot replaced
  uint64_t quarantined = 0;
  // Records that say that a page did not change; and those among them that were
  // passed over, because they refer to another address or to no capture.
  uint64_t revisits = 0, unknown_revisits = 0;
  uint64_t redirects = 0;  // records that lead elsewhere, of all snapshots
  // Pages that count as gone but were not compared with every page that shares
  // a shingle with them. No other page can have moved without being found.
  uint64_t moves_left_out = 0;
  ChangeStability stability;
  std::optional<ChangeVisits> visits;  // nothing without a log
  std::vector<SideRead> sides;         // the snapshots, then the log
  uint64_t worth = 0;  // pages with a value above 0 in recrawl.csv
  std::vector<std::string> warnings;
  ChangeParameters parameters;
  ResultPage page;

  static void Fields(auto& result, auto& field) {
    field.Derived("version", std::string(kVersion));
    field("dates", result.dates);
    field.Derived("sides", SidesJson(result.sides));
    field("captures", result.captures);
    field("pages", result.pages);
    field("repeated", result.repeated);
    field("quarantined", result.quarantined);
    field("revisits", result.revisits);
    field("unknown_revisits", result.unknown_revisits);
    field("redirects", result.redirects);
    field("moves_left_out", result.moves_left_out);
    field("worth_a_visit", result.worth);
    field("steps", result.steps);
    field("curves", result.curves);
    field("change_rate_with", result.correlations);
    field("near_duplicates", result.stability);
    field("parameters", result.parameters);
    field("warnings", result.warnings);
    field("visits", result.visits);
  }
};

// What summary.json holds.
Json SummaryJson(const ChangeResult& result);

// Errors: kUsage for bad options, for dates that do not ascend and for a
// snapshot without a date; the errors of reading; kInterrupted. The result
// counts records that are not documents; quarantine.jsonl lists those in
// quarantine. Memory: that of `resources`, whatever the size of the snapshots.
Result<ChangeResult> MeasureChange(const ChangeOptions& options);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_CORPORA_CHANGE_H_
