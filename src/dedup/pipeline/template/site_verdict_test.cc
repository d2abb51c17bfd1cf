// Which choices of text the site overrules: against sums over a copy of the
// page, word by word of the definition, and what is then left out.
#include "pipeline/template/site_verdict.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/hash.h"

namespace twinset {
namespace {

// A page under construction: blocks with what the site knows of them.
struct Made {
  std::string text, excerpts;
  SpooledPage page;
  std::vector<RepeatedBlock> repeated;
  std::vector<uint64_t> pages;  // that each block stands on

  Made() { page.may_widen = true; }

  Made& Add(size_t code_points, bool kept, uint64_t on_pages,
            bool is_template = false) {
    std::string& to = kept ? text : excerpts;
    SpooledBlock block;
    block.hash = page.blocks.size() + 1;
    block.kept = kept;
    block.begin = static_cast<uint32_t>(to.size());
    // Characters of two bytes: code points count, not bytes.
    for (size_t i = 0; i < code_points; ++i)
      to += i % 2 == 0 ? "\xC3\xA9" : "e";
    block.end = static_cast<uint32_t>(to.size());
    if (on_pages > 1) {
      repeated.push_back({static_cast<uint32_t>(page.blocks.size()),
                          is_template, LogPages(on_pages)});
    }
    page.blocks.push_back(block);
    pages.push_back(on_pages);
    return *this;
  }
  bool IsOverruled() {
    page.text = text;
    page.excerpts = excerpts;
    return IsContradicted(page, repeated);
  }
};

TEST(LogPages, IsALogarithm) {
  for (uint64_t n = 1; n < 5000; ++n) {
    const double exact = 16 * std::log2(static_cast<double>(n));
    EXPECT_LE(LogPages(n), exact + 1e-9) << n;
    EXPECT_GT(LogPages(n), exact - 2.4) << n;
    EXPECT_GE(LogPages(n), LogPages(std::max<uint64_t>(1, n - 1))) << n;
  }
  EXPECT_EQ(LogPages(1), 0);
  EXPECT_EQ(LogPages(2), 16);
  EXPECT_EQ(LogPages(3), 24);
  EXPECT_EQ(LogPages(uint64_t{1} << 48), 48 * 16);
}

TEST(SiteVerdict, ADoubtfulChoiceNeedsThreeFifthsOfThePagesOwnText) {
  for (const size_t kept : {149u, 150u, 151u}) {
    for (const bool doubtful : {false, true}) {
      Made made;
      made.page.is_doubtful = doubtful;
      made.Add(50, true, 30, true).Add(kept, true, 1).Add(100, false, 1);
      EXPECT_EQ(made.IsOverruled(), doubtful && kept < 150) << kept;
    }
  }
  // Template that is dropped, and what is named as frame, are not its own.
  Made made;
  made.page.is_doubtful = true;
  made.Add(60, true, 1).Add(100, false, 30, true).Add(200, false, 1);
  made.page.blocks[2].framed = true;
  EXPECT_FALSE(made.IsOverruled());
  made.page.blocks[2].framed = false;
  EXPECT_TRUE(made.IsOverruled());
  // Nothing is known of a site without template.
  Made unknown;
  unknown.page.is_doubtful = true;
  unknown.Add(60, true, 1).Add(200, false, 2);
  EXPECT_FALSE(unknown.IsOverruled());
}

TEST(SiteVerdict, WhatIsDroppedIsNotMuchRarer) {
  for (const uint64_t on : {1u, 2u, 3u, 4u, 12u}) {
    EXPECT_EQ(Made().Add(100, true, on).Add(60, false, 1).IsOverruled(),
              on >= 4)
        << on;
    EXPECT_FALSE(Made().Add(100, true, on).Add(50, false, 1).IsOverruled());
    EXPECT_FALSE(Made().Add(100, true, on).Add(60, false, on).IsOverruled());
  }
  Made links;
  links.Add(100, true, 12).Add(60, false, 1);
  links.page.blocks[1].linked = true;
  EXPECT_FALSE(links.IsOverruled());
  Made made;
  made.Add(100, true, 12).Add(60, false, 1);
  made.page.may_widen = false;
  EXPECT_FALSE(made.IsOverruled());
}

// The definition with real logarithms, a margin left to the integers.
TEST(SiteVerdict, RandomPagesAreJudgedAsDefined) {
  SplitMix64 random(7);
  size_t overruled = 0, judged = 0;
  for (int round = 0; round < 4000; ++round) {
    Made made;
    made.page.is_doubtful = random.Below(2) == 0;
    double kept = 0, dropped = 0, own = 0, other = 0, kept_logs = 0,
           dropped_logs = 0;
    bool has_template = false;
    for (uint64_t i = 1 + random.Below(8); i > 0; --i) {
      const size_t size = 1 + random.Below(90);
      const bool keep = random.Below(2) == 0, frame = random.Below(6) == 0;
      const uint64_t on = uint64_t{1} << random.Below(7);
      const bool is_template = on >= 32, links = random.Below(4) == 0;
      made.Add(size, keep, on, is_template);
      made.page.blocks.back().framed = frame;
      made.page.blocks.back().linked = links;
      has_template |= is_template;
      if (frame || (is_template && !keep)) continue;
      const double points = static_cast<double>(size);
      if (!is_template) (keep ? own : other) += points;
      if (!keep && links) continue;
      (keep ? kept : dropped) += points;
      (keep ? kept_logs : dropped_logs) +=
          points * std::log2(static_cast<double>(on));
    }
    const bool little =
        made.page.is_doubtful && has_template && 2 * own < 3 * other;
    const double gap = kept > 0 && dropped > 0
                           ? kept_logs / kept - dropped_logs / dropped - 2
                           : -1;
    if (!little && std::abs(gap) < 0.07) continue;
    const bool expected = little || (2 * dropped > kept && gap > 0);
    EXPECT_EQ(made.IsOverruled(), expected) << round;
    ++judged;
    overruled += expected;
  }
  EXPECT_GT(overruled, 500u);
  EXPECT_GT(judged - overruled, 500u);
}

TEST(SiteVerdict, LikelyTemplateStaysWhereTheModelIsSure) {
  Made made;
  made.Add(50, true, 30, true).Add(50, true, 30, true).Add(9, false, 30, true);
  made.Add(50, true, 5).Add(9, false, 30, true);
  made.page.blocks[1].likely = true;
  made.page.blocks[4].framed = true;
  using Blocks = std::vector<uint32_t>;
  EXPECT_EQ(BlocksToDrop(made.page, made.repeated, false), (Blocks{0}));
  EXPECT_EQ(BlocksToDrop(made.page, made.repeated, true), (Blocks{0, 1, 2}));
  made.page.is_unsure = true;
  EXPECT_EQ(BlocksToDrop(made.page, made.repeated, false), (Blocks{0, 1}));
}

TEST(SiteVerdict, UnframedTextHasTheBlocksInTheirOrder) {
  SpooledPage page;
  page.may_widen = true;
  page.text = "kept  one\nkept two";
  page.excerpts = "framedleft out";
  page.blocks = {{1, 0, 6, false, false, true},
                 {2, 0, 9, true, false, false},
                 {3, 6, 14},
                 {4, 9, 18, true}};
  EXPECT_EQ(UnframedText(page, {}), "kept one\nleft out\nkept two");
  EXPECT_EQ(UnframedText(page, {1, 2}), "kept two");
  EXPECT_EQ(UnframedText(page, {1, 2, 3}), "");
}

}  // namespace
}  // namespace twinset
