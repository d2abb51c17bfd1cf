// What `twinset estimate` computes: sizes, overlaps and shares from samples,
// with intervals (docs/methods: capture-recapture, relative-size, corpus-size,
// ratio-estimators, weighted-samples, chain-diagnostics, power-law).
#ifndef TWINSET_MEASURE_ESTIMATE_H_
#define TWINSET_MEASURE_ESTIMATE_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/measure/choices.h"
#include "twinset/results.h"

namespace twinset {
inline namespace v1 {

// `found` of `looked`.
struct FoundOf {
  uint64_t found = 0, looked = 0;
};

// Options that `what` does not use are ignored.
struct EstimateOptions {
  Estimand what = Estimand::kCaptureRecapture;
  // Files: JSON lines (samples and any other rows) or CSV with a header.
  std::vector<std::string> inputs;
  std::optional<uint64_t> n1, n2, m;      // capture-recapture
  std::optional<FoundOf> a_in_b, b_in_a;  // relative, of two engines
  std::optional<FoundOf> matched;      // size: in the pool, of a uniform sample
  uint64_t pool = 0, second_pool = 0;  // size: queries in the pools
  std::string known_engine;            // size: its size is known
  double known_size = 0;
  // relative, coverage, size of engines: a page counts as found in an engine
  // that has only a copy of it at another address. Sizes are then right only
  // where all engines have equally many copies.
  bool count_copies = false;
  uint64_t trials = 0, addresses = 0;  // servers: asked, and of how many
  // share, mean, quantile, walk: the value of a row (docs/formats/sampling.md).
  std::string of;
  std::string x = "x", y = "y";  // ratio: values of a row
  EstimateWeights weights = EstimateWeights::kAuto;
  uint64_t total = 0;  // ht: pages in the population
  double quantile = 0.5;
  uint64_t seed = 1;         // of the bootstrap
  uint32_t replicas = 1000;  // 0: no bootstrap
  std::string html;          // file for the estimate as a page; empty: none
  // Folder for summary.json and for what `twinset report` needs to make the
  // page again; empty: none.
  std::string out;
  bool overwrite = false;  // of `out`
  bool report = false;     // also report.html; needs out
  std::function<void(const Progress&)> on_progress;  // rows of each input
  const std::atomic<bool>* stop = nullptr;
};

struct EstimateRange {
  double low = 0, high = 0;  // an end that does not exist is infinite
};

// A number that was estimated, with 95 % intervals where there are any.
struct EstimatedValue {
  std::string name;
  std::string of = {};  // the engine it describes, where there are several
  double value = 0;     // NaN when undefined; a warning says why
  std::optional<double> standard_error = {};
  std::optional<EstimateRange> interval = {};
  std::optional<EstimateRange> bootstrap = {};
  // Why there is no interval: one would be wrong too often to be called an
  // interval of 95 % (docs/studies/intervals.md). Then both intervals are
  // absent.
  std::string no_interval = {};
};

// A number that was counted or computed on the way.
struct EstimateDetail {
  std::string name;
  double value = 0;
};

struct EstimateResult {
  EstimatedValue estimate;             // what was asked for
  std::vector<EstimatedValue> values;  // further values: of each engine, ...
  std::vector<EstimateDetail> details;
  uint64_t n = 0;          // draws, pairs or queries that it is made from
  double effective_n = 0;  // independent draws that it is worth
  uint64_t missing = 0;    // rows without the value; not in n
  // relative, coverage, size of engines: so many pages have only a copy at
  // another address that it matters whether they count.
  bool has_copies = false;
  // Why the numbers may be wrong, one line each.
  std::vector<std::string> warnings;
  Estimand what = Estimand::kCaptureRecapture;
  ResultPage page;

  static constexpr bool kSummaryIsLine = true;  // summary.json
};

// Reads the inputs and estimates. kUsage for options that make no sense or data
// that leave the estimate undefined (zero overlap, one query); kIo and kCorrupt
// with file and line. Memory: about 100 bytes per row. The same inputs and
// options give the same doubles on any machine.
Result<EstimateResult> Estimate(const EstimateOptions& options);
// What can be estimated: the values of EstimateOptions::what.
std::vector<std::string_view> EstimateNames();

// The estimate as one object (docs/formats/sampling.md). Numbers that are not
// finite are null.
Json SummaryJson(const EstimateResult& result);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_MEASURE_ESTIMATE_H_
