// One run of `twinset sample`: engines, pools, what is written and what is
// told at the end. Samplers are rows of one table (sample_samplers.cc).
#ifndef TWINSET_SRC_MEASURE_SAMPLE_SAMPLE_RUN_H_
#define TWINSET_SRC_MEASURE_SAMPLE_SAMPLE_RUN_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "documents/page_text.h"
#include "report/kept_page.h"
#include "sample/check.h"
#include "sample/pool_sampler.h"
#include "sample/query_pool.h"
#include "sample/questioner.h"
#include "sample/random_searches.h"
#include "twinset/measure/sample.h"

namespace twinset {

// An engine of the run with those who ask it.
struct RunEngine {
  std::unique_ptr<Engine> engine;
  EngineInfo info;
  std::unique_ptr<Questioner> sampling, checking;
  uint64_t rows = 0;
  PoolReach reach;
  bool has_reach = false;
  // Valid among the pool queries that were asked.
  uint64_t pool_asked = 0, pool_valid = 0;
};

struct SamplerRow;

struct SampleRun {
  const SampleOptions* options = nullptr;
  const SamplerRow* sampler = nullptr;
  std::optional<TextReader> reader;
  std::vector<RunEngine> engines;
  std::vector<std::string> terms;                 // of the lexicon
  std::vector<std::vector<std::string>> queries;  // of the file
  std::optional<QueryPool> pool, second_pool;
  TermStatistics statistics;  // for strong queries
  std::vector<PageOverlap> overlaps;
  SearchTotals searches;
  std::vector<std::string> warnings;

  std::optional<OutputFile> rows, query_rows;
  uint64_t drawn = 0;
  std::vector<uint64_t> lengths;   // of the rows, in words
  std::vector<std::string> hosts;  // of the rows

  // How a page is looked up in an engine.
  CheckOptions Checking(const RunEngine& target) const;
  // Writes a row drawn from engine `from`, after looking it up in the others.
  Status Write(size_t from, const Questioner::Page& page, SampleRow row);
  Status WriteQuery(const std::string& json);
};

// One sampler. `run` draws from the engine at a place, or from all at once
// (`together`, place 0).
struct SamplerRow {
  SamplerInfo info;
  bool chain = false;
  bool together = false;
  bool pool = false;     // needs run.pool; else terms or queries
  uint32_t limit = 100;  // the default
  Status (*run)(SampleRun* run, size_t place) = nullptr;
};
const std::vector<SamplerRow>& SamplerTable();
// kUsage with the names there are.
Result<const SamplerRow*> FindSampler(const std::string& name);
// options.limit or the sampler's own.
uint32_t LimitOf(const SampleRun& run);

// What goes wrong with a run, in words for the user.
void FindWarnings(SampleRun* run);
SampleSummary SummaryOf(const SampleRun& run);  // without its page
std::string OverlapsCsv(const SampleRun& run);
KeptPage SamplePage(const SampleRun& run);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_SAMPLE_SAMPLE_RUN_H_
