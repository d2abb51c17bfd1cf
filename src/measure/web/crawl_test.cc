// Simulated crawls against a naive one.
#include "web/crawl.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <set>

#include "base/hash.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;
using Arcs = std::vector<std::pair<uint32_t, uint32_t>>;

Graph Make(uint32_t nodes, Arcs arcs) {
  auto graph = Graph::FromArcs(nodes, std::move(arcs));
  EXPECT_TRUE(graph);
  return std::move(*graph);
}

// As a crawler would: a frontier of addresses with their depths, in which an
// address may wait several times, and the limits asked when one is fetched.
std::vector<uint32_t> NaiveCrawl(const Graph& graph,
                                 const std::vector<uint32_t>& hosts,
                                 const std::vector<uint32_t>& seeds,
                                 const CrawlLimits& limits) {
  std::vector<uint32_t> depths(graph.nodes(), kNotCrawled);
  std::deque<std::pair<uint32_t, uint32_t>> frontier;
  for (const uint32_t seed : seeds) frontier.emplace_back(seed, 0);
  std::set<uint32_t> fetched;
  std::map<uint32_t, uint64_t> of_host;
  while (!frontier.empty()) {
    const auto [page, depth] = frontier.front();
    frontier.pop_front();
    if (depth > limits.depth || fetched.count(page) > 0) continue;
    if (limits.pages > 0 && fetched.size() >= limits.pages) continue;
    if (limits.per_host > 0 && of_host[hosts[page]] >= limits.per_host)
      continue;
    fetched.insert(page);
    ++of_host[hosts[page]];
    depths[page] = depth;
    for (const uint32_t target : graph.Out(page))
      frontier.emplace_back(target, depth + 1);
  }
  return depths;
}

TEST(Crawl, IsTheNaiveOneOnRandomGraphs) {
  uint64_t bound_by_hosts = 0, bound_by_pages = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    SplitMix64 random(seed);
    Arcs arcs;
    for (int i = 0; i < 70; ++i)
      arcs.emplace_back(static_cast<uint32_t>(random.Below(30)),
                        static_cast<uint32_t>(random.Below(30)));
    const Graph graph = Make(30, arcs);
    std::vector<uint32_t> hosts, seeds;
    for (int i = 0; i < 30; ++i)
      hosts.push_back(static_cast<uint32_t>(random.Below(6)));
    for (int i = 0; i < 4; ++i)
      seeds.push_back(static_cast<uint32_t>(random.Below(30)));
    CrawlLimits limits{static_cast<uint32_t>(random.Below(5)), random.Below(4),
                       random.Below(3) * 9};
    const auto depths = SimulateCrawl(graph, hosts, seeds, limits);
    ASSERT_EQ(depths, NaiveCrawl(graph, hosts, seeds, limits)) << seed;
    CrawlLimits free = limits;
    free.per_host = 0;
    bound_by_hosts += depths != SimulateCrawl(graph, hosts, seeds, free);
    free = limits;
    free.pages = 0;
    bound_by_pages += depths != SimulateCrawl(graph, hosts, seeds, free);
  }
  EXPECT_GT(bound_by_hosts, 50u);  // the limits were felt
  EXPECT_GT(bound_by_pages, 20u);
}

TEST(Crawl, APageOverItsLimitLeadsNowhere) {
  // 0 and 1 are of one host, and only 1 leads to 2.
  const Graph graph = Make(3, {{0, 1}, {1, 2}});
  const std::vector<uint32_t> hosts = {0, 0, 1};
  EXPECT_THAT(SimulateCrawl(graph, hosts, std::vector<uint32_t>{0}, {}),
              ElementsAre(0, 1, 2));
  CrawlLimits one;
  one.per_host = 1;
  EXPECT_THAT(SimulateCrawl(graph, hosts, std::vector<uint32_t>{0}, one),
              ElementsAre(0, kNotCrawled, kNotCrawled));
  CrawlLimits shallow;
  shallow.depth = 1;
  EXPECT_THAT(SimulateCrawl(graph, {}, std::vector<uint32_t>{0}, shallow),
              ElementsAre(0, 1, kNotCrawled));
  EXPECT_THAT(SimulateCrawl(Graph(), {}, {}, {}), ElementsAre());
}

TEST(Hosts, AreNumberedAsTheyCome) {
  LoadedGraph graph;
  graph.named.graph = Make(3, {});
  graph.named.urls = {"http://b.example/x", "http://a.example/",
                      "https://B.example/"};
  const auto hosts = NumberHosts(graph);
  ASSERT_TRUE(hosts);
  EXPECT_THAT(*hosts, ElementsAre(0, 1, 0));
  graph.named.urls = {};
  EXPECT_EQ(NumberHosts(graph).error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace twinset
