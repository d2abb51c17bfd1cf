#include "read/rows/given_features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "read/reader.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string TextOf(const std::string& json) {
  std::string text = "left over";
  const std::string why = GivenFeatures().Read(json, &text);
  EXPECT_EQ(text.empty() || why.empty(), true) << json;
  return why.empty() ? text : "!" + why;
}

TEST(GivenFeatures, ObjectsListsAndPairs) {
  EXPECT_EQ(TextOf(R"({"word": 2.5, "a rose":3})"), "word\t2.5\na rose\t3\n");
  EXPECT_EQ(TextOf(R"( ["word", ["phrase of two", 1e-3], "word"] )"),
            "word\nphrase of two\t1e-3\nword\n");
  EXPECT_EQ(TextOf("{}"), "");
  EXPECT_EQ(TextOf("[]"), "");
}

// No two lists of features give one text.
TEST(GivenFeatures, NamesAreEscaped) {
  EXPECT_EQ(TextOf(R"(["a\tb", "a\nb", "a\\tb", "a\rb"])"),
            "a\\tb\na\\nb\na\\\\tb\na\\rb\n");
  EXPECT_EQ(TextOf(R"(["\u00fc\ud800"])"), "\xc3\xbc\xef\xbf\xbd\n");
}

TEST(GivenFeatures, NonsenseIsRefusedWithAReason) {
  for (const auto& [json, why] :
       std::vector<std::pair<std::string, std::string>>{
           {"", "not JSON"},
           {"{", "not JSON"},
           {R"({"a": 1}{"a": 1})", "not JSON"},
           {"7", "neither an object"},
           {"\"word\"", "neither an object"},
           {"null", "neither an object"},
           {R"({"": 1})", "empty name"},
           {R"([""])", "empty name"},
           {R"({"a": "2"})", "\"a\" is not a number"},
           {R"({"a": null})", "not a number"},
           {R"({"a": 0})", "from 2^-16"},
           {R"({"a": -1})", "is -1,"},
           {R"({"a": 1e-9})", "from 2^-16"},
           {R"({"a": 65536})", "to 65535"},
           {R"({"a": 1e999})", "to 65535"},
           {R"(["a", 7])", "neither a name nor a pair"},
           {R"([["a"]])", "1 elements"},
           {R"([["a", 1, 2]])", "3 elements"},
           {R"([[1, "a"]])", "does not begin with the name"},
           {R"([{"a": 1}])", "neither a name nor a pair"}}) {
    EXPECT_THAT(TextOf(json), HasSubstr(why)) << json;
    EXPECT_EQ(TextOf(json)[0], '!') << json;
  }
}

std::vector<std::string> Outcomes(const std::string& rows,
                                  const std::string& name) {
  ReadOptions options;
  options.features_field = "f";
  const auto reader = ReadRecordsFromMemory(rows, name, options);
  std::vector<std::string> outcomes;
  Record record;
  for (;;) {
    const auto more = reader->Next(&record);
    if (!more || !*more) return outcomes;
    outcomes.push_back(record.kind == RecordKind::kDocument
                           ? record.document.payload
                           : "!" + record.reason);
  }
}

TEST(GivenFeatures, AreThePayloadOfRows) {
  EXPECT_THAT(Outcomes("{\"id\":1,\"f\":{\"x\":2}}\n"
                       "{\"id\":2,\"f\":[\"x\",[\"y\",0.5]],\"text\":\"no\"}\n"
                       "{\"id\":3,\"text\":\"x\"}\n"
                       "{\"id\":4,\"f\":\"x\"}\n"
                       "{\"id\":5,\"f\":null}\n"
                       "{\"id\":6,\"f\":{\"x\":-2}}\n",
                       "a.jsonl"),
              ElementsAre("x\t2\n", "x\ny\t0.5\n", "!no-text-field",
                          "!bad-features", "!bad-features", "!bad-features"));
  EXPECT_THAT(
      Outcomes("id,f\n1,\"{\"\"x\"\": 2}\"\n2,\"[\"\"y\"\"]\"\n3,word\n4,\n",
               "a.csv"),
      ElementsAre("x\t2\n", "y\n", "!bad-features", "!bad-features"));
}

TEST(GivenFeatures, OtherFormatsHaveNone) {
  EXPECT_THAT(Outcomes("plain words\n", "a.txt"), ElementsAre("!bad-features"));
  EXPECT_THAT(Outcomes("<!doctype html><p>words", "a.html"),
              ElementsAre("!bad-features"));
}

}  // namespace
}  // namespace twinset
