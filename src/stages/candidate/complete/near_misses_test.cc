// Documents that share much and are no pairs, or hardly: elements that all, a
// family, or a random part of the documents have
// (docs/methods/complete.md, Pairs that frequent elements cannot make).
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/test_dir.h"
#include "candidate/complete/hot_index.h"
#include "candidate/complete/hot_join.h"
#include "candidate/complete/prefix_join_testing.h"
#include "store/run_file.h"

namespace twinset {
namespace {

using Postings = std::vector<PrefixPosting>;

struct Found {
  Pairs emitted;  // by the join itself
  Pairs hot;      // by JoinHot of what it left
  Pairs indexed;  // by HotIndex of the same
  uint64_t postings = 0;
};

void JoinLeft(const OverlapBounds& bounds, Postings postings, Found* found) {
  found->postings = postings.size();
  if (postings.empty()) return;
  const TestDir dir;
  std::sort(postings.begin(), postings.end());
  auto writer = RunWriter<PrefixPosting>::Create(dir / "hot.run", 7);
  ASSERT_TRUE(writer && writer->Append(postings) && writer->Finish());
  auto reader = RunReader<PrefixPosting>::Open(dir / "hot.run", 7);
  ASSERT_TRUE(reader);
  ASSERT_TRUE(JoinHot(bounds, &*reader, 5 * sizeof(PrefixPosting), nullptr,
                      [found](const CandidatePair& pair) {
                        found->hot.insert({pair.a, pair.b});
                        return Status();
                      }));
  std::map<uint64_t, Postings> by_document;
  for (const PrefixPosting& posting : postings)
    by_document[posting.document()].push_back(posting);
  MemoryBudget budget(1 << 20);
  HotIndex index(bounds, 1 << 20, &budget);
  for (const auto& [document, own] : by_document) {
    std::vector<uint64_t> met;
    index.Find(own, &met);
    for (const uint64_t other : met)
      found->indexed.insert(std::minmax(document, other));
    index.Add(own);
  }
}

Found FindAll(JoinOf of, const std::vector<Values>& documents) {
  const TestDir folder;
  MemoryBudget budget(2 * of.memory_bytes);
  Found found;
  Postings left;
  if (of.hot_limit > 0) {
    of.hot = [&left](std::span<const PrefixPosting> postings) {
      left.insert(left.end(), postings.begin(), postings.end());
      return Status();
    };
  }
  auto join = FilledJoin(of, documents, folder.path(), &budget);
  EXPECT_TRUE(join.has_value());
  EXPECT_TRUE((*join)->Join([&found](const CandidatePair& pair) {
    found.emitted.insert({pair.a, pair.b});
    return Status();
  }));
  JoinLeft(OverlapBounds(of.measure, of.threshold), std::move(left), &found);
  return found;
}

// Nothing at the threshold is lost, whoever has to find it.
void Check(const JoinOf& of, const std::vector<Values>& documents) {
  const Found found = FindAll(of, documents);
  for (const auto& pair :
       NaivePairs(of.measure, of.threshold, documents, of.first_stored)) {
    const bool is_cold = found.emitted.count(pair) > 0;
    ASSERT_TRUE(is_cold || found.hot.count(pair) > 0)
        << pair.first << " " << pair.second << " measure " << int(of.measure)
        << " at " << of.threshold;
    ASSERT_TRUE(is_cold || found.indexed.count(pair) > 0);
  }
}

// Elements as hashes: the same number is the same element.
Values Hashed(const std::set<uint64_t>& numbers) {
  Values values;
  for (const uint64_t number : numbers) values.push_back(Mix64(number + 1));
  std::sort(values.begin(), values.end());
  return values;
}

// The i-th document has the elements of a pool that `takes` says, and `own`.
template <typename Takes, typename Own>
std::vector<Values> Pool(size_t documents, uint64_t pool, const Takes& takes,
                         const Own& own) {
  std::vector<Values> all;
  uint64_t next = 1 << 20;
  for (size_t i = 0; i < documents; ++i) {
    std::set<uint64_t> numbers;
    for (uint64_t n = 0; n < pool; ++n)
      if (takes(i, n)) numbers.insert(n);
    for (uint64_t left = own(i); left > 0; --left) numbers.insert(next++);
    all.push_back(Hashed(numbers));
  }
  return all;
}

const auto kAll = [](size_t, uint64_t) { return true; };

TEST(NearMisses, OfOneCoreCompareNothing) {
  const auto documents =
      Pool(300, 40, kAll, [](size_t) { return uint64_t{5}; });
  for (const uint64_t hot_limit : {0, 3, 256}) {
    // 40 of 50: .8
    JoinOf of{JoinMeasure::kJaccard, .81};
    of.hot_limit = hot_limit;
    const Found found = FindAll(of, documents);
    EXPECT_TRUE(found.emitted.empty());
    EXPECT_EQ(found.postings, 0u);
    of.threshold = .8;
    const Found pairs = FindAll(of, documents);
    EXPECT_EQ(pairs.emitted.size() + pairs.hot.size(), 300u * 299 / 2);
    EXPECT_EQ(pairs.postings > 0, hot_limit > 0);
  }
}

TEST(NearMisses, OfEveryMeasureCompareNothing) {
  const auto documents =
      Pool(200, 40, kAll, [](size_t) { return uint64_t{10}; });
  for (const JoinMeasure measure :
       {JoinMeasure::kContainment, JoinMeasure::kDice, JoinMeasure::kCosine}) {
    JoinOf of{measure, .81};  // 40 of 50: .8
    of.hot_limit = 3;
    const Found found = FindAll(of, documents);
    EXPECT_TRUE(found.emitted.empty()) << int(measure);
    EXPECT_EQ(found.postings, 0u) << int(measure);
    of.threshold = .8;
    EXPECT_EQ(FindAll(of, documents).hot.size(), 200u * 199 / 2);
  }
}

TEST(NearMisses, LoseNoPairOfAnyCore) {
  SplitMix64 random(1);
  for (int round = 0; round < 4; ++round) {
    const uint64_t pool = 4 + random.Below(24), part = 1 + random.Below(4);
    const uint64_t families = 1 + random.Below(3), most = 1 + random.Below(9);
    const auto documents = Pool(
        40, families * pool,
        [&](size_t i, uint64_t n) {
          return n / pool == i % families && random.Below(5) >= part - 1;
        },
        [&](size_t) { return random.Below(most); });
    for (const JoinMeasure measure : kJoinMeasures) {
      for (const double threshold : {.4, .6, .8, .95}) {
        JoinOf of{measure, threshold, 1 + round % 2};
        of.memory_bytes = 8 << 20;
        of.hot_limit = 1 + random.Below(4);
        if (round % 3 == 1) of.first_stored = 15;
        Check(of, documents);
        of.hot_limit = 0;
        Check(of, documents);
        if (threshold == .8) Check(WithCountsInFiles(of), documents);
      }
    }
  }
}

// Frequencies as those of words, so that few elements are in most documents.
TEST(NearMisses, LoseNoPairOfSkewedElements) {
  SplitMix64 random(2);
  for (int round = 0; round < 3; ++round) {
    std::vector<Values> documents;
    for (int i = 0; i < 60; ++i) {
      std::set<uint64_t> numbers;
      const uint64_t size = 2 + random.Below(30);
      while (numbers.size() < size)
        numbers.insert(60 / (1 + random.Below(60)) * 3 + random.Below(3));
      documents.push_back(Hashed(numbers));
    }
    for (const JoinMeasure measure : kJoinMeasures) {
      for (const double threshold : {.3, .5, .7, .9}) {
        JoinOf of{measure, threshold};
        of.memory_bytes = 8 << 20;
        of.hot_limit = 2 + random.Below(2);
        if (round % 2 == 1) of.first_stored = 20;
        Check(of, documents);
      }
    }
  }
}

// Every subset of five elements beside elements of their own, so that what is
// hot in a document takes all sizes below, at and above the bound.
TEST(NearMisses, LoseNoPairOfAllSubsets) {
  for (const uint64_t own : {0, 1, 3}) {
    const auto documents = Pool(
        62, 5, [](size_t i, uint64_t n) { return ((i / 2 + 1) >> n & 1) != 0; },
        [&](size_t i) { return (i * own) % 4; });
    for (const JoinMeasure measure : kJoinMeasures) {
      for (const double threshold : {.3, .5, 2.0 / 3, .8}) {
        for (const uint64_t hot_limit : {2, 20}) {
          JoinOf of{measure, threshold};
          of.memory_bytes = 8 << 20;
          of.hot_limit = hot_limit;
          Check(of, documents);
        }
      }
    }
  }
}

}  // namespace
}  // namespace twinset
