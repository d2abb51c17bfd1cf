#include "twinset/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <random>
#include <set>
#include <thread>

#include "base/file.h"
#include "base/test_dir.h"
#include "documents/document_text.h"
#include "explain/text_sketcher.h"
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

// Methods and options with one view, several, shared and bags.
std::vector<SessionOptions> ManyOptions() {
  std::vector<SessionOptions> all;
  for (const MethodInfo& method : Methods()) {
    all.emplace_back().method.name = method.name;
    if (!Session::Make(all.back())) all.pop_back();
  }
  all.emplace_back().method.sketch_shingle = "char:7";
  all.emplace_back().features.shingle = "word:2+word:3";
  all.emplace_back().method.measure = Measure::kEdit;
  all.emplace_back().method.feature_hash = FeatureHash::kMd5;
  return all;
}

// The sketches or keys of each text by itself, with nothing shared.
struct Naive {
  explicit Naive(const SessionOptions& options)
      : method(*FindSketchMethod(options.method.name)),
        sketcher(*TextSketcher::Create(*method, options.features,
                                       options.method, options.corpus)) {}
  std::vector<Sketch> Sketches(const std::string& text, bool* empty) const {
    DocumentText document;
    document.text = document.payload = text;
    const auto views = sketcher.Views(document);
    *empty = views[0].empty();
    return sketcher.Sketches(views);
  }
  const Method* method;
  TextSketcher sketcher;
};

TEST(Session, BatchesAreTextsOneByOneOnAnyNumberOfThreads) {
  const auto texts = Texts(5, TWINSET_SLOW_BUILD ? 150 : 400);
  std::vector<uint8_t> mask((texts.size() + 7) / 8, 0xFF);
  mask[1] = 0xFE;  // text 8 is null
  const TextBatch batch(texts, {mask, 0});
  size_t with_keys = 0;
  for (SessionOptions options : ManyOptions()) {
    SCOPED_TRACE(options.method.name + " " + options.features.shingle);
    const Naive naive(options);
    SketchMatrix sketches;
    KeyMatrix keys;
    const bool has_sketcher = !naive.sketcher.parts().sketchers.empty();
    const KeyGenerator* generator = naive.sketcher.parts().generator.get();
    for (size_t i = 0; i < texts.size(); ++i) {
      bool empty = false;
      const auto made = naive.Sketches(i == 8 ? "" : texts[i], &empty);
      if (has_sketcher)
        sketches.values.insert(sketches.values.end(), made[0].begin(),
                               made[0].end());
      sketches.offsets.push_back(sketches.values.size());
      if (generator != nullptr && !empty)
        generator->Keys(made, 0, &keys.values);
      keys.offsets.push_back(keys.values.size());
    }
    with_keys += !keys.values.empty();
    for (const int threads : {1, 2, 7}) {
      options.threads = threads;
      const auto session = Session::Make(options);
      ASSERT_TRUE(session) << session.error().ToString();
      const auto found = session->Sketch(batch);
      ASSERT_EQ(found.has_value(), has_sketcher);
      if (has_sketcher) {
        EXPECT_EQ(found->values, sketches.values);
        EXPECT_EQ(found->offsets, sketches.offsets);
        std::vector<uint32_t> values(sketches.values.size());
        std::vector<uint64_t> offsets(texts.size() + 1);
        EXPECT_EQ(*session->Sketch(batch, values, offsets), values.size());
        EXPECT_EQ(values, sketches.values);
        EXPECT_EQ(offsets, sketches.offsets);
        for (size_t i = 0; i < texts.size(); ++i) {
          EXPECT_TRUE(sketches[i].empty() || session->SketchLength() == 0 ||
                      sketches[i].size() == session->SketchLength());
        }
      }
      const auto of_keys = session->Keys(batch);
      ASSERT_EQ(of_keys.has_value(), generator != nullptr);
      if (generator != nullptr) {
        EXPECT_EQ(of_keys->values, keys.values);
        EXPECT_EQ(of_keys->offsets, keys.offsets);
        std::vector<uint64_t> values(keys.values.size());
        std::vector<uint64_t> offsets(texts.size() + 1);
        EXPECT_EQ(*session->Keys(batch, values, offsets), values.size());
        EXPECT_EQ(values, keys.values);
        EXPECT_EQ(offsets, keys.offsets);
      }
    }
  }
  EXPECT_GE(with_keys, 8u);
}

TEST(Session, ShinglesOfABatchAreThoseOfItsTexts) {
  const auto texts = Texts(6, 200);
  SessionOptions options;
  options.threads = 3;
  const auto session = Session::Make(options);
  const auto found = session->Shingles(TextBatch(texts));
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), texts.size());
  std::vector<uint64_t> values(found->values.size() + 5, 7);
  std::vector<uint64_t> offsets(texts.size() + 1);
  EXPECT_EQ(*session->Shingles(TextBatch(texts), values, offsets),
            found->values.size());
  EXPECT_EQ(offsets, found->offsets);
  EXPECT_EQ(values.back(), 7u);
  for (size_t i = 0; i < texts.size(); ++i) {
    const auto expected = session->Shingles(texts[i]);
    EXPECT_TRUE(std::ranges::equal((*found)[i], expected));
    EXPECT_TRUE(
        std::equal(expected.begin(), expected.end(),
                   values.begin() + static_cast<ptrdiff_t>(offsets[i])));
  }
}

TEST(Session, HashesOfTheCallerGiveTheSketchOfTheText) {
  const auto texts = Texts(7, 40);
  std::mt19937_64 random(7);
  for (const char* method : {"", "super-shingle", "mod-m"}) {
    SessionOptions options;
    options.method.name = method;
    const auto session = Session::Make(options);
    ASSERT_TRUE(session);
    const auto sketches = session->Sketch(TextBatch(texts));
    for (size_t i = 0; i < texts.size(); ++i) {
      auto hashes = session->Shingles(texts[i]);
      const size_t count = hashes.size();
      for (size_t k = 0; k < count / 2; ++k) hashes.push_back(hashes[k]);
      std::shuffle(hashes.begin(), hashes.end(), random);
      const auto found = session->SketchHashes(hashes);
      ASSERT_TRUE(found) << found.error().ToString();
      EXPECT_TRUE(std::ranges::equal(*found, (*sketches)[i])) << method;
    }
  }
  SessionOptions options;
  options.method.name = "simhash";  // of frequencies
  const auto bags = Session::Make(options);
  EXPECT_EQ(bags->SketchHashes({}).error().code, ErrorCode::kUsage);
  EXPECT_EQ(Session::Make()->SketchHashes({}, 1).error().code,
            ErrorCode::kUsage);
}

TEST(Session, FeaturesCompareAsTheirTexts) {
  const auto texts = Texts(8, 30);
  for (const char* measure : {"jaccard", "cosine", "cosine-tf", "edit"}) {
    for (const char* method : {"", "exact"}) {
      SCOPED_TRACE(std::string(measure) + method);
      SessionOptions options;
      options.method.name = method;
      options.threads = 2;
      if (options.method.name.empty())
        options.method.measure = *FindChoice<Measure>(measure);
      const auto session = Session::Make(options);
      ASSERT_TRUE(session) << session.error().ToString();
      const auto features = session->Features(TextBatch(texts));
      ASSERT_TRUE(features);
      ASSERT_EQ(features->size(), texts.size());
      EXPECT_GT(features->bytes(), 0u);
      for (size_t i = 0; i < texts.size(); ++i)
        for (size_t j = 0; j < texts.size(); ++j)
          EXPECT_EQ(*session->Similarity((*features)[i], (*features)[j]),
                    session->Similarity(texts[i], texts[j]));
      const auto other = Session::Make(options);
      EXPECT_EQ(other->Similarity((*features)[0], (*features)[1]).error().code,
                ErrorCode::kUsage);
      EXPECT_FALSE(session->Similarity((*features)[0], {}));
      EXPECT_FALSE(session->Similarity((*features)[0], (*features)[30]));
    }
  }
}

TEST(Session, AKeyIsBytes) {
  SessionOptions options;
  options.key_bytes.emplace();
  EXPECT_EQ(Session::Make(options).error().code, ErrorCode::kUsage);
  options.key_bytes->back() = 1;
  const auto session = Session::Make(options);
  ASSERT_TRUE(session);
  const std::string text = "one two three four five six";
  EXPECT_EQ(session->Similarity(text, text + " seven"), 2.0 / 3);
}

TEST(Session, RoomThatIsTooSmallIsNamed) {
  const auto texts = Texts(9, 20);
  const TextBatch batch(texts);
  const auto session = Session::Make();
  const auto sketches = session->Sketch(batch);
  std::vector<uint32_t> values(sketches->values.size() - 1);
  std::vector<uint64_t> offsets(texts.size() + 1);
  const auto small = session->Sketch(batch, values, offsets);
  ASSERT_FALSE(small);
  EXPECT_EQ(small.error().code, ErrorCode::kUsage);
  EXPECT_NE(small.error().message.find(std::to_string(sketches->values.size())),
            std::string::npos);
  values.push_back(0);
  offsets.pop_back();
  EXPECT_EQ(session->Sketch(batch, values, offsets).error().code,
            ErrorCode::kUsage);
  const std::vector<uint64_t> wrong = {5, 3};
  EXPECT_EQ(session->Sketch(TextBatch("abcdef", wrong)).error().code,
            ErrorCode::kUsage);
  EXPECT_EQ(session->SketchLength(), 128u);
  EXPECT_EQ(session->SketchLength(1), 0u);
}

TEST(Session, StopEndsWhatRuns) {
  const TestDir dir;
  std::string rows;
  for (const std::string& text : Texts(10, 2000))
    rows += "{\"text\":\"" + text + "\"}\n";
  std::atomic<bool> stop = false;
  SessionOptions options;
  options.method.name = "i-match";
  options.corpus.inputs = {dir / "in.jsonl"};
  options.stop = &stop;
  ASSERT_TRUE(WriteWholeFile(options.corpus.inputs[0], rows));
  uint64_t told = 0;
  options.on_progress = [&](const Progress& progress) {
    told = std::max(told, progress.done);
  };
  const auto session = Session::Make(options);
  ASSERT_TRUE(session) << session.error().ToString();
  EXPECT_GE(told, 1792u);
  told = 0;
  options.on_progress = [&](const Progress& progress) {
    told = std::max(told, progress.done);
    if (told >= 512) stop = true;
  };
  const auto stopped = Session::Make(options);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kInterrupted);
  EXPECT_LT(told, 800u);
  const std::vector<std::string> texts(10, "five words or some more");
  const auto code = [](const auto& result) { return result.error().code; };
  EXPECT_EQ(code(session->Sketch(TextBatch(texts))), ErrorCode::kInterrupted);
  EXPECT_EQ(code(session->Features(TextBatch(texts))), ErrorCode::kInterrupted);
  options.on_progress = nullptr;
  options.method.name = "";
  options.corpus = {};
  EXPECT_EQ(code(Session::Make(options)), ErrorCode::kInterrupted);
  stop = false;
  EXPECT_TRUE(session->Sketch(TextBatch(texts)));
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
