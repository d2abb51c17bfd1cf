#include "study/mirror_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace twinset::inline v1 {
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
  const auto mirrors = MirrorsOf({}, &index, &cut);
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
  EXPECT_TRUE(MirrorsOf(strict, &index, &cut).empty());
}

TEST(Mirrors, DeadPagesHaveAlternatives) {
  MirrorIndex index(TwoMirrors());
  uint64_t cut = 0;
  const auto mirrors = MirrorsOf({}, &index, &cut);
  const auto urls = [&](std::string_view url, std::string_view dead = "") {
    std::vector<std::string> found;
    for (const Alternative& one : AlternativesOf(
             MirrorAddress(url, {}), mirrors, &index,
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

}  // namespace
}  // namespace twinset::inline v1
