// Crawls of a graph that is known whole, as they would have gone
// (docs/methods/seeds.md).
#ifndef TWINSET_SRC_MEASURE_WEB_CRAWL_H_
#define TWINSET_SRC_MEASURE_WEB_CRAWL_H_

#include <cstdint>
#include <span>
#include <vector>

#include "twinset/error.h"
#include "web/graph.h"
#include "web/graph_input.h"

namespace twinset {

struct CrawlLimits {
  uint32_t depth = UINT32_MAX - 1;  // links from the seeds
  uint64_t per_host = 0;            // pages of a host; 0: no limit
  uint64_t pages = 0;               // of the crawl; 0: no limit
};

inline constexpr uint32_t kNotCrawled = UINT32_MAX;

// At which depth a crawl reads each page, or kNotCrawled. The crawl goes
// breadth first: seeds in their order, then the links of each page that was
// read, in the order of its links. A page that is over a limit is not read, and
// its links are not seen. `hosts` is a number for each node, and may be empty
// without a limit for them. Time: O(nodes + arcs); memory: 12 bytes per node.
std::vector<uint32_t> SimulateCrawl(const Graph& graph,
                                    std::span<const uint32_t> hosts,
                                    std::span<const uint32_t> seeds,
                                    const CrawlLimits& limits);

// A number for the host of each node, in the order of the nodes. kUsage when
// nodes have no address. Memory: 4 bytes per node, and the names of the hosts.
Result<std::vector<uint32_t>> NumberHosts(const LoadedGraph& graph);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_WEB_CRAWL_H_
