// A saved run decided again: other thresholds, rules and files, without reading
// a text (docs/formats/saved-run.md).
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

// What is not set is as the saved run had it.
struct RecutOptions {
  std::string saved;                // folder of DedupOptions::save
  std::string out;                  // result folder
  std::optional<double> threshold;  // not below that of the saved run
  // Fields of max:FIELD and min:FIELD are those that the saved run's own keep,
  // within and across named.
  std::optional<std::vector<std::string>> keep, prefer;
  std::optional<std::string> cluster, pairs, action, output_format;
  bool report = false, overwrite = false;
  ResourceOptions resources;  // `key` is not read
  std::function<void(const Progress&)> on_progress;
  const std::atomic<bool>* stop = nullptr;
};

// Writes the files of Dedup into options.out, summary.json last: the bytes that
// Dedup would write for the inputs of the saved run with its options and these,
// and with the bands and rows of the saved run given, as far as
// docs/formats/saved-run.md says. Neither inputs nor the saved run change.
// Errors: kUsage for options that the saved run cannot serve, and for a folder
// that is none; kCorrupt and kUnsupported for a saved run that is damaged or of
// another version; else as Dedup's, but an interrupted one begins anew.
Result<DedupSummary> Recut(const RecutOptions& options);

}  // namespace twinset

#endif  // TWINSET_RECUT_H_
