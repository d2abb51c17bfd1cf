#include "text/content/page_blocks.h"

#include <gtest/gtest.h>

#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "text/content/content_page.h"
#include "text/html/html_tree.h"
#include "text/page/html_builder.h"
#include "text/page/html_text.h"

namespace twinset {
namespace {

std::string RandomMarkup(std::mt19937* random) {
  static const char* const kPieces[] = {"<p>",
                                        "</p>",
                                        "<div>",
                                        "</div>",
                                        "<b>",
                                        "</b>",
                                        "<pre>",
                                        "</pre>",
                                        "<br>",
                                        "<br><br>",
                                        "<hr>",
                                        "<table>",
                                        "</table>",
                                        "<tr><td>",
                                        "</td>",
                                        "<ul><li>",
                                        "</ul>",
                                        "<button>",
                                        "</button>",
                                        "<a href=x>",
                                        "</a>",
                                        "<img>",
                                        "&#32;",
                                        "&amp;",
                                        "  ",
                                        "\n\t",
                                        "\r\n",
                                        "one",
                                        "two three",
                                        "na\xC3\xAFve ",
                                        "<textarea>",
                                        "</textarea>",
                                        "<div hidden>",
                                        "<span hidden>",
                                        "</span>",
                                        "<select><option>",
                                        "</select>",
                                        "<h1>",
                                        "</h1>",
                                        "\xC2\xA0",
                                        "<script>x</script>",
                                        "<article>",
                                        "</article>",
                                        "&nbsp;",
                                        "\f"};
  std::string html;
  const size_t count = 1 + (*random)() % 40;
  for (size_t i = 0; i < count; ++i)
    html += kPieces[(*random)() % std::size(kPieces)];
  return html;
}

std::string CollapseSpace(std::string_view text) {
  CleanText collapsed;
  TextBuilder builder(false, &collapsed);
  builder.Text(text, 0);
  builder.Finish();
  return std::move(collapsed.text);
}

std::vector<std::string> TextsOf(const CleanText& clean) {
  std::vector<std::string> texts;
  for (const TextPart& part : clean.parts) {
    const std::string& text = part.kept ? clean.text : clean.left_out;
    texts.push_back(
        CollapseSpace(text.substr(part.begin, part.end - part.begin)));
  }
  return texts;
}

// One buffer for texts of all lengths: what is left in it never shows.
TEST(PageBlocks, WhiteSpaceIsCollapsedAsByHand) {
  std::mt19937 random(11);
  std::string buffer;
  for (int round = 0; round < 20'000; ++round) {
    std::string text(random() % (round % 100 == 0 ? 300 : 20), ' ');
    for (char& c : text) c = " \t\n\f\rab\xC3"[random() % 8];
    EXPECT_EQ(CollapseWhiteSpace(text, &buffer), CollapseSpace(text));
  }
}

// Parts change no byte of the text, and a block has the same text whether it
// is kept or not.
TEST(PageBlocks, PartsAreTheTextOfBlocks) {
  std::mt19937 random(3);
  size_t blocks_seen = 0;
  for (int round = 0; round < 20000; ++round) {
    const std::string html = RandomMarkup(&random);
    SCOPED_TRACE(html);
    HtmlTree tree;
    BuildHtmlTree(html, &tree);
    std::vector<ContentBlock> blocks = FindPageBlocks(html, tree);
    ContentPage page;
    ReadContentPage(html, tree, &page);
    ASSERT_EQ(blocks.size(), page.blocks.size());
    for (size_t i = 0; i < blocks.size(); ++i) {
      EXPECT_EQ(blocks[i].first_node, page.blocks[i].first_node);
      EXPECT_EQ(blocks[i].end_node, page.blocks[i].end_node);
    }
    blocks_seen += blocks.size();
    CleanText plain, all, none, some, some_plain;
    RenderText(html, tree, {}, false, &plain);
    RenderParts(html, tree, {}, blocks, &all);
    ASSERT_EQ(all.text, plain.text);
    uint32_t last = 0;
    for (const TextPart& part : all.parts) {
      EXPECT_TRUE(part.kept);
      EXPECT_LE(last, part.begin);
      EXPECT_LE(part.begin, part.end);
      EXPECT_LE(part.end, all.text.size());
      last = part.end;
    }
    const std::vector<std::string> texts = TextsOf(all);
    std::vector<uint8_t> keep(tree.nodes.size());
    for (ContentBlock& block : blocks) block.kept = false;
    RenderParts(html, tree, keep, blocks, &none);
    EXPECT_EQ(none.text, "");
    EXPECT_EQ(TextsOf(none), texts);
    for (ContentBlock& block : blocks) {
      block.kept = random() % 2 == 0;
      for (uint32_t i = block.first_node; i < block.end_node; ++i)
        keep[i] = block.kept;
    }
    RenderText(html, tree, keep, false, &some_plain);
    RenderParts(html, tree, keep, blocks, &some);
    EXPECT_EQ(some.text, some_plain.text);
    EXPECT_EQ(TextsOf(some), texts);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(blocks_seen, 25000u);
}

TEST(PageBlocks, ASeparatorBelongsToTheBlockBehindIt) {
  const std::string html = "<p>one<p>two <b>three</b><br>four<br><br>five";
  HtmlTree tree;
  BuildHtmlTree(html, &tree);
  CleanText clean;
  RenderParts(html, tree, {}, FindPageBlocks(html, tree), &clean);
  EXPECT_EQ(clean.text, "one\ntwo three\nfour\nfive");
  ASSERT_EQ(clean.parts.size(), 3u);
  EXPECT_EQ(clean.parts[1].begin, 3u);
  EXPECT_EQ(clean.parts[1].end, 18u);
  EXPECT_EQ(clean.parts[2].begin, 18u);
}

}  // namespace
}  // namespace twinset
