#include "base/utf8.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace twinset {
namespace {

// The standard's table, place by place.
std::string Encoded(uint32_t c) {
  if (c < 0x80) return {static_cast<char>(c)};
  if (c < 0x800) {
    return {static_cast<char>(0xC0 + c / 64), static_cast<char>(0x80 + c % 64)};
  }
  return {static_cast<char>(0xE0 + c / 4096),
          static_cast<char>(0x80 + c / 64 % 64),
          static_cast<char>(0x80 + c % 64)};
}

TEST(Utf8, EveryCodePointOfThreeBytesAtMost) {
  for (uint32_t c = 0; c < 0x10000; ++c) {
    std::string text = "x";
    AppendCodePoint(c, &text);
    ASSERT_EQ(text, "x" + Encoded(c)) << c;
  }
}

TEST(Utf8, NoCodePointIsCut) {
  std::string text;
  for (const uint32_t c : {0x41u, 0xE9u, 0x4E2Du, 0x42u, 0x7FFu, 0x800u})
    text += Encoded(c);
  for (size_t limit = 0; limit <= text.size() + 3; ++limit) {
    // The last place at or before the limit where a code point begins or the
    // text ends.
    size_t expected = std::min(limit, text.size());
    while (expected < text.size() && expected > 0 &&
           IsContinuation(text[expected]))
      --expected;
    EXPECT_EQ(LengthUpTo(text, limit), expected) << limit;
  }
  EXPECT_EQ(LengthUpTo("\x80\x80\x80", 2), 0u);
  EXPECT_EQ(LengthUpTo("", 0), 0u);
}

}  // namespace
}  // namespace twinset
