#include "net/url_rules.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "base/hash.h"
#include "net/url.h"

namespace twinset {
namespace {

std::string By(UrlRule rule, std::string url) {
  ApplyUrlRule(rule, &url);
  return url;
}

std::vector<UrlRule> AllRules() {
  std::vector<UrlRule> rules;
  for (const auto& choice : kChoices<UrlRule>) rules.push_back(choice.value);
  return rules;
}

std::string ByAll(std::string url) {
  ApplyUrlRules(AllRules(), &url);
  return url;
}

TEST(UrlRules, EachTakesItsDifferenceAway) {
  const std::vector<std::tuple<UrlRule, std::string, std::string>> rows = {
      {UrlRule::kRfc3986, "HTTP://A.b:80/%7ex#f", "http://a.b/~x"},
      {UrlRule::kRfc3986, "A.b/x/../y", "a.b/y"},
      {UrlRule::kRfc3986, "a.b:443/", "a.b/"},
      {UrlRule::kFinalDot, "http://a.b./x", "http://a.b/x"},
      {UrlRule::kScheme, "https://a.b/x", "a.b/x"},
      {UrlRule::kScheme, "ftp://a.b/x", "ftp://a.b/x"},
      {UrlRule::kWww, "http://WWW.a.b/x", "http://a.b/x"},
      {UrlRule::kWww, "http://www2.a.b/x", "http://a.b/x"},
      {UrlRule::kWww, "http://www.com/x", "http://www.com/x"},
      {UrlRule::kWww, "http://www.com./x", "http://www.com./x"},
      {UrlRule::kPort, "http://u:1@a.b:8080/x", "http://u:1@a.b/x"},
      {UrlRule::kPort, "http://[::1]:8080/x", "http://[::1]/x"},
      {UrlRule::kDefaultPage, "http://a.b/c/Index.HTML?d", "http://a.b/c/?d"},
      {UrlRule::kDefaultPage, "http://a.b/indexes.html",
       "http://a.b/indexes.html"},
      {UrlRule::kSession, "http://a.b/?x=1&PHPSESSID=2", "http://a.b/?x=1"},
      {UrlRule::kSession, "http://a.b/x;jsessionid=1/y", "http://a.b/x/y"},
      {UrlRule::kSession, "http://a.b/?sid=3", "http://a.b/?sid=3"},
      {UrlRule::kSession, "http://a.b/?sid=0123456789abcdef", "http://a.b/"},
      {UrlRule::kTracking, "http://a.b/?utm_source=x&y", "http://a.b/?y"},
      {UrlRule::kTracking, "http://a.b/?gclid=x#f", "http://a.b/#f"},
      {UrlRule::kEmptyQuery, "http://a.b/?", "http://a.b/"},
      {UrlRule::kQueryOrder, "http://a.b/?b=1&a=2", "http://a.b/?a=2&b=1"},
      {UrlRule::kTrailingSlash, "http://a.b/c//", "http://a.b/c"},
      {UrlRule::kTrailingSlash, "http://a.b", "http://a.b/"},
      {UrlRule::kTrailingSlash, "http://a.b/", "http://a.b/"},
      {UrlRule::kCase, "http://a.b/X%C3Y", "http://a.b/x%C3y"}};
  for (const auto& [rule, url, wanted] : rows) {
    EXPECT_EQ(By(rule, url), wanted) << ChoiceName(rule) << " " << url;
  }
}

TEST(UrlRules, ListsThatDifferOnlyInSpellingMeet) {
  for (const char* url :
       {"https://www.a.b:443/x/index.html?utm_source=y", "a.b/x/",
        "http://A.B./x;jsessionid=9", "//a.b:8080/x?"}) {
    EXPECT_EQ(ByAll(url), "a.b/x") << url;
  }
}

TEST(UrlRules, WhatIsNoAddress) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"http://a.b/", ""},
      {"a.b/x", ""},
      {"//localhost/", ""},
      {"http://[::1]/", ""},
      {"", "empty"},
      {"http:///x", "no-host"},
      {"mailto:a@b", "no-address"},
      {"two words", "no-address"},
      {"/path", "no-address"},
      {"http://a b/", "bad-host"},
      {"http://a..b/", "bad-host"},
      {"http://" + std::string(300, 'a') + "/", "host-too-long"},
      {"http://a/" + std::string(70000, 'a'), "too-long"}};
  for (const auto& [text, why] : rows) {
    EXPECT_EQ(WhyNoAddress(text), why) << text.substr(0, 40);
  }
}

// Addresses of parts that rules are about, and of what breaks parsers.
std::string RandomUrl(SplitMix64* random) {
  static const std::vector<std::vector<std::string>> kParts = {
      {"http://", "HTTP://", "https://", "//", "", "ftp://"},
      {"", "www.", "WWW.", "www3.", "www.www."},
      {"a.b", "A.b", "www.com", "a.b.", "10.0.0.1", "[::1]", "a_b.c"},
      {"", ":80", ":443", ":", ":8080"},
      {"", "/", "/x", "/x/", "/x//", "/./x/../", "/%7Ex", "/%41%c3", "/X"},
      {"", "/index.html", "/INDEX.php", "/y;jsessionid=1", "/..", "/%2e",
       "/index.html/", ";s=1234567890abcdef"},
      {"", "?", "?b=1&a=2", "?utm_source=1", "?PHPSESSID=1&z", "?&", "?%62=1&a",
       "?sid=0123456789abcdef01&utm_x", "?B=1&a=2"},
      {"", "#", "#f"}};
  std::string url;
  for (const auto& part : kParts) url += part[random->Below(part.size())];
  return url;
}

TEST(UrlRules, OneLookAgreesWithTheNormalForm) {
  SplitMix64 random(7);
  for (int i = 0; i < 20000; ++i) {
    const std::string url = RandomUrl(&random);
    if (IsPlainlyNormal(url)) {
      EXPECT_EQ(NormaliseUrl(url), url);
    }
  }
}

// What a join by all rules rests on: no rule leads out of the class.
TEST(UrlRules, AllRulesTakeInEachRuleAlone) {
  SplitMix64 random(8);
  constexpr int kAddresses = TWINSET_SLOW_BUILD ? 500 : 20000;
  for (int i = 0; i < kAddresses; ++i) {
    const std::string url = RandomUrl(&random);
    if (!WhyNoAddress(url).empty()) continue;
    const std::string all = ByAll(url);
    EXPECT_EQ(ByAll(all), all) << url;
    for (const UrlRule rule : AllRules()) {
      EXPECT_EQ(ByAll(By(rule, url)), all) << url << " " << ChoiceName(rule);
    }
  }
}

}  // namespace
}  // namespace twinset
