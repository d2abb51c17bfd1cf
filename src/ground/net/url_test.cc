#include "net/url.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace twinset {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

TEST(NormaliseUrl, MakesOneSpellingOfMany) {
  const Pairs cases = {
      {"HTTP://Example.COM:80/%7Euser/./a/../b?x=%c3%a4#top",
       "http://example.com/~user/b?x=%C3%A4"},
      {"https://a:443", "https://a/"},
      {"http://a:443/", "http://a:443/"},
      {"http://a:/x", "http://a/x"},
      {"http://a?q", "http://a/?q"},
      {"http://a/?", "http://a/?"},
      {"http://a/b/..", "http://a/"},
      {"http://a/../../b", "http://a/b"},
      {"http://a/%2e%2E/b", "http://a/b"},
      {"http://a//b", "http://a//b"},
      {"http://[2001:DB8::1]:80/",
       "http://[2001:0db8:0000:0000:0000:0000:0000:0001]/"},
      {"http://%41%c3/", "http://a%C3/"},
      {"http://a%C3%BC.DE/", "http://a%C3%BC.de/"},
      {"http://User@A/", "http://User@a/"},
      {"http://127.0.0.1:8080/x", "http://127.0.0.1:8080/x"},
      {"mailto:A@b", "mailto:A@b"},
      {"file:///a/./b", "file:///a/b"},
  };
  for (const auto& [url, normal] : cases) EXPECT_EQ(NormaliseUrl(url), normal);
}

TEST(NormaliseUrl, TakesWhatPagesWrite) {
  const Pairs cases = {
      {" http://a/b c ", "http://a/b%20c"},
      {"http://a/\xC3\xA4|{}", "http://a/%C3%A4%7C%7B%7D"},
      {"http://a/?x[]=1", "http://a/?x%5B%5D=1"},
      {"http://a/100%", "http://a/100%25"},
      {"http://a/%zz", "http://a/%25zz"},
      {"http://a/x\n\ty", "http://a/xy"},
      {std::string("http://a/\0b", 11), "http://a/%00b"},
  };
  for (const auto& [url, normal] : cases) EXPECT_EQ(NormaliseUrl(url), normal);
}

TEST(NormaliseUrl, LeavesWhatIsNoAddress) {
  for (const std::string url : {"", "a/b", "/a", "//a/b", "12", "http://a:b/",
                                "http://[::1/", ":", "http://a[/"})
    EXPECT_EQ(NormaliseUrl(url), url);
  const std::string endless = "http://a/" + std::string(70000, 'x') + "#y";
  EXPECT_EQ(NormaliseUrl(endless), endless);
}

TEST(NormaliseUrl, IsItsOwnFixedPoint) {
  for (const std::string url :
       {"http://a/b;c=1?d#e", "urn:a:b", "x:/.//y", "x:a/..//b", "http:a",
        "http:///x", "x://", "http://@/", "a:b:c", "http://a/..;/x"}) {
    const std::string once = NormaliseUrl(url);
    EXPECT_EQ(NormaliseUrl(once), once) << url;
  }
}

// RFC 3986, 5.4.1 and 5.4.2 (strict), fragments cut off and the empty path of
// "http://g" made "/".
TEST(ResolveUrl, GivesTheExamplesOfTheStandard) {
  const Pairs cases = {
      {"g:h", "g:h"},
      {"g", "http://a/b/c/g"},
      {"./g", "http://a/b/c/g"},
      {"g/", "http://a/b/c/g/"},
      {"/g", "http://a/g"},
      {"//g", "http://g/"},
      {"?y", "http://a/b/c/d;p?y"},
      {"g?y", "http://a/b/c/g?y"},
      {"#s", "http://a/b/c/d;p?q"},
      {"g#s", "http://a/b/c/g"},
      {"g?y#s", "http://a/b/c/g?y"},
      {";x", "http://a/b/c/;x"},
      {"g;x", "http://a/b/c/g;x"},
      {"g;x?y#s", "http://a/b/c/g;x?y"},
      {"", "http://a/b/c/d;p?q"},
      {".", "http://a/b/c/"},
      {"./", "http://a/b/c/"},
      {"..", "http://a/b/"},
      {"../", "http://a/b/"},
      {"../g", "http://a/b/g"},
      {"../..", "http://a/"},
      {"../../", "http://a/"},
      {"../../g", "http://a/g"},
      {"../../../g", "http://a/g"},
      {"../../../../g", "http://a/g"},
      {"/./g", "http://a/g"},
      {"/../g", "http://a/g"},
      {"g.", "http://a/b/c/g."},
      {".g", "http://a/b/c/.g"},
      {"g..", "http://a/b/c/g.."},
      {"..g", "http://a/b/c/..g"},
      {"./../g", "http://a/b/g"},
      {"./g/.", "http://a/b/c/g/"},
      {"g/./h", "http://a/b/c/g/h"},
      {"g/../h", "http://a/b/c/h"},
      {"g;x=1/./y", "http://a/b/c/g;x=1/y"},
      {"g;x=1/../y", "http://a/b/c/y"},
      {"g?y/./x", "http://a/b/c/g?y/./x"},
      {"g#s/../x", "http://a/b/c/g"},
      {"http:g", "http:g"},
  };
  for (const auto& [reference, resolved] : cases) {
    const auto result = ResolveUrl("http://a/b/c/d;p?q", reference);
    ASSERT_TRUE(result.has_value()) << reference;
    EXPECT_EQ(*result, resolved) << reference;
  }
}

TEST(ResolveUrl, RefusesWhatItCannotRead) {
  EXPECT_EQ(ResolveUrl("a/b", "c").error().code, ErrorCode::kUsage);
  EXPECT_EQ(ResolveUrl("", "http://a/").error().code, ErrorCode::kUsage);
  EXPECT_EQ(ResolveUrl("http://a/", "http://b:x/").error().code,
            ErrorCode::kUsage);
  EXPECT_EQ(ResolveUrl("http://a/", std::string(70000, 'x')).error().code,
            ErrorCode::kUsage);
}

TEST(ResolveUrl, TakesWhatPagesWrite) {
  EXPECT_EQ(*ResolveUrl("http://a/b c/d", " e f\n"), "http://a/b%20c/e%20f");
  EXPECT_EQ(*ResolveUrl("http://a", "b"), "http://a/b");
}

TEST(UrlParts, AreRead) {
  EXPECT_EQ(UrlHost("http://me:pw@WWW.Example.com:80/x"), "www.example.com");
  EXPECT_EQ(UrlHost("http://[::1]:80/"), "[::1]");
  EXPECT_EQ(UrlHost("http://a?b@c"), "a");
  EXPECT_EQ(UrlHost("/a/b"), "");
  EXPECT_EQ(UrlHost("mailto:a@b"), "");
  EXPECT_EQ(UrlOrigin("HTTP://me@A:80/x"), "http://a");
  EXPECT_EQ(UrlOrigin("https://a:80/x"), "https://a:80");
  EXPECT_EQ(UrlOrigin("a/b"), "");
  EXPECT_EQ(UrlOrigin("file:///a"), "");
  EXPECT_EQ(UrlDepth("http://a/"), 0);
  EXPECT_EQ(UrlDepth("http://a"), 0);
  EXPECT_EQ(UrlDepth("http://a/b/c?d/e"), 2);
  EXPECT_EQ(UrlDepth("http://a//b//c/"), 2);
  EXPECT_EQ(UrlDepth("b/c#d/e"), 2);
}

TEST(IsHttpUrl, WantsSchemeAndHost) {
  EXPECT_TRUE(IsHttpUrl("http://a"));
  EXPECT_TRUE(IsHttpUrl("HTTPS://a:1/b"));
  for (const char* url : {"ftp://a", "http:a", "http:///a", "http://:80/", "a",
                          "", "http", "http://me@/"})
    EXPECT_FALSE(IsHttpUrl(url)) << url;
}

}  // namespace
}  // namespace twinset
