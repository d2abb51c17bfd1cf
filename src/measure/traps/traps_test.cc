#include "twinset/measure/traps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "base/file.h"
#include "base/hash.h"
#include "base/test_dir.h"
#include "net/url_pattern.h"
#include "traps/trap_clusters.h"
#include "twinset/dedup.h"
#include "twinset/json.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string PatternOf(const std::vector<std::string>& urls) {
  std::vector<AddressParts> parts;
  for (const std::string& url : urls) parts.push_back(SplitAddress(url));
  const UrlPattern pattern = GeneraliseUrls(parts);
  // A pattern fits what it was made of.
  for (const AddressParts& part : parts) EXPECT_TRUE(pattern.Matches(part));
  return pattern.ToString();
}

TEST(UrlPattern, WhatVariesIsNamed) {
  EXPECT_EQ(PatternOf({"http://a/page12.html", "http://a/page137.html"}),
            "/page{number}.html");
  EXPECT_EQ(PatternOf({"http://a/c/2024-01-05", "http://a/c/2024-02-07"}),
            "/c/{date}");
  EXPECT_EQ(PatternOf({"http://a/c/20240105.htm", "http://a/c/20240207.htm"}),
            "/c/{date}.htm");
  EXPECT_EQ(PatternOf({"http://a/x?sid=0a1b2c3d4e&p=1",
                       "http://a/x?p=1&sid=ffee00112a"}),
            "/x?p=1&sid={hex}");
  EXPECT_EQ(PatternOf({"http://a/i.jsp;jsessionid=AB12CD34EF",
                       "http://a/i.jsp;jsessionid=AB99CD11XY"}),
            "/i.jsp;jsessionid={hex}");
  EXPECT_EQ(PatternOf({"http://a/red-shoes", "http://a/red-shirts"}),
            "/red-{any}");
  EXPECT_EQ(PatternOf({"http://a/d/x/y", "http://a/d/z"}), "/d/{path}");
  EXPECT_EQ(PatternOf({"http://a/d?x=1", "http://a/d"}), "/d[?x=1]");
  EXPECT_EQ(PatternOf({"http://a/", "http://a/"}), "/");
}

TEST(UrlPattern, OtherAddressesDoNotFit) {
  const UrlPattern pattern = GeneraliseUrls(
      {SplitAddress("http://a/p/1?q=2"), SplitAddress("http://a/p/7?q=3")});
  EXPECT_TRUE(pattern.Matches(SplitAddress("http://a/p/123?q=9")));
  EXPECT_FALSE(pattern.Matches(SplitAddress("http://a/p/x?q=9")));
  EXPECT_FALSE(pattern.Matches(SplitAddress("http://a/p/1")));
  EXPECT_FALSE(pattern.Matches(SplitAddress("http://a/p/1?q=9&z=1")));
  EXPECT_FALSE(pattern.Matches(SplitAddress("http://a/p/1/2?q=9")));
}

// Whatever is thrown at it, a pattern fits the addresses it was made of.
TEST(UrlPattern, FitsItsOwnOfAnyBytes) {
  SplitMix64 random(5);
  constexpr std::string_view kBytes = "ab01/?&=-.#;%\xc3\xa9";
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::string> urls(1 + random.Below(5), "http://h/");
    for (std::string& url : urls)
      for (uint64_t i = random.Below(12); i > 0; --i)
        url += kBytes[random.Below(kBytes.size())];
    PatternOf(urls);
  }
}

// ---- A planted corpus ----

class Corpus {
 public:
  std::string Words(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += Word() + ' ';
    return text;
  }
  std::string Word() {
    std::string word;
    for (int i = 0; i < 6; ++i)
      word += static_cast<char>('a' + random_.Below(26));
    return word;
  }
  std::string Hex() {
    std::string hex;
    for (int i = 0; i < 32; ++i) hex += "0123456789abcdef"[random_.Below(16)];
    return hex;
  }
  void Add(const std::string& url, const std::string& text) {
    rows_ += "{\"id\":\"" + url + "\",\"url\":\"" + url + "\",\"text\":\"" +
             text + "\"}\n";
  }
  const std::string& rows() const { return rows_; }

 private:
  SplitMix64 random_{3};
  std::string rows_;
};

void AddHonest(Corpus* corpus) {
  // Pages of one template, half of each its own; and pages with nothing alike.
  const std::string frame = corpus->Words(60);
  for (int i = 0; i < 30; ++i)
    corpus->Add("http://honest.example/product/" + std::to_string(i),
                frame + corpus->Words(60));
  for (int i = 0; i < 20; ++i)
    corpus->Add("http://honest.example/" + corpus->Word(), corpus->Words(90));
  // A few that are alike: two versions of one page.
  const std::string twice = corpus->Words(80);
  corpus->Add("http://honest.example/v1/guide", twice);
  corpus->Add("http://honest.example/v2/guide", twice);
}

Result<TrapsResult> Find(const Corpus& corpus, TrapsOptions options = {}) {
  const TestDir dir;
  EXPECT_TRUE(WriteWholeFile(dir / "in.jsonl", corpus.rows()));
  options.input.inputs = {dir / "in.jsonl"};
  options.resources.tmp = dir / "work";
  options.resources.threads = 1;
  options.resources.memory_bytes = 64 << 20;
  auto result = FindTraps(options);
  if (result) {
    EXPECT_EQ(result->quarantined, 0u);
  }
  // Nothing is left behind.
  EXPECT_TRUE(std::filesystem::is_empty(dir / "work"));
  return result;
}

// All pairs of 3,000 pages are 4.5 million.
TEST(Traps, PagesThatAreAlmostEqualAreNotComparedInPairs) {
  constexpr int kPages = TWINSET_SLOW_BUILD ? 1000 : 3000;
  Corpus corpus;
  const std::string front = corpus.Words(150), back = corpus.Words(150);
  for (int i = 0; i < kPages; ++i)
    corpus.Add("http://trap.example/p?sid=" + corpus.Hex(),
               front + std::to_string(i) + " " + back);
  const auto found = Find(corpus);
  ASSERT_TRUE(found) << found.error().ToString();
  ASSERT_EQ(found->traps.size(), 1u);
  EXPECT_EQ(found->traps[0].urls, uint64_t{kPages});

  const TestDir dir;
  ASSERT_TRUE(WriteWholeFile(dir / "in.jsonl", corpus.rows()));
  TrapsOptions options;
  options.input.inputs = {dir / "in.jsonl"};
  options.resources.threads = 1;
  options.resources.memory_bytes = 64 << 20;
  const auto summary = Dedup(TrapDedup(options, dir / "out"));
  ASSERT_TRUE(summary) << summary.error().ToString();
  EXPECT_EQ(summary->clusters, 1u);
  const auto text = ReadWholeFile(dir / "out/summary.json");
  ASSERT_TRUE(text);
  const Json counts = Json::Parse(*text);
  EXPECT_LT(counts.value("candidates", uint64_t{0}), 20'000u);
  EXPECT_GE(counts.value("candidates", uint64_t{0}), uint64_t{kPages - 1});
}

TEST(Traps, EachKindIsFoundAndAnHonestHostIsNot) {
  Corpus corpus;
  AddHonest(&corpus);
  const std::string missing = corpus.Words(20);
  for (int i = 0; i < 25; ++i)
    corpus.Add("http://soft.example/" + corpus.Word() +
                   (i % 2 == 0 ? "/" + corpus.Word() : ""),
               missing);
  for (int i = 0; i < 30; ++i)
    corpus.Add("http://soft.example/good/" + corpus.Word(), corpus.Words(60));
  const std::string empty_month = corpus.Words(150);
  for (int i = 0; i < 24; ++i)
    corpus.Add("http://cal.example/events?month=" + std::to_string(i % 12 + 1) +
                   "&year=" + std::to_string(2024 + i / 12),
               empty_month);
  const std::string item = corpus.Words(120);
  for (int i = 0; i < 14; ++i)
    corpus.Add("http://shop.example/item/7?lang=en&sid=" + corpus.Hex(), item);

  const auto result = Find(corpus);
  ASSERT_TRUE(result) << result.error().ToString();
  std::vector<std::string> found;
  for (const Trap& trap : result->traps)
    found.push_back(std::string(ChoiceName(trap.kind)) + " " + trap.host +
                    trap.pattern + " " + std::to_string(trap.urls) + "/" +
                    std::to_string(trap.of));
  EXPECT_THAT(
      found,
      ElementsAre("soft-404 soft.example/{path} 25/55",
                  "calendar cal.example/events?month={number}&year={number} "
                  "24/24",
                  "session shop.example/item/7?lang=en&sid={hex} 14/14"));
  EXPECT_EQ(result->trapped, 63u);
  EXPECT_EQ(result->hosts, 4u);
  EXPECT_EQ(result->traps[0].samples.size(), 5u);
}

TEST(Traps, HonestHostsHaveNone) {
  Corpus corpus;
  AddHonest(&corpus);
  const auto result = Find(corpus);
  ASSERT_TRUE(result) << result.error().ToString();
  EXPECT_THAT(result->traps, IsEmpty());
  EXPECT_EQ(result->clusters, 1u);  // the two versions
}

TEST(Traps, TwoViewsOfOneCalendarAreTwoTraps) {
  Corpus corpus;
  const std::string page = corpus.Words(150);
  for (int i = 0; i < 12; ++i) {
    const std::string month = (i < 9 ? "0" : "") + std::to_string(i + 1);
    corpus.Add("http://cal.example/day/2024-" + month + "-15", page);
    corpus.Add("http://cal.example/m?month=" + month, page);
  }
  const auto result = Find(corpus);
  ASSERT_TRUE(result) << result.error().ToString();
  ASSERT_EQ(result->traps.size(), 2u);
  EXPECT_EQ(result->traps[0].pattern, "/day/{date}");
  EXPECT_EQ(result->traps[1].pattern, "/m?month={number}");
  EXPECT_EQ(result->traps[1].kind, TrapType::kCalendar);
}

std::vector<std::string> Lines(const TrapsResult& result) {
  std::vector<std::string> lines;
  for (const Trap& trap : result.traps)
    lines.push_back(std::string(ChoiceName(trap.kind)) + " " + trap.host +
                    trap.pattern + " " + std::to_string(trap.urls) + " of " +
                    std::to_string(trap.pages));
  return lines;
}

// What a page says decides, not the numbers in its address.
TEST(Traps, AnErrorPageWithNumbersIsNoCalendar) {
  Corpus corpus;
  const std::string frame = corpus.Words(30);
  for (int i = 0; i < 20; ++i) {
    const std::string number = std::to_string(1000 + i);
    corpus.Add("http://gone.example/item/" + number, "Page not found " + frame);
  }
  EXPECT_THAT(Lines(*Find(corpus)),
              ElementsAre("soft-404 gone.example/item/{number} 20 of 1"));
}

// Short pages that repeat their address are far from alike as texts.
TEST(Traps, SoftErrorsThatEchoTheAddress) {
  Corpus corpus;
  AddHonest(&corpus);
  for (int i = 0; i < 25; ++i) {
    const std::string path =
        corpus.Word() + "-" + corpus.Word() + "/" + corpus.Word() + ".html";
    corpus.Add("http://echo.example/" + path,
               "Sorry the requested address /" + path +
                   " was not found on this server. Look for " + path +
                   " in the index or go home.");
  }
  EXPECT_THAT(Lines(*Find(corpus)),
              ElementsAre("soft-404 echo.example/{any}/{any}.html 25 of 1"));
}

TEST(Traps, ACalendarOfShortPages) {
  Corpus corpus;
  AddHonest(&corpus);
  constexpr const char* kMonths[] = {
      "January", "February", "March",     "April",   "May",      "June",
      "July",    "August",   "September", "October", "November", "December"};
  for (int i = 0; i < 36; ++i) {
    const std::string year = std::to_string(2020 + i / 12),
                      month = std::to_string(101 + i % 12).substr(1);
    corpus.Add("http://cal.example/cal/" + year + "-" + month,
               std::string("Events in ") + kMonths[i % 12] + " " + year +
                   ". Nothing on in this month.");
  }
  EXPECT_THAT(Lines(*Find(corpus)),
              ElementsAre("calendar cal.example/cal/{date} 36 of 1"));
}

// Reference pages of one template, each with its own name and a line of its
// own, also where their addresses are numbers, and at a low threshold.
TEST(Traps, SisterPagesAreNone) {
  Corpus corpus;
  const std::string frame = corpus.Words(40), foot = corpus.Words(40);
  for (int i = 0; i < 40; ++i) {
    const std::string name = corpus.Word();
    corpus.Add("http://doc.example/ref/" + name,
               frame + name + " " + corpus.Words(6) + foot);
    corpus.Add("http://doc.example/item/" + std::to_string(i),
               frame + corpus.Words(8) + foot);
    // Alike but for the name, which the address has too.
    corpus.Add("http://doc.example/op/" + name, foot + name + " " + frame);
  }
  TrapsOptions options;
  options.threshold = 0.6;
  const auto result = Find(corpus, options);
  EXPECT_GT(result->clusters, 0u);
  EXPECT_THAT(Lines(*result), IsEmpty());
}

TEST(Traps, SessionIdsOfManyPagesAreOneTrap) {
  Corpus corpus;
  for (int page = 0; page < 10; ++page) {
    const std::string text = corpus.Words(120);
    const int ids = page < 5 ? 12 : 4;
    for (int i = 0; i < ids; ++i)
      corpus.Add("http://shop.example/p" + std::to_string(page) +
                     ".php?sid=" + corpus.Hex(),
                 text);
  }
  EXPECT_THAT(
      Lines(*Find(corpus)),
      ElementsAre("session shop.example/p{number}.php?sid={hex} 80 of 10"));
}

TEST(Traps, LimitsAreThoseGiven) {
  Corpus corpus;
  const std::string page = corpus.Words(150);
  for (int i = 0; i < 9; ++i)
    corpus.Add("http://a.example/p?n=" + std::to_string(i), page);
  for (int i = 0; i < 11; ++i)
    corpus.Add("http://a.example/p?n=9" + std::to_string(i), corpus.Words(60));
  EXPECT_THAT(Find(corpus)->traps, IsEmpty());
  TrapsOptions options;
  options.least_urls = 9;
  ASSERT_EQ(Find(corpus, options)->traps.size(), 1u);
  EXPECT_EQ(Find(corpus, options)->traps[0].of, 20u);
  options.share = 0.46;
  EXPECT_THAT(Find(corpus, options)->traps, IsEmpty());
}

TEST(Traps, RefusesWhatItCannotDo) {
  TrapsOptions options;
  EXPECT_EQ(FindTraps(options).error().code, ErrorCode::kUsage);
  options.input.inputs = {"-"};
  EXPECT_EQ(FindTraps(options).error().code, ErrorCode::kUsage);
  const TestDir dir;
  options.input.inputs = {dir / "none.jsonl"};
  options.resources.tmp = dir.path();
  EXPECT_FALSE(FindTraps(options));
  EXPECT_EQ(dir.FileCount(), 0u);
  ASSERT_TRUE(WriteWholeFile(dir / "mine", "not a result"));
  options.out = dir.path();
  EXPECT_EQ(FindTraps(options).error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace twinset
