// An index as a saved run: a match against that finds what a query finds.
#include <filesystem>

#include "live/index_fixture.h"
#include "twinset/dedup.h"
#include "twinset/index_files.h"
#include "twinset/saved_run.h"

namespace twinset {
namespace {

const std::string kPage =
    "the old stone bridge over the river was closed to all traffic on monday "
    "after a crack was found in one of its arches";

TEST_F(IndexTest, ASavedRunHasTheDocumentsThatAQueryFinds) {
  Create();
  const auto index = Open();
  AddOne(index.get(), "a", kPage);
  AddOne(index.get(), "b", kPage + " today");
  AddOne(index.get(), "gone", kPage);
  AddOne(index.get(), "other", "nothing of this is there a second time at all");
  ASSERT_TRUE(index->Remove("gone"));
  EXPECT_TRUE(IsIndex(path_));
  EXPECT_FALSE(IsIndex(dir_.path()));
  for (const bool kept_only : {false, true}) {
    IndexSaveOptions options;
    options.folder = dir_ / (kept_only ? "kept" : "all");
    options.kept_only = kept_only;
    const auto saved = SaveAsRun(*index, options);
    ASSERT_TRUE(saved) << saved.error().ToString();
    EXPECT_EQ(saved->documents, kept_only ? 2u : 3u);
    ASSERT_TRUE(WriteWholeFile(dir_ / "asked.jsonl",
                               R"({"id":"q","text":")" + kPage + "\"}\n"));
    const auto as_saved = OptionsOfSavedRun(options.folder);
    ASSERT_TRUE(as_saved) << as_saved.error().ToString();
    MatchOptions match;
    static_cast<ComparisonOptions&>(match) = *as_saved;
    match.input.inputs = {dir_ / "asked.jsonl"};
    match.against = {options.folder};
    match.out = dir_ / "matched";
    match.overwrite = true;
    const auto matched = Match(match);
    ASSERT_TRUE(matched) << matched.error().ToString();
    IndexQuery query;
    query.kept_only = kept_only;
    const auto found =
        index->Query(InputOf("q", kPage, "", "").document, query);
    ASSERT_TRUE(found);
    EXPECT_EQ(matched->pairs, found->matches.size());
    EXPECT_EQ(matched->pairs, kept_only ? 1u : 2u);
    // What stands there is not written over.
    EXPECT_FALSE(SaveAsRun(*index, options));
  }
}

// Nothing that is made of an index stands in its folder, whatever makes it.
TEST_F(IndexTest, WhatIsMadeOfAnIndexStandsOutside) {
  Create();
  const auto index = Open();
  AddOne(index.get(), "a", kPage);
  ASSERT_TRUE(index->Snapshot(dir_ / "copy"));
  std::filesystem::create_directory_symlink(path_, dir_ / "way");
  for (const std::string& inside :
       {path_, path_ + "/below", path_ + "/below/deeper",
        std::string(dir_ / "way/below")}) {
    SCOPED_TRACE(inside);
    const Status made[] = {
        index->Snapshot(inside), index->Rebuild(inside, {}),
        SaveAsRun(*index, {.folder = inside}).map([](const auto&) {})};
    for (const Status& status : made) {
      ASSERT_FALSE(status);
      EXPECT_EQ(status.error().code, ErrorCode::kUsage);
      EXPECT_EQ(status.error().message, "this stands in the index");
    }
    EXPECT_FALSE(std::filesystem::exists(path_ + "/below"));
  }
  const Status back = Index::Restore(dir_ / "copy", dir_ / "copy/back");
  ASSERT_FALSE(back);
  EXPECT_EQ(back.error().message, "this stands in the snapshot");
  ASSERT_TRUE(index->Snapshot(dir_ / "beside"));
}

TEST_F(IndexTest, AnIndexOfBytesHasNoTextsToSave) {
  IndexOptions options;
  options.method.name = "exact";
  options.method.level = CopyLevel::kBytes;
  Create(options);
  const auto saved = SaveAsRun(*Open(), {.folder = dir_ / "saved"});
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().code, ErrorCode::kUnsupported);
  EXPECT_FALSE(std::filesystem::exists(dir_ / "saved"));
}

}  // namespace
}  // namespace twinset
