// Engines compared by the queries of a log (Lawrence and Giles, Science 1998,
// Nature 1999; docs/methods/engine-sampling.md).
#ifndef TWINSET_SRC_MEASURE_SAMPLE_RANDOM_SEARCHES_H_
#define TWINSET_SRC_MEASURE_SAMPLE_RANDOM_SEARCHES_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sample/bharat_broder.h"
#include "sample/questioner.h"

namespace twinset {

struct RandomSearchOptions {
  bool conjunctive = true;
  // Queries with as many results, over all engines together, do not count: not
  // all of them could be looked at.
  uint32_t most_results = 600;
  uint64_t size = 0;  // queries that count; 0: as many as there are
};

// What one query gave. Only pages that were fetched and hold the query's words
// count, each once an engine.
struct SearchCount {
  std::string query;
  std::vector<uint64_t> counts;    // by engine
  std::vector<uint64_t> overlaps;  // pairs (0,1), (0,2), ..., (1,2), ...
  uint64_t in_all = 0;             // pages that every engine has
  uint64_t in_any = 0;
};

// Takes the queries in the order given. on_draw gets every page that counts,
// once, with the fields of RowOfPage, "query" and "engines" (names of those
// whose results have it). kNotFound when no query counts and finds a page.
Status SearchAll(const std::vector<std::vector<std::string>>& queries,
                 const RandomSearchOptions& options,
                 const std::vector<Questioner*>& engines,
                 const std::function<Status(const SearchCount&)>& on_query,
                 const OnDraw& on_draw, SearchTotals* totals);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_SAMPLE_RANDOM_SEARCHES_H_
