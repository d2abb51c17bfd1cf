#include "explain/text_sketcher.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <random>
#include <set>

#include "base/file.h"
#include "base/test_dir.h"
#include "twinset/methods.h"
#include "twinset/steps.h"

namespace twinset {
namespace {

using Values = std::vector<std::string>;

// Documents "a" and "b" with most of their text in common, and others that
// share sentences with them.
std::string Corpus() {
  std::mt19937_64 random(7);
  const auto sentence = [&random] {
    std::string text;
    for (int i = 0; i < 9; ++i)
      text += "w" + std::to_string(random() % 40 * (random() % 40) / 8) + "x ";
    return text;
  };
  Values sentences;
  for (int i = 0; i < 30; ++i) sentences.push_back(sentence());
  std::string rows;
  const auto add = [&rows](const std::string& id, const std::string& text) {
    rows += R"({"id": ")" + id + R"(", "text": ")" + text + "\"}\n";
  };
  std::string common;
  for (int i = 0; i < 10; ++i) common += sentences[static_cast<size_t>(i)];
  add("a", common + sentences[10]);
  add("b", common + sentences[11]);
  for (int d = 0; d < 40; ++d) {
    std::string text;
    for (int i = 0; i < 8; ++i) text += sentences[random() % 30];
    add("d" + std::to_string(d), text);
  }
  return rows;
}

// Between the first `begin` and the next `end` of the text.
std::string Between(const std::string& text, const std::string& begin,
                    const std::string& end) {
  const size_t at = text.find(begin);
  if (at == std::string::npos) return "";
  const size_t from = at + begin.size();
  return text.substr(from, text.find(end, from) - from);
}

// Columns of a Markdown table whose cells are code, in order of its rows.
std::vector<Values> CodeColumns(const std::string& text) {
  std::vector<Values> columns;
  for (size_t at = 0; (at = text.find("\n|", at)) != std::string::npos; ++at) {
    const size_t end = std::min(text.find('\n', at + 1), text.size());
    size_t column = 0;
    for (size_t cell = at + 1; cell + 1 < end;) {
      const size_t bar = std::min(text.find('|', cell + 1), end);
      const std::string value =
          Between(text.substr(cell, bar - cell), "`", "`");
      if (columns.size() <= column) columns.resize(column + 1);
      if (!value.empty()) columns[column].push_back(value);
      cell = bar;
      ++column;
    }
  }
  std::erase_if(columns, [](const Values& column) { return column.empty(); });
  return columns;
}

uint64_t BitsThatDiffer(const std::string& a, const std::string& b) {
  uint64_t bits = 0;
  const auto digit = [](char c) {
    return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
  };
  for (size_t i = 0; i < a.size(); ++i)
    bits += static_cast<uint64_t>(std::popcount(digit(a[i]) ^ digit(b[i])));
  return bits;
}

// How many of the values as they are written are equal.
std::pair<uint64_t, uint64_t> CountEqual(const SketchPair& pair) {
  if (pair.compared == "bits") {
    const auto bits = static_cast<uint64_t>(pair.value_bits);
    return {bits - BitsThatDiffer(pair.x[0], pair.y[0]), bits};
  }
  if (pair.compared == "members") {
    const std::set<std::string> x(pair.x.begin(), pair.x.end()),
        y(pair.y.begin(), pair.y.end());
    Values both;
    std::set_intersection(x.begin(), x.end(), y.begin(), y.end(),
                          std::back_inserter(both));
    return {both.size(), x.size() + y.size() - both.size()};
  }
  uint64_t equal = 0;
  for (size_t i = 0; i < std::min(pair.x.size(), pair.y.size()); ++i)
    equal += pair.x[i] == pair.y[i];
  return {equal, std::max(pair.x.size(), pair.y.size())};
}

std::string Joined(const std::vector<SketchPair>& pairs,
                   Values SketchPair::*side) {
  std::string text;
  for (const SketchPair& pair : pairs)
    for (const std::string& value : pair.*side) text += value;
  return text;
}

class OnePair : public ::testing::TestWithParam<std::string> {
 protected:
  OnePair() {
    in_.inputs = {dir_.path() + "/corpus.jsonl"};
    EXPECT_TRUE(WriteWholeFile(in_.inputs[0], Corpus()));
  }
  // Holds what the three commands say of the pair a, b together.
  void Check(const MethodOptions& options, const FeatureOptions& features) {
    const auto explained = Explain({"a", "b", in_, features, options});
    ASSERT_TRUE(explained) << explained.error().ToString();
    ASSERT_FALSE(explained->sketches.empty());
    std::map<std::string, std::string> rows;
    MethodOptions read = options;  // sketch refuses what the method ignores
    ForgetUnread(options.name, &read);
    const auto sketched = ForEachSketch(
        in_, features, read,
        [&](const SketchRow& row) {
          rows[row.id] = row.sketch;
          return true;
        },
        nullptr);
    ASSERT_TRUE(sketched) << sketched.error().ToString();
    EXPECT_EQ(Joined(explained->sketches, &SketchPair::x), rows["a"]);
    EXPECT_EQ(Joined(explained->sketches, &SketchPair::y), rows["b"]);
    const auto steps = ExplainSteps({"a", "b"}, in_, features, options,
                                    {.most_rows = 1 << 20});
    ASSERT_TRUE(steps) << steps.error().ToString();
    for (const SketchPair& pair : explained->sketches) {
      ASSERT_FALSE(pair.x.empty()) << pair.name;
      const auto [equal, of] = CountEqual(pair);
      EXPECT_EQ(pair.equal, equal) << pair.name;
      EXPECT_EQ(pair.of, of) << pair.name;
      CheckSteps(pair, steps->written.markdown);
    }
    const SketchPair& first = explained->sketches.front();
    EXPECT_EQ(explained->estimate, first.estimate);
    EXPECT_EQ(explained->hamming, first.of - first.equal);
  }

 private:
  static void CheckSteps(const SketchPair& pair, const std::string& steps) {
    const std::string ratio =
        std::to_string(pair.equal) + "/" + std::to_string(pair.of);
    if (steps.find("### Fingerprints") != std::string::npos) {
      const std::string part = Between(steps, "### Fingerprints", "\n### ");
      EXPECT_EQ(CodeColumns(part),
                (std::vector<Values>{{pair.x[0], pair.y[0]}}));
      EXPECT_NE(part.find(ratio), std::string::npos) << part;
      return;
    }
    const std::string values =
        Between(steps, " of " + pair.name + ":\n", "\n\n| a, b ");
    EXPECT_EQ(CodeColumns(values), (std::vector<Values>{pair.x, pair.y}))
        << steps;
    const std::string after = steps.substr(steps.find(values) + values.size());
    EXPECT_NE(after.substr(0, 400).find("| " + ratio), std::string::npos)
        << after;
  }

  TestDir dir_;
  InputOptions in_;
};

// `explain`, `explain --steps` and `sketch` show one sketch.
TEST_P(OnePair, IsShownAlikeByAllCommands) {
  MethodOptions options;
  options.name = GetParam();
  options.modulus = 5;
  options.min_terms = 1;
  FeatureOptions features;
  Check(options, features);
}

TEST_P(OnePair, IsShownAlikeWithOtherWidths) {
  MethodOptions options;
  options.name = GetParam();
  options.modulus = 3;
  options.min_terms = 1;
  options.permutations = 64;
  options.value_bits = 9;
  options.bits = 96;
  options.groups = 4;
  options.group_size = 5;
  FeatureOptions features;
  features.shingle = "word:3";
  Check(options, features);
}

Values MethodNames() {
  Values names;
  for (const Method& method : AllMethods()) names.push_back(method.info.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Methods, OnePair, ::testing::ValuesIn(MethodNames()),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(TextSketcherTest, WhatLearnsAsksForACorpus) {
  for (const Method& method : AllMethods()) {
    MethodOptions options;
    options.name = method.info.name;
    const bool learns = TextSketcher::Learns(method, options);
    const auto made = TextSketcher::Create(method, {}, options, {});
    EXPECT_EQ(!made, learns) << method.info.name;
    if (!made) {
      EXPECT_FALSE(made.error().remedy.empty());
    }
    const auto explained =
        ExplainTexts("a b c d e f", "a b c d e", {}, options);
    ASSERT_TRUE(explained) << explained.error().ToString();
    EXPECT_EQ(explained->sketches.empty(), learns) << method.info.name;
    // Every method shows how its values come about.
    EXPECT_TRUE(method.steps.before || method.steps.instead)
        << method.info.name;
  }
}

}  // namespace
}  // namespace twinset
