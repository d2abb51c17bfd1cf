#include "retrieval/duplicate_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

struct Read {
  IdTable ids;
  LineCounts counts;
  DuplicateList list;
  Status status;
  std::string Links() const {
    std::string text;
    for (const DuplicateLink& link : list.links)
      text += ids[link.a] + "-" + ids[link.b] + " ";
    return text;
  }
  std::string Groups() const {
    std::string text;
    for (const auto& group : list.groups) {
      for (const uint32_t id : group) text += ids[id];
      text += " ";
    }
    return text;
  }
};

Read ReadText(const std::string& text, bool strict = false,
              bool two_collections = false) {
  Read read;
  read.status = ReadDuplicates({"d", text}, {{strict}, two_collections},
                               &read.ids, &read.counts, &read.list);
  return read;
}

TEST(DuplicateListTest, RowsOfOurRunsAndOfCopyCat) {
  const Read read = ReadText(R"({"a":"x","b":"y","similarity":0.9,"grade":0.5})"
                             "\n"
                             R"({"firstId":"p","secondId":"q","s3Score":0.8})"
                             "\n"
                             R"({"id_a":"m","id_b":"n","label":2})"
                             "\n");
  ASSERT_TRUE(read.status);
  EXPECT_EQ(read.Links(), "x-y p-q m-n ");
  EXPECT_EQ(read.list.links[0].similarity, 0.9);
  EXPECT_EQ(read.list.links[0].grade, 0.5);
  EXPECT_EQ(read.list.links[1].similarity, 0.8);
  EXPECT_TRUE(std::isnan(read.list.links[1].grade));
  EXPECT_EQ(read.list.links[2].label, 2);
}

TEST(DuplicateListTest, TablesWithAndWithoutHeader) {
  EXPECT_EQ(ReadText("a,b,similarity\nx,y,0.9\n\"p,1\",q,1\n").Links(),
            "x-y p,1-q ");
  EXPECT_EQ(ReadText("x,y,0.9\r\np,q,1\r\n").Links(), "x-y p-q ");
  EXPECT_EQ(ReadText("x\ty\np\tq\t0.5\n").Links(), "x-y p-q ");
  const Read groups = ReadText("x\ty\tz\n");
  EXPECT_EQ(groups.Groups(), "xyz ");
  EXPECT_EQ(ReadText("id,cluster,size\nx,x,2\np,p,2\ny,x,2\nq,p,2\n").Groups(),
            "xy pq ");
}

TEST(DuplicateListTest, GroupsOfIdsAndOfObjects) {
  const Read read =
      ReadText(R"({"hash":"1","ids":["x","y","z"]})"
               "\n"
               R"({"ids":[{"id":"p","canonicalId":"p"},{"id":"q"}]})"
               "\n"
               R"({"id":"m","cluster":"m","similarity":1})"
               "\n"
               R"({"id":"n","cluster":"m","similarity":0.9})"
               "\n");
  EXPECT_EQ(read.Groups(), "xyz pq mn ");
  EXPECT_EQ(read.counts.used, 4u);
}

TEST(DuplicateListTest, NumbersAreIdsAsTheyAreWritten) {
  const Read read = ReadText(
      "{\"a\":1,\"b\":2.50,\"similarity\":0.5}\n"
      "{\"ids\":[3,\"x\",{\"id\":4e1}]}\n{\"id\":5,\"cluster\":6}\n"
      "{\"id\":\"7\",\"cluster\":6}\n");
  ASSERT_TRUE(read.status);
  EXPECT_EQ(read.Links(), "1-2.50 ");
  EXPECT_EQ(read.Groups(), "3x4e1 57 ");
}

TEST(DuplicateListTest, BadLinesAreCounted) {
  const Read read = ReadText(
      "{\n{\"ids\":[\"x\"]}\n{\"ids\":[\"x\",\"x\",\"y\"]}\n"
      "{\"a\":\"x\",\"b\":\"x\"}\n{\"a\":\"x\"}\n{\"ids\":[[1],null]}\n"
      "{\"a\":\"\",\"b\":\"x\"}\n");
  ASSERT_TRUE(read.status);
  EXPECT_THAT(read.counts.left_out,
              ElementsAre(Pair("bad-json", 1), Pair("missing-columns", 1),
                          Pair("missing-id", 2), Pair("repeated-id", 1),
                          Pair("same-id", 1), Pair("small-group", 1)));
  EXPECT_EQ(read.Groups(), "xy ");
  EXPECT_FALSE(ReadText("{\n", true).status);
  // Two collections may have the same ids.
  EXPECT_EQ(ReadText("x\tx\n", false, true).Links(), "x-x ");
}

TEST(DuplicateListTest, ComponentsJoinWhatLinksAndGroupsConnect) {
  Read read = ReadText(R"({"ids":["x","y"]})"
                       "\n"
                       R"({"a":"y","b":"z"})"
                       "\n"
                       R"({"a":"p","b":"q"})"
                       "\n");
  const uint32_t alone = read.ids.NumberOf("alone");
  const DuplicateGraph graph(read.list, read.ids.size());
  const auto component = graph.Components();
  const auto of = [&](const char* id) { return component[*read.ids.Find(id)]; };
  EXPECT_EQ(of("x"), of("z"));
  EXPECT_EQ(of("p"), of("q"));
  EXPECT_NE(of("x"), of("p"));
  EXPECT_FALSE(graph.IsLinked(alone));
  EXPECT_FALSE(graph.IsLinked(alone + 100));  // came after the graph
}

}  // namespace
}  // namespace twinset
