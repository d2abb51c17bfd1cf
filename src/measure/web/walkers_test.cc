// The walks on graphs whose answer is known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "base/math/pinned_math.h"
#include "web/directed_sampling.h"
#include "web/graph_source.h"
#include "web/pagerank_walk.h"
#include "web/walk_analysis.h"
#include "web/webwalker.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Arcs = std::vector<std::pair<uint32_t, uint32_t>>;

constexpr uint64_t kFew = TWINSET_SLOW_BUILD ? 4 : 1;  // divides replications

NamedGraph Make(uint32_t nodes, Arcs arcs) {
  auto graph = Graph::FromArcs(nodes, std::move(arcs));
  EXPECT_TRUE(graph);
  return {std::move(*graph), {}};
}

// The example of the lecture notes: 6 leads to 0 and nothing leads to 6.
NamedGraph SevenPages() {
  return Make(7, {{0, 1},
                  {0, 2},
                  {1, 2},
                  {1, 3},
                  {2, 0},
                  {3, 4},
                  {3, 1},
                  {4, 5},
                  {5, 3},
                  {6, 0}});
}

// Preferential attachment, one direction at random: in-degrees with a heavy
// tail, all pages connected.
NamedGraph PowerLawGraph(uint32_t nodes, uint64_t seed) {
  SplitMix64 random(seed);
  Arcs arcs;
  std::vector<uint32_t> ends = {0};
  for (uint32_t u = 1; u < nodes; ++u) {
    for (int i = 0; i < 4; ++i) {
      const uint32_t v = ends[random.Below(ends.size())];
      if (v == u) continue;
      arcs.emplace_back(u, v);
      ends.push_back(v);
      // Some links lead on, so that walks along links come to all pages.
      if (i < 2) arcs.emplace_back(v, u);
    }
    ends.push_back(u);
  }
  return Make(nodes, std::move(arcs));
}

WalkBudget Budget(uint64_t moves, uint64_t seed) {
  WalkBudget budget;
  budget.moves = moves;
  budget.starts = {0};
  budget.seed = seed;
  return budget;
}

// Weighted share of each page.
std::vector<double> Shares(const WalkTrace& trace, uint32_t nodes) {
  std::vector<double> shares(nodes, 0);
  double all = 0;
  for (const Visit& visit : trace.visits) {
    shares[visit.page] += visit.hold * visit.weight;
    all += visit.hold * visit.weight;
  }
  for (double& share : shares) share /= all;
  return shares;
}

TEST(WebWalker, OutLinksAloneGiveAllThatLinksLeadToASixthEach) {
  const NamedGraph graph = SevenPages();
  for (const LateLinkRule late :
       {LateLinkRule::kDrop, LateLinkRule::kReplaceLoop}) {
    GraphSource web(&graph, {});
    WalkBudget budget = Budget(UINT64_MAX, 11);
    budget.steps = 2000000 / kFew;
    const auto walk =
        WalkWebWalker(&web, {0, 20, LoopRule::kDrawn, late}, budget);
    ASSERT_TRUE(walk);
    EXPECT_NEAR(walk->steps, static_cast<double>(budget.steps), 0.5);
    const auto shares = Shares(*walk, 7);
    for (uint32_t i = 0; i < 6; ++i)
      EXPECT_NEAR(shares[i], 1 / 6.0, TWINSET_SLOW_BUILD ? 0.008 : 0.004) << i;
    EXPECT_EQ(shares[6], 0);
    EXPECT_EQ(walk->weights, "uniform");
  }
}

TEST(WebWalker, OneInLinkReachesTheSeventhPageInHalfOfTheRuns) {
  const NamedGraph graph = SevenPages();
  GraphSource web(&graph, {});
  int reached = 0;
  const int runs = 200;
  for (int seed = 1; seed <= runs; ++seed) {
    const auto walk =
        WalkWebWalker(&web, {1, 20, LoopRule::kExpected, LateLinkRule::kDrop},
                      Budget(seed <= 6 ? 40000 : 300, seed));
    ASSERT_TRUE(walk);
    const auto shares = Shares(*walk, 7);
    const bool six = shares[6] > 0;
    reached += six;
    if (seed > 6) continue;
    for (uint32_t i = 0; i < 7; ++i) {
      const double expected = six ? 1 / 7.0 : i < 6 ? 1 / 6.0 : 0;
      EXPECT_NEAR(shares[i], expected, 0.012) << seed << " " << i;
    }
  }
  // 100 +- 4 standard deviations.
  EXPECT_NEAR(reached, 100, 28);
}

TEST(WebWalker, AllInLinksReachItAlways) {
  const NamedGraph graph = SevenPages();
  GraphSource web(&graph, {});
  for (int seed = 1; seed <= 20; ++seed) {
    const auto walk =
        WalkWebWalker(&web, {2, 20, LoopRule::kExpected, LateLinkRule::kDrop},
                      Budget(40000, seed));
    ASSERT_TRUE(walk);
    const auto shares = Shares(*walk, 7);
    for (uint32_t i = 0; i < 7; ++i)
      EXPECT_NEAR(shares[i], 1 / 7.0, 0.012) << seed;
  }
}

// Drawn, by number and by expectation: one law.
TEST(WebWalker, LoopsAreOneLawInThreeForms) {
  const NamedGraph graph = PowerLawGraph(40, 2);
  std::vector<double> holds;
  for (const LoopRule loops :
       {LoopRule::kDrawn, LoopRule::kGeometric, LoopRule::kExpected}) {
    GraphSource web(&graph, {});
    const auto walk = WalkWebWalker(&web, {3, 400, loops, LateLinkRule::kDrop},
                                    Budget(60000 / kFew, 5));
    ASSERT_TRUE(walk);
    double steps = 0;
    for (const Visit& visit : walk->visits) steps += visit.hold * visit.weight;
    EXPECT_NEAR(steps, walk->steps, 1e-6 * steps);
    holds.push_back(steps / static_cast<double>(walk->visits.size()));
    for (const double share : Shares(*walk, 40))
      EXPECT_NEAR(share, 1 / 40.0, TWINSET_SLOW_BUILD ? 0.01 : 0.005);
  }
  EXPECT_NEAR(holds[0] / holds[2], 1, 0.03);
  EXPECT_NEAR(holds[1] / holds[2], 1, 0.03);
}

TEST(WebWalker, IsTheSameForTheSameSeed) {
  const NamedGraph graph = PowerLawGraph(60, 3);
  GraphSource web(&graph, {0.5, 0.5, 9});
  const auto pages = [&](uint64_t seed) {
    const auto walk = WalkWebWalker(
        &web, {3, 10000000, LoopRule::kGeometric, LateLinkRule::kDrop},
        Budget(500, seed));
    std::vector<NodeId> list;
    for (const Visit& visit : walk->visits) list.push_back(visit.page);
    return list;
  };
  EXPECT_EQ(pages(1), pages(1));
  EXPECT_NE(pages(1), pages(2));
}

TEST(WebWalker, TellsWhatItCannotDo) {
  const NamedGraph star = Make(4, {{0, 1}, {0, 2}, {0, 3}});
  GraphSource web(&star, {});
  const auto low = WalkWebWalker(&web, {0, 2}, Budget(10, 1));
  ASSERT_FALSE(low);
  EXPECT_EQ(low.error().code, ErrorCode::kUsage);
  EXPECT_THAT(low.error().message,
              HasSubstr("page 0 has 3 neighbours, more than the degree 2"));
  WalkBudget dead_end = Budget(10, 1);
  dead_end.starts = {3};
  const auto stuck = WalkWebWalker(&web, {0, 100}, dead_end);
  ASSERT_FALSE(stuck);
  EXPECT_THAT(stuck.error().ToString(),
              HasSubstr("cannot leave its start 3: it has no links"));
  EXPECT_THAT(stuck.error().remedy, HasSubstr("--in-links"));
  EXPECT_TRUE(WalkWebWalker(&web, {1, 100}, dead_end));
  EXPECT_FALSE(WalkWebWalker(&web, {0, 0}, Budget(10, 1)));
  dead_end.starts = {};
  EXPECT_FALSE(WalkWebWalker(&web, {0, 10}, dead_end));
}

TEST(WebWalker, WarnsOfTwoHalves) {
  // A square is bipartite and of degree 2; with d = 2 it has no self-loops.
  const NamedGraph square = Make(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}});
  GraphSource web(&square, {});
  const WebWalkerOptions bare = {1, 2, LoopRule::kGeometric,
                                 LateLinkRule::kReplaceLoop};
  const auto walk = WalkWebWalker(&web, bare, Budget(1000, 1));
  ASSERT_TRUE(walk);
  ASSERT_EQ(walk->warnings.size(), 1u);
  EXPECT_THAT(walk->warnings[0], HasSubstr("bipartite"));
  for (size_t i = 0; i < walk->visits.size(); ++i)
    EXPECT_EQ(walk->visits[i].page % 2, i % 2);
  const auto loops = WalkWebWalker(&web, {1, 3}, Budget(1000, 1));
  ASSERT_TRUE(loops);
  EXPECT_TRUE(loops->warnings.empty());
}

// KS of the in-degree between the visits and the pages.
struct Ks {
  double weighted = 0, raw = 0;
};
Ks KsOf(const NamedGraph& graph, GraphSource* web, const WalkTrace& trace,
        WalkWays ways) {
  const auto analysis = AnalyseWalk(*web, trace, 0.1, ways, {0}, &graph, web);
  return {analysis.comparison.ks_in_degree,
          analysis.comparison.ks_in_degree_raw};
}

TEST(PageRankWalk, WeightsMakeTheInDegreeUniform) {
  const NamedGraph graph = PowerLawGraph(1500, 4);
  for (const uint64_t seed : {1, 2, 3}) {
    GraphSource web(&graph, {});
    const auto walk = WalkPageRank(&web, {}, Budget(60000 / kFew, seed));
    ASSERT_TRUE(walk);
    const Ks ks = KsOf(graph, &web, *walk, WalkWays::kLinks);
    EXPECT_LT(ks.weighted, TWINSET_SLOW_BUILD ? 0.08 : 0.05) << seed;
    EXPECT_GT(ks.raw, 0.2) << seed;
    EXPECT_GT(walk->jumps, 0.1 * static_cast<double>(walk->visits.size()));
  }
}

TEST(PageRankWalk, VisitsAndNoWeights) {
  const NamedGraph graph = PowerLawGraph(200, 4);
  GraphSource web(&graph, {});
  PageRankWalkOptions options;
  options.weights = VisitWeights::kVisits;
  const auto visits = WalkPageRank(&web, options, Budget(20000, 1));
  ASSERT_TRUE(visits);
  std::map<NodeId, double> sums;
  for (const Visit& visit : visits->visits) sums[visit.page] += visit.weight;
  for (const auto& [page, sum] : sums) EXPECT_NEAR(sum, 1, 1e-9);
  options.weights = VisitWeights::kNone;
  const auto none = WalkPageRank(&web, options, Budget(1000, 1));
  ASSERT_TRUE(none);
  EXPECT_EQ(none->weights, "none");
  options.damping = 1;
  EXPECT_FALSE(WalkPageRank(&web, options, Budget(1000, 1)));
}

// A trap of links without end leads nowhere else; the jump leaves it.
TEST(PageRankWalk, LeavesATrap) {
  Arcs arcs = {{0, 1}, {1, 0}, {1, 2}};
  for (uint32_t i = 2; i < 999; ++i) arcs.emplace_back(i, i + 1);
  const NamedGraph graph = Make(1000, std::move(arcs));
  GraphSource web(&graph, {});
  PageRankWalkOptions options;
  options.jump = JumpRule::kPage;
  const auto walk = WalkPageRank(&web, options, Budget(20000, 1));
  ASSERT_TRUE(walk);
  uint64_t home = 0;
  bool late_home = false;
  for (size_t i = 0; i < walk->visits.size(); ++i) {
    home += walk->visits[i].page < 2;
    late_home |= i > 19000 && walk->visits[i].page < 2;
  }
  EXPECT_GT(home, 50u);
  EXPECT_TRUE(late_home);
}

TEST(DirectedSampling, WeightsMakeTheInDegreeUniform) {
  const NamedGraph graph = PowerLawGraph(600, 6);
  GraphSource web(&graph, {});
  const auto walk = WalkDirected(&web, 0.95, Budget(60000 / kFew, 2));
  ASSERT_TRUE(walk);
  EXPECT_EQ(walk->weights, "estimated");
  const Ks ks = KsOf(graph, &web, *walk, WalkWays::kLinks);
  EXPECT_LT(ks.weighted, TWINSET_SLOW_BUILD ? 0.09 : 0.06);
  EXPECT_GT(ks.raw, 0.2);
}

TEST(DirectedSampling, ComesBackFromDeadEnds) {
  const NamedGraph graph = Make(3, {{0, 1}, {0, 2}});
  GraphSource web(&graph, {});
  const auto walk = WalkDirected(&web, 0.9, Budget(20000, 2));
  ASSERT_TRUE(walk);
  for (const double share : Shares(*walk, 3)) EXPECT_NEAR(share, 1 / 3.0, 0.02);
  EXPECT_FALSE(WalkDirected(&web, 1, Budget(10, 1)));
}

TEST(UndirectedSampling, WeightsAreOneByDegree) {
  const NamedGraph graph = PowerLawGraph(600, 7);
  GraphSource web(&graph, {});
  const auto walk = WalkUndirected(&web, Budget(60000 / kFew, 2));
  ASSERT_TRUE(walk);
  for (const Visit& visit : walk->visits) {
    std::set<uint32_t> neighbours(graph.graph.Out(visit.page).begin(),
                                  graph.graph.Out(visit.page).end());
    for (const uint32_t u : graph.graph.In(visit.page)) neighbours.insert(u);
    ASSERT_EQ(visit.degree, neighbours.size());
  }
  const Ks ks = KsOf(graph, &web, *walk, WalkWays::kLinksAndIndex);
  EXPECT_LT(ks.weighted, TWINSET_SLOW_BUILD ? 0.08 : 0.05);
  EXPECT_GT(ks.raw, 0.2);
}

TEST(UndirectedSampling, AnEmptyIndexStillGoesBackTheWayItCame) {
  const NamedGraph graph = Make(3, {{0, 1}, {1, 2}});
  GraphSource web(&graph, {0, 0, 1});
  const auto walk = WalkUndirected(&web, Budget(9000, 2));
  ASSERT_TRUE(walk);
  for (const double share : Shares(*walk, 3)) EXPECT_NEAR(share, 1 / 3.0, 0.02);
  WalkBudget end = Budget(10, 1);
  end.starts = {2};
  EXPECT_FALSE(WalkUndirected(&web, end));
}

TEST(GraphSource, TheIndexKnowsTheShareItIsTold) {
  const NamedGraph graph = PowerLawGraph(2000, 8);
  GraphSource web(&graph, {0.3, 0.5, 5});
  uint64_t indexed = 0, known = 0;
  for (uint32_t v = 0; v < 2000; ++v) {
    indexed += web.Indexed(v);
    const auto links = web.BackLinks(v);
    for (const NodeId u : *links) {
      EXPECT_TRUE(web.Indexed(u));
      ++known;
    }
  }
  EXPECT_NEAR(static_cast<double>(indexed) / 2000, 0.3, 0.045);
  EXPECT_NEAR(
      static_cast<double>(known) / static_cast<double>(graph.graph.arcs()),
      0.15, 0.05);
  EXPECT_EQ(*web.BackLinks(3), *GraphSource(web).BackLinks(3));
  EXPECT_FALSE(web.OutLinks(2000));
}

TEST(WalkTrace, DrawsByTime) {
  WalkTrace trace;
  trace.visits = {{1, 6, 1, 0}, {2, 2, 0.5, 0}, {3, 4, 1, 0}};
  std::vector<NodeId> pages;
  for (const WalkDraw& draw : DrawFromWalk(trace, 0, 6))
    pages.push_back(draw.page);
  EXPECT_THAT(pages, ElementsAre(1, 1, 1, 2, 3, 3));
  EXPECT_EQ(DrawFromWalk(trace, 0, 100).size(), 12u);  // no step twice
  const auto all = DrawFromWalk(trace, 0.4, 0);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].weight, 1);  // 2 * 0.5
  EXPECT_EQ(all[1].weight, 4);
  EXPECT_TRUE(DrawFromWalk({}, 0, 10).empty());
}

// Rows at equal distances of time that keep their weights would be as many
// draws of a few heavy pages; rows drawn by weight tell what all visits tell.
TEST(WalkTrace, FewRowsTellWhatAllVisitsTell) {
  const NamedGraph graph = PowerLawGraph(3000, 5);
  const auto share = [&](const std::vector<WalkDraw>& draws) {
    double linked = 0, all = 0;
    for (const WalkDraw& draw : draws) {
      const auto page = static_cast<uint32_t>(draw.page);
      all += draw.weight;
      if (graph.graph.In(page).size() >= 4) linked += draw.weight;
    }
    return linked / all;
  };
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    GraphSource web(&graph, {});
    const auto directed = WalkDirected(&web, 0.85, Budget(30000, seed));
    GraphSource again(&graph, {});
    const auto ranked = WalkPageRank(&again, {}, Budget(30000, seed));
    ASSERT_TRUE(directed && ranked);
    for (const WalkTrace* walk : {&*directed, &*ranked}) {
      const auto rows = DrawFromWalk(*walk, 0.1, 1000);
      ASSERT_EQ(rows.size(), 1000u);
      for (const WalkDraw& row : rows) ASSERT_EQ(row.weight, 1);
      EXPECT_NEAR(share(rows), share(DrawFromWalk(*walk, 0.1, 0)), 0.04)
          << seed;
    }
  }
}

TEST(WalkAnalysis, TheFloorIsThatOfIndependentDraws) {
  SplitMix64 random(1);
  for (const uint64_t draws : {20, 100, 1000}) {
    double sum = 0;
    const int runs = 400 / static_cast<int>(kFew);
    for (int run = 0; run < runs; ++run) {
      std::vector<uint64_t> counts(100, 0);
      for (uint64_t i = 0; i < draws; ++i) ++counts[random.Below(100)];
      for (const uint64_t count : counts)
        sum +=
            std::abs(static_cast<double>(count) / static_cast<double>(draws) -
                     0.01) /
            2;
    }
    EXPECT_NEAR(TotalVariationFloor(static_cast<double>(draws), 100),
                sum / runs, 0.02);
  }
}

// A walk that is worth n independent draws has their distance from uniform.
TEST(WalkAnalysis, SaysWhatAWalkIsWorth) {
  const NamedGraph graph = SevenPages();
  GraphSource web(&graph, {});
  const auto walk =
      WalkWebWalker(&web, {0, 20, LoopRule::kExpected, LateLinkRule::kDrop},
                    Budget(20000, 3));
  ASSERT_TRUE(walk);
  const auto analysis =
      AnalyseWalk(web, *walk, 0.1, WalkWays::kLinks, {0}, &graph, &web);
  EXPECT_EQ(analysis.comparison.reachable, 6u);
  EXPECT_LT(analysis.comparison.total_variation, 0.03);
  EXPECT_NEAR(analysis.comparison.total_variation_all,
              analysis.comparison.total_variation + 1 / 7.0, 0.03);
  ASSERT_EQ(analysis.checks.size(), 3u);
  for (const ChainCheck& check : analysis.checks) {
    EXPECT_TRUE(check.known) << check.of;
    EXPECT_GT(check.effective_size, 1000) << check.of;
    EXPECT_LE(check.effective_size, 18000) << check.of;
    EXPECT_LT(std::abs(check.geweke_z), 4) << check.of;
    EXPECT_NEAR(check.split_r_hat, 1, 0.01) << check.of;
  }
  EXPECT_THAT(analysis.comparison.parts, ::testing::SizeIs(kBowTieParts));
  EXPECT_EQ(analysis.comparison.parts[1].pages, 1u);      // IN
  EXPECT_EQ(analysis.comparison.parts[1].reachable, 0u);  // out of reach
}

}  // namespace
}  // namespace twinset
