#include "pipeline/run/counts.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "core/field_list.h"

namespace twinset {
namespace {

constexpr uint64_t kLargest = std::numeric_limits<uint64_t>::max();

TEST(PackCountsTest, ShortTexts) {
  EXPECT_EQ(PackCounts({}), "");
  EXPECT_EQ(PackCounts({7}), "7");
  EXPECT_EQ(PackCounts({3, 1, 1, 1, 0}), "3,1x3,0");
  EXPECT_EQ(PackCounts({kLargest, kLargest}), "18446744073709551615x2");
}

TEST(PackCountsTest, ComesBack) {
  const std::vector<std::vector<uint64_t>> lists = {
      {}, {0}, {0, 0}, {1, 2, 2, 3}, {5, 5, 5, kLargest}};
  for (const auto& list : lists) {
    std::vector<uint64_t> back = {9};
    EXPECT_TRUE(UnpackCounts(PackCounts(list), list.size(), &back));
    EXPECT_EQ(back, list);
    EXPECT_FALSE(UnpackCounts(PackCounts(list), list.size() + 1, &back));
  }
}

TEST(PackCountsTest, WhatIsNoSuchTextIsRefused) {
  std::vector<uint64_t> back;
  for (const char* text :
       {"", "1", "1,2", "1,2,3,4", "1,2,", ",1,2,3", "1 ,2,3", "1,2,x",
        "-1,2,3", "1x4", "1x18446744073709551615", "1,2x", "1,2,3x", "1,2,3 ",
        "a", "18446744073709551616,2,3", "1x2,3x18446744073709551614"}) {
    EXPECT_FALSE(UnpackCounts(text, 3, &back)) << text;
    EXPECT_LE(back.size(), 3u) << text;
  }
}

struct Inner {
  uint64_t n = 0;
  static void Fields(auto& inner, auto& field) { field("n", inner.n); }
};

struct Example {
  uint64_t number = 1;
  double share = 0.5;
  std::string text = "t";
  std::optional<uint64_t> maybe;
  Inner inner;
  std::vector<Inner> rows;
  std::array<uint64_t, 2> two{};
  std::vector<std::pair<uint64_t, uint64_t>> pairs;
  std::map<std::string, uint64_t> named;
  std::vector<uint64_t> sources;

  static void Fields(auto& example, auto& field) {
    field("number", example.number);
    field("share", example.share);
    field("text", example.text);
    field("maybe", example.maybe);
    field("inner", example.inner);
    field("rows", example.rows);
    field("two", example.two);
    field("pairs", example.pairs);
    field("named", example.named);
    field.BySource("sources", example.sources);
  }
};

Example Filled() {
  Example example;
  example.number = kLargest;
  example.share = 0.25;
  example.maybe = 0;
  example.inner.n = 3;
  example.rows = {{4}, {5}};
  example.two = {6, 7};
  example.pairs = {{8, 9}};
  example.named = {{"a", 1}, {"b", 2}};
  example.sources = {2, 2};
  return example;
}

TEST(CountFieldsTest, JsonHasTheFieldsInTheirOrder) {
  EXPECT_EQ(FieldsToJson(Example()).dump(),
            R"({"number":1,"share":0.5,"text":"t","inner":{"n":0},"rows":[],)"
            R"("two":[0,0],"pairs":[],"named":{},"sources":""})");
  EXPECT_EQ(FieldsToJson(Filled()).dump(),
            R"({"number":18446744073709551615,"share":0.25,"text":"t",)"
            R"("maybe":0,"inner":{"n":3},"rows":[{"n":4},{"n":5}],)"
            R"("two":[6,7],"pairs":[[8,9]],"named":{"a":1,"b":2},)"
            R"("sources":"2x2"})");
}

TEST(CountFieldsTest, ComesBack) {
  const Json json = Json::Parse(FieldsToJson(Filled()).dump());
  Example back;
  ASSERT_TRUE(FieldsFromJson(json, 2, &back));
  EXPECT_EQ(FieldsToJson(back), json);
  EXPECT_FALSE(FieldsFromJson(json, 3, &back));  // other sources
  // What is left out is not set, whatever was there before.
  ASSERT_TRUE(FieldsFromJson(FieldsToJson(Example()), 0, &back));
  EXPECT_FALSE(back.maybe.has_value());
  EXPECT_TRUE(back.rows.empty() && back.named.empty() && back.sources.empty());
}

// Every value of `json`, at any depth, replaced by each of `others` in turn.
void ForEachChange(const Json& json, const std::vector<Json>& others,
                   const std::function<void(const Json&)>& body) {
  for (const Json& other : others) body(other);
  if (json.is_object()) {
    for (const auto& [key, value] : json.items()) {
      const std::string name = key;
      Json without = json;
      without.erase(name);
      const bool may_lack = name == "maybe" || name == "a" || name == "b";
      if (!may_lack) body(without);
      ForEachChange(value, others, [&](const Json& changed) {
        Json copy = json;
        copy[name] = changed;
        body(copy);
      });
    }
  } else if (json.is_array()) {
    for (size_t i = 0; i < json.size(); ++i) {
      ForEachChange(json[i], others, [&](const Json& changed) {
        Json copy = json;
        copy[i] = changed;
        body(copy);
      });
    }
  }
}

TEST(CountFieldsTest, OtherTypesAndMissingFieldsAreRefused) {
  // None of these is a value of any field.
  const std::vector<Json> wrong = {Json(),
                                   Json(true),
                                   Json(-1),
                                   Json("1,"),
                                   Json::array({Json("x")}),
                                   Json{{"n", "x"}, {"m", Json()}}};
  size_t changes = 0;
  ForEachChange(FieldsToJson(Filled()), wrong, [&](const Json& json) {
    Example back;
    const bool is_text = json["text"] == Json("1,");
    const bool is_share = json["share"] == Json(-1);
    EXPECT_EQ(FieldsFromJson(json, 2, &back), is_text || is_share)
        << json.dump();
    ++changes;
  });
  EXPECT_GT(changes, 100u);
}

TEST(CountFieldsTest, AStageWithoutCountsIsAnEmptyObject) {
  std::optional<Inner> none, back = Inner{5};
  EXPECT_EQ(FieldsToJson(none).dump(), "{}");
  EXPECT_TRUE(FieldsFromJson(FieldsToJson(none), 0, &back));
  EXPECT_FALSE(back.has_value());
  EXPECT_TRUE(FieldsFromJson(FieldsToJson(std::optional(Inner{6})), 0, &back));
  EXPECT_EQ(back->n, 6u);
  EXPECT_FALSE(FieldsFromJson(Json(), 0, &back));
  EXPECT_FALSE(FieldsFromJson(Json::array(), 0, &back));
}

}  // namespace
}  // namespace twinset
