#include "net/robots.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace twinset {
namespace {

bool Allowed(const std::string& text, const std::string& target,
             const std::string& agent = "twinset") {
  return RobotsAllow(ParseRobots(text, agent), "http://example.com" + target);
}

// RFC 9309, 5.1.
constexpr char kSimple[] =
    "User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\n"
    "Allow: /publications/\n\nUser-Agent: foobot\nDisallow:/\n"
    "Allow:/example/page.html\nAllow:/example/allowed.gif\n\n"
    "User-Agent: barbot\nUser-Agent: bazbot\nDisallow: /example/page.html\n\n"
    "User-Agent: quxbot\n\nEOF\n";

TEST(Robots, SimpleExampleOfTheStandard) {
  EXPECT_FALSE(Allowed(kSimple, "/x.gif"));
  EXPECT_TRUE(Allowed(kSimple, "/x.gif?y"));
  EXPECT_FALSE(Allowed(kSimple, "/example/"));
  EXPECT_TRUE(Allowed(kSimple, "/publications/"));
  EXPECT_FALSE(Allowed(kSimple, "/", "foobot"));
  EXPECT_TRUE(Allowed(kSimple, "/example/page.html", "foobot"));
  EXPECT_TRUE(Allowed(kSimple, "/example/allowed.gif", "FooBot/1.2"));
  for (const char* bot : {"barbot", "bazbot"}) {
    EXPECT_FALSE(Allowed(kSimple, "/example/page.html", bot));
    EXPECT_TRUE(Allowed(kSimple, "/x.gif", bot));
  }
  // A group of its own without rules: everything may be fetched.
  EXPECT_TRUE(Allowed(kSimple, "/example/", "quxbot"));
}

// RFC 9309, 5.2.
TEST(Robots, LongestMatchOfTheStandard) {
  constexpr char kText[] =
      "User-Agent: foobot\nAllow: /example/page/\n"
      "Disallow: /example/page/disallowed.gif\n";
  EXPECT_FALSE(Allowed(kText, "/example/page/disallowed.gif", "foobot"));
  EXPECT_TRUE(Allowed(kText, "/example/page/other.gif", "foobot"));
}

// RFC 9309, 2.2.1: groups of one name are one; letters do not matter;
// ExampleBot is not ExampleBotto.
TEST(Robots, GroupsAreJoined) {
  constexpr char kText[] =
      "user-agent: ExampleBot\ndisallow: /foo\ndisallow: /bar\n\n"
      "USER-AGENT: EXAMPLEBOT/2.1 (x)\nDISALLOW: /baz\n"
      "user-agent: *\ndisallow: /\n";
  for (const char* target : {"/foo", "/bar", "/baz"})
    EXPECT_FALSE(Allowed(kText, target, "examplebot"));
  EXPECT_TRUE(Allowed(kText, "/other", "examplebot"));
  EXPECT_FALSE(Allowed(kText, "/other", "examplebotto"));
}

// RFC 9309, 2.2.2.
TEST(Robots, EscapesAreComparedInOneForm) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"/foo/bar?baz=quz", "/foo/bar?baz=quz"},
      {"/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar"},
      {"/foo/bar/\xE3\x83\x84", "/foo/bar/%E3%83%84"},
      {"/foo/bar/%E3%83%84", "/foo/bar/\xE3\x83\x84"},
      {"/foo/bar/%62%61%7A", "/foo/bar/baz"},
      {"/foo/bar/%e3%83%84", "/foo/bar/%E3%83%84"},
  };
  for (const auto& [pattern, target] : cases) {
    const std::string text = "User-agent: *\nDisallow: " + pattern;
    EXPECT_FALSE(Allowed(text, target)) << pattern;
    EXPECT_TRUE(Allowed(text, target.substr(0, target.size() - 1))) << pattern;
  }
}

// RFC 9309, 2.2.3.
TEST(Robots, SpecialCharacters) {
  const auto matches = [](const std::string& pattern,
                          const std::string& target) {
    return !Allowed("User-agent: *\nDisallow: " + pattern, target);
  };
  EXPECT_TRUE(matches("/", "/a"));
  EXPECT_TRUE(matches("/a # comment", "/ab"));
  EXPECT_TRUE(matches("/this/path/exactly$", "/this/path/exactly"));
  EXPECT_FALSE(matches("/this/path/exactly$", "/this/path/exactly/not"));
  EXPECT_TRUE(matches("/this/*/exactly", "/this/path/exactly"));
  EXPECT_TRUE(
      matches("/path/file-with-a-%2A.html", "/path/file-with-a-*.html"));
  EXPECT_FALSE(
      matches("/path/file-with-a-%2A.html", "/path/file-with-a-b.html"));
  EXPECT_TRUE(matches("/path/foo-%24", "/path/foo-$"));
  EXPECT_TRUE(matches("/path/foo-%24", "/path/foo-$bar"));
  EXPECT_TRUE(matches("/a$b", "/a$bc"));
  EXPECT_TRUE(matches("/fish*.php", "/fishheads/catfish.php?parameters"));
  EXPECT_FALSE(matches("/fish*.php", "/Fish.PHP"));
  EXPECT_TRUE(matches("/*.php$", "/x.php.php"));
  EXPECT_FALSE(matches("/*.php$", "/x.php?a"));
  EXPECT_TRUE(matches("/**b*", "/ab"));
  EXPECT_TRUE(matches("*", "/"));
  EXPECT_TRUE(matches("/a*b*c$", "/abcbc"));
  EXPECT_FALSE(matches("/a*bc*bc$", "/abc"));
}

TEST(Robots, TheLongerRuleWinsAndAllowWinsTies) {
  constexpr char kText[] =
      "user-agent:*\ndisallow:/page\nallow:/page\n"
      "allow:/p\ndisallow:/page/x\n";
  EXPECT_TRUE(Allowed(kText, "/page"));
  EXPECT_FALSE(Allowed(kText, "/page/x"));
}

TEST(Robots, ForgivesWhatPeopleWrite) {
  EXPECT_TRUE(Allowed("", "/"));
  EXPECT_TRUE(Allowed("<html>404</html>", "/"));
  EXPECT_TRUE(Allowed("Disallow: /\n", "/"));  // of no group
  EXPECT_TRUE(Allowed("User-agent: *\nDisallow:\n", "/"));
  EXPECT_FALSE(Allowed("\xEF\xBB\xBFUser-agent : *\r\rDisallow\t:/\r\n", "/"));
  // Other records end no group.
  EXPECT_FALSE(
      Allowed("User-agent: a\nSitemap: x\nUser-agent: twinset\n"
              "Crawl-delay: 3\nDisallow: /",
              "/"));
  EXPECT_TRUE(Allowed("User-agent: *\nDisallow: /", "/robots.txt"));
  EXPECT_FALSE(RobotsAllow({{"/", false}}, "http://a"));
  EXPECT_FALSE(RobotsAllow({{"/", false}}, "http://a?x"));
  EXPECT_TRUE(RobotsAllow({}, "http://a/b"));
}

TEST(Robots, ReadsTheFirst500KiB) {
  const std::string rest = "\nUser-agent: *\nDisallow: /\n";
  std::string text(kMostRobotsBytes - rest.size(), '#');
  EXPECT_FALSE(Allowed(text + rest, "/"));
  EXPECT_TRUE(Allowed(text + "####" + rest, "/"));
}

// Against the plain definition, tried everywhere.
bool Reference(const char* pattern, const char* target) {
  if (*pattern == 0) return true;
  if (*pattern == '$' && pattern[1] == 0) return *target == 0;
  if (*pattern == '*')
    return Reference(pattern + 1, target) ||
           (*target != 0 && Reference(pattern, target + 1));
  return *pattern == *target && Reference(pattern + 1, target + 1);
}

TEST(Robots, MatchesAsThePlainDefinition) {
  const std::string letters = "ab*$";
  uint64_t state = 1;
  const auto next = [&](uint64_t n) {
    state = state * 6364136223846793005 + 1442695040888963407;
    return (state >> 33) % n;
  };
  int matched = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string pattern = "/", target = "/";
    for (uint64_t k = next(6); k > 0; --k) pattern += letters[next(3)];
    if (next(3) == 0) pattern += '$';
    for (uint64_t k = next(8); k > 0; --k) target += letters[next(2)];
    const bool expected = Reference(pattern.c_str(), target.c_str());
    const RobotsRules rules =
        ParseRobots("user-agent:*\ndisallow:" + pattern, "x");
    ASSERT_EQ(!RobotsAllow(rules, "http://h" + target), expected)
        << pattern << " " << target;
    matched += expected;
  }
  EXPECT_GT(matched, 2000);
  EXPECT_LT(matched, 18000);
}

}  // namespace
}  // namespace twinset
