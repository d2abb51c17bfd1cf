// Link graphs of pages (docs/methods/link-graphs.md).
#ifndef TWINSET_SRC_SAMPLE_PAGE_GRAPH_H_
#define TWINSET_SRC_SAMPLE_PAGE_GRAPH_H_

#include "sample/graph.h"
#include "twinset/inspect.h"
#include "twinset/walk.h"

namespace twinset {

// Which links of a page are arcs.
struct LinkRules {
  bool follow_nofollow = true, follow_hidden = true;
};
struct LinkCounts {
  uint64_t links = 0, nofollow = 0, hidden = 0, unresolved = 0;
};

// Normalised addresses that a page leads to, in page order, repetitions
// included; a meta refresh counts as a link. Only http, https and file.
std::vector<std::string> LinksOf(const DocumentText& page,
                                 const std::string& url, const LinkRules& rules,
                                 LinkCounts* counts);

// Normalised addresses that a page says are itself or shows in its place:
// rel=canonical, the target of a meta refresh, its frames. Distinct, without
// `url`.
std::vector<std::string> OtherAddressesOf(const DocumentText& page,
                                          const std::string& url);

// Node i is the i-th distinct address of the documents, in input order; with
// keep_dangling, targets that are no documents follow in the order in which
// they were first linked. A document without an address is file:///ID. kMemory
// with the size needed. Memory: 80 bytes a node, 24 an arc, and the addresses.
Result<NamedGraph> ReadPageGraph(const GraphOptions& options,
                                 uint64_t memory_bytes, GraphFacts* facts);

}  // namespace twinset

#endif  // TWINSET_SRC_SAMPLE_PAGE_GRAPH_H_
