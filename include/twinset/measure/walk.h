// Measures webs of links: their structure, the rank of their pages, and samples
// of pages by random walks (docs/methods/link-graphs.md).
#ifndef TWINSET_MEASURE_WALK_H_
#define TWINSET_MEASURE_WALK_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/measure/choices.h"
#include "twinset/measure/fetch.h"
#include "twinset/options.h"
#include "twinset/progress.h"
#include "twinset/results.h"

namespace twinset {
inline namespace v1 {

// Where a graph comes from: input.inputs are edge lists, or documents whose
// links are the arcs.
struct GraphOptions {
  InputOptions input;
  FeatureOptions features;
  GraphFormat format = GraphFormat::kAuto;
  std::string nodes;  // for edge lists: file of ids and addresses
  // Targets of links that are not nodes (an id that the node file lacks, a page
  // that is not in the input) become nodes.
  bool keep_dangling = false;
  bool follow_nofollow = true, follow_hidden = true;  // of pages
  uint64_t memory_bytes = 0;  // 0: 60 % of what is available
  ProgressSink on_progress;
};

// What was read, and which parts of it were not used.
struct GraphFacts {
  GraphKind kind = GraphKind::kEdges;
  uint64_t nodes = 0, arcs = 0, self_loops = 0, repeated_arcs = 0;
  uint64_t dangling = 0;  // links to targets that are not nodes (kept if asked)
  // Edge lists.
  uint64_t lines = 0, comments = 0, headers = 0, garbage = 0;
  uint64_t dangling_ids = 0, repeated_ids = 0;
  // Pages.
  uint64_t documents = 0, rejected = 0;
  uint64_t repeated_urls = 0, without_url = 0;
  uint64_t links = 0, nofollow = 0, hidden = 0, unresolved = 0;
  // The first problems, each with its place.
  std::vector<std::string> problems;
  // Inputs without a document, among others that have some.
  std::vector<std::string> warnings;
};

// How often degrees occur; a power law fitted to the tail.
struct DegreeLaw {
  double mean = 0;
  uint64_t most = 0, zero = 0;  // pages of degree 0
  bool fitted = false;          // false: too few values
  double exponent = 0;
  uint64_t least = 0;  // the law holds from this degree on
  uint64_t tail = 0;   // pages of that degree or more
  double ks = 0;       // distance of the tail from the law
};

struct GraphStructure {
  GraphFacts facts;
  // "scc", "in", "out", "tendrils", "tubes", "fringe", "islands".
  std::vector<std::pair<std::string, uint64_t>> parts;
  uint64_t strong_components = 0, weak_components = 0, largest_weak = 0;
  DegreeLaw in, out;
  // Spectral gap of the walk along links in both directions on the largest weak
  // component; -1 for graphs of more than 10,000 pages. After 1 / gap moves a
  // walk has forgotten most of its start.
  double spectral_gap = -1;
  bool gap_converged = false;
  Json json;  // all of this (docs/formats/walk.md)
  ResultPage page;
  static constexpr bool kSummaryIsLine = true;
};
inline const Json& SummaryJson(const GraphStructure& structure) {
  return structure.json;
}

// kUsage, kIo, kCorrupt, kMemory (with the size needed).
Result<GraphStructure> MeasureGraph(const GraphOptions& options);

// How pages are ranked (docs/methods/pagerank.md).
struct RankParameters {
  RankMethod method = RankMethod::kPageRank;
  double damping = 0.85;
  double tolerance = 1e-12;  // all but opic: of the sum of changes
  uint32_t sweeps = 50;      // opic: visits per page
  // trustrank: files of trusted pages, one address or id per line.
  std::vector<std::string> trusted;
};

struct RankOptions : RankParameters {
  GraphOptions graph;
  std::string out;  // file of JSON lines
  bool overwrite = false;
  ProgressSink on_progress;
};

// What the files of trusted pages hold.
struct TrustedFacts {
  uint64_t lines = 0;    // without comments and empty ones
  uint64_t pages = 0;    // different ones of the graph
  uint64_t unknown = 0;  // lines that name no page of the graph
  uint64_t bad = 0;      // lines that are too long or damaged
  // The first lines that do not count, each with its place.
  std::vector<std::string> problems;
};

struct RankSummary {
  GraphFacts facts;
  RankMethod method = RankMethod::kPageRank;
  uint32_t rounds = 0;
  bool converged = true;
  TrustedFacts trusted;
  std::vector<std::string> warnings;
  Json json;  // what --json prints
  ResultPage page;
  static constexpr bool kSummaryIsLine = true;
};
inline const Json& SummaryJson(const RankSummary& summary) {
  return summary.json;
}

// Writes one row per node: {"id": ..., "url": ..., "pagerank": ...}, the last
// one under the name of the method, for `dedup --keep max:pagerank`. Besides
// the errors of MeasureGraph: kUsage for trusted pages without trustrank, for
// trustrank without them, and when the graph has none of them.
Result<RankSummary> RankGraph(const RankOptions& options);

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
