#include "base/ascii.h"

#include <gtest/gtest.h>

#include <string>

namespace twinset {
namespace {

constexpr std::string_view kUpper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view kLower = "abcdefghijklmnopqrstuvwxyz";

TEST(Ascii, ClassesOfEveryByte) {
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    const size_t upper = kUpper.find(c), lower = kLower.find(c);
    const bool letter = upper != kUpper.npos || lower != kLower.npos;
    const bool digit = std::string_view("0123456789").find(c) != kUpper.npos;
    EXPECT_EQ(IsAsciiLetter(c), letter) << byte;
    EXPECT_EQ(IsAsciiDigit(c), digit) << byte;
    EXPECT_EQ(IsAsciiHexDigit(c),
              digit || std::string_view("abcdefABCDEF").find(c) != kUpper.npos)
        << byte;
    EXPECT_EQ(IsAsciiSpace(c), kAsciiSpaces.find(c) != kUpper.npos) << byte;
    EXPECT_EQ(ToLowerAscii(c), upper == kUpper.npos ? c : kLower[upper])
        << byte;
  }
  EXPECT_EQ(kAsciiSpaces.size(), 5u);
}

TEST(Ascii, TrimTakesBothEndsOnly) {
  EXPECT_EQ(Trim(" \t\r\n\f a b\f\n"), "a b");
  EXPECT_EQ(Trim("a"), "a");
  EXPECT_EQ(Trim(" \n "), "");
  EXPECT_EQ(Trim(""), "");
  EXPECT_EQ(Trim("\va\v"), "\va\v");
  EXPECT_EQ(Trim(" \ta\n", kBlanks), "a\n");
}

TEST(Ascii, CaseDoesNotCount) {
  EXPECT_TRUE(EqualsIgnoreCase("DocType", "dOCtYPE"));
  EXPECT_TRUE(EqualsIgnoreCase("", ""));
  EXPECT_FALSE(EqualsIgnoreCase("a", "ab"));
  EXPECT_FALSE(EqualsIgnoreCase("ab", "a"));
  EXPECT_FALSE(EqualsIgnoreCase("@", "`"));  // 32 apart, and no letters
  EXPECT_FALSE(EqualsIgnoreCase("\xC3\x84", "\xC3\xA4"));
  EXPECT_TRUE(StartsWithIgnoreCase("Charset=x", "charset"));
  EXPECT_TRUE(StartsWithIgnoreCase("x", ""));
  EXPECT_FALSE(StartsWithIgnoreCase("char", "charset"));
}

}  // namespace
}  // namespace twinset
