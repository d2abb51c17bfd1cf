// Histories of pages against their definitions: what stays, comes and goes
// between captures, and how long it lives.
#include "change/page_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/test_dir.h"
#include "change/change_rates.h"
#include "change/page_lives.h"
#include "change/page_names.h"
#include "change/visit_log.h"
#include "documents/priority.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

// Captures with their shingles and links, in the sorters of a study.
class Histories {
 public:
  Histories()
      : captures_(Options("captures"), &budget_),
        shingles_(Options("shingles"), &budget_),
        links_(Options("links"), &budget_) {}

  // One capture of page number `page`; returns its number.
  uint64_t Add(uint64_t page, uint32_t snapshot,
               const std::set<uint64_t>& shingles,
               const std::set<uint64_t>& links = {}, int64_t date = kNoDate) {
    PageCapture capture = Capture(page, snapshot, date);
    capture.shingles = static_cast<uint32_t>(shingles.size());
    EXPECT_TRUE(captures_.Add(capture));
    for (const uint64_t x : shingles)
      EXPECT_TRUE(shingles_.Add({capture.address, x, capture.number}));
    for (const uint64_t x : links)
      EXPECT_TRUE(links_.Add({capture.address, x, capture.number}));
    return capture.number;
  }
  // A revisit of it, of the capture of a date or of the one before.
  void AddRevisit(uint64_t page, uint32_t snapshot, int64_t refers = kNoDate) {
    PageCapture capture = Capture(page, snapshot, kNoDate);
    capture.is_revisit = 1;
    capture.refers_date = refers;
    EXPECT_TRUE(captures_.Add(capture));
  }
  // Histories by the number of their page.
  std::map<uint64_t, PageHistory> Finish() {
    EXPECT_TRUE(captures_.Finish());
    EXPECT_TRUE(shingles_.Finish());
    EXPECT_TRUE(links_.Finish());
    std::map<uint64_t, PageHistory> pages;
    EXPECT_TRUE(ForEachPage(&captures_, &shingles_, &links_, &counts_,
                            [&](const PageHistory& page) -> Status {
                              pages[page.captures[0].address.low] = page;
                              return {};
                            }));
    return pages;
  }
  const HistoryCounts& counts() const { return counts_; }

 private:
  ExternalSortOptions Options(const std::string& name) const {
    ExternalSortOptions sort;
    sort.directory = dir_.path();
    sort.name = name;
    sort.memory_bytes = 1 << 20;
    return sort;
  }
  PageCapture Capture(uint64_t page, uint32_t snapshot, int64_t date) {
    PageCapture capture;
    capture.address = {page, Mix64(page)};
    capture.number = next_++;
    capture.snapshot = snapshot;
    capture.date = date;
    return capture;
  }

  const TestDir dir_;
  MemoryBudget budget_{64 << 20};
  ExternalSorter<PageCapture> captures_;
  ExternalSorter<Fragment> shingles_, links_;
  HistoryCounts counts_;
  uint64_t next_ = 0;
};

std::set<uint64_t> RandomSet(SplitMix64* random, uint64_t most) {
  std::set<uint64_t> set;
  for (uint64_t n = random->Below(most); n > 0; --n)
    set.insert(random->Below(12));
  return set;
}

uint64_t CountCommon(const std::set<uint64_t>& x, const std::set<uint64_t>& y) {
  uint64_t common = 0;
  for (const uint64_t value : x) common += y.contains(value);
  return common;
}

TEST(PageHistoryTest, ChangesAndLivesAgainstTheDefinitions) {
  SplitMix64 random(1);
  Histories histories;
  struct Capture {
    std::set<uint64_t> shingles, links;
  };
  std::map<uint64_t, std::vector<Capture>> pages;
  for (uint32_t snapshot = 0; snapshot < 6; ++snapshot) {
    for (uint64_t page = 1; page <= 40; ++page) {
      if (random.Below(4) == 0) continue;  // it is not there
      const Capture capture = {RandomSet(&random, 14), RandomSet(&random, 8)};
      histories.Add(page, snapshot, capture.shingles, capture.links);
      pages[page].push_back(capture);
    }
  }
  const auto found = histories.Finish();
  ASSERT_EQ(found.size(), pages.size());
  for (const auto& [number, captures] : pages) {
    const PageHistory& page = found.at(number);
    const size_t count = captures.size();
    ASSERT_EQ(page.captures.size(), count);
    ASSERT_EQ(page.changes.size(), count);
    for (size_t i = 1; i < count; ++i) {
      const Capture &before = captures[i - 1], &now = captures[i];
      const uint64_t common = CountCommon(before.shingles, now.shingles);
      EXPECT_EQ(page.changes[i].common, common);
      const auto all = static_cast<double>(before.shingles.size() +
                                           now.shingles.size() - common);
      EXPECT_DOUBLE_EQ(page.jaccard(i),
                       all == 0 ? 1 : static_cast<double>(common) / all);
      const uint64_t stay = CountCommon(before.links, now.links);
      EXPECT_EQ(page.changes[i].links_added, now.links.size() - stay);
      EXPECT_EQ(page.changes[i].links_removed, before.links.size() - stay);
    }
    // Shingles that came later than the page and stayed up to a capture: of
    // each its first life counts.
    std::map<std::pair<size_t, size_t>, uint64_t> lives;
    for (uint64_t value = 0; value < 12; ++value) {
      size_t born = 0;
      while (born < count && !captures[born].shingles.contains(value)) ++born;
      if (born == 0 || born == count) continue;
      size_t last = born;
      while (last + 1 < count && captures[last + 1].shingles.contains(value))
        ++last;
      ++lives[{born, last}];
    }
    for (size_t born = 0; born < count; ++born) {
      for (size_t last = 0; last < count; ++last) {
        const auto at = lives.find({born, last});
        EXPECT_EQ(page.lives_of(born, last), at == lives.end() ? 0 : at->second)
            << number << " " << born << " " << last;
      }
    }
  }
  EXPECT_EQ(histories.counts().repeated, 0u);
}

TEST(PageHistoryTest, OfASnapshotTheLastCaptureStays) {
  Histories histories;
  histories.Add(1, 0, {1, 2});
  histories.Add(1, 0, {3});
  histories.Add(1, 1, {3, 4});
  const auto pages = histories.Finish();
  const PageHistory& page = pages.at(1);
  ASSERT_EQ(page.captures.size(), 2u);
  EXPECT_EQ(page.captures[0].number, 1u);
  EXPECT_EQ(page.changes[1].common, 1u);
  EXPECT_DOUBLE_EQ(page.jaccard(1), 0.5);
  EXPECT_EQ(page.lives_of(1, 1), 1u);
  EXPECT_EQ(histories.counts().repeated, 1u);
}

TEST(PageHistoryTest, ARevisitIsThePageAsItWas) {
  Histories histories;
  histories.Add(1, 0, {1, 2}, {7}, 100);
  histories.Add(1, 1, {1, 3}, {}, 200);
  histories.AddRevisit(1, 2);       // as at 200
  histories.AddRevisit(1, 3, 100);  // as at first
  histories.AddRevisit(1, 4, 555);  // of a capture that was not read
  histories.AddRevisit(2, 0);       // of nothing
  const auto pages = histories.Finish();
  ASSERT_EQ(pages.size(), 1u) << "a page of revisits alone is none";
  const PageHistory& page = pages.at(1);
  ASSERT_EQ(page.captures.size(), 4u);
  EXPECT_EQ(page.captures[2].number, page.captures[1].number);
  EXPECT_EQ(page.captures[3].number, page.captures[0].number);
  EXPECT_EQ(page.captures[3].snapshot, 3u);
  EXPECT_DOUBLE_EQ(page.jaccard(2), 1);
  EXPECT_DOUBLE_EQ(page.jaccard(3), 1.0 / 3);
  // Shingle 3 came with the second and was there at the revisit of it.
  EXPECT_EQ(page.lives_of(1, 2), 1u);
  EXPECT_EQ(page.changes[3].links_added, 1u);
  EXPECT_EQ(histories.counts().unknown_revisits, 2u);
}

TEST(PageHistoryTest, PagesWithoutTextAreTheSame) {
  Histories histories;
  histories.Add(1, 0, {});
  histories.Add(1, 1, {});
  histories.Add(1, 2, {5});
  const PageHistory page = histories.Finish().at(1);
  EXPECT_DOUBLE_EQ(page.jaccard(1), 1);
  EXPECT_DOUBLE_EQ(page.jaccard(2), 0);
  EXPECT_TRUE(Histories().Finish().empty());
}

TEST(PageHistoryTest, AFailingBodyEndsTheWalk) {
  const TestDir dir;
  MemoryBudget budget(64 << 20);
  ExternalSortOptions sort;
  sort.directory = dir.path();
  sort.memory_bytes = 1 << 20;
  sort.name = "c";
  ExternalSorter<PageCapture> captures(sort, &budget);
  sort.name = "s";
  ExternalSorter<Fragment> shingles(sort, &budget);
  sort.name = "l";
  ExternalSorter<Fragment> links(sort, &budget);
  for (uint64_t page = 1; page < 4; ++page) {
    PageCapture capture;
    capture.address = {page, page};
    capture.number = page;
    ASSERT_TRUE(captures.Add(capture));
  }
  ASSERT_TRUE(captures.Finish() && shingles.Finish() && links.Finish());
  HistoryCounts counts;
  int seen = 0;
  const Status status = ForEachPage(&captures, &shingles, &links, &counts,
                                    [&](const PageHistory&) -> Status {
                                      if (++seen < 2) return {};
                                      return Fail(ErrorCode::kIo, "full");
                                    });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "full");
  EXPECT_EQ(seen, 2);
}

// ---- lives ----

const std::vector<int64_t> kDates = {0, 86400, 3 * 86400, 7 * 86400};

std::map<std::string, ChangeCurve> CurvesOf(
    const std::map<uint64_t, PageHistory>& pages,
    const std::vector<std::string>& addresses) {
  PageLives lives(kDates);
  size_t next = 0;
  for (const auto& [number, page] : pages) lives.See(page, addresses[next++]);
  std::map<std::string, ChangeCurve> curves;
  for (const ChangeCurve& curve : lives.Curves())
    curves[curve.what + " " + curve.group] = curve;
  return curves;
}

// An address that is not in the last snapshot ended at the first without it.
TEST(PageLivesTest, AnAddressLivesUntilItIsMissed) {
  Histories histories;
  histories.Add(1, 0, {1});  // gone at 1: a day
  histories.Add(2, 0, {1});
  histories.Add(2, 1, {1});  // gone at 2: three days
  histories.Add(3, 1, {1});
  histories.Add(3, 3, {1});  // there at the end: six days, no end
  const auto curves =
      CurvesOf(histories.Finish(),
               {"http://a.org/x", "http://b.com/y/z", "http://c.org/"});
  const ChangeCurve& all = curves.at("address all");
  EXPECT_EQ(all.watched, 3u);
  EXPECT_EQ(all.ends, 2u);
  std::vector<std::pair<double, uint64_t>> steps;
  for (const auto& step : all.steps) steps.emplace_back(step.days, step.ends);
  EXPECT_THAT(steps, ElementsAre(std::pair(1.0, 1u), std::pair(3.0, 1u)));
  EXPECT_EQ(curves.at("address tld:org").watched, 2u);
  EXPECT_EQ(curves.at("address tld:com").ends, 1u);
  EXPECT_EQ(curves.at("address depth:0").watched, 1u);
  EXPECT_EQ(curves.at("address depth:2").watched, 1u);
  EXPECT_EQ(curves.at("address age:came later").watched, 1u);
  EXPECT_EQ(curves.at("address age:there from the beginning").watched, 2u);
  // Every group is a part of all.
  for (const char* group : {"tld:", "depth:", "age:"}) {
    uint64_t watched = 0;
    for (const auto& [name, curve] : curves)
      if (name.starts_with(std::string("address ") + group))
        watched += curve.watched;
    EXPECT_EQ(watched, all.watched) << group;
  }
}

TEST(PageLivesTest, TextsAndFragmentsLiveUntilTheyChange) {
  Histories histories;
  histories.Add(1, 0, {1, 2});
  histories.Add(1, 1, {1, 2});
  histories.Add(1, 2, {1, 3});     // changed after three days
  histories.Add(1, 3, {1, 3, 4});  // 3 lives on, 4 is new
  histories.Add(2, 0, {9});
  histories.Add(2, 3, {9});  // unchanged for seven days, and on
  const auto curves = CurvesOf(histories.Finish(), {"http://a/", "http://b/"});
  const ChangeCurve& unchanged = curves.at("unchanged all");
  EXPECT_EQ(unchanged.watched, 2u);
  EXPECT_EQ(unchanged.ends, 1u);
  ASSERT_FALSE(unchanged.steps.empty());
  EXPECT_EQ(unchanged.steps[0].days, 3);
  EXPECT_EQ(unchanged.steps[0].at_risk, 2u);
  const ChangeCurve& fragments = curves.at("fragment all");
  EXPECT_EQ(fragments.watched, 2u);  // 3 and 4
  EXPECT_EQ(fragments.ends, 0u);
}

// ---- visits ----

TEST(VisitLogTest, VisitsGoToTheirAddressOrElsewhere) {
  const TestDir dir;
  MemoryBudget budget(64 << 20);
  ExternalSortOptions sort;
  sort.directory = dir.path();
  sort.memory_bytes = 1 << 20;
  VisitLog log(sort, &budget);
  LineCounts lines;
  ASSERT_TRUE(log.Read(
      StudyText("visits.csv",
                "url,visits\nhttp://a.org/,3\nhttps://a.org,4\n"
                "\"http://b.org/x,y\",5\nhttp://gone.org/,100\n"
                "http://c.org/,x\nhttp://c.org/,-1\n,7\nhttp://c.org/,1,2\n"
                "http://c.org/,1099511627777\nhttp://c.org/,0\n"),
      &lines));
  EXPECT_EQ(lines.used, 5u);
  EXPECT_EQ(log.first_url(), "http://a.org/");
  // Pages come in the order of their hashes.
  std::map<std::pair<uint64_t, uint64_t>, std::string> pages;
  for (const char* url : {"http://a.org/", "http://b.org/x,y", "http://c.org/",
                          "http://d.org/"}) {
    const Hash128Value key = AddressKey(url, "");
    pages[{key.high, key.low}] = url;
  }
  std::map<std::string, uint64_t> visits;
  for (const auto& [key, url] : pages) {
    const auto taken = log.Take({key.second, key.first});
    ASSERT_TRUE(taken);
    visits[url] = *taken;
    // All but d have the same text at the end.
    ASSERT_TRUE(log.SeeLast({url == std::string("http://d.org/") ? 8u : 7u, 1},
                            *taken));
  }
  EXPECT_THAT(visits, UnorderedElementsAre(std::pair("http://a.org/", 7),
                                           std::pair("http://b.org/x,y", 5),
                                           std::pair("http://c.org/", 0),
                                           std::pair("http://d.org/", 0)));
  const auto sums = log.Finish();
  ASSERT_TRUE(sums);
  EXPECT_EQ(sums->of_pages, 12u);
  EXPECT_EQ(sums->elsewhere, 100u);
  EXPECT_EQ(sums->of_last, 12u);
  EXPECT_EQ(sums->of_shared, 12u);
}

TEST(VisitLogTest, ContentOfOnePageIsNotShared) {
  const TestDir dir;
  MemoryBudget budget(64 << 20);
  ExternalSortOptions sort;
  sort.directory = dir.path();
  sort.memory_bytes = 1 << 20;
  VisitLog log(sort, &budget);
  LineCounts lines;
  ASSERT_TRUE(log.Read(StudyText("visits.csv", "http://a.org/,3\n"), &lines));
  ASSERT_TRUE(log.SeeLast({1, 1}, 10));
  ASSERT_TRUE(log.SeeLast({2, 1}, 20));
  ASSERT_TRUE(log.SeeLast({3, 1}, 1));
  ASSERT_TRUE(log.SeeLast({2, 1}, 4));
  const auto sums = log.Finish();
  ASSERT_TRUE(sums);
  EXPECT_EQ(sums->of_shared, 24u);
  EXPECT_EQ(sums->of_last, 35u);
  EXPECT_EQ(sums->elsewhere, 3u) << "no page was asked for";
}

// ---- what goes with change ----

TEST(ChangeRatesTest, CorrelationsOfPlantedRates) {
  const TestDir dir;
  MemoryBudget budget(64 << 20);
  ExternalSortOptions sort;
  sort.directory = dir.path();
  sort.name = "hosts";
  sort.memory_bytes = 1 << 20;
  ChangeRates rates(sort, &budget);
  // Deeper pages change more often, and have fewer visits.
  for (size_t depth = 0; depth < 5; ++depth) {
    for (int n = 0; n < 4; ++n) {
      PageHistory page;
      page.captures.resize(5);
      page.changes.resize(5);
      for (size_t i = 0; i < 5; ++i) page.captures[i].shingles = 10;
      for (size_t i = 1; i < 5; ++i)
        page.changes[i].common = i <= depth ? 5 : 10;
      std::string address = "http://h" + std::to_string(n) + ".org";
      for (size_t d = 0; d < depth; ++d) address += "/x";
      ASSERT_TRUE(rates.See(page, address, 100 - depth));
    }
  }
  // A page with one capture is of its host, and has no rate.
  PageHistory once;
  once.captures.resize(1);
  once.changes.resize(1);
  ASSERT_TRUE(rates.See(once, "http://h1.org/y", {}));
  const auto rows = rates.Finish();
  ASSERT_TRUE(rows);
  std::map<std::string, ChangeCorrelation> by_name;
  for (const ChangeCorrelation& row : *rows) by_name[row.with] = row;
  EXPECT_EQ(by_name.size(), 4u);
  EXPECT_EQ(by_name["depth"].pages, 20u);
  EXPECT_DOUBLE_EQ(by_name["depth"].tau.value(), 1);
  EXPECT_DOUBLE_EQ(by_name["visits"].tau.value(), -1);
  EXPECT_LT(*by_name["depth"].p, 0.001);
  EXPECT_EQ(by_name["amount"].pages, 16u) << "of pages that change";
}

// ---- names ----

TEST(PageNamesTest, DepthCountsSegments) {
  for (const auto& [address, depth] : {std::pair("http://a.org", 0),
                                       {"http://a.org/", 0},
                                       {"http://a.org/x", 1},
                                       {"http://a.org//x//y/", 2},
                                       {"http://a.org/x?y=/z/w", 1},
                                       {"http://a.org/x#/y", 1},
                                       {"folder/page", 2},
                                       {"", 0},
                                       {"http://a.org:80/ü/文", 2}})
    EXPECT_EQ(DepthOf(address), static_cast<size_t>(depth)) << address;
}

TEST(PageNamesTest, TimesAreWrittenInUtc) {
  for (const auto& [seconds, text] :
       {std::pair(int64_t{0}, "1970-01-01T00:00:00Z"),
        {-1, "1969-12-31T23:59:59Z"},
        {951782399, "2000-02-28T23:59:59Z"},
        {951782400, "2000-02-29T00:00:00Z"},
        {4102444799, "2099-12-31T23:59:59Z"}}) {
    EXPECT_EQ(UtcText(seconds), text);
    EXPECT_EQ(ParseDate(text), seconds) << "both ways";
    std::string digits = text;
    std::erase_if(digits, [](char c) { return c < '0' || c > '9'; });
    EXPECT_EQ(DigitsText(seconds), digits);
  }
}

TEST(PageNamesTest, HostsAndTopLevels) {
  EXPECT_EQ(HostOfAddress("http://A.Org:8080/x"), "A.Org");
  EXPECT_EQ(HostOfAddress("folder/page"), "");
  EXPECT_EQ(TopLevelOfAddress("folder/page"), "(none)");
  EXPECT_EQ(TopLevelOfAddress("http://x.co.uk/"), "uk");
  EXPECT_EQ(Base64Of(0), "AAAAAAAAAAA=");
  EXPECT_EQ(Base64Of(1), "AQAAAAAAAAA=");  // the lowest byte first
}

}  // namespace
}  // namespace twinset
