// The promises on batches, by the runs themselves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "live/index_fixture.h"
#include "twinset/collection.h"

namespace twinset {
namespace {

struct BatchCase {
  const char* name;
  const char* method;
  const char* shingle;
  int distance;
  const char* tables;
};

std::string NameOf(const ::testing::TestParamInfo<BatchCase>& info) {
  return info.param.name;
}

class AgainstBatch : public IndexTest,
                     public ::testing::WithParamInterface<BatchCase> {
 protected:
  void SetUp() override {
    IndexTest::SetUp();
    const BatchCase& of = GetParam();
    options_.method.name = of.method;
    options_.method.distance = of.distance;
    options_.method.tables = of.tables;
    options_.features.shingle = of.shingle;
    options_.features.template_blocks = TemplateRule::kKeep;
    options_.keep = {"first"};
  }

  void MakeTexts(uint64_t seed) {
    TextMaker texts(seed, 40);
    corpus_.clear();
    asked_.clear();
    for (size_t i = 0; i < 600; ++i) corpus_.push_back(texts.Next());
    for (size_t i = 0; i < 200; ++i) asked_.push_back(texts.Next());
  }

  // Adding in order keeps what Dedup keeps.
  void CompareAdds(Index* index) {
    std::vector<IndexInput> batch;
    for (size_t i = 0; i < corpus_.size(); ++i)
      batch.push_back(InputOf(std::to_string(i), corpus_[i]));
    const auto answers = Add(index, batch);
    const auto dedup = Dedup(*FromTexts(corpus_), options_);
    ASSERT_TRUE(dedup) << dedup.error().ToString();
    std::vector<uint64_t> kept;
    for (size_t i = 0; i < answers.size(); ++i)
      if (answers[i].is_new) kept.push_back(i);
    EXPECT_EQ(kept, dedup->kept);
    EXPECT_GT(dedup->dropped.size(), 100u);
    for (const ClusterMember& member : dedup->members) {
      EXPECT_EQ(answers[member.document].kept.id,
                std::to_string(member.representative));
      EXPECT_EQ(answers[member.document].kept.similarity, member.similarity);
      EXPECT_EQ(answers[member.document].kept.contained, member.contained);
    }
  }

  // A query finds what Match finds among what is there.
  void CompareQueries(const Index& index,
                      const std::set<uint64_t>& removed = {}) {
    CollectionMatchOptions match;
    match.method = options_.method;
    match.features = options_.features;
    const auto all = Match(*FromTexts(asked_), *FromTexts(corpus_), match);
    ASSERT_TRUE(all) << all.error().ToString();
    std::vector<Pair> pairs, found;
    for (const Pair& pair : all->pairs)
      if (!removed.contains(pair.b)) pairs.push_back(pair);
    for (size_t i = 0; i < asked_.size(); ++i) {
      const auto matches = index.Query(DocumentOf(asked_[i]))->matches;
      for (const IndexMatch& one : matches)
        found.push_back({i, std::stoull(one.id), one.similarity});
    }
    std::sort(found.begin(), found.end(), [](const Pair& x, const Pair& y) {
      return std::pair(x.a, x.b) < std::pair(y.a, y.b);
    });
    EXPECT_EQ(found, pairs);
    EXPECT_GT(found.size(), 200u);
    // Not copies alone.
    EXPECT_GT(
        std::count_if(found.begin(), found.end(),
                      [](const Pair& pair) { return pair.similarity < 1; }),
        30);
  }

  CollectionOptions options_;
  std::vector<std::string> corpus_, asked_;
};

TEST_P(AgainstBatch, AddingKeepsWhatDedupKeepsAndQueryFindsWhatMatchFinds) {
  for (uint64_t seed = 1; seed <= (TWINSET_SLOW_BUILD ? 1 : 3); ++seed) {
    MakeTexts(seed);
    path_ = dir_ / ("index" + std::to_string(seed));
    IndexOptions made;
    made.method = options_.method;
    made.features = options_.features;
    Create(made);
    auto index = Open();
    CompareAdds(index.get());
    CompareQueries(*index);
    if (seed > 1) continue;
    std::set<uint64_t> removed;
    for (uint64_t i = 0; i < corpus_.size(); i += 7) {
      ASSERT_EQ(*index->Remove(std::to_string(i)), 1u);
      removed.insert(i);
    }
    CompareQueries(*index, removed);
    ASSERT_TRUE(index->Compact());
    CompareQueries(*index, removed);
    index.reset();
    index = Open();
    CompareQueries(*index, removed);
    ExpectSound(index.get());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Methods, AgainstBatch,
    ::testing::Values(BatchCase{"minhash", "minhash", "word:5", 3, ""},
                      BatchCase{"simhash", "simhash", "word:1", 3, ""},
                      BatchCase{"sixteen_tables", "simhash", "word:1", 3,
                                "manku-16"},
                      BatchCase{"far", "simhash", "word:2", 6, "8"}),
    NameOf);

}  // namespace
}  // namespace twinset
