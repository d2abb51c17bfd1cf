// Promise 2: the same bytes on any thread count, SIMD target, memory budget and
// compression.
#include <zlib.h>

#include "kernels/kernels.h"
#include "support/dedup_fixture.h"
#include "twinset/methods.h"

namespace twinset::testing {
namespace {

class DeterminismTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Write(folder_ / "in.jsonl", SyntheticCorpus(3, 1500).Jsonl());
    MustDedup(OptionsFor(folder_ / "in.jsonl", folder_ / "base"));
    expected_ = PromisedBytes(folder_ / "base");
    ASSERT_GT(ReadRows(folder_ / "base/pairs.jsonl").size(), 500u);
  }
  void ExpectSame(DedupOptions options, const std::string& name) {
    options.out = folder_ / name;
    MustDedup(options);
    const auto files = PromisedBytes(options.out);
    ASSERT_EQ(files.size(), expected_.size());
    for (const auto& [file, bytes] : expected_) {
      EXPECT_EQ(files.at(file), bytes) << name << " " << file;
    }
  }
  TemporaryFolder folder_;
  std::map<std::string, std::string> expected_;
};

TEST_F(DeterminismTest, Threads) {
  for (const int threads : {2, 8}) {
    DedupOptions options = OptionsFor(folder_ / "in.jsonl", "");
    options.resources.threads = threads;
    ExpectSame(options, "threads-" + std::to_string(threads));
  }
}

TEST_F(DeterminismTest, Memory) {
  for (const uint64_t megabytes : {64, 8192}) {
    DedupOptions options = OptionsFor(folder_ / "in.jsonl", "");
    options.resources.memory_bytes = megabytes << 20;
    ExpectSame(options, "memory-" + std::to_string(megabytes));
  }
}

TEST_F(DeterminismTest, SimdTargets) {
  for (const std::string& target : SimdTargets()) {
    DedupOptions options = OptionsFor(folder_ / "in.jsonl", "");
    options.resources.simd = target;
    ExpectSame(options, "simd-" + target);
  }
  ASSERT_TRUE(kernels::ForceTarget(""));
}

TEST_F(DeterminismTest, Compression) {
  const std::string text = Read(folder_ / "in.jsonl");
  gzFile file = gzopen((folder_ / "in.jsonl.gz").c_str(), "wb");
  ASSERT_EQ(gzwrite(file, text.data(), static_cast<unsigned>(text.size())),
            static_cast<int>(text.size()));
  gzclose(file);
  ExpectSame(OptionsFor(folder_ / "in.jsonl.gz", ""), "gzip");
}

TEST_F(DeterminismTest, WorkFolderElsewhere) {
  DedupOptions options = OptionsFor(folder_ / "in.jsonl", "");
  options.resources.tmp = folder_ / "tmp";
  ExpectSame(options, "tmp");
}

// Documents in hot buckets and copies among them.
TEST_F(DeterminismTest, LateFeatures) {
  DedupOptions options = OptionsFor(folder_ / "in.jsonl", folder_ / "early");
  options.method.name = "minhash";
  for (const int limit : {2, 4096}) {
    options.method.bucket_limit = static_cast<uint64_t>(limit);
    options.resources.late_features = false;
    options.overwrite = true;
    options.out = folder_ / "early";
    const DedupSummary early = MustDedup(options);
    options.resources.late_features = true;
    options.out = folder_ / "late";
    const DedupSummary late = MustDedup(options);
    EXPECT_EQ(early.json["run"]["passes"].size(), 1);
    EXPECT_EQ(late.json["run"]["passes"].size(), 2);
    EXPECT_EQ(PromisedBytes(folder_ / "late"),
              PromisedBytes(folder_ / "early"));
  }
}

TEST_F(DeterminismTest, SeedChangesSketchesButNoVerifiedScore) {
  DedupOptions options = OptionsFor(folder_ / "in.jsonl", folder_ / "seed");
  options.method.seed = 99;
  MustDedup(options);
  std::map<std::string, double> scores;
  for (const Json& row : ReadRows(folder_ / "base/pairs.jsonl")) {
    scores[row["a"].get<std::string>() + " " + row["b"].get<std::string>()] =
        row["similarity"];
  }
  size_t shared = 0;
  for (const Json& row : ReadRows(folder_ / "seed/pairs.jsonl")) {
    const auto known = scores.find(row["a"].get<std::string>() + " " +
                                   row["b"].get<std::string>());
    if (known == scores.end()) continue;
    EXPECT_EQ(known->second, row["similarity"].get<double>());
    ++shared;
  }
  EXPECT_GE(shared, scores.size() * 97 / 100);
}

}  // namespace
}  // namespace twinset::testing
