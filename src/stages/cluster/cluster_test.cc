#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/hash.h"
#include "cluster/star_cover.h"
#include "cluster/union_find.h"

namespace twinset {
namespace {

struct Graph {
  uint64_t nodes = 0;
  std::map<std::pair<uint64_t, uint64_t>, double>
      edges;  // (worse rank, better rank) -> score
};

Graph RandomGraph(uint64_t seed, uint64_t nodes, uint64_t edges) {
  SplitMix64 random(seed);
  Graph graph;
  graph.nodes = nodes;
  for (uint64_t i = 0; i < edges; ++i) {
    const uint64_t a = random.Below(nodes), b = random.Below(nodes);
    // Few distinct scores, so that ties are common.
    if (a != b)
      graph.edges[{std::max(a, b), std::min(a, b)}] =
          .8 + .05 * double(random.Below(4));
  }
  return graph;
}

// member -> centre, straight from the definition.
std::map<uint64_t, uint64_t> NaiveStar(const Graph& graph) {
  std::set<uint64_t> centres;
  std::map<uint64_t, uint64_t> joined;
  for (uint64_t node = 0; node < graph.nodes; ++node) {
    const uint64_t kNone = ~uint64_t{0};
    uint64_t best = kNone;
    double best_score = -1;
    for (uint64_t other = 0; other < node; ++other) {
      const auto edge = graph.edges.find({node, other});
      if (edge == graph.edges.end() || !centres.contains(other)) continue;
      if (edge->second > best_score) {
        best = other;
        best_score = edge->second;
      }
    }
    if (best == kNone) {
      centres.insert(node);
    } else {
      joined[node] = best;
    }
  }
  return joined;
}

std::string TemporaryPath(const std::string& name) {
  return (std::filesystem::temp_directory_path() / ("twinset-" + name))
      .string();
}

TEST(StarCoverTest, EqualsTheDefinition) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    const Graph graph = RandomGraph(seed, 40, 10 + seed);
    MemoryBudget budget(64 << 20);
    auto cover = *StarCover::Create(TemporaryPath("star"), graph.nodes, 1 << 20,
                                    &budget);
    std::map<uint64_t, uint64_t> joined;
    const MembershipSink sink = [&](const Membership& m) -> Status {
      joined[m.document] = m.representative;
      return {};
    };
    for (const auto& [ends, score] : graph.edges) {
      ASSERT_TRUE(cover.Add(
          {ends.first, ends.second, ends.first, ends.second, score}, sink));
    }
    ASSERT_TRUE(cover.Finish(sink));
    ASSERT_EQ(joined, NaiveStar(graph)) << "seed " << seed;
    for (uint64_t node = 0; node < graph.nodes; ++node) {
      EXPECT_EQ(*cover.IsCentre(node), !joined.contains(node));
    }
  }
}

TEST(StarCoverTest, CopiesChooseAmongTheCentresBeforeThem) {
  // Centres of ranks 3 (.8), 7 (.9), 9 (.9), 12 (.95).
  std::vector<Edge> centres;
  for (const auto& [rank, score] :
       {std::pair<uint64_t, double>{3, .8}, {7, .9}, {9, .9}, {12, .95}}) {
    centres.push_back({5, rank, 50, rank * 10, score});
  }
  CopyPlacement placement(centres);
  EXPECT_EQ(placement.BestBefore(3), nullptr);
  EXPECT_EQ(placement.BestBefore(4)->other, 30u);
  EXPECT_EQ(placement.BestBefore(8)->other, 70u);
  EXPECT_EQ(placement.BestBefore(11)->other,
            70u);  // a tie: the better priority
  EXPECT_EQ(placement.BestBefore(13)->other, 120u);
}

TEST(UnionFindTest, Golden) {
  MemoryBudget budget(64 << 20);
  auto sets = *UnionFind::Create(TemporaryPath("sets"), 7, 1 << 20, &budget);
  ASSERT_TRUE(sets.Union(1, 2));
  ASSERT_TRUE(sets.Union(2, 3));
  ASSERT_TRUE(sets.Union(5, 6));
  EXPECT_EQ(*sets.Find(3), 1u);
  EXPECT_EQ(*sets.Find(2), 1u);
  EXPECT_EQ(*sets.Find(4), 4u);
  EXPECT_EQ(*sets.Find(6), 5u);
}

TEST(UnionFindTest, RootIsTheSmallestWhateverTheOrder) {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    SplitMix64 random(seed);
    constexpr uint64_t kCount = 60;
    std::vector<uint64_t> label(kCount);  // naive: relabel on each union
    for (uint64_t i = 0; i < kCount; ++i) label[i] = i;
    MemoryBudget budget(64 << 20);
    auto sets =
        *UnionFind::Create(TemporaryPath("sets"), kCount, 1 << 20, &budget);
    for (uint64_t i = 0; i < seed % 70; ++i) {
      const uint64_t a = random.Below(kCount), b = random.Below(kCount);
      ASSERT_TRUE(sets.Union(a, b));
      const uint64_t from = std::max(label[a], label[b]),
                     to = std::min(label[a], label[b]);
      std::replace(label.begin(), label.end(), from, to);
    }
    for (uint64_t i = 0; i < kCount; ++i) ASSERT_EQ(*sets.Find(i), label[i]);
  }
}

}  // namespace
}  // namespace twinset
