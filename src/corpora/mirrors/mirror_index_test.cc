#include "mirrors/mirror_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "verify/measures.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;

MirrorPage Page(const std::string& url, uint64_t cluster) {
  MirrorPage page;
  page.url = url;
  page.id = url;
  page.address = MirrorAddress(url, url);
  page.cluster = cluster;
  page.similarity = 0.9;
  return page;
}

TEST(Mirrors, PairsAreSplitAtTheirCommonEnd) {
  const auto split = [](std::string_view a, std::string_view b) {
    const SplitPair pair = SplitParallel(a, b);
    return std::string(pair.a) + "|" + std::string(pair.b);
  };
  EXPECT_EQ(split("h/amd64/en/x", "h/i386/en/x"), "h/amd64|h/i386");
  EXPECT_EQ(split("a.b/x/y", "c.d/x/y"), "a.b|c.d");
  EXPECT_EQ(split("a.b/x/y", "a.b/m/x/y"), "a.b|a.b/m");
  EXPECT_EQ(split("a.b/x", "a.b/y"), "|");
  EXPECT_EQ(split("x", "y"), "|");
}

// Two hosts with the same ten pages, of which nine are alike, a third that has
// others at the same places, and a page of each that is nowhere else.
std::vector<MirrorPage> TwoMirrors() {
  std::vector<MirrorPage> pages;
  for (uint64_t i = 0; i < 10; ++i) {
    const std::string path = "/p/" + std::to_string(i);
    pages.push_back(Page("http://a.x" + path, i < 9 ? i : MirrorPage::kAlone));
    pages.push_back(
        Page("http://b.x" + path + "/", i < 9 ? i : MirrorPage::kAlone));
    pages.push_back(Page("http://c.x" + path, MirrorPage::kAlone));
  }
  pages.push_back(Page("http://a.x/own", MirrorPage::kAlone));
  pages.push_back(Page("http://b.x/mine", MirrorPage::kAlone));
  return pages;
}

TEST(Mirrors, FoundWithTheirDegrees) {
  MirrorIndex index(TwoMirrors());
  uint64_t cut = 0;
  const auto mirrors = *MirrorsOf({}, &index, &cut);
  ASSERT_EQ(mirrors.size(), 1u);
  EXPECT_EQ(mirrors[0].a, "a.x");
  EXPECT_EQ(mirrors[0].b, "b.x");
  EXPECT_EQ(mirrors[0].pages_a, 11u);
  EXPECT_EQ(mirrors[0].parallel, 10u);
  EXPECT_EQ(mirrors[0].duplicates, 9u);
  EXPECT_DOUBLE_EQ(mirrors[0].share, 0.9);
  EXPECT_EQ(index.Find("a.x/p/3")->degree, 1u);
  EXPECT_EQ(index.Find("a.x/p/9")->degree, 0u);
  EXPECT_EQ(index.Find("c.x/p/3")->degree, 0u);
  EXPECT_EQ(cut, 0u);
  MirrorsOptions strict;
  strict.share = 0.95;
  EXPECT_TRUE(MirrorsOf(strict, &index, &cut)->empty());
}

// By the definition: every two prefixes, and every two pages below them.
std::map<std::pair<std::string, std::string>, std::pair<uint64_t, uint64_t>>
NaiveMirrors(const std::vector<MirrorPage>& pages,
             const MirrorsOptions& options) {
  std::set<std::string> prefixes;
  for (const MirrorPage& page : pages) {
    for (size_t at = page.address.find('/'); at != std::string::npos;
         at = page.address.find('/', at + 1))
      prefixes.insert(page.address.substr(0, at));
  }
  std::map<std::string, uint64_t> clusters;
  for (const MirrorPage& page : pages) clusters[page.address] = page.cluster;
  std::map<std::pair<std::string, std::string>, std::pair<uint64_t, uint64_t>>
      mirrors;
  for (const std::string& a : prefixes) {
    for (const std::string& b : prefixes) {
      if (b <= a) continue;
      uint64_t below_a = 0, below_b = 0, parallel = 0, same = 0, split_here = 0;
      for (const auto& [address, cluster] : clusters) {
        below_b += address.starts_with(b + "/");
        if (!address.starts_with(a + "/")) continue;
        ++below_a;
        const auto other = clusters.find(b + address.substr(a.size()));
        if (other == clusters.end()) continue;
        ++parallel;
        if (cluster == MirrorPage::kAlone || other->second != cluster) continue;
        ++same;
        const SplitPair split = SplitParallel(address, other->first);
        split_here += split.a == a && split.b == b;
      }
      if (split_here >= options.least_pages && same >= options.least_pages &&
          static_cast<double>(same) >=
              options.share * static_cast<double>(parallel) &&
          static_cast<double>(parallel) >=
              options.overlap * static_cast<double>(std::min(below_a, below_b)))
        mirrors[{a, b}] = {parallel, same};
    }
  }
  return mirrors;
}

TEST(Mirrors, RandomSites) {
  SplitMix64 random(4);
  size_t found = 0;
  for (int round = 0; round < 60; ++round) {
    std::map<std::string, MirrorPage> pages;
    for (int i = 0; i < 60; ++i) {
      const std::string path = "/" + std::to_string(random.Below(2)) + "/" +
                               std::to_string(random.Below(6));
      const std::string host = "h" + std::to_string(random.Below(3)) + ".x";
      // Parallel pages are mostly duplicates.
      const uint64_t cluster = random.Below(8) == 0
                                   ? MirrorPage::kAlone
                                   : std::hash<std::string>()(path) % 1000;
      pages.try_emplace(host + path, Page("http://" + host + path, cluster));
    }
    std::vector<MirrorPage> all;
    for (const auto& [address, page] : pages) all.push_back(page);
    MirrorsOptions options;
    options.least_pages = 1 + random.Below(4);
    MirrorIndex index(all);
    uint64_t cut = 0;
    const auto mirrors = MirrorsOf(options, &index, &cut);
    ASSERT_TRUE(mirrors);
    ASSERT_EQ(cut, 0u);
    std::map<std::pair<std::string, std::string>, std::pair<uint64_t, uint64_t>>
        rows;
    for (const Mirror& mirror : *mirrors)
      rows[std::minmax(mirror.a, mirror.b)] = {mirror.parallel,
                                               mirror.duplicates};
    EXPECT_EQ(rows, NaiveMirrors(all, options)) << round;
    found += rows.size();
  }
  EXPECT_GT(found, 50u);
}

TEST(Mirrors, PairsOfFoldersStayWithinTheMemory) {
  std::vector<MirrorPage> pages;
  for (uint64_t i = 0; i < 20'000; ++i) {
    for (const char* side : {"a", "b"})
      pages.push_back(Page("http://" + (side + std::to_string(i)) + ".x/p", i));
  }
  MirrorIndex index(std::move(pages));
  MirrorsOptions options;
  options.resources.memory_bytes = 4 << 20;
  uint64_t cut = 0;
  const auto mirrors = MirrorsOf(options, &index, &cut);
  ASSERT_FALSE(mirrors);
  EXPECT_EQ(mirrors.error().code, ErrorCode::kMemory);
}

TEST(Mirrors, DeadPagesHaveAlternatives) {
  MirrorIndex index(TwoMirrors());
  uint64_t cut = 0;
  const auto mirrors = *MirrorsOf({}, &index, &cut);
  const auto urls = [&](std::string_view url, std::string_view dead = "") {
    std::vector<std::string> found;
    for (const Alternative& one : AlternativesOf(
             MirrorAddress(url, {}), Measure::kJaccard, mirrors, &index,
             [&](const MirrorPage& page) { return page.url == dead; }))
      found.push_back(one.by + " " + one.url);
    return found;
  };
  EXPECT_THAT(urls("http://a.x/p/3"), ElementsAre("duplicate http://b.x/p/3/"));
  // Never in the run: by the mirror alone.
  EXPECT_THAT(urls("https://a.x/mine"), ElementsAre("mirror http://b.x/mine"));
  EXPECT_THAT(urls("http://a.x/p/3", "http://b.x/p/3/"), ElementsAre());
  EXPECT_THAT(urls("http://a.x/own"), ElementsAre());
}

// Random sets, some of them equal or in one another; a third is near both.
TEST(Mirrors, SimilaritiesToAThirdBoundThatOfTwo) {
  SplitMix64 random(6);
  std::map<Measure, size_t> said;
  for (int round = 0; round < 20'000; ++round) {
    std::array<std::set<uint64_t>, 3> sets;
    for (uint64_t i = 0; i < 3 + random.Below(20); ++i) {
      const bool in_all = random.Below(4) != 0;
      for (auto& set : sets)
        if (in_all || random.Below(2) == 0) set.insert(i);
    }
    const auto overlap = [&sets](size_t a, size_t b) {
      uint64_t common = 0;
      for (const uint64_t one : sets[a]) common += sets[b].contains(one);
      return Overlap{sets[a].size(), sets[b].size(), common};
    };
    for (const Measure measure :
         {Measure::kJaccard, Measure::kDice, Measure::kS3, Measure::kCosine,
          Measure::kContainment}) {
      const double least =
          LeastSimilarity(measure, Score(measure, overlap(0, 2)),
                          Score(measure, overlap(1, 2)));
      EXPECT_LE(least, Score(measure, overlap(0, 1)) + 1e-9) << round;
      said[measure] += least > .5;
    }
  }
  for (const Measure measure :
       {Measure::kJaccard, Measure::kDice, Measure::kS3, Measure::kCosine})
    EXPECT_GT(said[measure], 1000u);
  EXPECT_EQ(LeastSimilarity(Measure::kEdit, 1, .9), .9);
  EXPECT_EQ(LeastSimilarity(Measure::kHamming, .9, .9), 0);
}

TEST(Mirrors, ConfidenceIsThatOfTheDeadPageAndItsAlternative) {
  std::vector<MirrorPage> pages;
  for (const auto& [host, similarity] :
       {std::pair("a", 1.0), std::pair("b", .9), std::pair("c", .8),
        std::pair("d", .9996), std::pair("e", 1.0)}) {
    pages.push_back(Page("http://" + std::string(host) + ".x/p", 1));
    pages.back().similarity = similarity;
  }
  pages[0].represents = true;
  const auto confidences = [&](const std::string& url) {
    MirrorIndex index(pages);
    std::map<std::string, double> found;
    for (const Alternative& one :
         AlternativesOf(MirrorAddress(url, {}), Measure::kJaccard, {}, &index,
                        [](const MirrorPage&) { return false; }))
      found[one.url.substr(7, 1)] = std::round(one.confidence * 1e6) / 1e6;
    return found;
  };
  using Found = std::map<std::string, double>;
  EXPECT_EQ(confidences("http://a.x/p"),
            (Found{{"b", .9}, {"c", .8}, {"d", .999}, {"e", 1}}));
  EXPECT_EQ(confidences("http://b.x/p"),
            (Found{{"a", .9}, {"c", .7}, {"d", .8996}, {"e", .9}}));
  EXPECT_EQ(confidences("http://e.x/p"),
            (Found{{"a", 1}, {"b", .9}, {"c", .8}, {"d", .999}}));
  for (MirrorPage& page : pages) page.is_estimated = true;
  EXPECT_EQ(confidences("http://e.x/p"),
            (Found{{"a", .999}, {"b", .9}, {"c", .8}, {"d", .999}}));
}

// A share of 100,000 in 100,000 is known well, not for certain.
TEST(Mirrors, AMirrorIsNeverCertain) {
  MirrorIndex index({Page("http://b.x/p", MirrorPage::kAlone)});
  Mirror mirror;
  mirror.a = "a.x";
  mirror.b = "b.x";
  mirror.low = .99996;
  const auto found =
      AlternativesOf("a.x/p", Measure::kJaccard, {mirror}, &index,
                     [](const MirrorPage&) { return false; });
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].confidence, .999);
}

}  // namespace
}  // namespace twinset
