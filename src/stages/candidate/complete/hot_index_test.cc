// The index and the join of hot postings, against all pairs of them.
#include "candidate/complete/hot_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <vector>

#include "base/hash.h"
#include "base/test_dir.h"
#include "candidate/complete/hot_join.h"

namespace twinset {
namespace {

using Postings = std::vector<PrefixPosting>;

// Makes some elements of one document, with places and sizes that are not
// those of real documents but obey the same rules.
Postings RandomDocument(SplitMix64* random, uint64_t document) {
  Postings postings;
  PrefixPosting::Parts parts;
  parts.document = document;
  parts.size = random->Below(8) == 0
                   ? PrefixPosting::kMaxSize - random->Below(3)
                   : 1 + random->Below(60);
  uint64_t last = 0;
  for (uint64_t fold = 0; fold < 6; ++fold) {
    if (random->Below(2) == 0) continue;
    parts.fold = fold;
    parts.before = postings.empty() || random->Below(2) == 0 ? fold : last;
    parts.position = random->Below(std::min<uint64_t>(parts.size, 40));
    parts.indexed = random->Below(4) != 0;
    postings.emplace_back(parts);
    last = fold;
  }
  return postings;
}

std::vector<Postings> RandomDocuments(SplitMix64* random, uint64_t count) {
  std::vector<Postings> documents;
  for (uint64_t i = 0; i < count; ++i)
    documents.push_back(RandomDocument(random, i));
  return documents;
}

bool Meet(const MeetingRule& rule, const Postings& x, const Postings& y) {
  for (const PrefixPosting& a : x) {
    for (const PrefixPosting& b : y)
      if (a.fold() == b.fold() && rule.MeetAtAll(a, b)) return true;
  }
  return false;
}

constexpr JoinMeasure kMeasures[] = {
    JoinMeasure::kJaccard, JoinMeasure::kDice, JoinMeasure::kCosine,
    JoinMeasure::kHamming, JoinMeasure::kCosineTf};

TEST(HotIndexTest, FindsThoseThatMeet) {
  SplitMix64 random(1);
  MemoryBudget budget(1 << 20);
  uint64_t met = 0;
  for (int i = 0; i < 40; ++i) {
    for (const JoinMeasure measure : kMeasures) {
      const OverlapBounds bounds(measure, .3 + .1 * (i % 7));
      const auto documents = RandomDocuments(&random, 60);
      HotIndex index(bounds, random.Below(2) << 18, &budget);
      // What was there before leaves no trace.
      for (size_t d = 0; d < 20; ++d) index.Add(documents[d]);
      index.Clear();
      EXPECT_TRUE(index.empty());
      std::vector<uint64_t> indexed;
      for (size_t d = 0; d < documents.size(); ++d) {
        if (random.Below(2) == 0) continue;
        index.Add(documents[d]);
        indexed.push_back(d);
      }
      for (size_t d = 0; d < documents.size(); ++d) {
        std::vector<uint64_t> found = {77}, expected = {77};
        index.Find(documents[d], &found);
        for (const uint64_t other : indexed) {
          if (other != d &&
              Meet(MeetingRule(bounds), documents[d], documents[other])) {
            expected.push_back(other);
          }
        }
        EXPECT_EQ(found, expected);
        met += found.size() - 1;
      }
    }
  }
  EXPECT_GT(met, 1000u);
}

TEST(HotIndexTest, SaysWhenItIsFull) {
  SplitMix64 random(2);
  MemoryBudget budget(1 << 20);
  HotIndex index(OverlapBounds(JoinMeasure::kJaccard, .5), 1 << 18, &budget);
  EXPECT_TRUE(index.HasRoomFor(1 << 20));
  size_t postings = 0;
  for (uint64_t d = 0; index.HasRoomFor(6); ++d) {
    const Postings document = RandomDocument(&random, d);
    index.Add(document);
    postings += document.size();
  }
  EXPECT_GT(postings, 1000u);
  EXPECT_LT(postings * sizeof(PrefixPosting), size_t{1} << 18);
  index.Clear();
  EXPECT_TRUE(index.HasRoomFor(6));
}

using Pairs = std::set<std::pair<uint64_t, uint64_t>>;

class HotJoinTest : public ::testing::Test {
 protected:
  RunReader<PrefixPosting> Write(const std::vector<Postings>& documents) {
    Postings all;
    for (const Postings& postings : documents)
      all.insert(all.end(), postings.begin(), postings.end());
    std::sort(all.begin(), all.end());
    auto writer = RunWriter<PrefixPosting>::Create(dir_ / "hot.run", 7);
    EXPECT_TRUE(writer && writer->Append(all) && writer->Finish());
    auto reader = RunReader<PrefixPosting>::Open(dir_ / "hot.run", 7);
    EXPECT_TRUE(reader);
    return std::move(*reader);
  }
  TestDir dir_;
};

TEST_F(HotJoinTest, FindsAllThatMeetInAnyMemory) {
  SplitMix64 random(3);
  for (int i = 0; i < 20; ++i) {
    for (const JoinMeasure measure : kMeasures) {
      const OverlapBounds bounds(measure, .3 + .1 * (i % 7));
      const auto documents = RandomDocuments(&random, random.Below(50));
      Pairs expected;
      for (size_t a = 0; a < documents.size(); ++a) {
        for (size_t b = a + 1; b < documents.size(); ++b)
          if (Meet(MeetingRule(bounds), documents[a], documents[b]))
            expected.insert({a, b});
      }
      for (const uint64_t postings : {1u, 2u, 5u, 1000u}) {
        auto reader = Write(documents);
        Pairs found;
        ASSERT_TRUE(JoinHot(bounds, &reader, postings * sizeof(PrefixPosting),
                            nullptr, [&](const CandidatePair& pair) {
                              found.insert({pair.a, pair.b});
                              return Status();
                            }));
        EXPECT_EQ(found, expected);
      }
    }
  }
}

TEST_F(HotJoinTest, EndsWhenAskedOrWhenTheSinkFails) {
  SplitMix64 random(4);
  const OverlapBounds bounds(JoinMeasure::kCosineTf, .5);
  auto reader = Write(RandomDocuments(&random, 50));
  const std::atomic<bool> stop = true;
  const auto take = [](const CandidatePair&) { return Status(); };
  const Status stopped = JoinHot(bounds, &reader, 1 << 10, &stop, take);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kInterrupted);
  auto again = Write(RandomDocuments(&random, 50));
  const Status failed =
      JoinHot(bounds, &again, 1 << 10, nullptr, [](const CandidatePair&) {
        return Status(Fail(ErrorCode::kIo, "no room"));
      });
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::kIo);
}

}  // namespace
}  // namespace twinset
