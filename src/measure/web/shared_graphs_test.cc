// Graphs of real sites whose counts and ranks were computed elsewhere.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "documents/text_lines.h"
#include "web/bow_tie.h"
#include "web/edge_list.h"
#include "web/pagerank.h"

namespace twinset {
namespace {

std::string GraphFolder() {
  const char* const set = std::getenv("TWINSET_SHARED_DATA");
  const std::filesystem::path folder =
      std::filesystem::path(
          set != nullptr ? set : TWINSET_SOURCE_DIR "/../shared/data") /
      "graph";
  return std::filesystem::exists(folder) ? folder.string() : "";
}

TEST(SharedGraphs, PageRankIsThatOfAnotherProgram) {
  const std::string folder = GraphFolder();
  if (folder.empty())
    GTEST_SKIP() << "compares with ranks of another program, which lie in the "
                    "shared data";
  for (const std::string site : {"postgresql-doc-15", "libboost1.81-doc"}) {
    const std::string nodes = folder + "/" + site + ".nodes.tsv.gz";
    const auto list =
        ReadEdgeList({{folder + "/" + site + ".edges.tsv.gz"}, nodes});
    ASSERT_TRUE(list) << list.error().ToString();
    EXPECT_EQ(list->facts.dangling + list->facts.garbage, 0u);
    const Graph& graph = list->named.graph;
    const auto ranks = ComputePageRank(graph, {});
    ASSERT_TRUE(ranks);
    uint32_t node = 0;
    ASSERT_TRUE(ForEachTextLine(nodes, [&](const TextLine& line) {
      if (line.number == 1) return true;  // id url outdeg indeg pagerank85
      std::istringstream row{std::string(line.text)};
      std::string id, url;
      size_t out = 0, in = 0;
      double rank = 0;
      row >> id >> url >> out >> in >> rank;
      EXPECT_EQ(list->named.urls[node], url);
      EXPECT_EQ(graph.Out(node).size(), out);
      EXPECT_EQ(graph.In(node).size(), in);
      EXPECT_NEAR(ranks->ranks[node] / rank, 1, 1e-8) << url;
      ++node;
      return true;
    }));
    EXPECT_EQ(node, graph.nodes());
  }
}

TEST(SharedGraphs, CnrHasThePublishedCore) {
  const std::string folder = GraphFolder();
  if (folder.empty())
    GTEST_SKIP() << "needs the crawl cnr-2000 (8 MB) of the shared data";
  if (TWINSET_SLOW_BUILD)
    GTEST_SKIP() << "3 million links; the release build runs it, smaller "
                    "graphs run here";
  const auto list = ReadEdgeList({{folder + "/cnr-2000.edges.tsv.gz"}, ""});
  ASSERT_TRUE(list) << list.error().ToString();
  const Graph& graph = list->named.graph;
  EXPECT_EQ(graph.nodes(), 325557u);
  EXPECT_EQ(graph.arcs() + graph.self_loops(), 3216152u);
  // The largest strongly connected component as its publisher states it.
  EXPECT_EQ(FindBowTie(graph).sizes[0], 112023u);
}

}  // namespace
}  // namespace twinset
