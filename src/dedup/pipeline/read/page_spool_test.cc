// Pages that wait for their site: what is stored of them, what is left when
// blocks are taken out, and to which site they belong.
#include "pipeline/read/page_spool.h"

#include <gtest/gtest.h>

#include <set>

#include "base/hash.h"
#include "base/utf8.h"
#include "pipeline/run/test_run.h"

namespace twinset {
namespace {

// A page of blocks, each a part of the text or left out of it; between two
// blocks of the text stands a line end or nothing.
CleanText RandomPage(SplitMix64* random) {
  const std::vector<std::string> blocks = {"",
                                           "a",
                                           " \n ",
                                           "\xC3\xA9t\xC3\xA9",
                                           "two  words",
                                           "\tx ",
                                           "a\nb\nc",
                                           "long " + std::string(300, 'l'),
                                           "\xE6\x9D\xB1\xE4\xBA\xAC"};
  CleanText clean;
  clean.page.confidence = static_cast<int>(random->Below(1000));
  for (uint64_t i = random->Below(12); i > 0; --i) {
    const std::string& text = blocks[random->Below(blocks.size())];
    TextPart part;
    part.kept = random->Below(3) != 0;
    part.likely = random->Below(2) == 0;
    part.framed = random->Below(3) == 0;
    part.linked = random->Below(2) == 0;
    std::string& to = part.kept ? clean.text : clean.left_out;
    if (part.kept && random->Below(2) == 0 && !to.empty()) to += '\n';
    part.begin = static_cast<uint32_t>(to.size());
    to += text;
    part.end = static_cast<uint32_t>(to.size());
    clean.parts.push_back(part);
  }
  return clean;
}

std::string Collapsed(std::string_view text) {
  std::string collapsed;
  for (const char c : text) {
    const bool is_space = c == ' ' || c == '\n' || c == '\t';
    if (!is_space) {
      collapsed += c;
    } else if (!collapsed.empty() && collapsed.back() != ' ') {
      collapsed += ' ';
    }
  }
  while (!collapsed.empty() && collapsed.back() == ' ') collapsed.pop_back();
  return collapsed;
}

std::string WholeTextOf(const CleanText& clean, const TextPart& part) {
  return (part.kept ? clean.text : clean.left_out)
      .substr(part.begin, part.end - part.begin);
}

class PageSpoolTest : public ::testing::Test {
 protected:
  std::string Encode(const CleanText& clean,
                     const PageSite& site = {"s", "n"}) {
    std::string bytes;
    EncodePage(run_.get()->plan, site, clean, &bytes);
    return bytes;
  }
  TestRun run_{0};
};

TEST_F(PageSpoolTest, WhatIsStoredIsReadBack) {
  SplitMix64 random(1);
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE(round);
    const CleanText clean = RandomPage(&random);
    const std::string bytes = Encode(clean, {"key", "the name"});
    SpooledPage page;
    ASSERT_TRUE(DecodePage(bytes, &page));
    EXPECT_EQ(page.site_name, "the name");
    EXPECT_EQ(page.text, clean.text);
    ASSERT_EQ(page.blocks.size(), clean.parts.size());
    for (size_t i = 0; i < clean.parts.size(); ++i) {
      const TextPart& part = clean.parts[i];
      const SpooledBlock& block = page.blocks[i];
      EXPECT_EQ(block.kept, part.kept);
      EXPECT_EQ(block.likely, part.likely);
      EXPECT_EQ(block.framed, part.framed);
      EXPECT_EQ(block.linked, part.linked);
      const std::string whole = WholeTextOf(clean, part);
      EXPECT_EQ(block.hash == 0, Collapsed(whole).empty());
      const std::string_view text = page.TextOf(block);
      if (part.kept) {
        EXPECT_EQ(text, whole);
      } else if (page.may_widen && !part.framed) {
        EXPECT_EQ(text, Collapsed(whole));
      } else {
        EXPECT_EQ(text, ExcerptOf(whole));
      }
      // Equal texts, and no others, have equal hashes.
      for (size_t j = 0; j < i; ++j) {
        EXPECT_EQ(
            block.hash == page.blocks[j].hash,
            Collapsed(whole) == Collapsed(WholeTextOf(clean, clean.parts[j])));
      }
    }
  }
}

TEST_F(PageSpoolTest, DamageIsAnErrorOrAnotherPage) {
  SplitMix64 random(2);
  for (int round = 0; round < 1500; ++round) {
    std::string bytes = Encode(RandomPage(&random));
    SpooledPage page;
    if (round % 2 == 0) {
      bytes.resize(random.Below(bytes.size()));
      EXPECT_FALSE(DecodePage(bytes, &page));
      continue;
    }
    bytes[random.Below(bytes.size())] = static_cast<char>(random.Next());
    if (!DecodePage(bytes, &page)) continue;
    for (const SpooledBlock& block : page.blocks)
      EXPECT_LE(page.TextOf(block).size(), bytes.size());
    EXPECT_LE(TextWithout(page, {}, nullptr).size(), page.text.size());
  }
  SpooledPage page;
  const Status longer = DecodePage(Encode({}) + "x", &page);
  ASSERT_FALSE(longer);
  EXPECT_EQ(longer.error().message, "a stored page has the wrong length");
}

// Pages of one site have equal hashes on each side of a match and no others.
TEST_F(PageSpoolTest, SidesOfASiteAreApart) {
  const auto site_of = [](const std::string& bytes) {
    SpooledPage page;
    EXPECT_TRUE(DecodePage(bytes, &page));
    return page.site;
  };
  std::set<uint64_t> all;
  for (const char* key : {"", "a", "b", "host:a"}) {
    std::string first = Encode({}, {key, "n", 0});
    const std::string second = Encode({}, {key, "n", 1});
    EXPECT_NE(site_of(first), site_of(second));
    EXPECT_NE(site_of(first), 0u);
    all.insert({site_of(first), site_of(second)});
    MoveToSecondSide(&first);
    EXPECT_EQ(first, second);
    MoveToSecondSide(&first);  // where it is already
    EXPECT_EQ(first, second);
  }
  EXPECT_EQ(all.size(), 8u);
  std::string none;
  MoveToSecondSide(&none);
  EXPECT_TRUE(none.empty());
}

TEST_F(PageSpoolTest, OfTextsWithoutABlockNothingElseIsMissing) {
  SplitMix64 random(3);
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    const std::string bytes = Encode(RandomPage(&random));
    SpooledPage page;
    ASSERT_TRUE(DecodePage(bytes, &page));
    std::vector<uint32_t> dropped;
    std::string signs;  // of what stays, without white space
    size_t at = 0;
    const auto keep = [&](size_t end) {
      for (; at < end; ++at) {
        const char c = page.text[at];
        if (c != ' ' && c != '\n' && c != '\t') signs += c;
      }
    };
    for (uint32_t i = 0; i < page.blocks.size(); ++i) {
      if (!page.blocks[i].kept || random.Below(2) == 0) continue;
      dropped.push_back(i);
      keep(page.blocks[i].begin);
      at = page.blocks[i].end;
    }
    keep(page.text.size());
    std::vector<TextCut> cuts = {{9, 9}};  // replaced
    const std::string left = TextWithout(page, dropped, &cuts);
    std::string left_signs = left;
    std::erase_if(left_signs,
                  [](char c) { return c == ' ' || c == '\n' || c == '\t'; });
    EXPECT_EQ(left_signs, signs);
    EXPECT_EQ(left, TextWithout(page, dropped, nullptr));
    // Every sign stands in the whole text where the cuts say.
    const auto code_points = [](std::string_view text) {
      std::vector<std::string> points;
      for (const char c : text) {
        if (!IsContinuation(c)) points.emplace_back();
        points.back() += c;
      }
      return points;
    };
    const auto of_left = code_points(left), of_page = code_points(page.text);
    EXPECT_EQ(cuts.empty(), left.empty() && signs.empty());
    for (size_t i = 0, cut = 0; i < of_left.size(); ++i) {
      while (cut + 1 < cuts.size() && cuts[cut + 1].left <= i) ++cut;
      if (of_left[i] == "\n") continue;  // may be what keeps two pieces apart
      const size_t place = cuts[cut].whole + (i - cuts[cut].left);
      ASSERT_LT(place, of_page.size());
      EXPECT_EQ(of_page[place], of_left[i]);
    }
  }
}

TEST_F(PageSpoolTest, NeighboursOfABlockStayApart) {
  CleanText clean;
  clean.text = "onetwothree";
  clean.parts = {{.begin = 0, .end = 3, .kept = true},
                 {.begin = 3, .end = 6, .kept = true},
                 {.begin = 6, .end = 11, .kept = true}};
  const std::string bytes = Encode(clean);
  SpooledPage page;
  ASSERT_TRUE(DecodePage(bytes, &page));
  EXPECT_EQ(TextWithout(page, {1}, nullptr), "one\nthree");
  EXPECT_EQ(TextWithout(page, {0}, nullptr), "twothree");
  EXPECT_EQ(TextWithout(page, {2}, nullptr), "onetwo");
  EXPECT_EQ(TextWithout(page, {0, 1, 2}, nullptr), "");
}

TEST_F(PageSpoolTest, UnframedTextHasABlockToALine) {
  SplitMix64 random(4);
  for (int round = 0; round < 200; ++round) {
    const CleanText clean = RandomPage(&random);
    const std::string bytes = Encode(clean);
    SpooledPage page;
    ASSERT_TRUE(DecodePage(bytes, &page));
    if (!page.may_widen) continue;
    std::vector<uint32_t> dropped;
    std::string expected;
    for (uint32_t i = 0; i < clean.parts.size(); ++i) {
      if (random.Below(3) == 0) {
        dropped.push_back(i);
        continue;
      }
      const std::string text = Collapsed(WholeTextOf(clean, clean.parts[i]));
      if (clean.parts[i].framed || text.empty()) continue;
      expected += (expected.empty() ? "" : "\n") + text;
    }
    EXPECT_EQ(UnframedText(page, dropped), expected);
  }
}

TEST_F(PageSpoolTest, ExcerptsEndBetweenCharacters) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "\xE6\x9D\xB1";
  EXPECT_EQ(ExcerptOf(text), text.substr(0, 3 * kBlockExcerpt));
  EXPECT_EQ(ExcerptOf("  a \n b  "), "a b");
  EXPECT_EQ(ExcerptOf(""), "");
  EXPECT_EQ(ExcerptOf(std::string(kBlockExcerpt, 'x') + "y"),
            std::string(kBlockExcerpt, 'x'));
}

// The name of a site is cut between characters, as it is shown.
TEST_F(PageSpoolTest, LongNamesOfSitesStayText) {
  std::string name = "xx";
  for (int i = 0; i < 100; ++i) name += "\xE6\x9D\xB1";
  const std::string bytes = Encode({}, {"key", name});
  SpooledPage page;
  ASSERT_TRUE(DecodePage(bytes, &page));
  EXPECT_LE(page.site_name.size(), 256u);
  EXPECT_EQ(page.site_name.size() % 3, 2u);
  EXPECT_TRUE(name.starts_with(page.site_name));
}

TEST_F(PageSpoolTest, SitesAreHostsOrFolders) {
  const Plan& plan = run_.get()->plan;
  Document document;
  const InputFile file = {"/data/a/b/page.html", "a/b/page.html",
                          "b/page.html"};
  EXPECT_TRUE(SiteOf(plan, document, file, "").key.empty());
  document.is_file = true;
  const PageSite folder = SiteOf(plan, document, file, "");
  EXPECT_EQ(folder.key, "folder:/data/a");
  EXPECT_EQ(folder.name, "a");
  EXPECT_EQ(
      SiteOf(plan, document, {"page.html", "page.html", "page.html"}, "").name,
      ".");
  document.provenance.url = "HTTP://Example.ORG:80/x";
  const PageSite host = SiteOf(plan, document, file, "");
  EXPECT_EQ(host.key, "host:example.org");
  EXPECT_EQ(host.name, "example.org");
  // A host and a folder of one name are two sites.
  EXPECT_NE(host.key, "folder:example.org");
}

TEST_F(PageSpoolTest, TheSiteOfAValueIsThatOfItsField) {
  TestRun run(0, [](auto* options) { options->features.site = "source"; });
  Document document;
  document.provenance.url = "http://example.org/";
  const PageSite site =
      SiteOf(run.get()->plan, document, {"p", "the source", "p"}, "");
  EXPECT_EQ(site.key, "value:the source");
}

}  // namespace
}  // namespace twinset
