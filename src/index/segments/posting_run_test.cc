#include "segments/posting_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "segments/memory_table.h"
#include "store/test_util.h"

namespace twinset {
namespace {

constexpr uint64_t kHash = 7;

std::vector<IndexPosting> Postings(uint64_t seed, size_t count, uint64_t first,
                                   int key_bits) {
  std::mt19937_64 random(seed);
  std::vector<IndexPosting> postings(count);
  for (size_t i = 0; i < count; ++i) {
    const uint64_t kind = random() % 4;
    const uint64_t key =
        kind == 0
            ? IndexKey::OfHash(IndexKey::kFeatures, random() % (1u << key_bits)
                                                        << (64 - key_bits))
            : IndexKey::OfNumber(static_cast<IndexKey::Kind>(kind),
                                 random() % (1u << key_bits));
    postings[i] = {key, first + i};
  }
  return postings;
}

// What postings say, by key: all values of a key of kFeatures, the last of
// others.
std::map<uint64_t, std::vector<uint64_t>> ByKey(
    const std::vector<IndexPosting>& postings) {
  std::map<uint64_t, std::vector<uint64_t>> by_key;
  for (const IndexPosting& posting : postings) {
    auto& values = by_key[posting.key];
    if (IndexKey::KeepsLast(posting.key)) values.clear();
    values.push_back(posting.value);
  }
  return by_key;
}

constexpr size_t kMany = TWINSET_SLOW_BUILD ? 6000 : 20000;

class PostingRunTest : public ::testing::Test {
 protected:
  std::unique_ptr<PostingRun> Write(const std::vector<IndexPosting>& postings,
                                    const std::string& path) {
    MemoryTable table;
    for (const IndexPosting& posting : postings)
      table.Add(posting.key, posting.value);
    ExpectSame(table, ByKey(postings));
    auto writer = PostingRunWriter::Create(path, kHash);
    EXPECT_TRUE(writer);
    for (const IndexPosting& posting : table.Sorted())
      EXPECT_TRUE(writer->Append(posting));
    EXPECT_TRUE(writer->Finish());
    auto run = PostingRun::Open(path, kHash, &budget_);
    EXPECT_TRUE(run) << run.error().ToString();
    return run ? std::move(*run) : nullptr;
  }
  void ExpectSame(const MemoryTable& table,
                  const std::map<uint64_t, std::vector<uint64_t>>& by_key) {
    for (const auto& [key, values] : by_key) {
      std::vector<uint64_t> found;
      table.Find(key, values.size() + 1, &found);
      ASSERT_EQ(found, values);
    }
  }
  void ExpectSame(const PostingRun& run,
                  const std::map<uint64_t, std::vector<uint64_t>>& by_key) {
    for (const auto& [key, values] : by_key) {
      std::vector<uint64_t> found;
      ASSERT_TRUE(run.Find(key, values.size() + 1, &found));
      ASSERT_EQ(found, values);
      found.clear();
      ASSERT_TRUE(run.Find(key, 1, &found));
      ASSERT_EQ(found, std::vector<uint64_t>{values[0]});
      // The next key is mostly not there.
      found.clear();
      ASSERT_TRUE(run.Find(key + 1, 9, &found));
      ASSERT_EQ(found.empty(), !by_key.contains(key + 1));
    }
  }

  // No key that is there is screened out, and few of the others stay, if there
  // is room for filters.
  void ExpectScreened(const PostingRun& run, bool has_filters,
                      const std::map<uint64_t, std::vector<uint64_t>>& there) {
    SplitMix64 random(there.size());
    std::vector<uint64_t> keys;
    for (const auto& [key, values] : there) keys.push_back(key);
    for (size_t i = 0; i < 1000; ++i)
      keys.push_back(
          random.Below(uint64_t{IndexKey::kKinds} << IndexKey::kBits));
    std::shuffle(keys.begin(), keys.end(), std::mt19937_64(7));
    size_t absent = 0, passed = 0;
    for (size_t begin = 0, size = 1; begin < keys.size(); begin += size) {
      size = std::min(keys.size() - begin, 1 + begin % PostingRun::kScreened);
      const uint64_t may = run.Screen(std::span(keys).subspan(begin, size));
      for (size_t i = 0; i < size; ++i) {
        const bool is_there = there.contains(keys[begin + i]);
        const bool passes = (may >> i & 1) != 0;
        ASSERT_TRUE(passes || !is_there) << keys[begin + i];
        absent += !is_there;
        passed += passes && !is_there;
      }
    }
    if (has_filters) {
      EXPECT_LT(passed, absent / 50);
    } else {
      EXPECT_EQ(passed, absent);
    }
  }

  const TestDir dir_;
  MemoryBudget budget_{64 << 20};
};

TEST_F(PostingRunTest, FindsWhatWasWritten) {
  for (const auto& [count, bits] : std::vector<std::pair<size_t, int>>{
           {0, 20}, {1, 20}, {500, 20}, {kMany, 20}, {kMany, 9}, {kMany, 1}}) {
    SCOPED_TRACE(std::to_string(count) + " of " + std::to_string(bits));
    const auto postings = Postings(count + 1, count, 100, bits);
    const auto run = Write(postings, dir_ / "a.run");
    ASSERT_NE(run, nullptr);
    ExpectSame(*run, ByKey(postings));
    ExpectScreened(*run, count > 0, ByKey(postings));
    ASSERT_TRUE(run->CheckFilters());
  }
}

TEST_F(PostingRunTest, ATableThatWasEmptiedHasNothingOfBefore) {
  MemoryTable table;
  for (const IndexPosting& posting : Postings(1, 5000, 0, 20))
    table.Add(posting.key, posting.value);
  table.Clear();
  EXPECT_EQ(table.count(), 0u);
  EXPECT_TRUE(table.Sorted().empty());
  const auto postings = Postings(2, 3000, 9000, 20);
  for (const IndexPosting& posting : postings)
    table.Add(posting.key, posting.value);
  ExpectSame(table, ByKey(postings));
  size_t count = 0;
  for (const auto& [key, values] : ByKey(postings)) count += values.size();
  EXPECT_EQ(table.Sorted().size(), count);
}

TEST_F(PostingRunTest, FindsTheSameWithoutRoomForFilters) {
  const auto postings = Postings(3, kMany, 0, 20);
  Write(postings, dir_ / "a.run");
  MemoryBudget none(1 << 10);
  const auto run = PostingRun::Open(dir_ / "a.run", kHash, &none);
  ASSERT_TRUE(run);
  ExpectSame(**run, ByKey(postings));
  ExpectScreened(**run, false, ByKey(postings));
}

TEST_F(PostingRunTest, AMergeSaysWhatItsRunsSay) {
  std::vector<IndexPosting> all;
  std::vector<std::unique_ptr<PostingRun>> runs;
  std::vector<const PostingRun*> of;
  for (uint64_t i = 0; i < 5; ++i) {
    const auto postings = Postings(i, 300 * (i + 1), all.size(), 11);
    all.insert(all.end(), postings.begin(), postings.end());
    runs.push_back(Write(postings, dir_ / (std::to_string(i) + ".run")));
    of.push_back(runs.back().get());
  }
  ASSERT_TRUE(MergeRuns(of, dir_ / "all.run", kHash));
  const auto merged = PostingRun::Open(dir_ / "all.run", kHash, &budget_);
  ASSERT_TRUE(merged);
  ExpectSame(**merged, ByKey(all));
  const auto even = [](const IndexPosting& posting) {
    return posting.value % 2 == 0;
  };
  ASSERT_TRUE(MergeRuns(of, dir_ / "even.run", kHash, even));
  const auto half = PostingRun::Open(dir_ / "even.run", kHash, &budget_);
  ASSERT_TRUE(half);
  uint64_t count = 0;
  ASSERT_TRUE((*half)->ForEach([&](const IndexPosting& posting) -> Status {
    EXPECT_EQ(posting.value % 2, 0u);
    ++count;
    return {};
  }));
  EXPECT_EQ(count, (*half)->count());
  EXPECT_LT(count, (*merged)->count());
}

TEST_F(PostingRunTest, DamageIsFoundBeforeItIsBelieved) {
  const auto postings = Postings(5, 1200, 0, 20);
  const auto by_key = ByKey(postings);
  const std::string path = dir_ / "a.run";
  Write(postings, path);
  const uint64_t size = FileSize(path).value();
  SplitMix64 random(9);
  for (int i = 0; i < 400; ++i) {
    std::string bytes = ReadAll(path);
    const std::string original = bytes;
    const size_t at = random.Below(size);
    if (i % 4 == 0) {
      bytes.resize(at);
    } else {
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.Below(8)));
    }
    WriteAll(path, bytes);
    const auto run = PostingRun::Open(path, kHash, &budget_);
    Status read;
    if (run) {
      uint64_t count = 0;
      read = (*run)->ForEach([&](const IndexPosting& posting) -> Status {
        EXPECT_TRUE(by_key.contains(posting.key));
        ++count;
        return {};
      });
      if (read) {
        EXPECT_EQ(count, (*run)->count());
        read = (*run)->CheckFilters();
      }
    } else {
      read = tl::unexpected(run.error());
    }
    EXPECT_FALSE(read) << at;
    if (!read) ExpectDamageError(read.error(), path, std::to_string(at));
    WriteAll(path, original);
  }
}

TEST_F(PostingRunTest, AKeyOfNoKindIsNotThere) {
  const auto run = Write(Postings(6, 3000, 0, 20), dir_ / "a.run");
  for (const uint64_t key :
       {uint64_t{IndexKey::kKinds} << IndexKey::kBits, ~uint64_t{0}}) {
    std::vector<uint64_t> found;
    ASSERT_TRUE(run->Find(key, 9, &found));
    EXPECT_TRUE(found.empty());
    EXPECT_EQ(run->Screen({&key, 1}) & 1, 0u);
  }
}

TEST_F(PostingRunTest, ARunOfAnotherIndexIsRefused) {
  Write(Postings(5, 10, 0, 20), dir_ / "a.run");
  const auto run = PostingRun::Open(dir_ / "a.run", kHash + 1, &budget_);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace twinset
