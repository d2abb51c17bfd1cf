// PageRank, OPIC and the bow tie against naive references.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/file.h"
#include "base/hash.h"
#include "base/test_dir.h"
#include "web/bow_tie.h"
#include "web/opic.h"
#include "web/page_ranks.h"
#include "web/pagerank.h"

namespace twinset {
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

// The dense matrix, by the definition; `jumps` has sum 1.
std::vector<double> NaivePageRank(const Graph& graph, double damping,
                                  const std::vector<double>& jumps) {
  const uint32_t n = graph.nodes();
  std::vector<std::vector<double>> matrix(n, std::vector<double>(n, 0));
  for (uint32_t u = 0; u < n; ++u) {
    const auto out = graph.Out(u);
    for (uint32_t v = 0; v < n; ++v)
      matrix[u][v] = out.empty() ? jumps[v] : (1 - damping) * jumps[v];
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
    const auto naive =
        NaivePageRank(graph, 0.85, std::vector<double>(30, 1.0 / 30));
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

LoadedGraph Named(Graph graph) {
  LoadedGraph loaded;
  for (uint32_t i = 0; i < graph.nodes(); ++i) loaded.ids.push_back(i + 1);
  loaded.named.graph = std::move(graph);
  return loaded;
}

RankParameters Trusting(const std::string& path) {
  RankParameters parameters;
  parameters.method = RankMethod::kTrustRank;
  parameters.trusted = {path};
  return parameters;
}

TEST(TrustRank, IsTheDenseOne) {
  const TestDir dir;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const LoadedGraph graph =
        Named(RandomGraph(30, static_cast<uint32_t>(20 + 10 * seed), seed));
    std::string trusted;
    std::vector<double> jumps(30, 0);
    for (uint32_t i = 0; i < 3; ++i) {
      const auto page = static_cast<uint32_t>((seed * 7 + 9 * i) % 30);
      jumps[page] = 1.0 / 3;
      trusted += std::to_string(page + 1) + "\n";
    }
    ASSERT_TRUE(WriteWholeFile(dir / "trusted", trusted));
    const auto pages = RankPages(graph, Trusting(dir / "trusted"));
    ASSERT_TRUE(pages);
    const auto naive = NaivePageRank(graph.named.graph, 0.85, jumps);
    for (uint32_t i = 0; i < 30; ++i)
      EXPECT_NEAR(pages->values[i], naive[i], 1e-11);
  }
}

// The graph of seven pages and the good pages 2 and 4 of Gyöngyi et al., with
// the trust that they give, to two decimals. They let go what pages without
// links have, so their sum is below 1 and ours is the same in proportion.
TEST(TrustRank, IsThatOfThePaper) {
  const LoadedGraph graph = Named(Make(
      7, {{0, 1}, {1, 2}, {1, 3}, {2, 1}, {3, 4}, {4, 5}, {4, 6}, {5, 2}}));
  const TestDir dir;
  ASSERT_TRUE(WriteWholeFile(dir / "trusted", "# good\n2\n\n4\n2\n99\n"));
  const auto pages = RankPages(graph, Trusting(dir / "trusted"));
  ASSERT_TRUE(pages);
  EXPECT_EQ(pages->trusted.lines, 4u);
  EXPECT_EQ(pages->trusted.pages, 2u);
  EXPECT_EQ(pages->trusted.unknown, 1u);
  EXPECT_THAT(pages->trusted.problems,
              ElementsAre(::testing::EndsWith(
                  "trusted:6: the graph has no such page")));
  const std::vector<double> paper = {0, .18, .12, .15, .13, .05, .05};
  const double sum = .6935;  // of theirs before rounding
  for (size_t i = 0; i < 7; ++i)
    EXPECT_NEAR(pages->values[i] * sum, paper[i], .005) << i;
}

TEST(TrustRank, RefusesNonsense) {
  const TestDir dir;
  const LoadedGraph graph = Named(Make(2, {{0, 1}}));
  ASSERT_TRUE(WriteWholeFile(dir / "trusted", "3\n"));
  EXPECT_EQ(RankPages(graph, Trusting(dir / "trusted")).error().code,
            ErrorCode::kUsage);
  EXPECT_EQ(RankPages(graph, Trusting(dir / "none")).error().code,
            ErrorCode::kIo);
  RankParameters parameters = Trusting(dir / "trusted");
  parameters.method = RankMethod::kPageRank;
  EXPECT_EQ(RankPages(graph, parameters).error().code, ErrorCode::kUsage);
  parameters = {};
  parameters.method = RankMethod::kTrustRank;
  EXPECT_EQ(RankPages(graph, parameters).error().code, ErrorCode::kUsage);
}

TEST(InversePageRank, IsThatOfTheLinksTurnedRound) {
  const Graph graph = RandomGraph(30, 90, 3);
  Arcs turned;
  for (uint32_t u = 0; u < 30; ++u)
    for (const uint32_t v : graph.Out(u)) turned.emplace_back(v, u);
  const auto expected = ComputePageRank(Make(30, turned), {});
  RankParameters parameters;
  parameters.method = RankMethod::kInversePageRank;
  EXPECT_EQ(RankPages(Named(graph), parameters)->values, expected->ranks);
}

// By the definition: a matrix of shares and one page at a time.
std::vector<double> NaiveOpic(const Graph& graph, uint32_t sweeps,
                              double to_root) {
  const uint32_t n = graph.nodes(), root = n;
  std::vector<std::vector<double>> share(n + 1, std::vector<double>(n + 1, 0));
  for (uint32_t u = 0; u < n; ++u) {
    const auto out = graph.Out(u);
    const auto count = static_cast<double>(out.size());
    share[u][root] = out.empty() ? 1 : to_root > 0 ? to_root : 1 / (count + 1);
    for (const uint32_t v : out) share[u][v] = (1 - share[u][root]) / count;
    share[root][u] = 1.0 / n;
  }
  std::vector<double> cash(n + 1, 1.0 / n), history(n + 1, 0);
  cash[root] = 0;
  for (uint32_t visit = 0; visit < sweeps * (n + 1); ++visit) {
    const uint32_t page = visit % (n + 1);
    const double given = std::exchange(cash[page], 0);
    history[page] += given;
    for (uint32_t v = 0; v <= n; ++v) cash[v] += given * share[page][v];
  }
  std::vector<double> importance(n);
  double sum = 0;
  for (uint32_t i = 0; i < n; ++i) sum += history[i] + cash[i];
  for (uint32_t i = 0; i < n; ++i) importance[i] = (history[i] + cash[i]) / sum;
  return importance;
}

TEST(Opic, IsTheNaiveOne) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const Graph graph = RandomGraph(20, 50, seed);
    for (const double to_root : {0.0, 0.15, 1.0}) {
      OpicOptions options;
      options.sweeps = 7;
      options.to_root = to_root;
      const auto opic = ComputeOpic(graph, options);
      ASSERT_TRUE(opic);
      const auto naive = NaiveOpic(graph, 7, to_root);
      for (uint32_t i = 0; i < 20; ++i)
        EXPECT_NEAR((*opic)[i], naive[i], 1e-13);
    }
  }
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

}  // namespace
}  // namespace twinset
