// PageRank, OPIC and the bow tie against naive references.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "web/bow_tie.h"
#include "web/opic.h"
#include "web/pagerank.h"

namespace twinset::inline v1 {
namespace {

using Arcs = std::vector<std::pair<uint32_t, uint32_t>>;
using ::testing::ElementsAre;

Graph Make(uint32_t nodes, Arcs arcs) {
  auto graph = Graph::FromArcs(nodes, std::move(arcs));
  EXPECT_TRUE(graph);
  return std::move(*graph);
}

Graph RandomGraph(uint32_t nodes, uint32_t arcs, uint64_t seed) {
  SplitMix64 random(seed);
  Arcs list;
  for (uint32_t i = 0; i < arcs; ++i) {
    list.emplace_back(static_cast<uint32_t>(random.Below(nodes)),
                      static_cast<uint32_t>(random.Below(nodes)));
  }
  return Make(nodes, std::move(list));
}

// The dense matrix, by the definition.
std::vector<double> NaivePageRank(const Graph& graph, double damping) {
  const uint32_t n = graph.nodes();
  std::vector<std::vector<double>> matrix(n, std::vector<double>(n, 0));
  for (uint32_t u = 0; u < n; ++u) {
    const auto out = graph.Out(u);
    for (uint32_t v = 0; v < n; ++v)
      matrix[u][v] = out.empty() ? 1.0 / n : (1 - damping) / n;
    for (const uint32_t v : out)
      matrix[u][v] += damping / static_cast<double>(out.size());
  }
  std::vector<double> rank(n, 1.0 / n);
  for (int round = 0; round < 500; ++round) {
    std::vector<double> next(n, 0);
    for (uint32_t u = 0; u < n; ++u)
      for (uint32_t v = 0; v < n; ++v) next[v] += rank[u] * matrix[u][v];
    rank = next;
  }
  return rank;
}

TEST(PageRank, IsTheDenseOne) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const Graph graph = RandomGraph(30, 20 + 10 * seed, seed);
    const auto ranks = ComputePageRank(graph, {});
    ASSERT_TRUE(ranks);
    EXPECT_TRUE(ranks->converged);
    const auto naive = NaivePageRank(graph, 0.85);
    for (uint32_t i = 0; i < 30; ++i)
      EXPECT_NEAR(ranks->ranks[i], naive[i], 1e-11);
  }
}

TEST(PageRank, TwoPages) {
  // 0 -> 1 and nothing back: r1 = (1 + d) r0, by hand 1 / (2 + d).
  const auto ranks = ComputePageRank(Make(2, {{0, 1}}), {});
  ASSERT_TRUE(ranks);
  EXPECT_NEAR(ranks->ranks[0], 1 / 2.85, 1e-12);
  EXPECT_NEAR(ranks->ranks[1], 1.85 / 2.85, 1e-12);
}

TEST(PageRank, JumpsGoWhereTheyAreTold) {
  PageRankOptions options;
  options.damping = 0;
  options.jumps = {3, 1};
  const auto ranks = ComputePageRank(Make(2, {{0, 1}}), options);
  ASSERT_TRUE(ranks);
  EXPECT_THAT(ranks->ranks, ElementsAre(0.75, 0.25));
  options.jumps = {1};
  EXPECT_FALSE(ComputePageRank(Make(2, {{0, 1}}), options));
  options.jumps = {-1, 2};
  EXPECT_FALSE(ComputePageRank(Make(2, {{0, 1}}), options));
  EXPECT_FALSE(ComputePageRank(Make(2, {{0, 1}}), {.damping = 1}));
  EXPECT_FALSE(ComputePageRank(Make(2, {{0, 1}}), {.tolerance = 0}));
  EXPECT_TRUE(ComputePageRank(Graph(), {}));
}

TEST(Opic, TendsToPageRank) {
  const Graph graph = RandomGraph(60, 240, 5);
  const auto ranks = ComputePageRank(graph, {});
  const auto off = [&](uint32_t sweeps, OpicOptions::Policy policy) {
    OpicOptions options;
    options.sweeps = sweeps;
    options.policy = policy;
    const auto opic = ComputeOpic(graph, options);
    EXPECT_TRUE(opic);
    double sum = 0;
    for (uint32_t i = 0; i < 60; ++i)
      sum += std::abs((*opic)[i] - ranks->ranks[i]);
    return sum;
  };
  const double few = off(20, OpicOptions::Policy::kCycle);
  const double many = off(2000, OpicOptions::Policy::kCycle);
  EXPECT_LT(many, 2e-3);
  EXPECT_LT(many, few / 20);  // about 1 / sweeps
  EXPECT_LT(off(2000, OpicOptions::Policy::kRandom), 0.05);
}

TEST(Opic, RefusesNonsense) {
  EXPECT_FALSE(ComputeOpic(Make(2, {{0, 1}}), {.sweeps = 0}));
  EXPECT_FALSE(ComputeOpic(Make(2, {{0, 1}}), {.to_root = 2}));
  EXPECT_THAT(*ComputeOpic(Graph(), {}), ElementsAre());
}

// reach[u][v] by Warshall.
std::vector<std::vector<bool>> Closure(const Graph& graph, bool undirected) {
  const uint32_t n = graph.nodes();
  std::vector<std::vector<bool>> reach(n, std::vector<bool>(n, false));
  for (uint32_t u = 0; u < n; ++u) {
    reach[u][u] = true;
    for (const uint32_t v : graph.Out(u)) {
      reach[u][v] = true;
      if (undirected) reach[v][u] = true;
    }
  }
  for (uint32_t k = 0; k < n; ++k)
    for (uint32_t i = 0; i < n; ++i)
      for (uint32_t j = 0; j < n; ++j)
        if (reach[i][k] && reach[k][j]) reach[i][j] = true;
  return reach;
}

// By the definitions, over the closure.
std::vector<BowTiePart> NaiveBowTie(const Graph& graph) {
  const uint32_t n = graph.nodes();
  const auto reach = Closure(graph, false), weak = Closure(graph, true);
  uint32_t core = 0;
  size_t most = 0;
  for (uint32_t u = 0; u < n; ++u) {
    size_t size = 0;
    for (uint32_t v = 0; v < n; ++v) size += reach[u][v] && reach[v][u];
    if (size > most) {
      most = size;
      core = u;
    }
  }
  const auto is_in = [&](uint32_t u) {
    return reach[u][core] && !reach[core][u];
  };
  const auto is_out = [&](uint32_t u) {
    return reach[core][u] && !reach[u][core];
  };
  std::vector<BowTiePart> parts(n, BowTiePart::kIsland);
  for (uint32_t u = 0; u < n; ++u) {
    bool from_in = false, to_out = false;
    for (uint32_t v = 0; v < n; ++v) {
      from_in |= is_in(v) && reach[v][u];
      to_out |= is_out(v) && reach[u][v];
    }
    if (reach[u][core] && reach[core][u]) {
      parts[u] = BowTiePart::kCore;
    } else if (is_in(u)) {
      parts[u] = BowTiePart::kIn;
    } else if (is_out(u)) {
      parts[u] = BowTiePart::kOut;
    } else if (from_in && to_out) {
      parts[u] = BowTiePart::kTube;
    } else if (from_in || to_out) {
      parts[u] = BowTiePart::kTendril;
    } else if (weak[u][core]) {
      parts[u] = BowTiePart::kFringe;
    }
  }
  return parts;
}

TEST(BowTie, IsTheNaiveOneOnRandomGraphs) {
  std::array<uint64_t, kBowTieParts> seen{};
  for (uint64_t seed = 1; seed <= 120; ++seed) {
    const Graph graph =
        RandomGraph(24, static_cast<uint32_t>(12 + seed % 24), seed);
    const BowTie tie = FindBowTie(graph);
    ASSERT_EQ(tie.parts, NaiveBowTie(graph)) << seed;
    const auto reach = Closure(graph, false);
    uint64_t strong = 0;
    for (uint32_t u = 0; u < 24; ++u) {
      bool first = true;
      for (uint32_t v = 0; v < u; ++v) first &= !(reach[u][v] && reach[v][u]);
      strong += first;
    }
    EXPECT_EQ(tie.strong_components, strong);
    for (size_t part = 0; part < kBowTieParts; ++part)
      seen[part] += tie.sizes[part];
  }
  for (const uint64_t count : seen) EXPECT_GT(count, 0u);  // each was tried
}

TEST(BowTie, DeepPathsNeedNoStack) {
  constexpr uint32_t kNodes = TWINSET_SLOW_BUILD ? 100000 : 300000;
  Arcs arcs;
  for (uint32_t i = 0; i + 1 < kNodes; ++i) arcs.emplace_back(i, i + 1);
  Arcs ring = arcs;
  ring.emplace_back(kNodes - 1, 0);
  EXPECT_EQ(FindBowTie(Make(kNodes, std::move(arcs))).strong_components,
            kNodes);
  EXPECT_EQ(FindBowTie(Make(kNodes, std::move(ring))).sizes[0], kNodes);
}

TEST(BowTie, NothingIsNothing) {
  EXPECT_EQ(FindBowTie(Graph()).strong_components, 0u);
  const BowTie one = FindBowTie(Make(1, {}));
  EXPECT_THAT(one.parts, ElementsAre(BowTiePart::kCore));
}

TEST(Distances, AreLinksOnTheWay) {
  const Graph graph = Make(5, {{0, 1}, {1, 2}, {3, 0}});
  EXPECT_THAT(Distances(graph, 0, true, false), ElementsAre(0, 1, 2, -1, -1));
  EXPECT_THAT(Distances(graph, 0, true, true), ElementsAre(0, 1, 2, 1, -1));
}

}  // namespace
}  // namespace twinset::inline v1
