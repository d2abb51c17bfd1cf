// Tells how alike the crawls from two lists of seeds would be
// (docs/methods/seeds.md).
#ifndef TWINSET_CORPORA_CRAWLS_H_
#define TWINSET_CORPORA_CRAWLS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/measure/graph.h"
#include "twinset/progress.h"
#include "twinset/results.h"
#include "twinset/version.h"

namespace twinset {
inline namespace v1 {

struct CrawlOverlapOptions {
  GraphOptions graph;
  // Two lists of seeds, one address per line (docs/formats/lists.md).
  std::string first, second;
  uint32_t depth = 10;     // links from the seeds at most
  uint64_t per_host = 0;   // pages of a host at most; 0: no limit
  uint64_t max_pages = 0;  // pages of a crawl; 0: no limit
  std::string out;         // result folder; empty: none
  bool overwrite = false, report = false;
  ProgressSink on_progress;
};

// The pages of both crawls when each has gone this deep.
struct CrawlDepth {
  uint32_t depth = 0;
  uint64_t first = 0, second = 0, both = 0;

  uint64_t either() const { return first + second - both; }
  double jaccard() const { return Share{both, either()}.value(); }
  Share first_in_second() const { return {both, first}; }
  Share second_in_first() const { return {both, second}; }

  static void Fields(auto& row, auto& field) {
    field("depth", row.depth);
    field("first", row.first);
    field("second", row.second);
    field("both", row.both);
    field.Derived("jaccard", Share{row.both, row.either()});
    field.Derived("first_in_second", row.first_in_second());
    field.Derived("second_in_first", row.second_in_first());
  }
};

// A list of seeds beside a graph.
struct CrawlSeeds {
  uint64_t lines = 0, bad = 0;  // bad: lines without an address
  uint64_t unknown = 0;         // addresses that the graph does not have
  uint64_t seeds = 0;           // different pages of the graph

  static void Fields(auto& seeds, auto& field) {
    field("lines", seeds.lines);
    field("bad", seeds.bad);
    field("unknown", seeds.unknown);
    field("seeds", seeds.seeds);
  }
};

// What decided the result.
struct CrawlParameters {
  uint32_t depth = 0;
  uint64_t per_host = 0, max_pages = 0;

  static void Fields(auto& parameters, auto& field) {
    field("depth", parameters.depth);
    field("per_host", parameters.per_host);
    field("max_pages", parameters.max_pages);
  }
};

// The paths of the lists as UTF-8.
struct CrawlLists {
  std::string first, second;

  static void Fields(auto& lists, auto& field) {
    field("first", lists.first);
    field("second", lists.second);
  }
};

struct CrawlOverlapResult {
  GraphFacts graph;
  CrawlSeeds first, second;
  // From depth 0 to the last one at which a crawl found a page.
  std::vector<CrawlDepth> depths;
  std::vector<SideRead> sides;  // the graph, then the lists
  std::vector<std::string> warnings;
  CrawlParameters parameters;
  CrawlLists lists;
  ResultPage page;

  static void Fields(auto& result, auto& field) {
    field.Derived("version", kVersion);
    field("graph", result.graph);
    field("first", result.first);
    field("second", result.second);
    field("depths", result.depths);
    field.Derived("sides", SidesJson(result.sides));
    field("warnings", result.warnings);
    field("parameters", result.parameters);
    field("run", result.lists);
  }
};

// What summary.json holds.
Json SummaryJson(const CrawlOverlapResult& result);

// Crawls the graph twice, breadth first. kCorrupt if the graph has no address
// of a list, kUsage for --per-host with nodes that have no address; otherwise
// the errors of PickSeeds.
Result<CrawlOverlapResult> CompareCrawls(const CrawlOverlapOptions& options);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_CORPORA_CRAWLS_H_
