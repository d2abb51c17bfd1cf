// The best match of each document of A, against its definition.
#include "pipeline/match_stages.h"

#include <gtest/gtest.h>

#include <map>

#include "base/hash.h"
#include "pipeline/results/cluster_rows.h"
#include "pipeline/run/test_run.h"

namespace twinset {
namespace {

// Pairs of `first` documents of A with as many of B, which come after them.
// Many are equally similar, and some lack exactly so many twentieths.
std::vector<VerifiedPair> RandomPairs(SplitMix64* random, uint64_t first) {
  std::vector<VerifiedPair> pairs;
  for (uint64_t a = 0; a < first; ++a) {
    for (uint64_t b = first; b < 2 * first; ++b) {
      if (random->Below(3) > 0) continue;
      const auto of_b = static_cast<uint32_t>(20 + random->Below(9));
      pairs.push_back({a,
                       b,
                       .5 + .1 * static_cast<double>(random->Below(5)),
                       {20, of_b, 20 - random->Below(6)}});
    }
  }
  return pairs;
}

// By document of A: of its pairs in which at most `twentieths` of it are
// lacking the first of the most similar ones, and how many there are.
std::map<uint64_t, ClusterRow> NaiveBest(const std::vector<VerifiedPair>& pairs,
                                         uint64_t twentieths) {
  std::map<uint64_t, ClusterRow> best;
  for (const VerifiedPair& pair : pairs) {
    if (20 - pair.shared.common > twentieths) continue;
    ClusterRow& row =
        best.try_emplace(pair.a, ClusterRow{pair.a, 0, 1, 0, 0}).first->second;
    ++row.size;
    if (pair.score <= row.score) continue;
    row.representative = pair.b;
    row.score = pair.score;
    row.contained = static_cast<double>(pair.shared.common) / 20;
  }
  return best;
}

TEST(BestStage, IsTheMostSimilarOfThoseThatLackLittleEnough) {
  SplitMix64 random(1);
  size_t others = 0;  // that are not the best of all pairs
  for (const uint64_t first : {0, 1, 3, 12}) {
    for (const uint64_t twentieths : {0, 1, 3, 20}) {
      SCOPED_TRACE(twentieths);
      TestRun run(2 * first, [&](auto* options) {
        options->max_loss = static_cast<double>(twentieths) / 20;
      });
      const auto pairs = RandomPairs(&random, first);
      run.WriteRecords("verified.run", pairs);
      ASSERT_TRUE(BestStage(run.get()));
      const auto expected = NaiveBest(pairs, twentieths),
                 best_of_all = NaiveBest(pairs, 20);
      const auto rows = run.ReadRecords<ClusterRow>("clusters.run");
      ASSERT_EQ(rows.size(), expected.size());
      EXPECT_EQ(run.get()->counts.best.matched, expected.size());
      for (const ClusterRow& row : rows) {
        ASSERT_TRUE(expected.contains(row.document));
        const ClusterRow& one = expected.at(row.document);
        EXPECT_EQ(row.representative, one.representative);
        EXPECT_EQ(row.size, one.size);
        EXPECT_EQ(row.score, one.score);
        EXPECT_EQ(row.contained, one.contained);
        others +=
            row.representative != best_of_all.at(row.document).representative;
      }
    }
  }
  EXPECT_GT(others, 5u);
}

}  // namespace
}  // namespace twinset
