// Draws random pages of search engines through their public interface alone,
// and finds out which other engines have each page
// (docs/methods/engine-sampling.md, docs/formats/sampling.md).
#ifndef TWINSET_MEASURE_SAMPLE_H_
#define TWINSET_MEASURE_SAMPLE_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/measure/fetch.h"
#include "twinset/measure/sample_counts.h"
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

// A sampler as `twinset sample` offers it.
struct SamplerInfo {
  std::string name, summary;
  std::string weights;  // of its rows: uniform, exact or none
};
std::vector<SamplerInfo> Samplers();

// What was asked for. Each sampler has the fields that it uses.
struct SampleParameters {
  SamplerOptions sampler;  // its limit is the one that held
  CheckingOptions checking;
  std::optional<uint64_t> pool, second_pool;  // queries of each
  bool is_chain = false;

  static void Fields(auto& asked, auto& field) {
    field("limit", asked.sampler.limit);
    field("size", asked.sampler.size);
    field("terms", asked.sampler.terms);
    field("any", asked.sampler.any);
    field("min_df", asked.sampler.min_df);
    field("max_df", asked.sampler.max_df);
    field("pool", asked.pool);
    if (asked.pool) {
      field("probe_degrees", asked.sampler.probe_degrees);
      field("least_degree", asked.sampler.least_degree);
      field("most_degree", asked.sampler.most_degree);
    }
    field("second_pool", asked.second_pool);
    if (asked.is_chain) {
      field("burn_in", asked.sampler.burn_in);
      field("thin", asked.sampler.thin);
    }
    if (asked.checking.check) {
      field("check_queries", asked.checking.queries);
      field("check_words", asked.checking.words);
      field("check_fetches", asked.checking.fetches);
      field("content_threshold", asked.checking.content_threshold);
    }
  }
};

struct SampleSummary {
  SamplerInfo sampler;
  SampleParameters parameters;
  std::vector<SampledEngine> engines;
  std::vector<SampledOverlap> overlaps;
  std::optional<SearchTotals> searches;  // random-searches
  uint64_t rows = 0;
  std::vector<std::string> warnings;
  ResultPage page;

  static void Fields(auto& summary, auto& field) {
    field("sampler", summary.sampler.name);
    field("weights", summary.sampler.weights);
    field("seed", summary.parameters.sampler.seed);
    field("rows", summary.rows);
    field("parameters", summary.parameters);
    field("engines", summary.engines);
    field("overlaps", summary.overlaps);
    field("searches", summary.searches);
    field("warnings", summary.warnings);
  }
};
Json SummaryJson(const SampleSummary& summary);  // summary.json

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
