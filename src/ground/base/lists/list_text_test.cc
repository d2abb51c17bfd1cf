#include "base/lists/list_text.h"

#include <gtest/gtest.h>

#include <string>

#include "base/file.h"
#include "base/test_dir.h"

namespace twinset {
namespace {

using std::string_literals::operator""s;

std::string Refusal(std::string bytes) {
  const auto text = ListTextOf(std::move(bytes), "list");
  return text ? "" : text.error().ToString();
}

TEST(ListText, MarksAndLineEndsAreTakenAway) {
  EXPECT_EQ(WithoutMark("\xef\xbb\xbf\xef\xbb\xbf"
                        "a\xef\xbb\xbf"),
            "a\xef\xbb\xbf");
  EXPECT_EQ(ListTextOf("\xef\xbb\xbf"
                       "a\r\n\xef\xbb\xbf"
                       "b \r\n\n",
                       "l")
                .value(),
            "a\nb \n\n");
  EXPECT_EQ(ListTextOf("last\r", "l").value(), "last");
  EXPECT_EQ(ListTextOf("", "l").value(), "");
}

TEST(ListText, OtherCodingsAreNamed) {
  EXPECT_EQ(Refusal("\xff\xfe"
                    "a\0"s),
            "list: is UTF-16 (convert it to UTF-8, for example with iconv -f "
            "UTF-16 -t UTF-8)");
  EXPECT_NE(Refusal("\xfe\xff\0a"s).find("is UTF-16"), std::string::npos);
  EXPECT_NE(Refusal("\xff\xfe\0\0a\0\0\0"s).find("is UTF-32"),
            std::string::npos);
  EXPECT_NE(Refusal("w\0o\0r\0d\0"s).find("is UTF-16LE"), std::string::npos);
  EXPECT_NE(Refusal("\0w\0o\0r\0d"s).find("is UTF-16BE"), std::string::npos);
}

TEST(ListText, WhatIsNoTextIsSaid) {
  EXPECT_EQ(Refusal("a\nb\0c\n"s),
            "list:2: holds a NUL byte, so it is no text");
  EXPECT_NE(Refusal("\x1f\x8b\x08").find("decompress it"), std::string::npos);
}

TEST(ListText, AFileHasAMostSize) {
  TestDir dir;
  ASSERT_TRUE(WriteWholeFile(dir / "list", std::string(100'000, 'a')));
  EXPECT_TRUE(ReadListText(dir / "list", 100'000));
  EXPECT_FALSE(ReadListText(dir / "list", 10'000));
  EXPECT_FALSE(ReadListText("/dev/zero", 10'000));
}

}  // namespace
}  // namespace twinset
