#include "server/request_parts.h"

#include <gtest/gtest.h>

#include "server/guard.h"

namespace twinset::server {
namespace {

TEST(RequestPartsTest, DecodesEscapes) {
  EXPECT_EQ(PercentDecoded("a%20b%2Fc"), "a b/c");
  EXPECT_EQ(PercentDecoded("a+b"), "a+b");
  EXPECT_EQ(PercentDecoded("a+b", true), "a b");
  EXPECT_EQ(PercentDecoded("%00"), std::string(1, '\0'));
  for (const char* bad : {"%", "%4", "%zz", "a%2"})
    EXPECT_EQ(PercentDecoded(bad), std::nullopt) << bad;
}

TEST(RequestPartsTest, ParsesParameters) {
  const auto parsed = ParseParameters("a=1&&b=x%26y&a=2&c&=d");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(*FindParameterNamed(*parsed, "a"), "2");
  EXPECT_EQ(*FindParameterNamed(*parsed, "b"), "x&y");
  EXPECT_EQ(*FindParameterNamed(*parsed, "c"), "");
  EXPECT_EQ(FindParameterNamed(*parsed, "d"), nullptr);
  EXPECT_FALSE(ParseParameters("a=%"));
  EXPECT_TRUE(ParseParameters("")->empty());
}

TEST(RequestPartsTest, ReadsNames) {
  EXPECT_EQ(MediaType(" Text/HTML ; charset=x"), "text/html");
  EXPECT_EQ(HostName("A.org:80"), "a.org");
  EXPECT_EQ(HostName("[::1]:80"), "[::1]");
  EXPECT_EQ(HostName("[::1"), "");
  EXPECT_EQ(HostOfOrigin("https://a.org:1"), "a.org:1");
  EXPECT_EQ(HostOfOrigin("null"), "");
}

TEST(GuardTest, ComparesSecrets) {
  EXPECT_TRUE(IsEqualSecret("", ""));
  EXPECT_TRUE(IsEqualSecret("abc", "abc"));
  EXPECT_FALSE(IsEqualSecret("abc", "abd"));
  EXPECT_FALSE(IsEqualSecret("abc", "ab"));
}

}  // namespace
}  // namespace twinset::server
