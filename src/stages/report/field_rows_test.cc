#include "report/field_rows.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>

#include "core/field_list.h"
#include "twinset/judgements.h"

namespace twinset {
namespace {

struct Row {
  std::string name;
  uint64_t count = 0;
  int64_t change = 0;
  double share = 0;
  bool is_good = false;
  PairRelation kind = PairRelation::kSameText;
  std::optional<double> days;
  std::vector<uint64_t> list;

  static void Fields(auto& row, auto& field) {
    field("name", row.name);
    field("the_count", row.count);
    field("change", row.change);
    field.Rounded("share", row.share, 3);
    field("good", row.is_good);
    field("kind", row.kind);
    field("days", row.days);
    field("list", row.list);
    field.Derived("twice", 2 * row.count);
    field.Column("part", Share{row.count, 4000});
  }
};

Row OneRow() {
  return {"a,\"b\"", 1234,  -5, 1. / 3, true, PairRelation::kSameTokens,
          2.5,       {1, 2}};
}

TEST(FieldRowsTest, CsvHasALineForEachRow) {
  EXPECT_EQ(CsvOf<Row>({OneRow(), Row()}),
            "name,the_count,change,share,good,kind,days,twice,part\n"
            "\"a,\"\"b\"\"\",1234,-5,0.333,true,same tokens,2.5,2468,0.3085\n"
            ",0,0,0,false,same text,,0,0\n");
  EXPECT_EQ(CsvOf<Row>({}),
            "name,the_count,change,share,good,kind,days,twice,part\n");
}

TEST(FieldRowsTest, TableShowsTheNamedFields) {
  const html::Table table =
      TableOf<Row>("T", {{"the_count"}, {"kind", "of"}, {"part"}, {"days"}},
                   {OneRow(), Row()});
  EXPECT_EQ(table.caption, "T");
  ASSERT_EQ(table.columns.size(), 4u);
  EXPECT_EQ(table.columns[0].name, "the count");
  EXPECT_TRUE(table.columns[0].number);
  EXPECT_EQ(table.columns[1].name, "of");
  EXPECT_FALSE(table.columns[1].number);
  EXPECT_TRUE(table.columns[3].number);
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0][0].text, "1,234");
  EXPECT_EQ(table.rows[0][1].text, "same tokens");
  EXPECT_EQ(table.rows[0][2].text, "30.9 %");
  EXPECT_EQ(table.rows[1][3].text, "");
}

struct Sparse {
  std::optional<double> rounded, exact;
  std::array<uint64_t, 4> kinds = {};

  static void Fields(auto& row, auto& field) {
    field.OrNull("rounded", row.rounded, 2);
    field.OrNull("exact", row.exact);
    field.template ByChoice<PairRelation>(row.kinds);
  }
};

TEST(FieldRowsTest, WhatIsNotThereIsNullInJsonAndEmptyInCsv) {
  const Sparse full{1. / 3, .25, {1, 2, 3, 4}};
  EXPECT_EQ(FieldsToJson(full).dump(),
            R"({"rounded":0.33,"exact":0.25,"same text":1,"same tokens":2,)"
            R"("near-duplicate":3,"different":4})");
  EXPECT_EQ(FieldsToJson(Sparse()).dump(),
            R"({"rounded":null,"exact":null,"same text":0,"same tokens":0,)"
            R"("near-duplicate":0,"different":0})");
  EXPECT_EQ(CsvOf<Sparse>({full, Sparse()}),
            "rounded,exact,same text,same tokens,near-duplicate,different\n"
            "0.33,0.25,1,2,3,4\n"
            ",,0,0,0,0\n");
  for (const Sparse& row : {full, Sparse()}) {
    Sparse back{9, 9, {9, 9, 9, 9}};
    ASSERT_TRUE(FieldsFromJson(FieldsToJson(row), 0, &back));
    EXPECT_EQ(FieldsToJson(back), FieldsToJson(row));
  }
  Sparse back;
  for (const char* name : {"rounded", "exact", "same tokens"}) {
    Json without = FieldsToJson(full);
    without.erase(name);
    EXPECT_FALSE(FieldsFromJson(without, 0, &back)) << name;
  }
}

// All outputs have the fields of one list, each in the manner of its kind.
TEST(FieldRowsTest, JsonHasWhatCanBeReadBack) {
  const Json json = FieldsToJson(OneRow());
  EXPECT_EQ(json.dump(),
            R"({"name":"a,\"b\"","the_count":1234,"change":-5,"share":0.333,)"
            R"("good":true,"kind":"same tokens","days":2.5,"list":[1,2],)"
            R"("twice":2468})");
  Row back;
  ASSERT_TRUE(FieldsFromJson(json, 0, &back));
  EXPECT_EQ(FieldsToJson(back), json);
  for (const char* name :
       {"name", "the_count", "change", "share", "good", "kind", "list"}) {
    Json without = json;
    without.erase(name);
    EXPECT_FALSE(FieldsFromJson(without, 0, &back)) << name;
    Json other = json;
    other[name] = Json::object();
    EXPECT_FALSE(FieldsFromJson(other, 0, &back)) << name;
  }
  Json unknown = json;
  unknown["kind"] = "no-such-kind";
  EXPECT_FALSE(FieldsFromJson(unknown, 0, &back));
  Json negative = json;
  negative["the_count"] = -1;
  EXPECT_FALSE(FieldsFromJson(negative, 0, &back));
}

}  // namespace
}  // namespace twinset
