// Decides a saved run again, with other thresholds, rules and files, without
// reading a text (docs/formats/saved-run.md).
#ifndef TWINSET_RECUT_H_
#define TWINSET_RECUT_H_

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "twinset/dedup.h"
#include "twinset/error.h"
#include "twinset/options.h"

namespace twinset {
inline namespace v1 {

// Options that are not set are as in the saved run.
struct RecutOptions {
  std::string saved;                // folder of DedupOptions::save
  std::string out;                  // result folder
  std::optional<double> threshold;  // not below that of the saved run
  // max:FIELD, min:FIELD and stats_by may only use fields that the saved run
  // named in keep, within, across or stats_by.
  std::optional<std::vector<std::string>> keep, prefer, stats_by;
  std::optional<ClusterRule> cluster;
  std::optional<ListedPairs> pairs;
  std::optional<Action> action;
  std::optional<OutputFormat> output_format;
  bool report = false, overwrite = false;
  // As in CorpusOptions; a run that was saved with `kinds` has them anyway.
  // kUsage when the saved run has not kept the texts.
  bool kinds = false;
  ResourceOptions resources;  // `key` is not read
  std::function<void(const Progress&)> on_progress;
  const std::atomic<bool>* stop = nullptr;
};

// Returns true iff the folder holds a saved run, whole or not.
bool IsSavedRun(const std::string& folder);

// Returns the options that a run was saved with, without its inputs, folders
// and resources. Options that name the run in DedupOptions::add or
// MatchOptions::against begin with these. Errors: those of Recut.
Result<DedupOptions> OptionsOfSavedRun(const std::string& folder);

// Writes the files of Dedup into options.out, summary.json last. They have the
// bytes that Dedup would write for the inputs of the saved run with its
// options, these options, and the saved run's bands and rows given, as far as
// docs/formats/saved-run.md says. Neither the inputs nor the saved run change.
// Errors: kUsage for options that the saved run cannot serve, and for a folder
// that is not a saved run; kCorrupt and kUnsupported for a saved run that is
// damaged or of another version; otherwise those of Dedup, but an interrupted
// Recut begins anew.
Result<DedupSummary> Recut(const RecutOptions& options);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_RECUT_H_
