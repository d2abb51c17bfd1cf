#include "twinset/corpora/change.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/hash.h"
#include "base/test_dir.h"
#include "change/change_testing.h"
#include "change/page_names.h"
#include "change/pair_stability.h"
#include "twinset/json.h"

namespace twinset {
namespace {

using test::CsvOf;
using test::DrawnWords;
using test::ShinglesOf;
using test::WeekOf;
using test::WriteWebs;
using Web = test::TextWeb;

constexpr int kSnapshots = 30;

// 300 pages with lives drawn as geometric (a tenth goes each week), a page
// whose advertisement rotates, one with a lasting paragraph more each week, one
// that moves, one that is away for two snapshots.
std::vector<Web> PlantedWebs() {
  std::vector<int> lives;
  SplitMix64 random(11);
  for (int i = 0; i < 300; ++i) {
    int life = 1;
    while (random.Below(10) != 0) ++life;
    lives.push_back(life);
  }
  std::vector<Web> webs(kSnapshots);
  std::string log = DrawnWords(1, 60);
  for (int s = 0; s < kSnapshots; ++s) {
    Web& web = webs[static_cast<size_t>(s)];
    for (size_t i = 0; i < lives.size(); ++i)
      if (s < lives[i])
        web["https://a.org/p/" + std::to_string(i)] = DrawnWords(100 + i, 40);
    web["https://ad.com/"] =
        DrawnWords(2, 60) + DrawnWords(5000 + static_cast<uint64_t>(s), 20);
    log += DrawnWords(6000 + static_cast<uint64_t>(s), 20);
    web["https://log.com/weekly"] = log;
    web[s < 10 ? "https://m.org/old" : "https://m.org/new"] = DrawnWords(3, 40);
    if (s != 5 && s != 6) web["https://back.org/"] = DrawnWords(4, 40);
  }
  return webs;
}

// States and similarities against sets of strings, page by page.
TEST(Change, EqualsTheDefinition) {
  const TestDir dir;
  const std::vector<Web> webs = PlantedWebs();
  const ChangeOptions options = WriteWebs(webs, dir);
  const auto result = MeasureChange(options);
  ASSERT_TRUE(result) << result.error().ToString();
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> rows;
  for (const auto& row : CsvOf(options.out + "/changes.csv"))
    rows[{row[0], row[1]}] = row;
  size_t compared = 0;
  for (size_t s = 1; s < webs.size(); ++s) {
    for (const auto& [url, text] : webs[s]) {
      const auto& row = rows[{WeekOf(static_cast<int>(s)), url}];
      ASSERT_EQ(row.size(), 8u) << url;
      ++compared;
      if (!webs[s - 1].contains(url)) {
        EXPECT_EQ(row[2], url == "https://back.org/" ? "returned" : "new");
        continue;
      }
      const auto x = ShinglesOf(webs[s - 1].at(url)), y = ShinglesOf(text);
      const auto common = static_cast<double>(std::count_if(
          x.begin(), x.end(),
          [&y](const auto& shingle) { return y.contains(shingle); }));
      const auto both = static_cast<double>(x.size() + y.size());
      const double jaccard = common / (both - common);
      EXPECT_DOUBLE_EQ(std::stod(row[3]), jaccard);
      EXPECT_DOUBLE_EQ(std::stod(row[4]), 2 * common / both);
      EXPECT_EQ(row[2], jaccard == 1    ? "exact"
                        : jaccard >= .9 ? "near"
                                        : "changed");
    }
    for (const auto& [url, text] : webs[s - 1]) {
      if (webs[s].contains(url)) continue;
      const auto& row = rows[{WeekOf(static_cast<int>(s)), url}];
      ASSERT_EQ(row.size(), 8u) << url;
      ++compared;
      const bool moved = url == "https://m.org/old";
      EXPECT_EQ(row[2], moved ? "moved" : "gone");
      EXPECT_EQ(row[7], moved ? "https://m.org/new" : "");
    }
  }
  EXPECT_EQ(compared + 1, rows.size());  // the head
}

// Two snapshots show no life: a curve over them would be empty.
TEST(Change, ThePageHasOneBarAndCurvesOnlyOfSeveralSteps) {
  std::vector<Web> webs = PlantedWebs();
  for (const size_t snapshots : {size_t{3}, size_t{2}}) {
    const TestDir dir;
    webs.resize(snapshots);
    const ChangeOptions options = WriteWebs(webs, dir);
    ASSERT_TRUE(MeasureChange(options));
    const auto page = ReadWholeFile(options.out + "/page.json", 10 << 20);
    ASSERT_TRUE(page);
    EXPECT_NE(page->find("What became of the "), std::string::npos);
    EXPECT_EQ(page->find("What is left after") != std::string::npos,
              snapshots > 2);
    EXPECT_EQ(page->find("Half-lives") != std::string::npos, snapshots > 2);
  }
}

TEST(Change, BandsHoldTheTruth) {
  const TestDir dir;
  const auto result = MeasureChange(WriteWebs(PlantedWebs(), dir));
  ASSERT_TRUE(result) << result.error().ToString();
  EXPECT_EQ(result->pages, 305u);
  size_t seen = 0, outside = 0;
  for (const ChangeCurve& curve : result->curves) {
    if (curve.what != "address" || curve.group != "depth:2") continue;
    double truth = 1;
    int week = 0;
    for (const ChangeCurve::Step& step : curve.steps) {
      for (; week < step.days / 7; ++week) truth *= .9;
      ++seen;
      outside += truth < step.low || truth > step.high;
    }
    ASSERT_TRUE(curve.half_life_low && curve.half_life_high);
    EXPECT_LE(*curve.half_life_low, 7 * 6.58);
    EXPECT_GE(*curve.half_life_high, 7 * 6.58);
  }
  EXPECT_GT(seen, 15u);
  EXPECT_LE(outside, 3u);
}

// Order of visits by one column of recrawl.csv, the largest first.
std::vector<std::string> OrderBy(
    const std::vector<std::vector<std::string>>& rows, size_t column) {
  std::vector<std::pair<double, std::string>> order;
  for (size_t i = 1; i < rows.size(); ++i)
    if (rows[i][2] != "gone")
      order.emplace_back(-std::stod(rows[i][column]), rows[i][0]);
  std::sort(order.begin(), order.end());
  std::vector<std::string> urls;
  for (const auto& [value, url] : order) urls.push_back(url);
  return urls;
}

// Text of the last snapshot that lasts, and that a crawler has which visits
// one page at each snapshot of the second half: the first of `order`, or all in
// turn.
double LastingShare(const std::vector<Web>& webs,
                    const std::vector<std::string>& order, bool in_turn) {
  Web held = webs[14];
  for (size_t s = 15; s < webs.size(); ++s) {
    const std::string& url = order[in_turn ? (s - 15) % order.size() : 0];
    if (webs[s].contains(url)) held[url] = webs[s].at(url);
  }
  size_t all = 0, fresh = 0;
  for (const auto& [url, text] : webs[27]) {
    if (!webs[29].contains(url)) continue;
    const auto last = ShinglesOf(webs[29].at(url)),
               old = ShinglesOf(webs[14].count(url) ? webs[14].at(url) : "");
    const auto has = ShinglesOf(held.contains(url) ? held.at(url) : "");
    for (const std::string& shingle : ShinglesOf(text)) {
      if (!last.contains(shingle) || old.contains(shingle)) continue;
      ++all;
      fresh += has.contains(shingle);
    }
  }
  return static_cast<double>(fresh) / static_cast<double>(all);
}

TEST(Change, RecrawlValuesWhatLasts) {
  const TestDir dir;
  const std::vector<Web> webs = PlantedWebs();
  ChangeOptions options =
      WriteWebs(std::vector<Web>(webs.begin(), webs.begin() + 15), dir);
  ASSERT_TRUE(MeasureChange(options));
  const auto rows = CsvOf(options.out + "/recrawl.csv");
  EXPECT_EQ(rows[1][0], "https://log.com/weekly");
  EXPECT_GT(std::stod(rows[1][1]), 0);
  for (const auto& row : rows) {
    if (row[0] != "https://ad.com/") continue;
    EXPECT_EQ(row[1], "0");
    EXPECT_EQ(row[2], "new text does not last");
    EXPECT_EQ(row[4], "14");  // changes at every snapshot
  }
  const double by_value = LastingShare(webs, OrderBy(rows, 1), false);
  const double by_changes = LastingShare(webs, OrderBy(rows, 4), false);
  const double in_turn = LastingShare(webs, OrderBy(rows, 1), true);
  // These are shares of the 13 paragraphs that came behind the training.
  EXPECT_GT(by_value, .95);
  EXPECT_LT(by_changes, .05);
  EXPECT_LT(in_turn, .3);
}

// Pages whose new text comes at one known capture of six, or never.
TEST(Change, TheReasonOfAPageIsTrueOfAllItsCaptures) {
  const TestDir dir;
  std::vector<Web> webs(6);
  const std::string one = DrawnWords(1, 40), other = DrawnWords(2, 40);
  for (size_t s = 0; s < webs.size(); ++s) {
    webs[s]["https://a.org/same"] = one;
    webs[s]["https://a.org/shorter"] = s < 5 ? one + other : one;
    webs[s]["https://a.org/empty"] = "";
    webs[s]["https://a.org/once"] = s == 2 ? other : one;
    for (size_t at = 1; at < webs.size(); ++at)
      webs[s]["https://a.org/at/" + std::to_string(at)] = s < at ? one : other;
    if (s > 2) webs[s]["https://a.org/young"] = s < 4 ? one : other;
    if (s < 5) webs[s]["https://a.org/gone"] = s < 4 ? one : other;
  }
  const ChangeOptions options = WriteWebs(webs, dir);
  ASSERT_TRUE(MeasureChange(options));
  std::map<std::string, std::string> reasons;
  for (const auto& row : CsvOf(options.out + "/recrawl.csv"))
    reasons[row[0].substr(row[0].find_last_of('/') + 1)] = row[2];
  reasons.erase("url");
  const std::map<std::string, std::string> expected = {
      {"same", "no new text"},
      {"shorter", "no new text"},
      {"empty", "no new text"},
      {"once", "new text does not last"},
      {"1", "new text lasts"},
      {"2", "new text lasts"},
      {"3", "new text lasts"},
      {"4", "new text is too recent"},
      {"5", "new text is too recent"},
      {"young", "too few captures"},
      {"gone", "gone"}};
  EXPECT_EQ(reasons, expected);
}

// More shingles than the smaller memory holds, so that they are sorted on disk.
TEST(Change, SameBytesWhateverTheMemory) {
  const TestDir dir;
  std::vector<Web> webs = PlantedWebs();
  for (size_t s = 0; s < webs.size() && !TWINSET_SLOW_BUILD; ++s)
    for (uint64_t i = 0; i < 30; ++i)
      webs[s]["https://long.org/" + std::to_string(i)] =
          DrawnWords(20000 + i + 100 * (s / 7), 1000);
  ChangeOptions options = WriteWebs(webs, dir);
  ASSERT_TRUE(MeasureChange(options));
  const std::string before = options.out;
  options.out = dir.path() + "/again";
  options.resources.memory_bytes = 256 << 20;
  ASSERT_TRUE(MeasureChange(options));
  for (const char* file :
       {"changes.csv", "recrawl.csv", "captures.jsonl", "stability.csv",
        "steps.csv", "survival.csv", "summary.json"})
    EXPECT_EQ(ReadWholeFile(before + "/" + file).value(),
              ReadWholeFile(options.out + "/" + file).value())
        << file;
}

// Three pages in both snapshots, two of which have the same text in the last.
TEST(Change, VisitsGoToPagesAndToSharedContent) {
  const TestDir dir;
  Web first = {{"https://a.org/x", DrawnWords(1, 20)},
               {"https://a.org/y/z", DrawnWords(2, 20)},
               {"https://b.org/", DrawnWords(3, 20)}};
  Web second = first;
  second["https://a.org/x"] = DrawnWords(3, 20);
  ChangeOptions options = WriteWebs({first, second}, dir);
  options.visits = dir.path() + "/visits.csv";
  ASSERT_TRUE(WriteWholeFile(options.visits,
                             "url,count\nhttp://A.org/x,30\n"
                             "https://a.org/y/z/,5\n\"https://b.org/\",10\n"
                             "https://b.org/,1\nhttps://c.org/,7\n"
                             "https://c.org/,many\nhttps://c.org/\n,1\n"));
  const auto result = MeasureChange(options);
  ASSERT_TRUE(result) << result.error().ToString();
  ASSERT_TRUE(result->visits);
  EXPECT_EQ(result->visits->of_pages, 46u);
  EXPECT_EQ(result->visits->elsewhere, 7u);
  EXPECT_EQ(result->visits->of_last, 46u);
  EXPECT_EQ(result->visits->of_shared, 41u);
  EXPECT_EQ(result->visits->lines.used, 5u);
  EXPECT_EQ(result->visits->lines.left_out,
            (std::map<std::string, uint64_t>{
                {"bad-count", 1}, {"no-url", 1}, {"not-two-columns", 1}}));
  // Only the first changes: depths 1, 2, 0; pages of the host 2, 2, 1; visits
  // 30, 5, 11.
  ASSERT_EQ(result->correlations.size(), 4u);
  EXPECT_EQ(*result->correlations[0].tau, 0);
  EXPECT_EQ(result->correlations[1].with, "pages_of_host");
  EXPECT_DOUBLE_EQ(*result->correlations[1].tau, .5);
  EXPECT_FALSE(result->correlations[2].tau);  // of one page
  EXPECT_DOUBLE_EQ(*result->correlations[3].tau, 2 / std::sqrt(6));
}

// Pages draw one of a few texts, or are not there; naive over all pairs.
TEST(Change, StabilityOfNearDuplicates) {
  constexpr size_t kPages = 30, kTimes = 9;
  SplitMix64 random(5);
  std::vector<Web> webs(kTimes);
  const auto url = [](size_t i) {
    return "https://a.org/" + std::to_string(i);
  };
  std::vector<uint64_t> text(kPages, 0);
  for (Web& web : webs)
    for (size_t i = 0; i < kPages; ++i) {
      if (random.Below(4) == 0) text[i] = random.Below(8);
      if (text[i] < 6) web[url(i)] = DrawnWords(900 + text[i], 40);
    }
  const TestDir dir;
  const ChangeOptions options = WriteWebs(webs, dir);
  const auto result = MeasureChange(options);
  ASSERT_TRUE(result) << result.error().ToString();
  std::vector<ChangeStability::Later> expected(kTimes - 1);
  uint64_t pairs = 0;
  for (size_t i = 0; i < kPages; ++i)
    for (size_t j = 0; j < i; ++j) {
      bool any = false;
      const auto both = [&](size_t s) {
        return webs[s].contains(url(i)) && webs[s].contains(url(j));
      };
      const auto near = [&](size_t s) {
        return both(s) && webs[s][url(i)] == webs[s][url(j)];
      };
      for (size_t s = 0; s < kTimes; ++s) {
        any = any || near(s);
        for (size_t t = s + 1; near(s) && t < kTimes; ++t) {
          ChangeStability::Later& later = expected[t - s - 1];
          ++(near(t) ? later.still : both(t) ? later.apart : later.gone);
        }
      }
      pairs += any;
    }
  EXPECT_EQ(result->stability.pairs, pairs);
  EXPECT_EQ(result->stability.left_out, 0u);
  for (size_t k = 0; k < expected.size(); ++k) {
    EXPECT_EQ(result->stability.later[k].still, expected[k].still) << k;
    EXPECT_EQ(result->stability.later[k].apart, expected[k].apart) << k;
    EXPECT_EQ(result->stability.later[k].gone, expected[k].gone) << k;
    EXPECT_GT(expected[k].still, 0u);
  }
}

// Super-shingles of a few values, so that pages share none to all of them.
TEST(PairStability, TwoOfSixInAnySnapshot) {
  constexpr size_t kPages = 24, kTimes = 6;
  SplitMix64 random(8);
  std::vector<PageHistory> pages(kPages);
  std::vector<std::vector<std::set<uint64_t>>> seen(
      kPages, std::vector<std::set<uint64_t>>(kTimes));
  for (size_t i = 0; i < kPages; ++i)
    for (uint32_t s = 0; s < kTimes; ++s) {
      if (s > 0 && random.Below(5) == 0) continue;
      PageCapture capture;
      capture.address.high = i + 1;
      capture.snapshot = s;
      capture.shingles = 1;
      for (uint64_t& value : capture.super_shingles) {
        value = random.Below(30);
        seen[i][s].insert(value);
      }
      pages[i].captures.push_back(capture);
    }
  const TestDir dir;
  MemoryBudget budget(64 << 20);
  ExternalSortOptions sort;
  sort.directory = dir.path();
  sort.memory_bytes = 4 << 20;
  PairStability stability(sort, &budget);
  for (const PageHistory& page : pages) ASSERT_TRUE(stability.See(page));
  const auto found = stability.Finish(kTimes);
  ASSERT_TRUE(found) << found.error().ToString();
  std::vector<ChangeStability::Later> expected(kTimes - 1);
  std::array<size_t, kSuperShingles + 1> overlaps = {};
  uint64_t pairs = 0;
  for (size_t i = 0; i < kPages; ++i)
    for (size_t j = 0; j < i; ++j) {
      const auto there = [&](size_t s) {
        return !seen[i][s].empty() && !seen[j][s].empty();
      };
      const auto common = [&](size_t s) {
        return static_cast<size_t>(
            std::count_if(seen[i][s].begin(), seen[i][s].end(),
                          [&](uint64_t v) { return seen[j][s].contains(v); }));
      };
      bool any = false;
      for (size_t s = 0; s < kTimes; ++s) {
        ++overlaps[common(s)];
        if (common(s) < 2) continue;
        any = true;
        for (size_t t = s + 1; t < kTimes; ++t) {
          ChangeStability::Later& later = expected[t - s - 1];
          ++(common(t) >= 2 ? later.still
             : there(t)     ? later.apart
                            : later.gone);
        }
      }
      pairs += any;
    }
  for (const size_t common : {0, 1, 2, 3}) EXPECT_GT(overlaps[common], 10u);
  EXPECT_EQ(found->pairs, pairs);
  EXPECT_EQ(found->left_out, 0u);
  for (size_t k = 0; k < expected.size(); ++k) {
    EXPECT_EQ(found->later[k].still, expected[k].still) << k;
    EXPECT_EQ(found->later[k].apart, expected[k].apart) << k;
    EXPECT_EQ(found->later[k].gone, expected[k].gone) << k;
  }
}

// One super-shingle in all pages: each meets the first of them alone.
TEST(PairStability, SaysHowManyPairsAreLeftOut) {
  constexpr uint64_t kPages = PairStability::kMostFirst + 10;
  const TestDir dir;
  MemoryBudget budget(64 << 20);
  ExternalSortOptions sort;
  sort.directory = dir.path();
  sort.memory_bytes = 4 << 20;
  PairStability stability(sort, &budget);
  for (uint64_t i = 1; i <= kPages; ++i) {
    PageHistory page;
    PageCapture capture;
    capture.address.high = i;
    capture.shingles = 1;
    capture.super_shingles = {7, 8, 8, 8, 8, 8};
    page.captures = {capture};
    ASSERT_TRUE(stability.See(page));
  }
  const auto found = stability.Finish(2);
  ASSERT_TRUE(found);
  const uint64_t all = kPages * (kPages - 1) / 2, left_out = 10 * 9 / 2;
  EXPECT_EQ(found->pairs, all - left_out);
  EXPECT_EQ(found->left_out, 2 * left_out);  // by each of two values
}

TEST(Change, RefusesDatesThatDoNotAscend) {
  const TestDir dir;
  ChangeOptions options = WriteWebs({PlantedWebs()[0], PlantedWebs()[1]}, dir);
  std::swap(options.snapshots[0], options.snapshots[1]);
  const auto swapped = MeasureChange(options);
  ASSERT_FALSE(swapped);
  EXPECT_EQ(swapped.error().code, ErrorCode::kUsage);
  options.dates = {"2024-01-01", "yesterday"};
  EXPECT_FALSE(MeasureChange(options));
  options.dates = {"2024-01-01", "20240108000000"};
  EXPECT_TRUE(MeasureChange(options));
}

TEST(Change, Names) {
  EXPECT_EQ(DepthOf("https://a.org"), 0u);
  EXPECT_EQ(DepthOf("https://a.org//b/c.html?d/e#f/g"), 2u);
  EXPECT_EQ(TopLevelOfAddress("https://a.co.uk:80/x.org"), "uk");
  EXPECT_EQ(TopLevelOfAddress("x.org"), "(none)");
  EXPECT_EQ(UtcText(951782399), "2000-02-28T23:59:59Z");
  EXPECT_EQ(DigitsText(951868800), "20000301000000");
  // Bytes 1 to 8.
  EXPECT_EQ(Base64Of(0x0807060504030201), "AQIDBAUGBwg=");
}

}  // namespace
}  // namespace twinset
