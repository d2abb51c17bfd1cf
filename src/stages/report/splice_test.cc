#include "report/splice.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/hash.h"
#include "base/json_text.h"

namespace twinset {
namespace {

std::string Found(const std::string& line, const std::string& path) {
  const auto range = FindJsonString(line, path);
  return range ? line.substr(range->begin, range->end - range->begin) : "none";
}

TEST(Splice, FindsTheStringOfAPath) {
  const std::string line =
      "\xef\xbb\xbf\n {\"a\" : {\"text\":\"no\"}, \"b\":[1,{\"text\":\"no\"}],"
      "\"c\":-1.5e3 ,\"x\\\"text\":\"no\", \"text\" :\t\"y\\\\es\\\"\" ,"
      "\"text\":\"second\",\"a.b\":\"whole\",\"m\":{\"n\":{\"o\":\"deep\"}}}\n";
  EXPECT_EQ(Found(line, "text"), "\"y\\\\es\\\"\"");
  EXPECT_EQ(Found(line, "a.text"), "\"no\"");
  EXPECT_EQ(Found(line, "a.b"), "\"whole\"");
  EXPECT_EQ(Found(line, "m.n.o"), "\"deep\"");
  for (const char* path : {"c", "b", "a", "none", "m.n", "m.n.o.p", "b.text"})
    EXPECT_EQ(Found(line, path), "none") << path;
  EXPECT_EQ(Found("", "a"), "none");
  EXPECT_EQ(Found("{}", "a"), "none");
  EXPECT_EQ(Found("{\"a", "a"), "none");
}

TEST(Splice, NamesAreEqualOnceUnescaped) {
  EXPECT_EQ(Found("{\"t\\u0065xt\":\"x\",\"text\":\"y\"}", "text"), "\"x\"");
  EXPECT_EQ(Found("{\"a\\/b\":{\"\\ud83d\\ude00\":\"x\"}}", "a/b.\U0001f600"),
            "\"x\"");
  EXPECT_EQ(Found("{\"a\\b\":\"x\"}", "a\\b"), "none");
}

nlohmann::ordered_json RandomValue(SplitMix64* random, int depth) {
  static const std::vector<std::string> kTexts = {
      "", "a", "b", "text", "\"", "\\", "{[,]}", "\n\t", "\u00e9", "x\"y\\"};
  switch (random->Below(depth > 3 ? 3 : 5)) {
    case 0:
      return kTexts[random->Below(kTexts.size())];
    case 1:
      return random->Next() % 1000;
    case 2:
      return random->Below(2) == 0 ? nlohmann::ordered_json(nullptr)
                                   : nlohmann::ordered_json(true);
    case 3: {
      auto array = nlohmann::ordered_json::array();
      for (uint64_t n = random->Below(4); n > 0; --n)
        array.push_back(RandomValue(random, depth + 1));
      return array;
    }
    default: {
      auto object = nlohmann::ordered_json::object();
      for (uint64_t n = random->Below(5); n > 0; --n)
        object[kTexts[1 + random->Below(3)]] = RandomValue(random, depth + 1);
      return object;
    }
  }
}

TEST(Splice, OnRandomObjectsWhatAParserFinds) {
  SplitMix64 random(1);
  int strings = 0;
  for (int round = 0; round < 20000; ++round) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (uint64_t n = random.Below(5); n > 0; --n)
      object[std::string(1, "abct"[random.Below(4)])] = RandomValue(&random, 0);
    const std::string line = object.dump(random.Below(2) == 0 ? -1 : 1);
    for (const char* path : {"/a", "/b/text", "/t/a/b"}) {
      std::string dotted = path + 1;
      std::replace(dotted.begin(), dotted.end(), '/', '.');
      const nlohmann::ordered_json::json_pointer pointer{std::string(path)};
      const auto range = FindJsonString(line, dotted);
      // The pointer also counts elements of arrays; none is called so here.
      const bool is_string =
          object.contains(pointer) && object[pointer].is_string();
      ASSERT_EQ(range.has_value(), is_string) << line << " " << path;
      if (!range) continue;
      ++strings;
      EXPECT_EQ(nlohmann::ordered_json::parse(
                    line.substr(range->begin, range->end - range->begin)),
                object[pointer]);
      std::string changed = line.substr(0, range->begin);
      AppendJsonString(&changed, "new\n\"text\"");
      changed += line.substr(range->end);
      object[pointer] = "new\n\"text\"";
      EXPECT_EQ(nlohmann::ordered_json::parse(changed), object);
      break;
    }
  }
  EXPECT_GT(strings, 1000);
}

std::string Field(const std::string& row, size_t column, CsvForm form = ',') {
  const auto range = FindCsvField(row, form, column);
  return range ? row.substr(range->begin, range->end - range->begin) : "none";
}

TEST(Splice, FindsTheFieldOfARow) {
  const std::string row = "a,\"b,\"\"c\"\"\nd\"rest,,\"\",e\"f";
  EXPECT_EQ(Field(row, 0), "a");
  EXPECT_EQ(Field(row, 1), "\"b,\"\"c\"\"\nd\"rest");
  EXPECT_EQ(Field(row, 2), "");
  EXPECT_EQ(Field(row, 3), "\"\"");
  EXPECT_EQ(Field(row, 4), "e\"f");
  EXPECT_EQ(Field(row, 5), "none");
  EXPECT_EQ(Field("", 0), "");
  EXPECT_EQ(Field("", 1), "none");
  EXPECT_EQ(Field("a\t\"b\tc\"", 1, '\t'), "\"b");
  EXPECT_EQ(Field("a\t\"b\tc\"", 1, {'\t', true}), "\"b\tc\"");
  EXPECT_EQ(Field("\"open,x", 0), "\"open,x");
}

TEST(Splice, QuotesWhatNeedsIt) {
  const auto quoted = [](std::string_view text, CsvForm form, bool always) {
    std::string field;
    AppendField(&field, text, form, always);
    return field;
  };
  EXPECT_EQ(quoted("a b", ',', false), "a b");
  EXPECT_EQ(quoted("a b", ',', true), "\"a b\"");
  EXPECT_EQ(quoted("a,b", ',', false), "\"a,b\"");
  EXPECT_EQ(quoted("a,b", '\t', false), "a,b");
  EXPECT_EQ(quoted("a\tb", {'\t', true}, false), "\"a\tb\"");
  EXPECT_EQ(quoted("a\tb\r\n\"c\"", '\t', true), "a b  \"c\"");
  EXPECT_EQ(quoted("a\"b", ',', false), "\"a\"\"b\"");
}

}  // namespace
}  // namespace twinset
