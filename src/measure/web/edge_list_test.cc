#include "web/edge_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"
#include "base/hash.h"
#include "base/test_dir.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::pair<uint64_t, uint64_t>> ArcsOf(const EdgeListGraph& list) {
  std::vector<std::pair<uint64_t, uint64_t>> arcs;
  for (uint32_t u = 0; u < list.named.graph.nodes(); ++u)
    for (const uint32_t v : list.named.graph.Out(u))
      arcs.emplace_back(list.ids[u], list.ids[v]);
  return arcs;
}

TEST(EdgeList, ReadsTheUsualForms) {
  const auto list = ReadEdgeListFromMemory(
      "start end\n# comment\n% comment\n\n7\t100\r\n100 7 0.5\n7,5\n  5   "
      "100  \n7 7\n7 100",
      "", false);
  ASSERT_TRUE(list) << list.error().ToString();
  EXPECT_THAT(list->ids, ElementsAre(5, 7, 100));
  EXPECT_THAT(ArcsOf(*list), ElementsAre(std::pair(5, 100), std::pair(7, 5),
                                         std::pair(7, 100), std::pair(100, 7)));
  EXPECT_EQ(list->facts.headers, 1u);
  EXPECT_EQ(list->facts.comments, 2u);
  EXPECT_EQ(list->facts.arcs, 6u);
  EXPECT_EQ(list->facts.garbage, 0u);
  EXPECT_EQ(list->named.graph.self_loops(), 1u);
  EXPECT_EQ(list->named.graph.repeated(), 1u);
}

TEST(EdgeList, TellsGarbageWithItsPlaceAndGoesOn) {
  const auto list = ReadEdgeListFromMemory(
      "1 2\nthe end\n2\n-1 3\n99999999999999999999 1\n2 1\n", "", false);
  ASSERT_TRUE(list);
  EXPECT_EQ(list->facts.arcs, 2u);
  EXPECT_EQ(list->facts.garbage, 4u);
  EXPECT_EQ(list->facts.headers, 0u);
  EXPECT_THAT(list->facts.problems,
              ElementsAre("edges:2: not two ids", "edges:3: not two ids",
                          "edges:4: not two ids", "edges:5: not two ids"));
}

TEST(EdgeList, NamesNodesAndCountsDanglingIds) {
  const std::string nodes =
      "id\turl\tindeg\n0\thttp://a/\t1\n2\thttp://c/ d\t3\n2\tagain\n4\t\t0\n";
  const std::string edges = "0 2\n2 9\n9 0\n";
  const auto dropped = ReadEdgeListFromMemory(edges, nodes, false);
  ASSERT_TRUE(dropped);
  EXPECT_THAT(dropped->named.urls,
              ElementsAre("http://a/", "http://c/ d", "4"));
  EXPECT_THAT(ArcsOf(*dropped), ElementsAre(std::pair(0, 2)));
  EXPECT_EQ(dropped->facts.dangling, 2u);
  EXPECT_EQ(dropped->facts.dangling_ids, 1u);
  EXPECT_EQ(dropped->facts.repeated_ids, 1u);
  EXPECT_THAT(dropped->facts.problems,
              ElementsAre("nodes:4: id 2 came before",
                          "edges:2: id 9 is not in the node file",
                          "edges:3: id 9 is not in the node file"));
  const auto kept = ReadEdgeListFromMemory(edges, nodes, true);
  ASSERT_TRUE(kept);
  EXPECT_THAT(kept->ids, ElementsAre(0, 2, 4, 9));
  EXPECT_EQ(kept->named.urls.back(), "9");
  EXPECT_EQ(kept->named.graph.arcs(), 3u);
}

TEST(EdgeList, TheOrderOfLinesDoesNotCount) {
  SplitMix64 random(3);
  std::vector<std::string> lines;
  for (int i = 0; i < 200; ++i)
    lines.push_back(std::to_string(random.Below(50) * 1000003) + " " +
                    std::to_string(random.Below(50) * 1000003) + "\n");
  std::string a, b;
  for (const std::string& line : lines) {
    a += line;
    b.insert(0, line);
  }
  const auto first = ReadEdgeListFromMemory(a, "", false);
  const auto second = ReadEdgeListFromMemory(b, "", false);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->ids, second->ids);
  EXPECT_EQ(ArcsOf(*first), ArcsOf(*second));
}

TEST(EdgeList, RefusesWhatHasNoArc) {
  const auto list = ReadEdgeListFromMemory("hello\nworld\n", "", false);
  ASSERT_FALSE(list);
  EXPECT_EQ(list.error().code, ErrorCode::kCorrupt);
  const auto nodes = ReadEdgeListFromMemory("1 2\n", "id url\n", false);
  ASSERT_FALSE(nodes);
  EXPECT_THAT(nodes.error().message, HasSubstr("names no node"));
}

TEST(EdgeList, SaysHowMuchMemoryItNeeds) {
  const TestDir dir;
  std::string text;
  for (int i = 0; i < 300000; ++i) text += std::to_string(i) + " 0\n";
  ASSERT_TRUE(WriteWholeFile(dir.path() + "/e", text));
  const auto list = ReadEdgeList({{dir.path() + "/e"}, "", false, 8 << 20});
  ASSERT_FALSE(list);
  EXPECT_EQ(list.error().code, ErrorCode::kMemory);
  EXPECT_THAT(list.error().message, HasSubstr("300000 arcs"));
  EXPECT_THAT(list.error().remedy, HasSubstr("--memory"));
  EXPECT_TRUE(ReadEdgeList({{dir.path() + "/e"}, "", false, 64 << 20}));
  EXPECT_TRUE(LooksLikeEdgeList(dir.path() + "/e"));
  ASSERT_TRUE(WriteWholeFile(dir.path() + "/w", "WARC/1.0\r\n1 2\r\n"));
  EXPECT_FALSE(LooksLikeEdgeList(dir.path()));
  EXPECT_FALSE(LooksLikeEdgeList(dir.path() + "/none"));
}

TEST(EdgeList, DamageIsTold) {
  // A gzip member that ends in the middle.
  const std::string cut(
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x33\x54\x30\xe2\x32", 15);
  const auto list = ReadEdgeListFromMemory(cut, "", false);
  if (list) {
    EXPECT_GT(list->facts.garbage, 0u);
  } else {
    EXPECT_EQ(list.error().code, ErrorCode::kCorrupt);
  }
}

}  // namespace
}  // namespace twinset
