// Threads that write to an index and threads that ask it.
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <thread>

#include "base/test_dir.h"
#include "live/index_testing.h"

namespace twinset {
namespace {

// Every text comes from every thread: exactly one of them is told that it is
// new, and all others the id of that one.
TEST(IndexThreadsTest, OfEqualPagesThatArriveTogetherExactlyOneIsNew) {
  constexpr size_t kThreads = 8, kTexts = TWINSET_SLOW_BUILD ? 20 : 60;
  const TestDir dir;
  ASSERT_TRUE(Index::Create(dir / "index"));
  IndexOpenOptions options;
  options.run_postings = 300;
  options.threads = 2;
  auto index = *Index::Open(dir / "index", options);
  // So far apart that nothing is similar that is not equal.
  std::vector<std::string> texts(kTexts);
  for (size_t i = 0; i < kTexts; ++i)
    for (size_t j = 0; j < 30; ++j)
      texts[i] += "t" + std::to_string(i) + "w" + std::to_string(j) + " ";
  std::vector<std::vector<IndexAnswer>> answers(kThreads);
  std::atomic<size_t> working = kThreads;
  std::vector<std::thread> threads;
  for (size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (size_t i = 0; i < kTexts;) {
        std::vector<IndexInput> batch;
        for (size_t n = 1 + t % 3; n > 0 && i < kTexts; --n, ++i)
          batch.push_back(InputOf(
              "p" + std::to_string(t) + "." + std::to_string(i), texts[i]));
        auto said = index->CheckAndAdd(std::move(batch));
        ASSERT_TRUE(said) << said.error().ToString();
        answers[t].insert(answers[t].end(), said->begin(), said->end());
      }
      --working;
    });
  }
  for (size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (size_t i = t; working > 0; i = (i + 7) % kTexts) {
        const auto found = index->Query(DocumentOf(texts[i]));
        ASSERT_TRUE(found) << found.error().ToString();
        size_t kept = 0;
        for (const IndexMatch& match : found->matches) {
          EXPECT_EQ(match.similarity, 1);
          kept += match.is_kept;
        }
        EXPECT_EQ(kept, found->matches.empty() ? 0u : 1u);
        (void)index->Stats();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t i = 0; i < kTexts; ++i) {
    std::string kept;
    size_t is_new = 0;
    for (size_t t = 0; t < kThreads; ++t) {
      ASSERT_EQ(answers[t].size(), kTexts);
      is_new += answers[t][i].is_new;
      if (answers[t][i].is_new) kept = answers[t][i].id;
    }
    EXPECT_EQ(is_new, 1u) << i;
    for (size_t t = 0; t < kThreads; ++t)
      EXPECT_EQ(answers[t][i].kept.id, kept);
  }
  EXPECT_EQ(index->Stats().kept, kTexts);
  EXPECT_TRUE(index->Verify()->empty());
  index.reset();
  index = *Index::Open(dir / "index", options);
  EXPECT_EQ(index->Stats().documents, kThreads * kTexts);
}

}  // namespace
}  // namespace twinset
