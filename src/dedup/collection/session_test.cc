#include "twinset/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <thread>

#include "base/file.h"
#include "base/test_dir.h"
#include "twinset/json.h"
#include "twinset/methods.h"

namespace twinset {
namespace {

std::vector<std::string> Texts(uint64_t seed, size_t count) {
  std::mt19937_64 random(seed);
  std::vector<std::string> texts(count);
  for (std::string& text : texts)
    for (uint64_t i = random() % 80; i > 0; --i)
      text += "word" + std::to_string(random() % 300) + " ";
  for (size_t i = 1; i < count; i += 3)
    texts[i] = texts[i - 1] + " one more ending of it";
  return texts;
}

struct Batch {
  explicit Batch(const std::vector<std::string>& texts) : offsets{0} {
    for (const std::string& text : texts) {
      bytes += text;
      offsets.push_back(bytes.size());
    }
  }
  TextBatch view() const { return TextBatch(bytes, offsets); }
  std::string bytes;
  std::vector<uint64_t> offsets;
};

// For every method that learns nothing: the sketches of `twinset sketch`.
TEST(Session, SketchesAreThoseOfTheCommand) {
  const auto texts = Texts(1, 40);
  const Batch batch(texts);
  const TestDir dir;
  std::string rows;
  for (size_t i = 0; i < texts.size(); ++i) {
    Json row;
    row["id"] = std::to_string(i);
    row["text"] = texts[i];
    rows += row.dump() + "\n";
  }
  InputOptions input;
  input.inputs = {dir.path() + "/in.jsonl"};
  ASSERT_TRUE(WriteWholeFile(input.inputs[0], rows));
  size_t compared = 0;
  for (const MethodInfo& method : Methods()) {
    SCOPED_TRACE(method.name);
    SessionOptions options;
    options.method.name = method.name;
    const auto session = Session::Make(options);
    if (!session) {
      EXPECT_EQ(session.error().code, ErrorCode::kUnsupported);
      continue;
    }
    const auto sketches = session->Sketch(batch.view());
    if (!sketches) {
      EXPECT_EQ(sketches.error().code, ErrorCode::kUsage);
      continue;
    }
    ASSERT_EQ(sketches->size(), texts.size());
    std::vector<std::string> rows_of;
    ASSERT_TRUE(ForEachSketch(
        input, options.features, options.method,
        [&](const SketchRow& row) {
          rows_of.push_back(row.sketch);
          return true;
        },
        nullptr));
    ASSERT_EQ(rows_of.size(), texts.size());
    const bool alone = !session->Sketch(batch.view(), 1).has_value();
    for (size_t i = 0; i < texts.size(); ++i) {
      EXPECT_EQ(rows_of[i].empty(), (*sketches)[i].empty());
      // What is equal here is equal there.
      for (size_t j = 0; alone && j < i; ++j) {
        EXPECT_EQ(rows_of[i] == rows_of[j],
                  std::ranges::equal((*sketches)[i], (*sketches)[j]));
      }
    }
    ++compared;
  }
  EXPECT_GE(compared, 8u);
}

TEST(Session, SimilarityIsExact) {
  const auto texts = Texts(2, 30);
  for (const char* measure : {"jaccard", "dice", "cosine", "edit"}) {
    SCOPED_TRACE(measure);
    SessionOptions options;
    options.method.measure = *FindChoice<Measure>(measure);
    const auto session = Session::Make(options);
    ASSERT_TRUE(session.has_value()) << session.error().ToString();
    for (size_t i = 0; i + 1 < texts.size(); ++i) {
      const auto explained = session->Explain(texts[i], texts[i + 1]);
      ASSERT_TRUE(explained.has_value());
      const double expected =
          std::string_view(measure) == "jaccard"  ? explained->jaccard
          : std::string_view(measure) == "dice"   ? explained->dice
          : std::string_view(measure) == "cosine" ? explained->cosine_sets
                                                  : explained->edit;
      const bool empty = session->Shingles(texts[i]).empty() ||
                         session->Shingles(texts[i + 1]).empty();
      EXPECT_NEAR(session->Similarity(texts[i], texts[i + 1]),
                  empty ? 0 : expected, 1e-12);
    }
  }
}

TEST(Session, EstimatesAndKeysFollowTheTexts) {
  const auto texts = Texts(3, 60);
  const Batch batch(texts);
  const auto session = Session::Make();
  ASSERT_TRUE(session.has_value());
  const auto sketches = session->Sketch(batch.view());
  const auto keys = session->Keys(batch.view());
  ASSERT_TRUE(sketches.has_value());
  ASSERT_TRUE(keys.has_value());
  ASSERT_EQ(keys->size(), texts.size());
  size_t candidates = 0;
  for (size_t i = 0; i < texts.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const double exact = session->Similarity(texts[i], texts[j]);
      const double estimate = session->Estimate((*sketches)[i], (*sketches)[j]);
      // Four standard errors of 128 values.
      EXPECT_NEAR(estimate, exact, 4 * 0.5 / std::sqrt(128.0));
      const auto a = (*keys)[i], b = (*keys)[j];
      const std::set<uint64_t> of_a(a.begin(), a.end());
      const bool shared = std::any_of(
          b.begin(), b.end(), [&](uint64_t key) { return of_a.contains(key); });
      EXPECT_TRUE(shared || exact < 0.95);
      EXPECT_TRUE(!shared || exact > 0);
      candidates += shared;
    }
  }
  EXPECT_GT(candidates, 3u);
}

TEST(Session, WhatCannotBeIsSaid) {
  SessionOptions options;
  options.method.name = "no-such-method";
  EXPECT_EQ(Session::Make(options).error().code, ErrorCode::kUsage);
  options.method = {};
  options.method.measure = Measure::kCosineTfIdf;
  EXPECT_EQ(Session::Make(options).error().code, ErrorCode::kUnsupported);
  options.method = {};
  options.method.bits = 128;  // minhash has none
  EXPECT_EQ(Session::Make(options).error().code, ErrorCode::kUsage);
  const auto session = Session::Make();
  EXPECT_EQ(session->Sketch(TextBatch(), 1).error().code, ErrorCode::kUsage);
  EXPECT_EQ(session->Sketch(TextBatch())->size(), 0u);
  EXPECT_EQ(session->Similarity("", ""), 0);
  EXPECT_EQ(session->Similarity("one two three four five",
                                std::string_view("\xFF\xFE\x00 \xC3", 5)),
            0);
}

TEST(Session, OneServesAllThreads) {
  const auto texts = Texts(4, 40);
  const Batch batch(texts);
  const auto session = Session::Make();
  ASSERT_TRUE(session.has_value());
  const auto expected = session->Sketch(batch.view());
  const double similarity = session->Similarity(texts[0], texts[1]);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int round = 0; round < 5; ++round) {
        const auto sketches = session->Sketch(batch.view());
        EXPECT_EQ(sketches->values, expected->values);
        EXPECT_EQ(session->Keys(batch.view())->size(), texts.size());
        EXPECT_EQ(session->Similarity(texts[0], texts[1]), similarity);
        EXPECT_TRUE(session->Explain(texts[0], texts[1]).has_value());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace twinset
