// Draws random pages of search engines through their public interface alone,
// and finds out which other engines have each page
// (docs/methods/engine-sampling.md, docs/formats/sampling.md).
#ifndef TWINSET_MEASURE_SAMPLE_H_
#define TWINSET_MEASURE_SAMPLE_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/measure/fetch.h"
#include "twinset/options.h"
#include "twinset/results.h"

namespace twinset {
inline namespace v1 {

// How pages are drawn. A sampler ignores the options that it does not use.
struct SamplerOptions {
  std::string name = "pool-rejection";  // one of Samplers()
  // Where queries come from: a lexicon (its terms with a document frequency in
  // [min_df, max_df]; max_df 0: any), or a text file of queries, one per line.
  std::string lexicon, queries;
  uint64_t min_df = 1, max_df = 0;
  uint32_t terms = 0;     // lexicon terms in one query; 0: the sampler's own
  bool any = false;       // a page with one of the terms matches (OR)
  uint64_t pool = 10000;  // queries drawn into the pool when terms > 1
  // bharat-broder takes pages from the first `limit` results; for pools, a
  // query with more results overflows; random-searches: over all engines; 0:
  // the sampler's own (100, 100, 600).
  uint32_t limit = 0;
  uint64_t size = 100;  // draws (or queries, if those count) from each engine
  uint64_t seed = 1;
  double least_degree = 1;  // pool-rejection: accepted with least / degree
  double most_degree = 0;   // pool-walk-md: its bound; 0: determined by the run
  uint32_t burn_in = 500, thin = 100;  // walks: moves
  // pool-rejection, pool-importance: probe a degree only until 1 / degree is
  // right on average. An exact degree would need an answer to every pool query
  // that a page matches. The sample is as uniform, with fewer questions.
  bool probe_degrees = false;
  // pool-queries: a lexicon or file of queries as the second pool.
  std::string second_pool;
};

// How each page drawn from one engine is looked up in the others.
struct CheckingOptions {
  bool check = false;
  bool copies = false;  // also: is it in its own engine at another address?
  uint32_t queries = 1, words = 8;  // strong queries, and words in each
  uint32_t fetches = 10;            // results examined for another address
  double content_threshold = 0.9;   // least resemblance of a near-duplicate
};

// What a sample will cost, estimated from the frequencies of the lexicon.
struct SampleForecast {
  std::string engine;
  uint64_t pool = 0;  // queries in the pool; each is asked once
  double queries = 0, fetches = 0;
};

struct SampleOptions {
  std::vector<std::string> engines;  // as `twinset engine query` takes them
  SamplerOptions sampler;
  CheckingOptions checking;
  FetchOptions fetching;
  FeatureOptions features;  // tokens, and shingles of near-duplicates
  std::string out;          // result folder
  bool report = false;      // also report.html
  bool overwrite = false;
  // Both use the answers that the folder has recorded. `resume` asks the
  // engines for the rest; `replay` asks nothing.
  bool resume = false, replay = false;
  std::function<void(const Progress&)> on_progress;  // documents: draws
  // pool-rejection and pool-importance with a lexicon of single terms call it
  // before the first question to each engine.
  std::function<void(const SampleForecast&)> on_forecast;
  const std::atomic<bool>* stop = nullptr;
};

// What happened between a sampler and its engine. Every question and every page
// is in one of these, so nothing is dropped unseen.
struct SampleCounts {
  uint64_t asked = 0;         // queries sent, each different one once or more
  uint64_t failed = 0;        // of them, those that got no answer
  uint64_t empty = 0;         // answers without a result
  uint64_t overflowing = 0;   // more results than the limit
  uint64_t duplicates = 0;    // addresses twice in one answer
  uint64_t surplus = 0;       // results beyond the number asked for
  uint64_t fetched = 0;       // pages asked for
  uint64_t fetch_failed = 0;  // of them, those that could not be had
  uint64_t unverified = 0;    // results that do not hold the query's words
  uint64_t rejected = 0;      // trials that the sampler's own rule refused
  uint64_t unreachable = 0;   // trials on pages of degree 0
  // Answers as long as the longest one that was cut: an engine that shows no
  // more than this makes overflowing queries look complete.
  uint64_t longest = 0, at_longest = 0;

  static void Fields(auto& counts, auto& field) {
    field("asked", counts.asked);
    field("failed", counts.failed);
    field("empty", counts.empty);
    field("overflowing", counts.overflowing);
    field("duplicates", counts.duplicates);
    field("surplus", counts.surplus);
    field("fetched", counts.fetched);
    field("fetch_failed", counts.fetch_failed);
    field("unverified", counts.unverified);
    field("rejected", counts.rejected);
    field("unreachable", counts.unreachable);
  }
};

// One engine as it was sampled.
struct SampledEngine {
  std::string name, type;
  uint64_t rows = 0;  // draws from it; random-searches: pages counted
  SampleCounts counts;
};

// The share of the pages drawn from x that are also in y, at their addresses.
struct SampledOverlap {
  std::string x, y;
  double fraction = 0;  // weighted
  uint64_t checked = 0, unchecked = 0, found = 0;
  uint64_t copied = 0;  // y has only a near-duplicate at another address
  double fraction_with_copies = 0;
};

struct SampleSummary {
  std::vector<SampledEngine> engines;
  std::vector<SampledOverlap> overlaps;
  uint64_t rows = 0;
  std::vector<std::string> warnings;
  Json json;  // what summary.json holds
  ResultPage page;
};

inline const Json& SummaryJson(const SampleSummary& summary) {
  return summary.json;
}

// A sampler as `twinset sample` offers it.
struct SamplerInfo {
  std::string name, summary;
  std::string weights;  // of its rows: uniform, exact or none
};
std::vector<SamplerInfo> Samplers();

// Draws and writes sample.jsonl, summary.json, the answers of each engine and,
// where they apply, overlaps.csv, queries.jsonl and report.html into
// options.out. The same engines, options and answers give the same bytes.
// kUsage for options that make no sense; kNotFound when no query finds a page;
// kUnavailable when an engine is down and kInterrupted when `stop` was set or
// fetching.max_requests are used up; these are resumable.
Result<SampleSummary> DrawSample(const SampleOptions& options);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_MEASURE_SAMPLE_H_
