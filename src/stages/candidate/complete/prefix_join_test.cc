#include "candidate/complete/prefix_join.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <map>
#include <string>

#include "base/test_dir.h"
#include "candidate/complete/prefix_join_testing.h"

namespace twinset {
namespace {

constexpr double kThresholds[] = {0.1,  0.3, 0.5, 0.6, 2.0 / 3,
                                  0.75, 0.8, 0.9, 1.0};

// What the join emits; every pair it names has the smaller number first.
Pairs Joined(const JoinOf& of, const std::vector<Values>& documents) {
  TestDir folder;
  MemoryBudget budget(2 * of.memory_bytes);
  auto join = FilledJoin(of, documents, folder.path(), &budget);
  EXPECT_TRUE(join.has_value());
  Pairs pairs;
  const Status status = (*join)->Join([&](const CandidatePair& pair) -> Status {
    EXPECT_LT(pair.a, pair.b);
    pairs.insert({pair.a, pair.b});
    return {};
  });
  EXPECT_TRUE(status.has_value());
  join->reset();
  EXPECT_EQ(budget.used_bytes(), 0u);
  EXPECT_EQ(folder.FileCount(), 0u);
  return pairs;
}

// Pairs that share a key of the external form.
Pairs JoinedByKeys(JoinMeasure measure, double threshold,
                   const std::vector<Values>& documents) {
  const OverlapBounds bounds(measure, threshold);
  std::map<uint64_t, std::vector<uint64_t>> buckets;
  for (size_t i = 0; i < documents.size(); ++i) {
    Values keys;
    PrefixKeys(bounds, nullptr, AsBytes(documents[i]), &keys);
    for (const uint64_t key : keys) buckets[key].push_back(i);
  }
  Pairs pairs;
  for (const auto& entry : buckets) {
    for (const uint64_t a : entry.second) {
      for (const uint64_t b : entry.second) {
        if (a < b) pairs.insert({a, b});
      }
    }
  }
  return pairs;
}

// What of `emitted` is a pair.
Pairs Verified(JoinMeasure measure, double threshold,
               const std::vector<Values>& documents, const Pairs& emitted) {
  Pairs pairs;
  for (const auto& [a, b] : emitted) {
    if (NaiveScore(measure, documents[a], documents[b]) >= threshold)
      pairs.insert({a, b});
  }
  return pairs;
}

void Check(JoinMeasure measure, double threshold,
           const std::vector<Values>& documents) {
  const Pairs expected = NaivePairs(measure, threshold, documents);
  const Pairs emitted = Joined({measure, threshold}, documents);
  const std::string what = "measure " + std::to_string(int(measure)) + " at " +
                           std::to_string(threshold);
  ASSERT_EQ(Verified(measure, threshold, documents, emitted), expected) << what;
  ASSERT_EQ(Joined({measure, threshold, 2}, documents), emitted) << what;
  const JoinOf in_files = WithCountsInFiles({measure, threshold, 2});
  ASSERT_EQ(
      Verified(measure, threshold, documents, Joined(in_files, documents)),
      expected)
      << what;
  ASSERT_EQ(Verified(measure, threshold, documents,
                     JoinedByKeys(measure, threshold, documents)),
            expected)
      << what;
}

std::vector<Values> AllSubsets(uint64_t universe, bool mixed) {
  std::vector<Values> all;
  for (uint64_t bits = 0; bits < uint64_t{1} << universe; ++bits) {
    Values set;
    for (uint64_t i = 0; i < universe; ++i) {
      if ((bits >> i & 1) != 0) set.push_back(mixed ? Mix64(i + 1) : i);
    }
    std::sort(set.begin(), set.end());
    all.push_back(set);
  }
  return all;
}

TEST(PrefixJoin, AllSubsetsOfSixElements) {
  const auto documents = AllSubsets(6, true);
  for (const JoinMeasure measure : kJoinMeasures) {
    if (IsOfSequences(measure)) continue;
    for (const double t : kThresholds) Check(measure, t, documents);
  }
}

// All folds are equal: nothing is filtered, and nothing may be lost.
TEST(PrefixJoin, NothingIsLostWhenEveryElementCollides) {
  const auto documents = AllSubsets(5, false);
  for (const JoinMeasure measure : kJoinMeasures) {
    if (IsOfSequences(measure)) continue;
    for (const double t : kThresholds) {
      const Pairs expected = NaivePairs(measure, t, documents);
      for (const JoinOf& of :
           {JoinOf{measure, t}, WithCountsInFiles({measure, t})}) {
        EXPECT_EQ(Verified(measure, t, documents, Joined(of, documents)),
                  expected);
      }
    }
  }
}

TEST(PrefixJoin, AllBagsOfFourElementsUpToTwiceEach) {
  std::vector<Values> documents;
  for (uint64_t code = 0; code < 81; ++code) {
    Values bag;
    for (uint64_t i = 0, rest = code; i < 4; ++i, rest /= 3)
      bag.insert(bag.end(), rest % 3, Mix64(i + 1));
    std::sort(bag.begin(), bag.end());
    documents.push_back(bag);
  }
  for (const double t : kThresholds)
    Check(JoinMeasure::kCosineTf, t, documents);
}

TEST(PrefixJoin, AllShortSequencesOfThreeLetters) {
  std::vector<Values> documents = {{}};
  for (size_t first = 0; documents.back().size() < 4;) {
    const size_t last = documents.size();
    for (; first < last; ++first) {
      for (uint64_t letter = 1; letter <= 3; ++letter) {
        Values longer = documents[first];
        longer.push_back(Mix64(letter));
        documents.push_back(longer);
      }
    }
  }
  for (const double t : kThresholds) {
    Check(JoinMeasure::kEdit, t, documents);
    Check(JoinMeasure::kHamming, t, documents);
  }
}

// Texts of skewed words, and copies of them with some places changed.
std::vector<Values> RandomTexts(uint64_t seed, size_t count, size_t length,
                                uint64_t words) {
  SplitMix64 random(seed);
  const auto word = [&] { return random.Below(1 + random.Below(words)); };
  std::vector<Values> texts;
  while (texts.size() < count) {
    Values text;
    if (texts.empty() || random.Below(3) == 0) {
      text.resize(1 + random.Below(length));
      for (uint64_t& x : text) x = word();
    } else {
      text = texts[random.Below(texts.size())];
      for (uint64_t edits = random.Below(1 + length / 4); edits > 0; --edits) {
        const auto at =
            text.begin() + static_cast<ptrdiff_t>(random.Below(text.size()));
        const uint64_t kind = random.Below(6);
        if (kind == 0 && text.size() > 1) {
          text.erase(at);
        } else if (kind == 1) {
          text.insert(at, word());
        } else {
          *at = word();
        }
      }
    }
    texts.push_back(text);
  }
  for (Values& text : texts) {
    for (uint64_t& x : text) x = Mix64(x);
  }
  return texts;
}

Values SetOf(Values values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

TEST(PrefixJoin, RandomAndSkewedCollections) {
  const struct {
    size_t count, length;
    uint64_t words;
  } kinds[] = {{200, 30, 40}, {200, 12, 8}, {300, 60, 5000}};
  uint64_t seed = 0;
  for (const auto& kind : kinds) {
    const auto texts = RandomTexts(++seed, kind.count, kind.length, kind.words);
    for (const JoinMeasure measure : kJoinMeasures) {
      std::vector<Values> documents = texts;
      for (Values& values : documents) {
        if (measure == JoinMeasure::kCosineTf) {
          std::sort(values.begin(), values.end());
        } else if (!IsOfSequences(measure)) {
          values = SetOf(values);
        }
      }
      for (const double t : {0.2, 0.5, 0.8, 0.9}) {
        if (TWINSET_SLOW_BUILD && t != 0.8) continue;
        Check(measure, t, documents);
      }
    }
  }
}

TEST(PrefixJoin, TwoCollectionsPairAcrossOnly) {
  auto documents = RandomTexts(9, 200, 20, 60);
  for (Values& values : documents) values = SetOf(values);
  for (const JoinMeasure measure :
       {JoinMeasure::kJaccard, JoinMeasure::kContainment}) {
    const Pairs expected = NaivePairs(measure, 0.5, documents, 77);
    EXPECT_FALSE(expected.empty());
    const JoinOf of{measure, 0.5, 2, 77};
    for (const JoinOf& form : {of, WithCountsInFiles(of)}) {
      const Pairs found = Joined(form, documents);
      EXPECT_EQ(Verified(measure, 0.5, documents, found), expected);
      for (const auto& [a, b] : found) EXPECT_EQ(a < 77, b >= 77);
    }
  }
}

TEST(PrefixJoin, PositionsAndCountsBeyondTheirCells) {
  // Each document beyond 2^16 elements, most in every document: counters and
  // positions saturate.
  std::vector<Values> documents;
  for (uint64_t d = 0; d < 4; ++d) {
    Values values;
    for (uint64_t i = 0; i < 90000; ++i)
      values.push_back(Mix64(i < 80000 ? i : i + d % 3 * 100000));
    documents.push_back(SetOf(values));
  }
  for (uint64_t d = 0; d < 400; ++d) documents.push_back({Mix64(7)});
  for (const double t : {0.5, 0.8, 0.9}) {
    if (TWINSET_SLOW_BUILD && t != 0.8) continue;
    JoinOf of{JoinMeasure::kJaccard, t};
    const Pairs expected = NaivePairs(of.measure, t, documents);
    EXPECT_EQ(Verified(of.measure, t, documents, Joined(of, documents)),
              expected);
    of.within = [](size_t) { return 5; };
    for (const JoinOf& form : {of, WithCountsInFiles(of)}) {
      EXPECT_EQ(Verified(of.measure, t, documents, Joined(form, documents)),
                expected);
    }
  }
}

// Documents of two scopes never meet, whatever they share.
TEST(PrefixJoin, ScopesDoNotMeet) {
  auto documents = RandomTexts(10, 200, 20, 60);
  for (Values& values : documents) values = SetOf(values);
  JoinOf of{JoinMeasure::kJaccard, 0.5};
  of.within = [](size_t document) { return document % 3 + 7; };
  Pairs expected;
  for (const auto& [a, b] : NaivePairs(of.measure, 0.5, documents)) {
    if (a % 3 == b % 3) expected.insert({a, b});
  }
  EXPECT_GT(expected.size(), 20u);
  for (const JoinOf& form : {of, WithCountsInFiles(of)}) {
    const Pairs found = Joined(form, documents);
    for (const auto& [a, b] : found) EXPECT_EQ(a % 3, b % 3);
    EXPECT_EQ(Verified(of.measure, 0.5, documents, found), expected);
  }
}

TEST(PrefixJoin, FilesStandInForMemory) {
  constexpr size_t kTexts = TWINSET_SLOW_BUILD ? 8000 : 20000;
  auto documents = RandomTexts(11, kTexts, 120, 1 << 20);
  for (Values& values : documents) values = SetOf(values);
  const JoinOf large{JoinMeasure::kJaccard, 0.6};
  const Pairs expected =
      Verified(large.measure, 0.6, documents, Joined(large, documents));
  EXPECT_GT(expected.size(), kTexts / 2);
  JoinOf small = large;
  small.memory_bytes = 4 << 20;
  for (const JoinOf& form : {small, WithCountsInFiles(small)}) {
    JoinOf of = form;
    for (const int threads : {1, 2, 5, 256}) {
      if (TWINSET_SLOW_BUILD && threads != 2 && threads != 256) continue;
      of.threads = threads;
      EXPECT_EQ(Verified(of.measure, 0.6, documents, Joined(of, documents)),
                expected);
    }
  }
}

// One element in every document: a bucket that memory does not hold.
TEST(PrefixJoin, AnElementOfAllDocuments) {
  std::vector<Values> documents;
  const uint64_t count = TWINSET_SLOW_BUILD ? 4000 : 30000;
  for (uint64_t d = 0; d < count; ++d) {
    documents.push_back({Mix64(7), Mix64(d + 100)});
    std::sort(documents.back().begin(), documents.back().end());
  }
  const JoinOf of{JoinMeasure::kJaccard, 0.3, 2, documents.size() - 3, 4 << 20};
  const Pairs found = Joined(of, documents);
  EXPECT_EQ(found.size(), 3 * of.first_stored);
  // Where only own elements decide, no two meet.
  JoinOf high = of;
  high.first_stored = 0;
  high.threshold = 0.8;
  EXPECT_TRUE(Joined(high, documents).empty());
}

// The join leaves room for the largest document, which is in memory beside it.
TEST(PrefixJoin, TakesLessBesideLargeDocuments) {
  const TestDir folder;
  MemoryBudget budget(64 << 20);
  CollectionJoinContext context;
  context.directory = folder.path();
  context.budget = &budget;
  context.memory_bytes = budget.limit_bytes() / 2;
  const std::map<int, uint64_t> taken_mb = {
      {1000, 32}, {4'000'000, 32}, {8'000'000, 22}, {1 << 24, 8}};
  for (const auto& entry : taken_mb) {
    const int largest = entry.first;
    context.sizes = [&](const std::function<void(uint64_t)>& body) -> Status {
      for (const int size : {10, largest, 500})
        body(static_cast<uint64_t>(size));
      return {};
    };
    const auto join =
        MakePrefixJoinFactory(JoinMeasure::kJaccard, 0.8)(context);
    ASSERT_TRUE(join.has_value());
    EXPECT_EQ(budget.used_bytes() >> 20, entry.second) << largest;
  }
}

TEST(PrefixJoin, PassesOnWhatTheSinkSays) {
  const auto documents = AllSubsets(5, true);
  std::atomic<bool> stop{false};
  JoinOf of{JoinMeasure::kJaccard, 0.5, 2};
  of.stop = &stop;
  MemoryBudget budget(2 * of.memory_bytes);
  for (const ErrorCode code : {ErrorCode::kIo, ErrorCode::kInterrupted}) {
    auto join = FilledJoin(of, documents, "", &budget);
    ASSERT_TRUE(join.has_value());
    stop = code == ErrorCode::kInterrupted;
    const Status status = (*join)->Join([](const CandidatePair&) -> Status {
      return Fail(ErrorCode::kIo, "the disk is full");
    });
    stop = false;
    ASSERT_FALSE(status.has_value());
    EXPECT_EQ(status.error().code, code);
  }
}

}  // namespace
}  // namespace twinset
