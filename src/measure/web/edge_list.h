// Link graphs as lists of arcs (docs/methods/link-graphs.md).
#ifndef TWINSET_SRC_MEASURE_WEB_EDGE_LIST_H_
#define TWINSET_SRC_MEASURE_WEB_EDGE_LIST_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/error.h"
#include "twinset/measure/graph.h"
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

inline constexpr size_t kMostProblems = 20;

// Node i is the i-th smallest id: the same graph for the same arcs in any
// order.
struct EdgeListGraph {
  NamedGraph named;           // urls empty without a node file
  std::vector<uint64_t> ids;  // as they stand in the file, ascending
  // What stood in the files, and what of it counts for nothing; `arcs` are the
  // lines that are arcs.
  GraphFacts facts;
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
