#include "pipeline/read/judged_text.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

TEST(JudgedText, ReadsWhatWasWritten) {
  const std::vector<uint64_t> shingles = {1, 5, ~uint64_t{0}};
  for (const auto& other :
       {std::optional<std::string_view>(), std::optional<std::string_view>(""),
        std::optional<std::string_view>("all of the page")}) {
    for (const auto& layout : {std::vector<uint64_t>(), shingles}) {
      const std::string bytes = EncodeJudged({"the page", other}, layout);
      std::vector<uint64_t> read = {7};
      const auto text = DecodeJudged(bytes, &read);
      ASSERT_TRUE(text);
      EXPECT_EQ(text->compared, "the page");
      EXPECT_EQ(text->other, other);
      EXPECT_EQ(read, layout);
    }
  }
}

TEST(JudgedText, AnotherTextThatIsTheSameIsNotStored) {
  const std::string same = EncodeJudged({"page", "page"}, {});
  EXPECT_EQ(same, EncodeJudged({"page", {}}, {}));
}

TEST(JudgedText, DamageIsSeenOrChangesATextOnly) {
  const std::string good = EncodeJudged({"the page", "all of it"}, {3, 9});
  std::vector<uint64_t> layout;
  for (size_t end = 0; end < good.size(); ++end)
    EXPECT_FALSE(DecodeJudged(good.substr(0, end), &layout)) << end;
  EXPECT_FALSE(DecodeJudged(good + "x", &layout));
  for (size_t i = 0; i < good.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ (1 << bit));
      const auto text = DecodeJudged(bad, &layout);
      if (!text) {
        EXPECT_EQ(text.error().code, ErrorCode::kCorrupt);
      } else {
        EXPECT_NE(bad, good);
        EXPECT_EQ(EncodeJudged(*text, layout), bad) << i << " " << bit;
      }
    }
  }
}

}  // namespace
}  // namespace twinset
