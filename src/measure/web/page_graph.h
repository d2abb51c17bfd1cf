// Link graphs of pages (docs/methods/link-graphs.md).
#ifndef TWINSET_SRC_MEASURE_WEB_PAGE_GRAPH_H_
#define TWINSET_SRC_MEASURE_WEB_PAGE_GRAPH_H_

#include "twinset/inspect.h"
#include "twinset/measure/graph.h"
#include "web/graph.h"

namespace twinset {

// Node i is the i-th distinct address of the documents, in input order; with
// keep_dangling, targets that are no documents follow in the order in which
// they were first linked. A document without an address is file:///ID. kMemory
// with the size needed. Memory: 80 bytes per node, 24 per arc, and the
// addresses.
Result<NamedGraph> ReadPageGraph(const GraphOptions& options,
                                 uint64_t memory_bytes, GraphFacts* facts);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_WEB_PAGE_GRAPH_H_
