// A disk that is full at any write of a shard, of a part of a merge and of a
// merge: nothing half-written is taken for whole, and the same call goes on
// when there is room, to the same bytes. TWINSET_LONG=1: at every write.
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "support/dedup_fixture.h"
#include "twinset/shards.h"

namespace twinset::testing {
namespace {

class FullDiskOfShards : public ::testing::Test {
 protected:
  void TearDown() override { SetFileFault({}); }

  // Shards of a run, parts of its merge, the merge of these parts, and that of
  // the shards alone; each is begun on a disk that is full from some write on.
  void Fill(const DedupOptions& of_run) {
    DedupOptions options = of_run;
    options.resources.key_bytes.emplace().fill(7);
    options.out = folder_ / "whole";
    MustDedup(options);
    expected_ = PromisedBytes(options.out);
    FillShards(options);
    for (const uint32_t part : {0u, 1u}) {
      Each("part" + std::to_string(part), "part.json",
           [=, this](const auto& out) {
             MergeOptions merge = MergeInto("");
             merge.save = out;
             merge.resume = true;
             return StatusOf(MergePart(merge, {part, 2}));
           });
    }
    FillMerge("merged", {});
    FillMerge("joined", {folder_ / "part0", folder_ / "part1"});
  }

 private:
  using Call = std::function<Status(const std::string& out)>;

  template <typename T>
  static Status StatusOf(const Result<T>& result) {
    if (!result) return tl::unexpected(result.error());
    return {};
  }

  void FillShards(DedupOptions options) {
    options.out.clear();
    options.resume = true;
    for (const uint32_t number : {0u, 1u}) {
      Each("shard" + std::to_string(number), "shard.json",
           [=](const std::string& out) mutable {
             options.save = out;
             return StatusOf(ReadShard(options, {number, 2}));
           });
    }
  }

  MergeOptions MergeInto(const std::string& out) const {
    MergeOptions merge;
    merge.shards = {folder_ / "shard0", folder_ / "shard1"};
    merge.out = out;
    return merge;
  }

  void FillMerge(const std::string& name, std::vector<std::string> parts) {
    Each(name, "summary.json", [=, this](const std::string& out) {
      MergeOptions merge = MergeInto(out);
      merge.shards.insert(merge.shards.end(), parts.begin(), parts.end());
      merge.resume = FileExists(out + "/.work/journal.jsonl");
      merge.overwrite = !merge.resume && FileExists(out);
      return StatusOf(Merge(merge));
    });
    EXPECT_EQ(PromisedBytes(folder_ / name), expected_) << name;
  }

  // Calls it on such a disk, and again with room, in a folder for each write
  // that fails first, and once undisturbed in the folder `name`. The file
  // `done` says that it is whole.
  void Each(const std::string& name, const std::string& done,
            const Call& call) {
    std::vector<std::string> files;  // that each write is to
    SetFileFault([&](const std::string& path, size_t) {
      files.push_back(path.substr(path.rfind('/') + 1));
      return 0;
    });
    const Status whole = call(folder_ / name);
    SetFileFault({});
    ASSERT_TRUE(whole) << whole.error().ToString();
    ASSERT_GT(files.size(), 5u);
    const auto bytes = PromisedBytes(folder_ / name);
    for (const size_t fail_at : Moments(files)) {
      const std::string out = folder_ / (name + "-full");
      std::filesystem::remove_all(out);
      std::atomic<size_t> writes = 0;
      SetFileFault([&](const std::string&, size_t) {
        return writes++ >= fail_at ? ENOSPC : 0;
      });
      const Status failed = call(out);
      SetFileFault({});
      const std::string where = name + ", write " + std::to_string(fail_at) +
                                " of " + std::to_string(files.size()) +
                                ", to " + files[fail_at];
      ASSERT_FALSE(failed) << where;
      EXPECT_EQ(failed.error().code, ErrorCode::kIo) << where;
      EXPECT_NE(failed.error().ToString().find("No space left"),
                std::string::npos)
          << where;
      EXPECT_FALSE(FileExists(out + "/" + done)) << where;
      if (done != "summary.json") {
        MergeOptions of_half = MergeInto(folder_ / "half");
        of_half.shards.push_back(out);
        EXPECT_FALSE(Merge(of_half)) << where;
        EXPECT_FALSE(FileExists(folder_ / "half/summary.json")) << where;
      }
      const Status again = call(out);
      ASSERT_TRUE(again) << where << ": " << again.error().ToString();
      EXPECT_EQ(PromisedBytes(out), bytes) << where;
      ++failures_;
    }
  }

  // The first write to each file, for so many files spread over all of them;
  // in the long form every write.
  std::vector<size_t> Moments(const std::vector<std::string>& files) const {
    std::vector<size_t> all, first;
    for (size_t i = 0; i < files.size(); ++i) {
      all.push_back(i);
      const auto end = files.begin() + static_cast<std::ptrdiff_t>(i);
      if (std::find(files.begin(), end, files[i]) == end) first.push_back(i);
    }
    if (std::getenv("TWINSET_LONG") != nullptr) return all;
    std::vector<size_t> some;
    const size_t most = std::min(most_, first.size());
    for (size_t i = 0; i < most; ++i)
      some.push_back(first[i * first.size() / most]);
    return some;
  }

 protected:
  TemporaryFolder folder_;
  std::map<std::string, std::string> expected_;
  size_t most_ = 4;  // moments of one call
  int failures_ = 0;
};

TEST_F(FullDiskOfShards, LosesNothingByKeys) {
  Write(folder_ / "in.jsonl", SyntheticCorpus(5, 200).Jsonl());
  DedupOptions options = OptionsFor(folder_ / "in.jsonl", "");
  options.method.name = "minhash";
  options.method.bucket_limit = 4;
  Fill(options);
  EXPECT_GE(failures_, 20);
}

TEST_F(FullDiskOfShards, LosesNothingByPairs) {
  Write(folder_ / "in.jsonl", SyntheticCorpus(5, 200).Jsonl());
  most_ = 2;
  Fill(OptionsFor(folder_ / "in.jsonl", ""));
  EXPECT_GE(failures_, 10);
}

}  // namespace
}  // namespace twinset::testing
