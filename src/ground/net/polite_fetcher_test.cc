#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "net/fetcher.h"
#include "net/url.h"

namespace twinset {
namespace {

using testing::ElementsAre;

struct FakeClock : Clock {
  uint64_t now_ms = 1000;
  uint64_t NowMs() override { return now_ms; }
  void SleepMs(uint64_t ms) override { now_ms += ms; }
};

// Answers by address, the last one for ever; every request takes 10 ms.
struct FakeWeb {
  FakeClock clock;
  std::map<std::string, std::deque<Result<FetchResponse>>> pages;
  std::vector<std::pair<std::string, uint64_t>> asked;  // and when

  void Put(const std::string& url, int status, const std::string& body = "",
           int retry_after_s = -1, const std::string& location = "") {
    FetchResponse response;
    response.url = url;
    response.status = status;
    response.body = body;
    response.retry_after_s = retry_after_s;
    response.location = location;
    pages[url].push_back(response);
  }
  void Break(const std::string& url, ErrorCode code) {
    pages[url].push_back(Fail(code, "broken", url));
  }
  std::vector<std::string> urls() const {
    std::vector<std::string> urls;
    for (const auto& [url, ms] : asked) urls.push_back(url);
    return urls;
  }
};

class FakeFetcher : public Fetcher {
 public:
  explicit FakeFetcher(FakeWeb* web) : web_(web) {}
  Result<FetchResponse> Get(const std::string& url) override {
    web_->asked.emplace_back(url, web_->clock.now_ms);
    web_->clock.now_ms += 10;
    auto& answers = web_->pages[url];
    if (answers.empty()) {
      FetchResponse missing;
      missing.url = url;
      missing.status = 404;
      return missing;
    }
    Result<FetchResponse> answer = answers.front();
    if (answers.size() > 1) answers.pop_front();
    return answer;
  }

 private:
  FakeWeb* web_;
};

class PoliteFetcherTest : public testing::Test {
 protected:
  std::unique_ptr<Fetcher> Polite() {
    return MakePolite(std::make_unique<FakeFetcher>(&web_), options_,
                      &web_.clock);
  }
  FakeWeb web_;
  PolitenessOptions options_;
};

TEST_F(PoliteFetcherTest, WaitsBetweenRequestsToOneHost) {
  options_.robots = false;
  web_.Put("http://a/1", 200, "x");
  const auto fetcher = Polite();
  EXPECT_EQ(fetcher->Get("http://a/1")->body, "x");
  ASSERT_TRUE(fetcher->Get("http://b/"));
  ASSERT_TRUE(fetcher->Get("http://a:80/2"));
  // 10 ms a request: b at once, a not before 1000 ms after its answer.
  EXPECT_EQ(web_.asked[1].second, 1010u);
  EXPECT_EQ(web_.asked[2].second, 2010u);
  web_.clock.now_ms += 5000;
  ASSERT_TRUE(fetcher->Get("http://a/3"));
  EXPECT_EQ(web_.asked[3].second, 7020u);
}

// Parts of a millisecond that the clock leaves out make no wait shorter.
TEST(SystemClockTest, WaitsAreNeverTooShort) {
  using std::chrono::steady_clock;
  SplitMix64 random(3);
  for (int round = 0; round < 60; ++round) {
    const auto spin = [&] {
      const auto end =
          steady_clock::now() + std::chrono::microseconds(random.Below(1000));
      while (steady_clock::now() < end) {
      }
    };
    spin();
    const auto begin = steady_clock::now();
    const uint64_t since_ms = SystemClock()->NowMs();
    spin();
    SystemClock()->WaitSince(since_ms, 1);
    EXPECT_GE(steady_clock::now() - begin, std::chrono::milliseconds(1));
  }
}

TEST_F(PoliteFetcherTest, TriesAgainLaterAndLater) {
  options_.robots = false;
  options_.delay_ms = 0;
  web_.Break("http://a/", ErrorCode::kUnavailable);
  web_.Put("http://a/", 503);
  web_.Put("http://a/", 429, "", 7);
  web_.Put("http://a/", 200, "at last");
  const auto fetcher = Polite();
  EXPECT_EQ(fetcher->Get("http://a/")->body, "at last");
  std::vector<uint64_t> waits;
  for (size_t i = 1; i < web_.asked.size(); ++i)
    waits.push_back(web_.asked[i].second - web_.asked[i - 1].second - 10);
  EXPECT_THAT(waits, ElementsAre(1000, 2000, 7000));
}

TEST_F(PoliteFetcherTest, GivesUp) {
  options_.robots = false;
  options_.retries = 2;
  web_.Break("http://a/", ErrorCode::kUnavailable);
  web_.Put("http://b/", 503);
  web_.Put("http://c/", 429, "", 3600);
  web_.Break("http://d/", ErrorCode::kNotFound);
  web_.Put("http://e/", 500);
  const auto fetcher = Polite();
  EXPECT_EQ(fetcher->Get("http://a/").error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(web_.asked.size(), 3u);
  EXPECT_EQ(fetcher->Get("http://b/")->status, 503);
  EXPECT_EQ(web_.asked.size(), 6u);
  // It wants to be left alone for longer than we wait.
  EXPECT_EQ(fetcher->Get("http://c/")->status, 429);
  EXPECT_EQ(web_.asked.size(), 7u);
  EXPECT_EQ(fetcher->Get("http://d/").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(fetcher->Get("http://e/")->status, 500);
  EXPECT_EQ(web_.asked.size(), 9u);
}

TEST_F(PoliteFetcherTest, AsksRobotsOnceAnOrigin) {
  web_.Put("http://a/robots.txt", 200, "User-agent: *\nDisallow: /no");
  web_.Put("http://a/yes", 200, "y");
  const auto fetcher = Polite();
  EXPECT_EQ(fetcher->Get("http://a/yes")->body, "y");
  const auto no = fetcher->Get("http://A:80/%6eo?x");
  EXPECT_EQ(no.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(no.error().message, "excluded by robots.txt");
  ASSERT_TRUE(fetcher->Get("http://a:81/no"));  // another origin
  EXPECT_THAT(web_.urls(),
              ElementsAre("http://a/robots.txt", "http://a/yes",
                          "http://a:81/robots.txt", "http://a:81/no"));
  web_.clock.now_ms += 25ull * 3600 * 1000;
  ASSERT_TRUE(fetcher->Get("http://a/yes"));
  EXPECT_EQ(web_.asked[4].first, "http://a/robots.txt");  // a day later
}

TEST_F(PoliteFetcherTest, MissingRobotsAllowUnreachableOnesForbid) {
  options_.retries = 0;
  web_.Put("http://missing/robots.txt", 403);
  web_.Put("http://ill/robots.txt", 500);
  web_.Break("http://down/robots.txt", ErrorCode::kUnavailable);
  web_.Break("http://nowhere/robots.txt", ErrorCode::kNotFound);
  const auto fetcher = Polite();
  EXPECT_TRUE(fetcher->Get("http://missing/x"));
  for (const char* url : {"http://ill/x", "http://down/x"})
    EXPECT_EQ(fetcher->Get(url).error().code, ErrorCode::kUnavailable) << url;
  EXPECT_EQ(fetcher->Get("http://nowhere/x").error().code,
            ErrorCode::kNotFound);
  EXPECT_EQ(fetcher->Get("mailto:a@b").error().code, ErrorCode::kUsage);
  EXPECT_EQ(web_.asked.size(), 5u);
  // Asked again when some time has passed.
  web_.pages["http://ill/robots.txt"].clear();
  EXPECT_FALSE(fetcher->Get("http://ill/x"));
  web_.clock.now_ms += options_.most_wait_ms + 1;
  EXPECT_TRUE(fetcher->Get("http://ill/x"));
}

TEST_F(PoliteFetcherTest, FollowsRedirectsPolitely) {
  web_.Put("http://a/old", 301, "", -1, "/new#x");
  web_.Put("http://a/new", 302, "", -1, "http://b/there");
  web_.Put("http://b/there", 200, "here");
  web_.Put("http://a/secret", 307, "", -1, "http://b/no");
  web_.Put("http://b/robots.txt", 200, "User-agent: twinset\nDisallow: /no");
  web_.Put("http://a/loop", 308, "", -1, "/loop");
  web_.Put("http://a/mail", 301, "", -1, "mailto:a@b");
  const auto fetcher = Polite();
  EXPECT_EQ(fetcher->Get("http://a/mail").error().code,
            ErrorCode::kUnsupported);
  const auto response = fetcher->Get("http://a/old");
  ASSERT_TRUE(response);
  EXPECT_EQ(response->url, "http://b/there");
  EXPECT_THAT(response->redirects, ElementsAre("http://a/old", "http://a/new"));
  EXPECT_EQ(fetcher->Get("http://a/secret").error().code,
            ErrorCode::kUnsupported);
  const Error loop = fetcher->Get("http://a/loop").error();
  EXPECT_EQ(loop.code, ErrorCode::kUnavailable);
  EXPECT_EQ(loop.message, "more than 5 redirects");
}

// A redirect that leads where nothing may be asked is the answer, and neither
// the page nor the robots.txt of the other host is asked for.
TEST_F(PoliteFetcherTest, FollowsNoRedirectOutOfTheScope) {
  options_.may_follow = [](const std::string& url) {
    return url.starts_with("http://in/docs/");
  };
  web_.Put("http://in/robots.txt", 301, "", -1, "/moved.txt");
  web_.Put("http://in/moved.txt", 200, "");
  web_.Put("http://in/docs/a", 302, "", -1, "b");
  web_.Put("http://in/docs/b", 302, "", -1, "http://out/c");
  auto polite = Polite();
  const auto answer = polite->Get("http://in/docs/a");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 302);
  EXPECT_EQ(answer->url, "http://in/docs/b");
  EXPECT_EQ(answer->location, "http://out/c");
  EXPECT_THAT(web_.urls(),
              ElementsAre("http://in/robots.txt", "http://in/moved.txt",
                          "http://in/docs/a", "http://in/docs/b"));
}

TEST_F(PoliteFetcherTest, RobotsOfAnotherHostAreNotAskedForOutOfTheScope) {
  options_.may_follow = [](const std::string& url) {
    return url.starts_with("http://in/");
  };
  web_.Put("http://in/robots.txt", 301, "", -1, "http://out/robots.txt");
  auto polite = Polite();
  EXPECT_EQ(polite->Get("http://in/a").error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(web_.urls(), ElementsAre("http://in/robots.txt"));
}

// The reason is told, and the host is not asked again and again.
TEST_F(PoliteFetcherTest, RobotsOutsideTheNetworks) {
  web_.pages["http://in/robots.txt"].push_back(
      Fail(ErrorCode::kUnsupported,
           "the address 127.0.0.1 is outside the networks that may be asked"));
  auto polite = Polite();
  for (int i = 0; i < 3; ++i)
    EXPECT_TRUE(IsOutsideNetworks(polite->Get("http://in/a").error()));
  EXPECT_EQ(web_.asked.size(), 1u);
}

TEST_F(PoliteFetcherTest, WhatIsTooLargeIsNotAskedForAgain) {
  options_.robots = false;
  web_.Break("http://in/a", ErrorCode::kUnsupported);
  EXPECT_FALSE(Polite()->Get("http://in/a"));
  EXPECT_EQ(web_.asked.size(), 1u);
}

}  // namespace
}  // namespace twinset
