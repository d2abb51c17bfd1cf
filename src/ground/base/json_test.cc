#include "twinset/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/json_key.h"
#include "base/json_text.h"

namespace twinset {
namespace {

using Reference = nlohmann::ordered_json;

// A value of any kind, the same in both forms.
struct Twin {
  Json ours;
  Reference reference;
};

class Values {
 public:
  Twin Any(int depth) {
    switch (Below(depth > 0 ? 8 : 6)) {
      case 0:
        return {Json(), Reference()};
      case 1:
        return Same(Below(2) == 0);
      case 2:
        return Same(static_cast<int64_t>(random_()));
      case 3:
        return Same(random_());
      case 4:
        return Same(std::ldexp(static_cast<double>(random_() >> 11),
                               static_cast<int>(Below(400)) - 200));
      case 5:
        return Same(Text());
      case 6: {
        Twin list{Json::array(), Reference::array()};
        for (uint64_t i = Below(5); i > 0; --i) {
          const Twin item = Any(depth - 1);
          list.ours.push_back(item.ours);
          list.reference.push_back(item.reference);
        }
        return list;
      }
      default: {
        Twin object{Json::object(), Reference::object()};
        for (uint64_t i = Below(5); i > 0; --i) {
          const std::string key = Text();
          const Twin item = Any(depth - 1);
          object.ours[key] = item.ours;
          object.reference[key] = item.reference;
        }
        return object;
      }
    }
  }

 private:
  template <typename T>
  static Twin Same(T value) {
    return {Json(value), Reference(value)};
  }
  uint64_t Below(uint64_t n) { return random_() % n; }
  std::string Text() {
    static const std::vector<std::string> kParts = {
        "a", "\"", "\\", "\n", std::string(1, '\0'), "\x7f", "é", "𝄞", "\x1b"};
    std::string text;
    for (uint64_t i = Below(6); i > 0; --i)
      text += kParts[Below(kParts.size())];
    return text;
  }

  std::mt19937_64 random_{7};
};

TEST(JsonTest, WritesAndReadsWhatTheLibraryDoes) {
  Values values;
  for (int i = 0; i < 3000; ++i) {
    const Twin twin = values.Any(4);
    const std::string text = twin.reference.dump();
    ASSERT_EQ(twin.ours.dump(), text);
    ASSERT_EQ(twin.ours.dump(2), twin.reference.dump(2));
    ASSERT_EQ(Json::Parse(text), twin.ours) << text;
    ASSERT_EQ(Json::Parse(text).dump(), text);
    const std::string cut = text.substr(0, text.size() / 2);
    ASSERT_EQ(Json::Parse(cut).is_discarded(), !Reference::accept(cut)) << cut;
  }
}

TEST(JsonTest, BytesThatAreNotUtf8AreReplaced) {
  EXPECT_EQ(Json("caf\xe9").dump(), "\"caf\xef\xbf\xbd\"");
  Json object;
  object["\xff"] = "\xc3";
  EXPECT_EQ(object.dump(), "{\"\xef\xbf\xbd\":\"\xef\xbf\xbd\"}");
  EXPECT_TRUE(Json::Parse("\"\xff\"").is_discarded());
}

TEST(JsonTest, NumbersThatAreNotFiniteAreNull) {
  EXPECT_EQ(Json(std::numeric_limits<double>::infinity()).dump(), "null");
  EXPECT_EQ(Json(std::nan("")).dump(), "null");
  EXPECT_TRUE(Json::Parse("1e999").is_discarded());
}

TEST(JsonTest, WhatIsAskedOfAnotherTypeIsADefault) {
  const Json number = 5;
  EXPECT_EQ(number["a"]["b"][3].get<std::string>(), "");
  EXPECT_EQ(number.find("a"), number.end());
  EXPECT_FALSE(number.contains("a"));
  EXPECT_EQ(number.size(), 0u);
  EXPECT_EQ(number.if_string(), nullptr);
  EXPECT_EQ(Json("x").get<uint64_t>(), 0u);
  EXPECT_EQ(Json(-1).get<uint64_t>(), 0u);
  EXPECT_EQ(Json(300).get<uint8_t>(), 0u);
  EXPECT_EQ(Json(1e300).get<int>(), 0);
  EXPECT_EQ(Json(2.5).get<int>(), 2);
  EXPECT_EQ(number.value("a", 7), 7);
  EXPECT_EQ((Json{{"a", "text"}}).value("a", 7), 7);
  EXPECT_EQ((Json{{"a", 3}}).value("a", 7), 3);
  EXPECT_TRUE(number.get<std::vector<int>>().empty());
  EXPECT_TRUE((Json{1, 2})[2].is_null());
}

TEST(JsonTest, WritingToAnotherTypeReplacesIt) {
  Json value = "text";
  value["a"][2] = 1;
  EXPECT_EQ(value.dump(), R"({"a":[null,null,1]})");
  value["a"]["b"] = true;
  EXPECT_EQ(value.dump(), R"({"a":{"b":true}})");
  value.push_back("x");
  EXPECT_EQ(value.dump(), R"(["x"])");
}

TEST(JsonTest, OfMembersWithOneNameTheLastCounts) {
  const std::string text = R"({"a":1,"b":2,"a":{"c":3,"c":4},"d":5})";
  EXPECT_EQ(Json::Parse(text).dump(), R"({"a":{"c":4},"b":2,"d":5})");
  std::string many = "{";
  for (int i = 0; i < 200000; ++i)
    many +=
        "\"k" + std::to_string(i % 150000) + "\":" + std::to_string(i) + ",";
  many.back() = '}';
  const Json object = Json::Parse(many);  // not in quadratic time
  EXPECT_EQ(object.size(), 150000u);
  EXPECT_EQ(object["k0"], 150000);
}

TEST(JsonTest, DepthIsBounded) {
  const auto nested = [](size_t depth) {
    return Json::Parse(std::string(depth, '[') + std::string(depth, ']'));
  };
  EXPECT_TRUE(nested(Json::kDeepest).is_array());
  EXPECT_TRUE(nested(Json::kDeepest + 1).is_discarded());
  EXPECT_TRUE(Json::Parse(std::string(1000000, '[')).is_discarded());
}

TEST(JsonTest, MembersAreSortedErasedAndMerged) {
  Json value = Json::Parse(R"({"b":[{"y":1,"x":2}],"a":3})");
  value.SortKeys();
  EXPECT_EQ(value.dump(), R"({"a":3,"b":[{"x":2,"y":1}]})");
  value.update({{"a", 4}, {"c", nullptr}});
  value.erase("b");
  value.erase("none");
  EXPECT_EQ(value.dump(), R"({"a":4,"c":null})");
}

TEST(JsonTest, ContainersGoBothWays) {
  const std::map<std::string, uint64_t> counts = {{"x", 1}, {"y", 2}};
  EXPECT_EQ(Json(counts).dump(), R"({"x":1,"y":2})");
  EXPECT_EQ((Json(counts).get<std::map<std::string, uint64_t>>()), counts);
  const std::vector<std::string> names = {"a", "b"};
  EXPECT_EQ(Json(names).dump(), R"(["a","b"])");
  EXPECT_EQ(Json(names).get<std::vector<std::string>>(), names);
  EXPECT_EQ((Json{{"list", {"a", "b"}}}).dump(), R"({"list":["a","b"]})");
  EXPECT_EQ(Json::array({"a", 1}).dump(), R"(["a",1])");
}

TEST(JsonTest, NumbersAreComparedByValue) {
  EXPECT_EQ(Json(1), Json(1.0));
  EXPECT_EQ(Json(1u), Json(int64_t{1}));
  EXPECT_NE(Json(-1), Json(std::numeric_limits<uint64_t>::max()));
  EXPECT_NE(Json("1"), Json(1));
}

// Byte by byte, what AppendJsonString does eight bytes at a time.
std::string QuoteNaively(std::string_view text) {
  std::string quoted = "\"";
  while (!text.empty()) {
    const size_t length = std::max<size_t>(1, Utf8SequenceLength(text));
    const auto c = static_cast<unsigned char>(text[0]);
    constexpr std::string_view kNamed = "\"\\\b\f\n\r\t";
    if (const size_t at = kNamed.find(text[0]); at != kNamed.npos) {
      quoted += '\\';
      quoted += "\"\\bfnrt"[at];
    } else if (c < 0x20) {
      quoted += "\\u00";
      quoted += "01"[c >> 4];
      quoted += "0123456789abcdef"[c & 15];
    } else if (Utf8SequenceLength(text) == 0) {
      quoted += "\xEF\xBF\xBD";
    } else {
      quoted += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return quoted + '"';
}

TEST(JsonText, StringsAreWrittenAsByteByByte) {
  constexpr std::string_view kBytes(
      "\x00\x01\x1F \x21\"#[\\]\x7F\x80\xA2\xC2\xE4\xED\xF0\xF4\xFF\n\taz~",
      24);
  for (size_t length = 0; length < 20; ++length) {
    for (size_t at = 0; at < std::max<size_t>(1, length); ++at) {
      for (const char c : kBytes) {
        std::string text(length, 'a');
        if (length > 0) text[at] = c;
        std::string written;
        AppendJsonString(&written, text);
        ASSERT_EQ(written, QuoteNaively(text));
      }
    }
  }
  std::mt19937_64 random(3);
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (uint64_t n = random() % 40; n > 0; --n) {
      const uint64_t kind = random() % 4;
      if (kind == 0) text += kBytes[random() % kBytes.size()];
      if (kind == 1) text += "\xE6\xBC\xA2";
      if (kind > 1) text += static_cast<char>('a' + random() % 26);
    }
    std::string written;
    AppendJsonString(&written, text);
    ASSERT_EQ(written, QuoteNaively(text));
  }
}

// What a name is written as, with escapes drawn at random.
std::string Written(const std::u32string& name, SplitMix64* random) {
  std::string written;
  const auto escape = [&](char32_t unit) {
    char digits[8];
    std::snprintf(digits, sizeof digits,
                  random->Below(2) == 0 ? "\\u%04x" : "\\u%04X",
                  static_cast<unsigned>(unit));
    written += digits;
  };
  for (const char32_t c : name) {
    const bool must = c < 0x20 || c == '"' || c == '\\';
    if (c >= 0x10000) {
      escape(0xd800 + ((c - 0x10000) >> 10));
      escape(0xdc00 + ((c - 0x10000) & 0x3ff));
    } else if (must || random->Below(2) == 0) {
      escape(c);
    } else if (c < 0x80) {
      written += static_cast<char>(c);
    } else {
      escape(c);
    }
  }
  return written;
}

TEST(JsonKey, OnRandomNamesWhatAParserReads) {
  constexpr char32_t kLetters[] = {U'a',  U'b', U'/',  U'"',   U'\\',
                                   U'\n', 0xe9, 0x442, 0x20ac, 0x1f600};
  SplitMix64 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::u32string name;
    for (uint64_t n = random.Below(4); n > 0; --n)
      name += kLetters[random.Below(std::size(kLetters))];
    const std::string written = Written(name, &random);
    const std::string read =
        nlohmann::json::parse("\"" + written + "\"").get<std::string>();
    EXPECT_TRUE(JsonKeyIs(written + "\": 1", read)) << written;
    EXPECT_FALSE(JsonKeyIs(written + "\"", read + "x")) << written;
    EXPECT_FALSE(JsonKeyIs(written + "y\"", read)) << written;
    EXPECT_FALSE(JsonKeyIs(written, read)) << written;  // no end
  }
}

TEST(JsonKey, ShortEscapesAndLoneSurrogates) {
  EXPECT_TRUE(JsonKeyIs("\\b\\f\\n\\r\\t\\/\\\\\\\"\"", "\b\f\n\r\t/\\\""));
  EXPECT_TRUE(JsonKeyIs("\\ud800\\u0061\"",
                        "\xef\xbf\xbd"
                        "a"));
  EXPECT_TRUE(JsonKeyIs("\"", ""));
  EXPECT_FALSE(JsonKeyIs("", ""));
}

TEST(ScalarsAsText, OnlyNumbersAndTruthValuesBecomeStrings) {
  for (const auto& [json, text] : {
           std::pair(R"({"id":7,"a":[1.50,-2e3,true,null,"3"]})",
                     R"({"id":"7","a":["1.50","-2e3","true",null,"3"]})"),
           {R"({"a\"1":"x\\","b" : false })",
            R"({"a\"1":"x\\","b" : "false" })"},
           {"12345678901234567890123", R"("12345678901234567890123")"},
           {R"("5")", R"("5")"},
           {"[]", "[]"},
           {"", ""},
       }) {
    EXPECT_EQ(ScalarsAsText(json), text);
    if (text[0] != '\0') {
      EXPECT_FALSE(Json::Parse(text).is_discarded());
    }
  }
  // What is no JSON is no trouble.
  for (const char* broken : {"\"", "\"\\", "{\"a", "1 2", "\\"})
    (void)ScalarsAsText(broken);
}

}  // namespace
}  // namespace twinset
