#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "live/index_fixture.h"
#include "twinset/index.h"

namespace twinset {
namespace {

class ReplaceTest : public IndexTest {};

TEST_F(ReplaceTest, ADocumentReplacesTheOneOfItsId) {
  Create();
  auto index = Open();
  IndexAddOptions options;
  options.replaces = true;
  const auto add = [&](const std::string& id, const std::string& text) {
    return (*index->CheckAndAdd({InputOf(id, text)}, options))[0];
  };
  EXPECT_TRUE(add("a", kText).replaced.empty());
  EXPECT_FALSE(add("b", kNear).is_new);
  // It is not compared with what it replaces.
  const IndexAnswer changed = add("a", kNear);
  EXPECT_EQ(changed.id, "a");
  EXPECT_TRUE(changed.is_new);
  EXPECT_THAT(changed.replaced, ::testing::ElementsAre("a"));
  EXPECT_EQ(changed.kept.copies, 2u);
  EXPECT_TRUE(add("a", kNear).is_repeated);
  EXPECT_EQ((*index->Find("a"))->text, kNear);
  EXPECT_FALSE(*index->Find("a#2"));
  EXPECT_EQ(index->Stats().documents, 2u);
  // All versions that came without it go.
  AddOne(index.get(), "a", kOther);
  const IndexAnswer last = add("a", kText);
  EXPECT_EQ(last.id, "a");
  EXPECT_THAT(last.replaced, ::testing::UnorderedElementsAre("a", "a#2"));
  EXPECT_EQ(index->Stats().documents, 2u);
  // An arrival number is no id that somebody gave.
  const IndexAnswer numbered = AddOne(index.get(), "", kOther);
  const IndexAnswer named = add(numbered.id, kText);
  EXPECT_TRUE(named.replaced.empty());
  EXPECT_EQ(named.id, numbered.id + "#2");
  ExpectSound(index.get());
}

// Wherever a crash cuts the log, the old document is there or the new one.
TEST_F(ReplaceTest, AReplacementThatIsCutOffLeavesTheOldOne) {
  Create();
  auto index = Open();
  AddOne(index.get(), "a", kText);
  AddOne(index.get(), "a", kOther);  // in a class of its own
  AddOne(index.get(), "b", kText);
  index.reset();
  index = Open();
  const std::string log = path_ + "/00000001.log";
  const uint64_t before = *FileSize(log);
  IndexAddOptions options;
  options.replaces = true;
  ASSERT_TRUE(index->CheckAndAdd({InputOf("a", kNear, "tag")}, options));
  const uint64_t after = *FileSize(log);
  ASSERT_GT(after, before + 100);
  int voids = 0;
  for (uint64_t bytes = before; bytes <= after; ++bytes) {
    SCOPED_TRACE(bytes);
    const std::string copy = dir_ / "cut";
    std::filesystem::copy(path_, copy);
    std::filesystem::resize_file(copy + "/00000001.log", bytes);
    for (const bool read_only : {true, false}) {
      IndexOpenOptions opening = Small();
      opening.read_only = read_only;
      const auto cut = Index::Open(copy, opening);
      ASSERT_TRUE(cut) << cut.error().ToString();
      const bool is_new = bytes == after;
      EXPECT_EQ((*cut)->Stats().documents, is_new ? 2u : 3u);
      EXPECT_EQ((*(*cut)->Find("a"))->text, is_new ? kNear : kText);
      EXPECT_EQ((*cut)->Find("a#2")->has_value(), !is_new);
      ExpectSound(cut->get());
      for (const std::string& repair : (*cut)->Stats().repairs)
        voids += repair.find("stays as it was") != std::string::npos;
      if (!read_only) AddOne(cut->get(), "c", kOther);
      ExpectSound(cut->get());
    }
    std::filesystem::remove_all(copy);
    if (HasFailure()) return;
  }
  EXPECT_GT(voids, 50);
}

}  // namespace
}  // namespace twinset
