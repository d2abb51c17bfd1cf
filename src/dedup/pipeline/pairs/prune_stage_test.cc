// --max-df: which shingles count, against documents counted shingle by shingle.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/bytes.h"
#include "base/hash.h"
#include "pipeline/run/test_run.h"
#include "sketch/sketcher.h"

namespace twinset {
namespace {

using Sets = std::vector<std::set<uint64_t>>;

std::string Encoded(const std::set<uint64_t>& set) {
  std::string bytes;
  for (const uint64_t value : set) AppendLE(&bytes, value);
  return bytes;
}

std::set<uint64_t> Decoded(const std::string& bytes) {
  const auto hashes = AsHashes(bytes);
  return {hashes.begin(), hashes.end()};
}

// Shingles of very different frequency: 0 and the largest are values as well.
Sets RandomSets(SplitMix64* random, size_t documents) {
  Sets sets(documents);
  for (auto& set : sets) {
    for (uint64_t value = 0; value < 40; ++value)
      if (random->Below(40) <= value) set.insert(Mix64(value));
    if (random->Below(2) == 0) set.insert(0);
    if (random->Below(2) == 0) set.insert(~uint64_t{0});
    if (random->Below(8) == 0) set.clear();
  }
  return sets;
}

// A method whose only view is the one that is verified.
std::unique_ptr<TestRun> Begin(const Sets& sets, uint64_t max_df,
                               uint64_t memory = 64 << 20) {
  auto run = std::make_unique<TestRun>(
      sets.size(),
      [&](PlanOptions* options) {
        options->method.name = "complete";
        options->max_df = max_df;
      },
      [&](Plan* plan) {
        plan->machine.memory_bytes = memory;
        plan->features.public_view = 0;
        plan->features.views.resize(1);
      });
  std::vector<DocumentInfo> infos(sets.size());
  std::vector<std::string> blobs;
  for (size_t i = 0; i < sets.size(); ++i) {
    infos[i].id = "d" + std::to_string(i);
    infos[i].feature_count = sets[i].size();
    infos[i].empty = sets[i].empty();
    infos[i].fingerprint = {i, i};
    infos[i].payload_bytes = 100 + i;
    blobs.push_back(Encoded(sets[i]));
  }
  run->WriteInfos(infos);
  run->WriteBlobs("features.blob", blobs);
  run->WriteBlobs("views.blob", std::vector<std::string>(sets.size()));
  return run;
}

std::map<uint64_t, uint64_t> NaiveFrequencies(const Sets& sets) {
  std::map<uint64_t, uint64_t> documents;
  for (const auto& set : sets)
    for (const uint64_t value : set) ++documents[value];
  return documents;
}

void ExpectPruned(const Sets& sets, uint64_t max_df, uint64_t memory) {
  const auto run = Begin(sets, max_df, memory);
  const Status done = PruneStage(run->get());
  ASSERT_TRUE(done) << done.error().ToString();
  const auto frequencies = NaiveFrequencies(sets);
  Sets left = sets;
  uint64_t empty = 0, common = 0;
  for (auto& set : left) {
    std::erase_if(
        set, [&](uint64_t value) { return frequencies.at(value) > max_df; });
    empty += set.empty();
  }
  for (const auto& [value, documents] : frequencies)
    common += documents > max_df;
  Sets found;
  for (const auto& blob : run->ReadBlobs(run->get()->features_file))
    found.push_back(Decoded(blob));
  EXPECT_EQ(found, left);
  EXPECT_NE(run->get()->features_file, "features.blob");
  uint64_t document = 0;
  ASSERT_TRUE(ForEachDocument(
      *run->get(), [&](uint64_t, const DocumentInfo& info) -> Status {
        EXPECT_EQ(info.id, "d" + std::to_string(document));
        EXPECT_EQ(info.payload_bytes, 100 + document);
        EXPECT_EQ(info.feature_count, left[document].size());
        EXPECT_EQ(info.empty, left[document].empty());
        ++document;
        return {};
      }));
  EXPECT_EQ(document, sets.size());
  const RunCounts& counts = run->get()->counts;
  EXPECT_EQ(counts.prune->common_shingles, common);
  EXPECT_EQ(counts.prune->empty, empty);
  EXPECT_EQ(counts.read.empty, empty);
}

TEST(PruneStage, LeavesOutWhatMoreDocumentsHave) {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    SplitMix64 random(seed);
    const Sets sets = RandomSets(&random, random.Below(30));
    for (const uint64_t max_df : {uint64_t{1}, uint64_t{5}, ~uint64_t{0}})
      ExpectPruned(sets, max_df, 64 << 20);
  }
}

// More common shingles than one pass takes: the next one goes on with its
// files.
TEST(PruneStage, ManyCommonShinglesTakeSeveralPasses) {
  constexpr uint64_t kCommon = (1 << 17) + 1000;
  Sets sets(2);
  for (uint64_t i = 0; i < kCommon; ++i) sets[0].insert(sets[0].end(), 3 * i);
  sets[1] = sets[0];
  sets[0].insert(1);  // its own
  ExpectPruned(sets, 1, 1 << 20);
}

TEST(PruneStage, DocumentsThatBecomeEqualHaveOneFingerprint) {
  const auto run = Begin({{1, 9}, {1, 8, 9}, {8}, {9}, {9, 8}}, 2);
  ASSERT_TRUE(PruneStage(run->get()));
  std::vector<DocumentInfo> infos;
  ASSERT_TRUE(ForEachDocument(
      *run->get(), [&](uint64_t, const DocumentInfo& info) -> Status {
        infos.push_back(info);
        return {};
      }));
  ASSERT_EQ(infos.size(), 5u);
  EXPECT_EQ(infos[0].fingerprint, infos[1].fingerprint);
  EXPECT_TRUE(infos[2].empty && infos[3].empty && infos[4].empty);
  EXPECT_EQ(run->get()->counts.read.empty, 3u);
}

// The ten that most documents have, the most frequent first; of equals the one
// with the lesser hash.
TEST(PruneStage, TellsTheMostFrequentShingles) {
  SplitMix64 random(30);
  const Sets sets = RandomSets(&random, 40);
  const auto run = Begin(sets, 3);
  ASSERT_TRUE(PruneStage(run->get()));
  std::vector<std::pair<uint64_t, uint64_t>> expected;
  for (const auto& [value, documents] : NaiveFrequencies(sets))
    if (documents > 3) expected.emplace_back(~documents, value);
  std::sort(expected.begin(), expected.end());
  ASSERT_GT(expected.size(), 10u);
  const auto& told = run->get()->counts.prune->most_frequent;
  ASSERT_EQ(told.size(), 10u);
  for (size_t i = 0; i < told.size(); ++i) {
    EXPECT_EQ(told[i].documents, ~expected[i].first);
    EXPECT_EQ(told[i].shingle, ToHex(expected[i].second));
  }
}

TEST(PruneStage, WithoutABoundNothingIsWritten) {
  const auto run = Begin({{1}, {1}}, 0);
  ASSERT_TRUE(PruneStage(run->get()));
  EXPECT_FALSE(run->get()->counts.prune);
  EXPECT_EQ(run->get()->features_file, "features.blob");
}

// A resumed run reads the files that the counts name.
TEST(PruneStage, ItsCountsLeadToItsFiles) {
  const auto run = Begin({{1, 2}, {1}}, 1);
  ASSERT_TRUE(PruneStage(run->get()));
  twinset::Run& resumed = *run->get();
  const std::string features = resumed.features_file,
                    documents = resumed.documents_file;
  resumed.features_file = "features.blob";
  resumed.documents_file = "documents.blob";
  resumed.counts.read.empty = 0;
  UsePruned(&resumed);
  EXPECT_EQ(resumed.features_file, features);
  EXPECT_EQ(resumed.documents_file, documents);
  EXPECT_EQ(resumed.counts.read.empty, 1u);
}

}  // namespace
}  // namespace twinset
