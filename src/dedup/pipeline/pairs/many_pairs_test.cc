#include "pipeline/pairs/many_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/test_dir.h"

namespace twinset {
namespace {

// Two families that share much, one behind the other, and strangers.
std::vector<std::vector<uint64_t>> Documents() {
  SplitMix64 random(1);
  std::vector<std::vector<uint64_t>> documents;
  for (uint64_t i = 0; i < 240; ++i) {
    std::vector<uint64_t> set;
    for (uint64_t n = 0; n < 60; ++n) {
      if (i < 200 && random.Below(10) > 0)
        set.push_back(Mix64(i / 100 * 1000 + n));
    }
    for (uint64_t own = 6 + random.Below(6); own > 0; --own)
      set.push_back(random.Next());
    std::sort(set.begin(), set.end());
    documents.push_back(std::move(set));
  }
  return documents;
}

class ManyPairsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto writer = BlobWriter::Create(dir_ / "b", 0);
    ASSERT_TRUE(writer);
    for (const auto& set : documents_) {
      ASSERT_TRUE(writer->Append({reinterpret_cast<const char*>(set.data()),
                                  set.size() * sizeof(uint64_t)}));
    }
    ASSERT_TRUE(writer->Finish());
    auto reader = BlobReader::Open(dir_ / "b", 0);
    ASSERT_TRUE(reader);
    reader_.emplace(std::move(*reader));
  }

  // All pairs, batch by batch, of documents that are loaded as they come; how
  // many batches were compared by cores.
  size_t CheckAll(const Verifier& verifier, uint64_t memory, bool fully) {
    ManyPairs many(verifier, memory, &budget_, 2);
    BlobBatch batch(&*reader_, 1 << 20, &budget_);
    std::vector<CandidatePair> pairs;
    size_t by_cores = 0;
    const auto compare = [&] {
      ASSERT_TRUE(batch.Load(1));
      const bool are_many = many.Prepare(pairs, batch);
      by_cores += are_many;
      for (size_t i = 0; are_many && i < pairs.size(); ++i) {
        const auto a = batch.Get(pairs[i].a), b = batch.Get(pairs[i].b);
        const auto expected =
            fully ? verifier.CompareFully(a, b) : verifier.Compare(a, b);
        const auto verdict = many.Compare(i, fully);
        ASSERT_EQ(verdict.accepted, expected.accepted);
        ASSERT_EQ(verdict.overlap, expected.overlap);
        ASSERT_EQ(verdict.score, expected.score);
      }
      pairs.clear();
    };
    for (uint64_t a = 0; a < documents_.size(); ++a) {
      if (a == 120) batch.Clear();
      for (uint64_t b = a + 1; b < documents_.size(); ++b) {
        EXPECT_TRUE(*batch.Request(a) && *batch.Request(b));
        pairs.push_back({a, b});
      }
      if (a % 10 == 9) compare();
    }
    return by_cores;
  }

  TestDir dir_;
  MemoryBudget budget_{8 << 20};
  const std::vector<std::vector<uint64_t>> documents_ = Documents();
  std::optional<BlobReader> reader_;
};

TEST_F(ManyPairsTest, SayWhatTheVerifierSays) {
  for (const Measure measure : {Measure::kJaccard, Measure::kContainment,
                                Measure::kDice, Measure::kCosine}) {
    const auto verifier = MakeSetVerifier(measure, .7);
    EXPECT_GE(CheckAll(*verifier, 1 << 20, false), 10u);
    EXPECT_GE(CheckAll(*verifier, 1 << 20, true), 10u);
  }
  EXPECT_GE(CheckAll(*MakeContainmentVerifier(.7), 1 << 20, false), 10u);
}

TEST_F(ManyPairsTest, AreLeftToTheVerifierWhereMemoryIsShort) {
  const auto verifier = MakeSetVerifier(Measure::kJaccard, .7);
  EXPECT_EQ(CheckAll(*verifier, 4 << 10, false), 0u);
}

TEST_F(ManyPairsTest, OfOtherMeasuresAreLeftToTheVerifier) {
  EXPECT_EQ(CheckAll(*MakeEditVerifier(.7), 1 << 20, false), 0u);
}

}  // namespace
}  // namespace twinset
