#include "web/crawl.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "net/url.h"

namespace twinset {

std::vector<uint32_t> SimulateCrawl(const Graph& graph,
                                    std::span<const uint32_t> hosts,
                                    std::span<const uint32_t> seeds,
                                    const CrawlLimits& limits) {
  std::vector<uint32_t> depths(graph.nodes(), kNotCrawled);
  std::vector<uint64_t> of_host;
  if (limits.per_host > 0 && !hosts.empty())
    of_host.resize(*std::max_element(hosts.begin(), hosts.end()) + size_t{1});
  // Pages in the order in which they are read. A page is counted when it joins
  // the queue: pages leave it in that order, so the limits bind the same ones.
  std::vector<uint32_t> queue;
  const auto visit = [&](uint32_t page, uint32_t depth) {
    if (depths[page] != kNotCrawled) return;
    if (limits.pages > 0 && queue.size() >= limits.pages) return;
    if (!of_host.empty()) {
      uint64_t& pages = of_host[hosts[page]];
      if (pages >= limits.per_host) return;
      ++pages;
    }
    depths[page] = depth;
    queue.push_back(page);
  };
  for (const uint32_t seed : seeds) visit(seed, 0);
  for (size_t next = 0; next < queue.size(); ++next) {
    const uint32_t page = queue[next];
    if (depths[page] >= limits.depth) break;
    for (const uint32_t target : graph.Out(page))
      visit(target, depths[page] + 1);
  }
  return depths;
}

Result<std::vector<uint32_t>> NumberHosts(const LoadedGraph& graph) {
  std::vector<uint32_t> hosts;
  hosts.reserve(graph.named.graph.nodes());
  std::unordered_map<std::string, uint32_t> numbers;
  for (uint32_t node = 0; node < graph.named.graph.nodes(); ++node) {
    std::string host = UrlHost(graph.NameOf(node));
    if (host.empty())
      return Fail(ErrorCode::kUsage,
                  "a page has no host: " + graph.NameOf(node), {},
                  "give --nodes, a file of ids and addresses, or no limit of "
                  "pages per host");
    hosts.push_back(
        numbers.emplace(std::move(host), static_cast<uint32_t>(numbers.size()))
            .first->second);
  }
  return hosts;
}

}  // namespace twinset
