#include "twinset/error.h"

#include <gtest/gtest.h>

#include <memory>

namespace twinset {
namespace {

TEST(Error, ToStringLeavesOutWhatIsEmpty) {
  EXPECT_EQ((Error{ErrorCode::kIo, "broken"}).ToString(), "broken");
  EXPECT_EQ((Error{ErrorCode::kIo, "broken", "file"}).ToString(),
            "file: broken");
  EXPECT_EQ((Error{ErrorCode::kIo, "broken", "file", "mend it"}).ToString(),
            "file: broken (mend it)");
  EXPECT_EQ((Error{ErrorCode::kIo, "broken", "", "mend it"}).ToString(),
            "broken (mend it)");
}

Result<std::unique_ptr<int>> Make(bool good) {
  if (!good) return Fail(ErrorCode::kUsage, "no", "here");
  return std::make_unique<int>(7);
}

Status Use(bool first, bool second, int* reached) {
  TWINSET_ASSIGN(const std::unique_ptr<int> a, Make(first));
  *reached = *a;
  TWINSET_ASSIGN(const std::unique_ptr<int> b, Make(second));
  *reached += *b;
  return {};
}

Status Twice(bool good, int* reached) {
  TWINSET_TRY(Use(good, true, reached));
  *reached = 100;
  return {};
}

TEST(Error, MacrosReturnTheFirstErrorAndMoveValues) {
  int reached = 0;
  EXPECT_TRUE(Use(true, true, &reached).has_value());
  EXPECT_EQ(reached, 14);
  reached = 0;
  Status status = Use(true, false, &reached);
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::kUsage);
  EXPECT_EQ(status.error().ToString(), "here: no");
  EXPECT_EQ(reached, 7);
  reached = 0;
  EXPECT_FALSE(Twice(false, &reached).has_value());
  EXPECT_EQ(reached, 0);
  EXPECT_TRUE(Twice(true, &reached).has_value());
  EXPECT_EQ(reached, 100);
}

}  // namespace
}  // namespace twinset
