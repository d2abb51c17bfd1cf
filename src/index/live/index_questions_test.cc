// Tags, several indexes, differences, and indexes of other parameters.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <utility>

#include "live/index_fixture.h"

namespace twinset {
namespace {

TEST_F(IndexTest, TagsAreAskedForByDocument) {
  Create();
  auto index = Open();
  AddOne(index.get(), "a", kText, "first");
  AddOne(index.get(), "b", kText, "second");
  AddOne(index.get(), "c", kNear, "second");
  AddOne(index.get(), "d", kText);
  const auto names = [&](const Result<IndexFound>& found) {
    std::string all;
    for (const IndexMatch& match : found->matches) all += match.id + " ";
    return all;
  };
  const auto query = [&](std::vector<std::string> within,
                         std::vector<std::string> without) {
    IndexQuery asked;
    asked.within_tags = std::move(within);
    asked.without_tags = std::move(without);
    return asked;
  };
  EXPECT_EQ(names(index->Query(DocumentOf(kText), query({"second"}, {}))),
            "b c ");
  EXPECT_EQ(names(index->Query(DocumentOf(kText), query({}, {"second"}))),
            "a d ");
  EXPECT_EQ(
      names(index->Query(DocumentOf(kText), query({"second"}, {"second"}))),
      "");
  // What the second set dropped for one of the first is in it all the same.
  const auto checked = index->Check(DocumentOf(kText), query({"second"}, {}));
  EXPECT_EQ(names(checked), "b c ");
  EXPECT_FALSE(checked->matches[0].is_kept);
  EXPECT_EQ(names(index->Check(DocumentOf(kText), query({}, {"second"}))),
            "a ");
  EXPECT_EQ(names(index->Check(DocumentOf(kText), query({}, {"first"}))),
            "d c ");
  const auto unknown = index->Check(DocumentOf(kText), query({"third"}, {}));
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kNotFound);
}

TEST_F(IndexTest, SeveralIndexesAnswerAsOne) {
  Create();
  auto first = Open();
  path_ = dir_ / "other";
  IndexOptions options;
  options.method.threshold = 0.95;
  Create(options);
  auto second = Open();
  AddOne(first.get(), "a", kNear);
  AddOne(second.get(), "b", kText);
  AddOne(second.get(), "c", kNear);
  const Index* const both[] = {first.get(), second.get()};
  const auto found = QueryAll(both, DocumentOf(kText), {});
  ASSERT_TRUE(found);
  ASSERT_EQ(found->matches.size(),
            2u);  // "c" is below the threshold of its own
  EXPECT_EQ(found->matches[0].id, "b");
  EXPECT_EQ(found->matches[0].index, 1u);
  EXPECT_EQ(found->matches[1].id, "a");
  EXPECT_EQ(found->matches[1].index, 0u);
  EXPECT_EQ(QueryAll(both, DocumentOf(kNear), {1})->matches[0].id, "a");
  // Each is asked for the tags that it has.
  AddOne(second.get(), "d", kText, "set");
  IndexQuery query;
  query.within_tags = {"set"};
  const auto within = QueryAll(both, DocumentOf(kText), query);
  ASSERT_TRUE(within) << within.error().ToString();
  ASSERT_EQ(within->matches.size(), 1u);
  EXPECT_EQ(within->matches[0].id, "d");
  std::swap(query.within_tags, query.without_tags);
  EXPECT_EQ(QueryAll(both, DocumentOf(kText), query)->matches.size(), 2u);
  query.without_tags.push_back("none");
  EXPECT_FALSE(QueryAll(both, DocumentOf(kText), query));
}

TEST_F(IndexTest, DifferencesAreToldOfTheMostSimilarOne) {
  Create();
  auto index = Open();
  AddOne(index.get(), "a", kText);
  IndexQuery query;
  query.why = true;
  const auto found = index->Query(DocumentOf(kNear), query);
  ASSERT_TRUE(found);
  const auto expect = [](const IndexMatch& match) {
    ASSERT_EQ(match.differences.size(), 2u);
    EXPECT_TRUE(match.differences[0].of_asked);
    EXPECT_EQ(match.differences[0].text, "night");
    EXPECT_FALSE(match.differences[1].of_asked);
    EXPECT_EQ(match.differences[1].text, "day");
    EXPECT_EQ(match.differences[1].tokens, 1u);
  };
  expect(found->matches[0]);
  EXPECT_TRUE(index->Query(DocumentOf(kNear))->matches[0].differences.empty());
  EXPECT_TRUE(
      index->Query(DocumentOf(kText), query)->matches[0].differences.empty());
  const auto added = index->CheckAndAdd(
      {InputOf("b", kNear), InputOf("c", kOther), InputOf("d", kText)}, {true});
  ASSERT_TRUE(added);
  expect((*added)[0].kept);
  EXPECT_TRUE((*added)[1].kept.differences.empty());
  EXPECT_TRUE((*added)[2].kept.differences.empty());
  // Many differences are told in part, and of long ones the begin.
  std::string long_text, other_text;
  for (int i = 0; i < 4000; ++i) {
    long_text += "w" + std::to_string(i) + " ";
    other_text += "w" + std::to_string(i) + (i % 100 == 0 ? "x " : " ");
  }
  for (int i = 0; i < 100; ++i)
    other_text += "\xC3\xA9" + std::to_string(i) + " ";
  AddOne(index.get(), "long", long_text);
  const IndexMatch match =
      index->Query(DocumentOf(other_text), query)->matches[0];
  EXPECT_EQ(match.differences.size(), 20u);
  EXPECT_EQ(match.more_differences, 61u);
  for (const IndexDifference& difference : match.differences)
    EXPECT_LE(difference.text.size(), 203u);
}

TEST_F(IndexTest, ARebuildKeepsNamesAndRefusesBytes) {
  Create();
  auto index = Open();
  AddOne(index.get(), "a", kText, "set");
  AddOne(index.get(), "a", kOther);
  AddOne(index.get(), "", kNear);
  ASSERT_EQ(*index->Remove("a"), 1u);
  const std::string other = dir_ / "other";
  ASSERT_TRUE(index->Rebuild(other, {{"threshold", "0.95"}}));
  EXPECT_FALSE(index->Rebuild(other, {}));  // it is there
  {
    const auto rebuilt = Index::Open(other);
    ASSERT_TRUE(rebuilt);
    EXPECT_EQ((*rebuilt)->Stats().parameters["threshold"], Json(0.95));
    EXPECT_EQ((*rebuilt)->Query(DocumentOf(kOther))->matches[0].id, "a#2");
    EXPECT_EQ((*rebuilt)->Query(DocumentOf(kNear))->matches[0].id, "2");
    EXPECT_TRUE(AddOne(rebuilt->get(), "a", kOther).is_repeated);
    EXPECT_EQ(AddOne(rebuilt->get(), "a", kText).id, "a#3");
    EXPECT_EQ(AddOne(rebuilt->get(), "", kText).id, "4");
  }
  std::atomic<bool> stop = true;
  EXPECT_EQ(index->Rebuild(dir_ / "stopped", {}, &stop).error().code,
            ErrorCode::kInterrupted);
  EXPECT_EQ(
      index->Rebuild(dir_ / "bytes", {{"method", "exact"}, {"level", "bytes"}})
          .error()
          .code,
      ErrorCode::kUnsupported);
  for (const char* none : {"stopped", "bytes"}) {
    EXPECT_FALSE(FileExists(dir_ / none));
    EXPECT_FALSE(FileExists(dir_ / (std::string(none) + ".partial")));
  }
}

}  // namespace
}  // namespace twinset
