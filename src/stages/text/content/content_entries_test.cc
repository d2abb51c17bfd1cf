#include "text/content/content_entries.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "text/html/html_tree.h"

namespace twinset {
namespace {

PageEntries EntriesOf(const std::string& html) {
  HtmlTree tree;
  BuildHtmlTree(html, &tree);
  ContentPage page;
  ReadContentPage(html, tree, &page);
  return page.entries;
}

const std::string kText =
    "The old mill by the river was closed for years before it ground again.";

TEST(ContentEntries, PostsOfAThread) {
  std::string html = "<h1>Mill</h1><div class=intro><p>" + kText + "</p></div>";
  for (int i = 0; i < 4; ++i) {
    html += "<div class=post><b>somebody</b><div>3 May 2019</div><p>" + kText +
            "</p></div>";
  }
  const PageEntries entries = EntriesOf(html);
  EXPECT_EQ(entries.count, 4u);
  ASSERT_EQ(entries.outermost.size(), 4u);
  EXPECT_EQ(entries.outermost[0].first, 2u);
  EXPECT_EQ(entries.outermost[0].end, 5u);
  EXPECT_EQ(entries.outermost[3].end, 14u);
  EXPECT_EQ(entries.long_words, 4u * 2 * 14);
  EXPECT_EQ(entries.words, 4u * 2 * (14 + 1 + 3));
  EXPECT_EQ(entries.dates, 4u);
  EXPECT_EQ(entries.text_before, 2u * 14);
  EXPECT_EQ(entries.link_words, 0u);
  EXPECT_EQ(entries.comment_words, 0u);
}

TEST(ContentEntries, NestedOnesCountAndTheirWordsCountOnce) {
  const std::string own = "<p>" + kText + "</p><p>yes</p>";
  const PageEntries entries =
      EntriesOf("<p>x</p><div class=comment>" + own + "<div class=comment>" +
                own + "<div class=comment>" + own +
                "</div></div></div><div class=comment>" + own + "</div>");
  EXPECT_EQ(entries.count, 4u);
  EXPECT_EQ(entries.outermost.size(), 2u);
  EXPECT_EQ(entries.long_words, 4u * 2 * 14);
  EXPECT_EQ(entries.comment_words, entries.words);
}

TEST(ContentEntries, ThreeOfTwoBlocksWithTextAreNeeded) {
  const auto page = [](int count, const std::string& text) {
    std::string html;
    for (int i = 0; i < count; ++i) html += "<div class=e>" + text + "</div>";
    return html;
  };
  const std::string text = "<p>" + kText + "</p>";
  EXPECT_EQ(EntriesOf(page(3, text + text)).count, 3u);
  EXPECT_EQ(EntriesOf(page(2, text + text)).count, 0u);
  EXPECT_EQ(EntriesOf(page(3, text)).count, 0u);
  EXPECT_EQ(EntriesOf(page(3, "<p>a</p><p>b</p>")).count, 0u);
  EXPECT_EQ(EntriesOf("").count, 0u);
}

// By comparing every element with every block.
PageEntries ReferenceEntries(const ContentPage& page) {
  std::map<uint32_t, std::vector<uint32_t>> groups;
  for (uint32_t i = 1; i < page.elements.size(); ++i) {
    const PageElement& element = page.elements[i];
    if (element.end_block >= element.first_block + 2)
      groups[element.name_hash].push_back(i);
  }
  PageEntries best;
  uint32_t best_place = 0;
  for (const auto& [name, group] : groups) {
    PageEntries entries;
    entries.count = static_cast<uint32_t>(group.size());
    if (entries.count < 3) continue;
    std::vector<bool> covered(page.blocks.size());
    for (const uint32_t i : group) {
      const PageElement& element = page.elements[i];
      if (!covered[element.first_block])
        entries.outermost.push_back({element.first_block, element.end_block});
      std::fill(covered.begin() + element.first_block,
                covered.begin() + element.end_block, true);
    }
    for (uint32_t b = 0; b < page.blocks.size(); ++b) {
      const PageBlock& block = page.blocks[b];
      const bool is_long = IsLongText(block.text);
      if (!covered[b]) {
        if (is_long && b < entries.outermost[0].first)
          entries.text_before += block.text.words;
        continue;
      }
      bool comment = false;
      for (uint32_t e = block.element; e != 0; e = page.elements[e].parent)
        comment |=
            (page.elements[e].marks & MarkBit(ContentTag::kComments)) != 0;
      entries.words += block.text.words;
      entries.link_words += block.text.link_words;
      entries.dates += static_cast<uint32_t>(block.text.has_year) +
                       static_cast<uint32_t>(block.text.has_clock);
      if (is_long) entries.long_words += block.text.words;
      if (comment) entries.comment_words += block.text.words;
    }
    if (entries.long_words > best.long_words ||
        (entries.long_words > 0 && entries.long_words == best.long_words &&
         group[0] < best_place)) {
      best = entries;
      best_place = group[0];
    }
  }
  return best;
}

TEST(ContentEntries, FoundAsByComparingAllWithAll) {
  std::mt19937 random(3);
  const std::vector<std::string> opening = {
      "<div class=post>", "<div>",    "<section class=comment>", "<ul><li>",
      "<div class=post>", "<tr><td>", "<div class=comments>",    "<p>"};
  const std::vector<std::string> closing = {"</div>", "</section>", "</p>",
                                            "</ul>", "</div></div>"};
  const std::vector<std::string> texts = {
      kText + " ", "short one ", "<a href=/x>a link of words</a> ",
      "3 May 2019 at 12:30 ", kText + " " + kText + "<br><br>"};
  int found = 0, nested = 0, commented = 0;
  for (int round = 0; round < 1500; ++round) {
    std::string html;
    for (unsigned i = random() % 40 + 5; i > 0; --i) {
      html += opening[random() % opening.size()];
      for (unsigned k = random() % 3; k > 0; --k)
        html += texts[random() % texts.size()];
      for (unsigned k = random() % 3; k > 0; --k)
        html += closing[random() % closing.size()];
    }
    HtmlTree tree;
    BuildHtmlTree(html, &tree);
    ContentPage page;
    ReadContentPage(html, tree, &page);
    const PageEntries expected = ReferenceEntries(page);
    const PageEntries& entries = page.entries;
    ASSERT_EQ(entries.count, expected.count) << html;
    EXPECT_EQ(entries.words, expected.words);
    EXPECT_EQ(entries.long_words, expected.long_words);
    EXPECT_EQ(entries.link_words, expected.link_words);
    EXPECT_EQ(entries.comment_words, expected.comment_words);
    EXPECT_EQ(entries.dates, expected.dates);
    EXPECT_EQ(entries.text_before, expected.text_before);
    ASSERT_EQ(entries.outermost.size(), expected.outermost.size());
    for (size_t i = 0; i < entries.outermost.size(); ++i) {
      EXPECT_EQ(entries.outermost[i].first, expected.outermost[i].first);
      EXPECT_EQ(entries.outermost[i].end, expected.outermost[i].end);
    }
    found += entries.count > 0;
    nested += entries.count > entries.outermost.size();
    commented += expected.comment_words > 0;
  }
  EXPECT_GT(found, 500);
  EXPECT_GT(nested, 100);
  EXPECT_GT(commented, 100);
}

}  // namespace
}  // namespace twinset
