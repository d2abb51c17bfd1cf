// UTF-8 decoding; src/stages/text/tokens/tokens_classes_test.cc compares the
// classes with ICU.
#include "kernels/unicode_class.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace twinset::kernels {
namespace {

using ::testing::ElementsAre;

TEST(DecodeUtf8, RoundTripsEveryCodePoint) {
  for (uint32_t c = 0; c < 0x110000; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    std::string bytes;
    if (c < 0x80) {
      bytes = {static_cast<char>(c)};
    } else if (c < 0x800) {
      bytes = {static_cast<char>(0xC0 | c >> 6),
               static_cast<char>(0x80 | (c & 63))};
    } else if (c < 0x10000) {
      bytes = {static_cast<char>(0xE0 | c >> 12),
               static_cast<char>(0x80 | (c >> 6 & 63)),
               static_cast<char>(0x80 | (c & 63))};
    } else {
      bytes = {static_cast<char>(0xF0 | c >> 18),
               static_cast<char>(0x80 | (c >> 12 & 63)),
               static_cast<char>(0x80 | (c >> 6 & 63)),
               static_cast<char>(0x80 | (c & 63))};
    }
    const CodePoint got = DecodeUtf8(bytes.data(), bytes.data() + bytes.size());
    ASSERT_TRUE(got.valid);
    ASSERT_EQ(got.value, c);
    ASSERT_EQ(got.size, bytes.size());
    // Cut short it is one malformed sequence.
    for (size_t cut = 1; cut < bytes.size(); ++cut) {
      const CodePoint part = DecodeUtf8(bytes.data(), bytes.data() + cut);
      ASSERT_FALSE(part.valid);
      ASSERT_EQ(part.size, cut);
    }
  }
}

TEST(DecodeUtf8, MalformedBytesEndAtTheMaximalSubpart) {
  const auto sizes = [](std::string_view bytes) {
    std::vector<uint32_t> sizes;
    const char *p = bytes.data(), *end = p + bytes.size();
    while (p < end) {
      const CodePoint c = DecodeUtf8(p, end);
      if (!c.valid) {
        EXPECT_EQ(c.value, 0xFFFDu);
      }
      sizes.push_back(c.size);
      p += c.size;
    }
    return sizes;
  };
  // The examples of Unicode 15.0, tables 3-8 to 3-11.
  EXPECT_THAT(sizes("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41"),
              ElementsAre(1, 1, 1, 1, 1, 1, 1, 1, 1));
  EXPECT_THAT(sizes("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41"),
              ElementsAre(1, 1, 1, 1, 1, 1, 1, 1, 1));
  EXPECT_THAT(sizes("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42"),
              ElementsAre(1, 1, 1, 1, 1, 1, 1, 1, 1));
  EXPECT_THAT(sizes("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"),
              ElementsAre(2, 1, 3, 2, 1));
}

}  // namespace
}  // namespace twinset::kernels
