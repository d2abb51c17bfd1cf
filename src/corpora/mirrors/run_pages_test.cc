// The pages of a finished run, and mirrors of random sites, by the definitions.
#include "mirrors/run_pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <map>
#include <set>

#include "base/file.h"
#include "base/hash.h"
#include "base/test_dir.h"
#include "mirrors/mirror_index.h"
#include "twinset/json.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A run folder with these rows of clusters.
std::string WriteRun(const TestDir& dir, const std::string& summary,
                     const std::string& clusters) {
  std::filesystem::create_directories(dir / "run");
  EXPECT_TRUE(WriteWholeFile(dir / "run/summary.json", summary));
  EXPECT_TRUE(WriteWholeFile(dir / "run/clusters.jsonl", clusters));
  return dir / "run";
}

TEST(RunPagesTest, PagesAreThoseOfClustersAndOfNone) {
  const TestDir dir;
  const std::string run = WriteRun(
      dir, "{}",
      "{\"cluster\":\"a\",\"id\":\"a\",\"url\":\"http://a.org/x/\","
      "\"similarity\":1,\"is_representative\":true}\n"
      "{\"cluster\":\"a\",\"id\":\"b\",\"similarity\":0.9,\"estimated\":true}\n"
      "{\"cluster\":\"文\",\"id\":\"文\",\"similarity\":1}\n");
  ASSERT_TRUE(WriteWholeFile(dir / "in.jsonl",
                             "{\"id\":\"a\",\"text\":\"x\"}\n"
                             "{\"id\":\"alone\",\"url\":\"http://c.org\","
                             "\"text\":\"y\"}\n"));
  RunPages pages(64 << 20);
  ASSERT_TRUE(pages.ReadClusters(run));
  EXPECT_EQ(pages.clusters(), 2u);
  EXPECT_FALSE(pages.strange()) << "no input was read yet";
  std::vector<std::string> warnings;
  InputOptions input;
  input.inputs = {dir / "in.jsonl"};
  ASSERT_TRUE(pages.ReadInputs(input, nullptr, &warnings));
  EXPECT_TRUE(warnings.empty());
  EXPECT_EQ(pages.inputs().used, 2u);
  EXPECT_FALSE(pages.strange());
  ASSERT_EQ(pages.size(), 4u);
  const auto all = pages.Take();
  EXPECT_EQ(all[0].address, MirrorAddress("http://a.org/x/", ""));
  EXPECT_TRUE(all[0].represents);
  EXPECT_EQ(all[0].cluster, all[1].cluster);
  EXPECT_NE(all[0].cluster, all[2].cluster);
  EXPECT_TRUE(all[1].is_estimated);
  EXPECT_EQ(all[1].similarity, 0.9);
  EXPECT_EQ(all[3].id, "alone");
  EXPECT_EQ(all[3].cluster, MirrorPage::kAlone);
}

TEST(RunPagesTest, InputsOfAnotherRunAreStrange) {
  const TestDir dir;
  const std::string run =
      WriteRun(dir, "{}", "{\"cluster\":\"a\",\"id\":\"a\"}\n");
  ASSERT_TRUE(
      WriteWholeFile(dir / "in.jsonl", "{\"id\":\"z\",\"text\":\"x\"}\n"));
  RunPages pages(64 << 20);
  ASSERT_TRUE(pages.ReadClusters(run));
  std::vector<std::string> warnings;
  InputOptions input;
  input.inputs = {dir / "in.jsonl"};
  ASSERT_TRUE(pages.ReadInputs(input, nullptr, &warnings));
  ASSERT_TRUE(pages.strange());
  EXPECT_EQ(*pages.strange(), std::pair(std::string("a"), std::string("z")));
  // What cannot be read is a warning, and what is known stays.
  input.inputs = {dir / "missing.jsonl"};
  ASSERT_TRUE(pages.ReadInputs(input, nullptr, &warnings));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("pages in no cluster are not known"));
  const std::atomic<bool> stop = true;
  input.inputs = {dir / "in.jsonl"};
  const Status stopped = pages.ReadInputs(input, &stop, &warnings);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kInterrupted);
}

TEST(RunPagesTest, RowsWithoutNamesAndMemoryAreTold) {
  const TestDir dir;
  RunPages pages(64 << 20);
  for (const char* row : {"{\"cluster\":\"a\"}\n", "{\"id\":\"a\"}\n"}) {
    const Status status = pages.ReadClusters(WriteRun(dir, "{}", row));
    ASSERT_FALSE(status) << row;
    EXPECT_EQ(status.error().code, ErrorCode::kCorrupt);
  }
  RunPages small(1000);
  const Status full =
      small.ReadClusters(WriteRun(dir, "{}",
                                  "{\"cluster\":\"a\",\"id\":\"a\"}\n"
                                  "{\"cluster\":\"a\",\"id\":\"b\"}\n"));
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().code, ErrorCode::kMemory);
}

TEST(RunPagesTest, SummariesAreReadOfFinishedRunsOnly) {
  const TestDir dir;
  const auto none = ReadRunSummary(dir.path());
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "it holds no finished run");
  EXPECT_FALSE(ReadRunSummary(WriteRun(dir, "[]", "")));
  EXPECT_FALSE(ReadRunSummary(WriteRun(dir, "no json", "")));
  const auto good = ReadRunSummary(
      WriteRun(dir, "{\"parameters\":{\"measure\":\"dice\"}}", ""));
  ASSERT_TRUE(good);
  EXPECT_EQ(*MeasureOfRun(*good), Measure::kDice);
  for (const char* text :
       {"{}", "{\"parameters\":7}", "{\"parameters\":{\"measure\":1}}",
        "{\"parameters\":{\"measure\":\"likeness\"}}"}) {
    const auto measure = MeasureOfRun(Json::Parse(text));
    ASSERT_FALSE(measure) << text;
    EXPECT_EQ(measure.error().code, ErrorCode::kCorrupt);
  }
  std::filesystem::remove(dir / "run/clusters.jsonl");
  const auto without = ReadRunSummary(dir / "run");
  ASSERT_FALSE(without);
  EXPECT_EQ(without.error().message, "the run has no clusters");
}

// ---- mirrors ----

MirrorPage Page(const std::string& address, uint64_t cluster) {
  MirrorPage page;
  page.address = page.id = address;
  page.cluster = cluster;
  return page;
}

TEST(MirrorIndexByDefinitionTest, BelowAndFindAreThoseOfThePrefix) {
  SplitMix64 random(3);
  std::set<std::string> addresses;
  for (int i = 0; i < 200; ++i) {
    std::string address = "h" + std::to_string(random.Below(3));
    for (uint64_t n = random.Below(4); n > 0; --n) {
      address += '/';
      address += "ab0."[random.Below(4)];
    }
    addresses.insert(address);
  }
  std::vector<MirrorPage> pages;
  for (const std::string& address : addresses)
    pages.push_back(Page(address, MirrorPage::kAlone));
  // A second page of an address does not count.
  pages.push_back(Page(*addresses.begin(), 1));
  MirrorIndex index(std::move(pages));
  EXPECT_EQ(index.pages().size(), addresses.size());
  EXPECT_TRUE(index.clustered().empty());
  for (const std::string& prefix : addresses) {
    std::set<std::string> expected, found;
    for (const std::string& address : addresses)
      if (address.starts_with(prefix + "/")) expected.insert(address);
    for (const MirrorPage& page : index.Below(prefix))
      found.insert(page.address);
    EXPECT_EQ(found, expected) << prefix;
    ASSERT_NE(index.Find(prefix), nullptr);
    EXPECT_EQ(index.Find(prefix)->address, prefix);
    EXPECT_EQ(index.Find(prefix + "?"), nullptr);
  }
}

// Segments from the end on, as far as both have them and something is left.
TEST(MirrorIndexByDefinitionTest, SplitsOfAllSmallPaths) {
  std::vector<std::string> paths = {""};
  for (size_t begin = 0, depth = 0; depth < 4; ++depth) {
    const size_t end = paths.size();
    for (; begin < end; ++begin)
      for (const char* segment : {"a", "b"})
        paths.push_back(paths[begin].empty() ? std::string(segment)
                                             : paths[begin] + "/" + segment);
  }
  const auto segments = [](const std::string& path) {
    std::vector<std::string> all(1);
    for (const char c : path) {
      if (c == '/')
        all.emplace_back();
      else
        all.back() += c;
    }
    return all;
  };
  for (const std::string& x : paths) {
    for (const std::string& y : paths) {
      auto a = segments(x), b = segments(y);
      size_t shared = 0;
      while (a.size() > 1 && b.size() > 1 && a.back() == b.back()) {
        a.pop_back();
        b.pop_back();
        ++shared;
      }
      const auto joined = [](const std::vector<std::string>& all) {
        std::string path = all[0];
        for (size_t i = 1; i < all.size(); ++i) path += "/" + all[i];
        return path;
      };
      const SplitPair split = SplitParallel(x, y);
      EXPECT_EQ(split.a, shared == 0 ? "" : joined(a)) << x << " " << y;
      EXPECT_EQ(split.b, shared == 0 ? "" : joined(b)) << x << " " << y;
    }
  }
}

TEST(MirrorIndexByDefinitionTest, SchemeAndFinalSlashAreNoDifference) {
  EXPECT_EQ(MirrorAddress("http://A.org/x/", ""),
            MirrorAddress("https://a.org/x", ""));
  EXPECT_NE(MirrorAddress("http://a.org/x", ""),
            MirrorAddress("http://a.org/X", ""));
  EXPECT_EQ(MirrorAddress("", "folder/page"), "folder/page");
}

}  // namespace
}  // namespace twinset
