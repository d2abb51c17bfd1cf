#include "report/line_list.h"

#include <gtest/gtest.h>

#include "base/test_dir.h"

namespace twinset {
namespace {

TEST(LineList, HasAnEntryPerLineOrNone) {
  TestDir dir;
  const std::string path = dir.path() + "/list.txt";
  auto list = LineList::Create(path);
  ASSERT_TRUE(list);
  EXPECT_TRUE(list->Add("one"));
  EXPECT_TRUE(list->Add(" two\t\x0b#2"));
  for (const char* entry : {"a\nb", "a\rb", "\n", "a\r"}) {
    const Status added = list->Add(entry);
    ASSERT_FALSE(added);
    EXPECT_EQ(added.error().code, ErrorCode::kCorrupt);
  }
  EXPECT_TRUE(list->Add(""));
  ASSERT_TRUE(list->Commit());
  EXPECT_EQ(*ReadWholeFile(path), "one\n two\t\x0b#2\n\n");
}

}  // namespace
}  // namespace twinset
