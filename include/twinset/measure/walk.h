// Samples the pages of webs of links by random walks
// (docs/methods/link-graphs.md).
#ifndef TWINSET_MEASURE_WALK_H_
#define TWINSET_MEASURE_WALK_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/measure/choices.h"
#include "twinset/measure/fetch.h"
#include "twinset/measure/graph.h"
#include "twinset/options.h"
#include "twinset/progress.h"
#include "twinset/results.h"

namespace twinset {
inline namespace v1 {

struct WalkOptions {
  GraphOptions graph;
  WalkSampler sampler = WalkSampler::kWebWalker;
  uint64_t moves = 100000;  // of each chain, self-loops not counted
  // Number of independent walks from the same starts, which are compared; with
  // several starts each walk takes the next one. 0: 4 if the whole graph is
  // known; on live webs one for each start, and the walks share the pages that
  // they ask for.
  uint32_t chains = 0;
  uint64_t steps = 0;    // webwalker: self-loops counted; 0: no limit
  uint64_t size = 1000;  // rows: visits drawn by weight; 0: all, with weights
  double burn_in = 0.1;  // share of the moves before the sample begins
  std::vector<std::string> starts;  // ids or addresses; empty: the first node
                                    // with links, the live address
  // On a graph: start at one of that many pages with the highest PageRank
  // instead.
  uint32_t best_starts = 0;
  uint64_t seed = 1;
  // webwalker
  uint32_t in_links = 0;       // r
  uint64_t degree = 10000000;  // d
  LoopRule loops = LoopRule::kGeometric;
  LateLinkRule late_links = LateLinkRule::kDrop;
  // pagerank-walk, directed
  double damping = 0.85;
  JumpRule jump = JumpRule::kHost;                 // pagerank-walk
  VisitWeights weights = VisitWeights::kPageRank;  // pagerank-walk
  // Shares of pages and links known to the index that answers which pages link
  // to a page.
  double index_pages = 1, index_links = 1;
  // Live webs: the only input is an http:// address.
  std::vector<std::string> scope;  // prefixes of addresses; empty: its origin
  uint64_t max_pages = 1000;       // requests for pages
  FetchOptions fetching;
  bool robots = true;
  // An engine (as for `twinset sample`) that answers link:ADDRESS; empty: the
  // pages read so far are the index.
  std::string back_links;
  std::string record;  // file of answers: read first, then added to
  std::string out;     // folder
  bool overwrite = false, report = false;
  const std::atomic<bool>* stop = nullptr;
};

struct WalkSummary {
  GraphFacts facts;  // kLive: nodes found, documents read
  uint64_t visits = 0, distinct = 0, pages_asked = 0, rows = 0;
  double steps = 0;
  double effective_size = 0;  // the least over the functions examined
  uint32_t chains = 1;
  // Shares of the weight: good_turing is the share on pages visited once;
  // unseen is the share of the second half on pages that the first half had not
  // seen.
  double good_turing = 0, unseen = 0;
  double r_hat = 1;         // split, over the chains; the highest one found
  std::string no_interval;  // why draws give no intervals; empty: they do
  uint64_t reachable = 0;   // 0: not known
  double total_variation = 0, total_variation_floor = 0, ks_in_degree = 0;
  std::string stopped;  // why the walk ended early; else empty
  std::vector<std::string> warnings;
  Json json;  // what summary.json holds
  ResultPage page;

  static constexpr bool kSummaryIsLine = true;
};

inline const Json& SummaryJson(const WalkSummary& summary) {
  return summary.json;
}

// Walks and writes OUT/sample.jsonl, OUT/summary.json and, if asked,
// OUT/report.html (docs/formats/walk.md). kUsage, kIo, kCorrupt, kMemory,
// kInterrupted; kUnavailable when a live start cannot be read.
Result<WalkSummary> WalkWeb(const WalkOptions& options);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_MEASURE_WALK_H_
