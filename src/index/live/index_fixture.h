// For tests only: an index in a folder that goes when the test ends.
#ifndef TWINSET_SRC_INDEX_LIVE_INDEX_FIXTURE_H_
#define TWINSET_SRC_INDEX_LIVE_INDEX_FIXTURE_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/test_dir.h"
#include "live/index_testing.h"
#include "twinset/index.h"

namespace twinset {

class IndexTest : public ::testing::Test {
 protected:
  void SetUp() override { path_ = dir_ / "index"; }
  void TearDown() override { SetFileFault({}); }

  void Create(const IndexOptions& options = {}) {
    const Status made = Index::Create(path_, options);
    ASSERT_TRUE(made) << made.error().ToString();
  }
  // Small runs, so that there are many.
  static IndexOpenOptions Small() {
    IndexOpenOptions options;
    options.run_postings = 400;
    options.threads = 2;
    return options;
  }
  std::unique_ptr<Index> Open(const IndexOpenOptions& options = Small()) {
    auto index = Index::Open(path_, options);
    EXPECT_TRUE(index) << index.error().ToString();
    return index ? std::move(*index) : nullptr;
  }
  static std::vector<IndexAnswer> Add(Index* index,
                                      std::vector<IndexInput> batch) {
    auto answers = index->CheckAndAdd(std::move(batch));
    EXPECT_TRUE(answers) << answers.error().ToString();
    return answers ? *answers : std::vector<IndexAnswer>();
  }
  static IndexAnswer AddOne(Index* index, const std::string& id,
                            const std::string& text,
                            const std::string& tag = "",
                            const std::string& date = "2026-01-02") {
    auto answers = Add(index, {InputOf(id, text, tag, date)});
    return answers.empty() ? IndexAnswer() : answers[0];
  }
  static void ExpectSound(Index* index) {
    const auto findings = index->Verify();
    ASSERT_TRUE(findings) << findings.error().ToString();
    EXPECT_THAT(*findings, ::testing::IsEmpty());
  }

  const TestDir dir_;
  std::string path_;
};

inline constexpr char kText[] =
    "a page about the history of the lighthouse on the northern coast, "
    "which was built of stone and burns to this day";
inline constexpr char kNear[] =
    "a page about the history of the lighthouse on the northern coast, "
    "which was built of stone and burns to this night";
inline constexpr char kOther[] =
    "nothing of this is in any way like what the other documents have "
    "to say about towers, coasts, stones and lamps";

}  // namespace twinset

#endif  // TWINSET_SRC_INDEX_LIVE_INDEX_FIXTURE_H_
