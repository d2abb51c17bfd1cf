#include "methods/steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "base/file.h"
#include "base/test_dir.h"
#include "methods/registry.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;

TEST(StepsTest, LinearFunctions) {
  struct Case {
    const char* text;
    uint64_t a, b, m;
  };
  for (const Case& c :
       {Case{"x mod 5", 1, 0, 5}, Case{"2x+1 mod 5", 2, 1, 5},
        Case{"(5x + 5) mod 4", 5, 5, 4}, Case{"0xmod1", 0, 0, 1},
        Case{"18446744073709551615x mod 3", ~uint64_t{0}, 0, 3}}) {
    const auto function = ParseLinearFunction(c.text);
    ASSERT_TRUE(function) << c.text;
    EXPECT_EQ(function->a, c.a) << c.text;
    EXPECT_EQ(function->b, c.b) << c.text;
    EXPECT_EQ(function->m, c.m) << c.text;
  }
  for (const char* text :
       {"", "x", "mod 5", "x mod", "x mod 0", "x mod x", "2y+1 mod 5",
        "x-1 mod 5", "x+ mod 5", "xx mod 5", "x mod 5 mod 5",
        "18446744073709551616x mod 3", "-1x mod 5", "x1 mod 5"})
    EXPECT_FALSE(ParseLinearFunction(text)) << text;
}

TEST(StepsTest, Numbers) {
  EXPECT_EQ(Decimal(0.375), "0.375");
  EXPECT_EQ(Decimal(1), "1");
  EXPECT_EQ(Decimal(2.0 / 3), "0.6667");
  EXPECT_EQ(Ratio(3, 8), "3/8 = 0.375");
  EXPECT_EQ(Ratio(0, 0), "0/0");
  EXPECT_EQ(Decimal(ShareStandardError(0.5, 200)), "0.0354");
  EXPECT_EQ(Decimal(ShareStandardError(0.8, 200)), "0.0283");
}

// Every method on hostile documents, with every kind of shingle: a bounded
// text, or an error that says what to do.
TEST(StepsTest, AnyDocumentAndMethod) {
  TestDir dir;
  std::mt19937_64 random(1);
  std::string bytes, words;
  for (int i = 0; i < 700; ++i)
    bytes += static_cast<char>(0x20 + random() % 0xE0);
  for (int i = 0; i < 400; ++i)
    words += "w" + std::to_string(random() % 50) + (i % 9 ? " " : ".\n\n");
  std::vector<std::string> names;
  int n = 0;
  for (const std::string& text :
       {bytes, words, std::string("x"), std::string(900, 'a'),
        std::string("10 11 1")}) {
    names.push_back(dir.path() + "/" + std::to_string(n++) + ".txt");
    ASSERT_TRUE(WriteWholeFile(names.back(), text));
  }
  InputOptions in;
  in.format = InputFormat::kText;
  size_t derived = 0;
  [[maybe_unused]] size_t combination = 0;
  std::set<std::string> refused;
  for (const Method& method : AllMethods()) {
    for (const char* shingle :
         {"word:1", "word:5", "char:3", "line", "sentence", "paragraph",
          "chunk:3-9", "word:2+word:3"}) {
      for (const char* hash : {"spec", "md5", "decimal"}) {
        // A slow build takes every 17th combination, other ones each method.
        if (TWINSET_SLOW_BUILD && combination++ % 17 != 0) continue;
        MethodOptions options;
        options.name = method.info.name;
        options.feature_hash = *FindChoice<FeatureHash>(hash);
        FeatureOptions features;
        features.shingle = shingle;
        const auto steps = ExplainSteps(names, in, features, options, {});
        if (!steps) {
          EXPECT_EQ(steps.error().code, ErrorCode::kUsage)
              << steps.error().ToString();
          EXPECT_FALSE(steps.error().remedy.empty());
          refused.insert(steps.error().message);
          continue;
        }
        ++derived;
        EXPECT_LT(steps->written.markdown.size(), 200'000u)
            << method.info.name << shingle << hash;
        EXPECT_LT(steps->page.size(), 800'000u)
            << method.info.name << shingle << hash;
      }
    }
  }
  EXPECT_GT(derived, AllMethods().size() * (TWINSET_SLOW_BUILD ? 1 : 5))
      << ::testing::PrintToString(refused);
}

TEST(StepsTest, SlotsLeadToTheSketch) {
  TestDir dir;
  const std::string x = dir.path() + "/x.txt", y = dir.path() + "/y.txt";
  ASSERT_TRUE(
      WriteWholeFile(x, "a rose is a rose is a rose, and more than a rose"));
  ASSERT_TRUE(WriteWholeFile(y, "a rose is a rose is a tulip"));
  InputOptions in;
  in.format = InputFormat::kText;
  FeatureOptions features;
  features.shingle = "word:2";
  for (const uint64_t most : {2, 24}) {
    const auto steps =
        ExplainSteps({x, y}, in, features, {}, {.most_rows = most});
    ASSERT_TRUE(steps);
    EXPECT_THAT(steps->written.markdown,
                HasSubstr("the slots are the first values of the sketches"));
  }
}

size_t CountOf(std::string_view text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != text.npos;
       at = text.find(part, at + part.size()))
    ++count;
  return count;
}

// A page draws what its method does with two documents, or says why there is
// nothing to draw; however long the texts are, a drawing is of bounded size.
TEST(StepsTest, EveryMethodIsDrawn) {
  TestDir dir;
  InputOptions in;
  in.inputs = {dir.path() + "/in.jsonl"};
  FeatureOptions features;
  features.shingle = "word:3";
  StepOptions steps;
  steps.most_rows = 2;
  for (const size_t words : {60, TWINSET_SLOW_BUILD ? 600 : 6000}) {
    std::string rows;
    for (int d = 0; d < 12; ++d) {
      std::string text;
      for (size_t i = 0; i < words; ++i)
        text += "w" + std::to_string(i * i % 211 + (i % 50 == 7 ? d : 0)) + " ";
      rows +=
          "{\"id\":\"d" + std::to_string(d) + "\",\"text\":\"" + text + "\"}\n";
    }
    ASSERT_TRUE(WriteWholeFile(in.inputs[0], rows));
    for (const Method& method : AllMethods()) {
      SCOPED_TRACE(method.info.name + " " + std::to_string(words));
      MethodOptions options;
      options.name = method.info.name;
      const auto explained =
          ExplainSteps({"d0", "d1"}, in, features, options, steps);
      ASSERT_TRUE(explained) << explained.error().ToString();
      const std::string& page = explained->page;
      const size_t figures = CountOf(page, "<figure>"),
                   curves = CountOf(page, "How likely a pair is proposed</fig"),
                   nothing = CountOf(page, "There is nothing to draw");
      EXPECT_EQ(nothing == 0, figures > curves);
      EXPECT_EQ(CountOf(page, "</svg>"), CountOf(page, "<svg"));
      EXPECT_LT(page.size(), 260'000u);
    }
  }
}

TEST(StepsTest, RefusesWhatDoesNotFit) {
  TestDir dir;
  const std::string x = dir.path() + "/x.txt", y = dir.path() + "/y.txt";
  ASSERT_TRUE(WriteWholeFile(x, "1 3 4"));
  ASSERT_TRUE(WriteWholeFile(y, "..."));
  InputOptions in;
  in.format = InputFormat::kText;
  FeatureOptions features;
  features.shingle = "word:1";
  MethodOptions method;
  method.feature_hash = FeatureHash::kDecimal;
  const auto error = [&](const std::vector<std::string>& names,
                         const StepOptions& steps) {
    const auto text = ExplainSteps(names, in, features, method, steps);
    return text ? std::string() : text.error().ToString();
  };
  EXPECT_EQ(error({x}, {}), "");
  EXPECT_THAT(error({}, {}), HasSubstr("1 to 64 documents"));
  EXPECT_THAT(error({x, x}, {}), HasSubstr("named twice"));
  EXPECT_THAT(error({x, y}, {}), HasSubstr("is empty"));
  EXPECT_THAT(error({x}, {.orders = {"123"}}),
              HasSubstr("no permutation of the rows 1 to 4"));
  EXPECT_THAT(error({x}, {.orders = {"1 2 3 3"}}), HasSubstr("no permutation"));
  EXPECT_THAT(error({x}, {.images = {""}}), HasSubstr("no permutation"));
  EXPECT_EQ(error({x}, {.orders = {"4 3 2 1"}, .images = {"2143"}}), "");
}

}  // namespace
}  // namespace twinset
