#include "traps/trap_probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/hash.h"
#include "net/url.h"
#include "traps/made_up_address.h"
#include "traps/trap_evidence.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::MatchesRegex;

// An address made up of the last of these, after its promises were checked.
std::string MadeUp(const std::vector<std::string>& urls, uint64_t seed = 1) {
  std::vector<AddressParts> parts;
  std::vector<const AddressParts*> crawled;
  for (const std::string& url : urls) parts.push_back(SplitAddress(url));
  for (const AddressParts& part : parts) crawled.push_back(&part);
  const UrlPattern pattern = GeneraliseUrls(parts);
  const std::string url = MakeUpAddress(pattern, urls.back(), crawled, seed);
  EXPECT_EQ(url, MakeUpAddress(pattern, urls.back(), crawled, seed));
  if (url.empty()) return url;
  EXPECT_EQ(url, NormaliseUrl(url));
  EXPECT_TRUE(pattern.Matches(SplitAddress(url))) << url;
  const AddressParts made = SplitAddress(url);
  for (const AddressParts& part : parts)
    EXPECT_FALSE(part.segments == made.segments &&
                 part.parameters == made.parameters)
        << url;
  return url;
}

TEST(MadeUpAddress, EachPlaceHasAValueOfItsKind) {
  EXPECT_THAT(MadeUp({"http://a:81/page12.html", "http://a:81/page137.html"}),
              MatchesRegex("http://a:81/page[1-9][0-9]{2}\\.html"));
  EXPECT_THAT(MadeUp({"https://a/c/2024-01-05", "https://a/c/2024-02-07"}),
              MatchesRegex("https://a/c/20[0-9]{2}-[01][0-9]-[0-3][0-9]"));
  EXPECT_THAT(MadeUp({"http://a/c/20240105.htm", "http://a/c/20240207.htm"}),
              MatchesRegex("http://a/c/20[0-9]{6}\\.htm"));
  EXPECT_THAT(MadeUp({"http://a/x?sid=0a1b2c3d4e&p=1",
                      "http://a/x?p=1&sid=ffee00112a"}),
              MatchesRegex("http://a/x\\?p=1&sid=[a-f]{4}[0-9]{5}[a-f]"));
  EXPECT_THAT(MadeUp({"http://a/i;s=AB12CD34EF", "http://a/i;s=AB99CD11XY"}),
              MatchesRegex("http://a/i;s=[A-Z]{2}[0-9]{2}[A-Z]{2}[0-9]{2}[A-Z]"
                           "{2}"));
  EXPECT_THAT(MadeUp({"http://a/red-shoes", "http://a/red-shirts"}),
              MatchesRegex("http://a/red-[a-z]{16}"));
  EXPECT_THAT(MadeUp({"http://a/d/x/y", "http://a/d/z"}),
              MatchesRegex("http://a/d/[a-z]{16}"));
  EXPECT_THAT(
      MadeUp({"http://a/d", "http://a/d?n=1&q=x", "http://a/d?n=2&q=x"}),
      MatchesRegex("http://a/d\\?n=[0-9]+&q=x"));
}

TEST(MadeUpAddress, ValuesAreThoseThatNoOneCrawled) {
  // All numbers of one digit are taken, at one place or at the other.
  std::vector<std::string> urls;
  for (int i = 0; i < 10; ++i)
    urls.push_back("http://a/" + std::to_string(i) +
                   "?n=" + std::to_string(9 - i));
  EXPECT_THAT(MadeUp(urls),
              MatchesRegex("http://a/[1-9][0-9]+\\?n=[1-9][0-9]+"));
  EXPECT_NE(MadeUp(urls, 1), MadeUp(urls, 2));
}

TEST(MadeUpAddress, NoneWhereNoValueVaries) {
  EXPECT_EQ(MadeUp({"http://a/d?x=1", "http://a/d"}), "");
  EXPECT_EQ(MadeUp({"http://a/d", "http://a/d"}), "");
  // Nothing is made up for an address that the pattern does not fit.
  EXPECT_EQ(MakeUpAddress(GeneraliseUrls({SplitAddress("http://a/1")}),
                          "http://a/2", {}, 1),
            "");
}

TEST(MadeUpAddress, KeepsItsPromisesOnAnyBytes) {
  SplitMix64 random(7);
  constexpr std::string_view kBytes = "abc019/?&=-.#;%\xc3\xa9";
  size_t made = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::string> urls(2 + random.Below(4), "http://h/");
    for (std::string& url : urls) {
      for (uint64_t i = random.Below(12); i > 0; --i)
        url += kBytes[random.Below(kBytes.size())];
      url = NormaliseUrl(url);
    }
    made += !MadeUp(urls, random.Next()).empty();
  }
  EXPECT_GT(made, 2000u);
}

TEST(JudgeProbe, EveryCase) {
  for (const bool says : {false, true}) {
    for (const bool anything : {false, true}) {
      for (const int status : {0, 200, 302, 404, 410, 500}) {
        for (const bool alike : {false, true}) {
          if (alike && status != 200) continue;
          for (const TrapType kind : {TrapType::kSoft404, TrapType::kSession,
                                      TrapType::kCalendar, TrapType::kOther}) {
            TrapType expected = kind;
            if (kind == TrapType::kOther && anything && alike)
              expected = TrapType::kSoft404;
            if (kind == TrapType::kSoft404 && !says &&
                (status == 404 || status == 410))
              expected = TrapType::kOther;
            EXPECT_EQ(JudgeProbe({kind, says, anything, status, alike}),
                      expected)
                << ChoiceName(kind) << says << anything << status << alike;
          }
        }
      }
    }
  }
}

TEST(JudgeProbe, WhatTakesAnything) {
  const auto takes = [](const std::vector<std::string>& urls) {
    std::vector<AddressParts> parts;
    for (const std::string& url : urls) parts.push_back(SplitAddress(url));
    return TakesAnything(GeneraliseUrls(parts));
  };
  EXPECT_TRUE(takes({"http://a/x", "http://a/y"}));
  EXPECT_TRUE(takes({"http://a/x/y", "http://a/y"}));
  EXPECT_TRUE(takes({"http://a/?q=x", "http://a/?q=y"}));
  EXPECT_TRUE(takes({"http://a/0a1b2c3d", "http://a/ffee0011"}));
  EXPECT_FALSE(takes({"http://a/1?d=2024-01-01", "http://a/2?d=2024-01-02"}));
  // A parameter that the page does without.
  EXPECT_FALSE(takes({"http://a/", "http://a/?q=x", "http://a/?q=y"}));
}

// ---- Asking ----

class FakeFetcher : public Fetcher {
 public:
  Result<FetchResponse> Get(const std::string& url) override {
    asked.push_back(url);
    const auto found = answers.find(url);
    if (found == answers.end())
      return Fail(ErrorCode::kUnavailable, "no answer in time", url);
    return found->second;
  }
  void Put(const std::string& url, int status, const std::string& text,
           const std::string& type = "text/html") {
    FetchResponse response;
    response.url = url;
    response.status = status;
    response.content_type = type;
    response.body = text;
    answers[url] = response;
  }
  std::map<std::string, FetchResponse> answers;
  std::vector<std::string> asked;
};

constexpr char kPage[] =
    "this long page is what every address of the host leads to whatever it "
    "is that was asked for by the one who came";

FoundTrap Found(const TextReader& reader, TrapType kind,
                const std::string& url) {
  FoundTrap found;
  found.trap.kind = kind;
  found.trap.probe.emplace();
  found.trap.probe->url = url;
  found.takes_anything = true;
  found.shingles = reader.Shingles(kPage);
  return found;
}

TEST(ProbeTraps, AsksOnceEachAndTellsWhatCame) {
  const auto reader = TextReader::Make({});
  ASSERT_TRUE(reader);
  FakeFetcher web;
  const std::string html = std::string("<html><body><p>") + kPage;
  web.Put("http://a/same", 200, html);
  web.Put("http://a/other", 200, "<p>a page with a text of its own</p>");
  web.Put("http://a/gone", 404, html);
  web.Put("http://a/bytes", 200, std::string("\x89PNG\r\n\x1a\n\0\1", 10),
          "image/png");
  std::vector<FoundTrap> found = {
      Found(*reader, TrapType::kOther, "http://a/same"),
      Found(*reader, TrapType::kOther, "http://a/other"),
      Found(*reader, TrapType::kSoft404, "http://a/gone"),
      Found(*reader, TrapType::kOther, "http://a/bytes"),
      Found(*reader, TrapType::kSoft404, "http://a/silent"),
      Found(*reader, TrapType::kCalendar, "")};
  ASSERT_TRUE(ProbeTraps({}, *reader, &web, &found));
  std::vector<std::string> told;
  for (const FoundTrap& trap : found)
    told.push_back(std::string(ChoiceName(trap.trap.kind)) + " " +
                   std::to_string(trap.trap.probe->status) +
                   (trap.trap.probe->alike ? " alike " : " ") +
                   trap.trap.probe->reason);
  EXPECT_THAT(told,
              ElementsAre("soft-404 200 alike ", "other 200 ", "other 404 ",
                          "other 200 ", "soft-404 0 no answer in time",
                          "calendar 0 no address of the pattern could "
                          "be made up"));
  EXPECT_EQ(web.asked.size(), 5u);
}

// An error page that repeats its address and is far from alike as a text.
TEST(ProbeTraps, APageWithTheSameSkeletonIsAlike) {
  const auto reader = TextReader::Make({});
  ASSERT_TRUE(reader);
  const auto text = [](const std::string& path) {
    return "Sorry " + path + " is a thing that we have not, " + path +
           " was it? Look for " + path + " elsewhere";
  };
  DocumentText crawled;
  crawled.text = text("/one/two/three");
  FoundTrap found =
      Found(*reader, TrapType::kSoft404, "http://a/zxcv/bnma/qwer");
  found.shingles = reader->Shingles(crawled.text);
  found.skeletons.insert(ReadTrapPage(*reader, crawled,
                                      "http://a/one/two/three", 100,
                                      /*with_words=*/false)
                             .skeleton);
  FakeFetcher web;
  web.Put("http://a/zxcv/bnma/qwer", 200, text("/zxcv/bnma/qwer"),
          "text/plain");
  std::vector<FoundTrap> traps = {found, found};
  traps[1].skeletons.clear();
  ASSERT_TRUE(ProbeTraps({}, *reader, &web, &traps));
  EXPECT_TRUE(traps[0].trap.probe->alike);
  EXPECT_FALSE(traps[1].trap.probe->alike);
}

TEST(ProbeTraps, Stops) {
  const auto reader = TextReader::Make({});
  ASSERT_TRUE(reader);
  FakeFetcher web;
  const std::atomic<bool> stop{true};
  std::vector<FoundTrap> found = {
      Found(*reader, TrapType::kOther, "http://a/x")};
  TrapProbeRules rules;
  rules.stop = &stop;
  EXPECT_EQ(ProbeTraps(rules, *reader, &web, &found).error().code,
            ErrorCode::kInterrupted);
  EXPECT_TRUE(web.asked.empty());
}

}  // namespace
}  // namespace twinset
