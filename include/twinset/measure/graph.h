// Measures graphs of links: their structure, and the rank of their pages
// (docs/methods/link-graphs.md).
#ifndef TWINSET_MEASURE_GRAPH_H_
#define TWINSET_MEASURE_GRAPH_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/measure/choices.h"
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

  static void Fields(auto& facts, auto& field) {
    field("kind", facts.kind);
    field("nodes", facts.nodes);
    field("arcs", facts.arcs);
    field("self_loops", facts.self_loops);
    field("repeated_arcs", facts.repeated_arcs);
    field("dangling", facts.dangling);
    if (facts.kind == GraphKind::kEdges) {
      field("lines", facts.lines);
      field("comments", facts.comments);
      field("headers", facts.headers);
      field("garbage", facts.garbage);
      field("dangling_ids", facts.dangling_ids);
      field("repeated_ids", facts.repeated_ids);
    } else {
      field("documents", facts.documents);
      field("rejected", facts.rejected);
      field("repeated_urls", facts.repeated_urls);
      field("without_url", facts.without_url);
      field("links", facts.links);
      field("nofollow", facts.nofollow);
      field("hidden", facts.hidden);
      field("unresolved", facts.unresolved);
    }
    field("problems", facts.problems);
  }
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

  static void Fields(auto& facts, auto& field) {
    field("lines", facts.lines);
    field("pages", facts.pages);
    field("unknown", facts.unknown);
    field("bad", facts.bad);
    field("problems", facts.problems);
  }
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

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_MEASURE_GRAPH_H_
