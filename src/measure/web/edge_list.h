// Link graphs as lists of arcs (docs/methods/link-graphs.md).
#ifndef TWINSET_SRC_MEASURE_WEB_EDGE_LIST_H_
#define TWINSET_SRC_MEASURE_WEB_EDGE_LIST_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/error.h"
#include "twinset/progress.h"
#include "web/graph.h"

namespace twinset {

struct EdgeListOptions {
  std::vector<std::string> edges;  // files, read as one list
  std::string nodes;               // file of ids and addresses; may be empty
  // Arcs to ids that the node file lacks make nodes of their own.
  bool keep_dangling = false;
  uint64_t memory_bytes = 0;  // 0: no limit
  ProgressSink on_progress = {};
};

// What stood in the files, and what of it counts for nothing.
struct EdgeListFacts {
  uint64_t lines = 0, comments = 0, headers = 0;
  uint64_t arcs = 0;      // lines that are arcs
  uint64_t garbage = 0;   // lines that are neither
  uint64_t dangling = 0;  // arcs with an id that the node file lacks
  uint64_t dangling_ids = 0;
  uint64_t repeated_ids = 0;  // lines of the node file
  // The first problems as "FILE:LINE: what".
  std::vector<std::string> problems;
  friend bool operator==(const EdgeListFacts&, const EdgeListFacts&) = default;
};
inline constexpr size_t kMostProblems = 20;

// Node i is the i-th smallest id: the same graph for the same arcs in any
// order.
struct EdgeListGraph {
  NamedGraph named;           // urls empty without a node file
  std::vector<uint64_t> ids;  // as they stand in the file, ascending
  EdgeListFacts facts;
};

// kIo for files that cannot be read, kCorrupt when no line of the edges is an
// arc, kMemory with the size needed. Memory: 24 bytes per arc and 80 per node
// while reading, 8 and 24 afterwards, and the addresses.
Result<EdgeListGraph> ReadEdgeList(const EdgeListOptions& options);
// The same over bytes in memory, for tests; `nodes` empty: no node file.
Result<EdgeListGraph> ReadEdgeListFromMemory(std::string edges,
                                             std::string nodes,
                                             bool keep_dangling);

// Returns true iff the first lines of the file are arcs. False for folders,
// WARC, HTML and whatever cannot be read.
bool LooksLikeEdgeList(const std::string& path);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_WEB_EDGE_LIST_H_
