// Which blocks are kept, of what the forests say of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "text/content/content.h"
#include "text/content/content_features.h"
#include "text/content/content_kind.h"
#include "text/content/content_model.h"
#include "text/content/content_page.h"
#include "text/content/content_testing.h"

namespace twinset {
namespace {

TEST(ContentChoice, TwoForestsAreAskedWhereKindsAreNear) {
  const auto second = [](int32_t article, int32_t manual, int32_t forum) {
    KindScores scores;
    scores.fill(-9000);
    scores[static_cast<size_t>(PageKind::kArticle)] = article;
    scores[static_cast<size_t>(PageKind::kDocumentation)] = manual;
    scores[static_cast<size_t>(PageKind::kForum)] = forum;
    return SecondForest(scores);
  };
  EXPECT_EQ(second(2000, 977, 0), ContentForest::kManuals);
  EXPECT_EQ(second(2000, 976, 0), std::nullopt);
  EXPECT_EQ(second(977, 2000, 0), ContentForest::kArticles);
  EXPECT_EQ(second(976, 2000, 0), std::nullopt);
  // Whoever is near, of a forum its own forest alone is asked, and no other
  // page asks that.
  EXPECT_EQ(second(1999, 1999, 2000), std::nullopt);
  EXPECT_EQ(second(2000, -9000, 1999), std::nullopt);
}

// A link with what its sender says of it, and a tree of what others say.
std::string Board(std::mt19937* random) {
  const auto draw = [random](unsigned least, unsigned most) {
    return least + (*random)() % (most - least + 1);
  };
  const auto number = [&] { return std::to_string(draw(2, 99)); };
  const auto text = [&](unsigned least, unsigned most) {
    std::string words;
    for (unsigned k = draw(least, most); k > 0; --k)
      words +=
          "I think the mill by the river was closed for years before it "
          "ground again in " +
          number() + ", and you are right. ";
    return words;
  };
  const auto byline = [&](const std::string& last) {
    return "<div class=\"byline author postprofile\"><a href=/u>user" +
           number() + "</a> <span>" + number() +
           " hours ago</span> <dl><dt>Posts:</dt><dd>" + number() +
           "</dd><dt>Joined:</dt><dd>May 2019</dd></dl><a href=/q>Quote</a> <a "
           "href=/l>" +
           last + "</a></div>";
  };
  const auto voters = [&] {
    return "<div class=voters><a class=upvoter></a><div class=score>" +
           number() + "</div></div>";
  };
  std::string html =
      "<html><head><title>Mill opens</title></head><body><div class=navbar><a "
      "href=/f>Board index</a> <a href=/l>Login</a> <a href=/r>Register</a> <a "
      "href=/m>Members</a></div><ol class=\"stories "
      "list\"><li class=story>" +
      voters() +
      "<div class=details><span role=heading class=link><a href=/x>Mill opens "
      "again</a></span> <a class=tag href=/t>corn</a> <a class=domain "
      "href=/d>example.org</a>" +
      byline(number() + " comments") +
      "</div></li></ol><div class=story_content><div class=story_text><p>" +
      text(3, 5) + "</p></div></div><ol class=\"comments comments1\">";
  const unsigned comments = draw(8, 30);
  for (unsigned i = 0; i < comments; ++i) {
    html += "<li class=comments_subtree><div class=comment>" + voters() +
            "<div class=details>" + byline("link") +
            "<div class=comment_text><p>" + text(1, 4) +
            "</p></div></div></div><ol class=comments>";
    // Every third begins a tree of its own.
    if (i % 3 == 2) html += "</ol></li></ol></li></ol></li>";
  }
  return html + "</ol></body></html>";
}

// The probability of each block by the plain definition of the trees, with what
// is framed for the kind of the page.
TEST(ContentChoice, ScoresAreThoseOfTheForestsOfTheKind) {
  std::mt19937 random(9);
  size_t alone = 0, both = 0, framed_comments = 0, free_comments = 0;
  for (int round = 0; round < 600; ++round) {
    const std::string html =
        round % 6 == 0 ? Board(&random) : RandomPage(&random);
    HtmlTree tree;
    BuildHtmlTree(html, &tree);
    ContentPage page;
    ReadContentPage(html, tree, &page);
    const KindScores kinds = ReferenceKindScores(MeasurePage(page));
    const MainContent main = FindMainContent(html, tree, false);
    ASSERT_EQ(main.kind, LikeliestKind(kinds));
    const ContentForest first = ForestOf(main.kind);
    const std::optional<ContentForest> second = SecondForest(kinds);
    ++(second ? both : alone);
    ContentRows rows(page);
    ASSERT_EQ(main.blocks.size(), page.blocks.size());
    for (size_t i = 0; i < page.blocks.size(); ++i) {
      const FeatureRow& row = rows.Next();
      int permille = ContentPermille(ReferenceContentScore(first, row));
      if (second) {
        permille += ContentPermille(ReferenceContentScore(*second, row));
        permille /= 2;
      }
      const PageBlock& block = page.blocks[i];
      const bool forum = first == ContentForest::kForums;
      const bool framed = block.framed || (block.commented && !forum);
      ASSERT_EQ(main.blocks[i].framed, framed);
      ASSERT_EQ(main.blocks[i].score, framed ? 0 : permille / 1000.0);
      if (block.commented) ++(forum ? free_comments : framed_comments);
    }
  }
  EXPECT_GT(alone, 50u);
  EXPECT_GT(both, 10u);
  EXPECT_GT(framed_comments, 100u);
  EXPECT_GT(free_comments, 100u);
}

// A manual's page of one declaration beside a table of everything.
TEST(ContentConfidence, AThinChoiceThatIsDecisiveIsBelieved) {
  std::string table;
  for (int i = 0; i < 140; ++i) {
    const std::string name = "Word" + std::to_string(i);
    table += "<li><a href=\"" + name + ".html\">" + name + "</a></li>";
  }
  const std::string html =
      "<html><head><title>Mill</title></head><body><div id=\"sidenav\"><ul "
      "class=\"menu\">" +
      table +
      "</ul></div><div class=\"contents\"><h1>Class Mill</h1><pre>class "
      "Mill</pre><p>Grinds the corn.</p></div></body></html>";
  HtmlTree tree;
  BuildHtmlTree(html, &tree);
  const MainContent main = FindMainContent(html, tree, false);
  ASSERT_EQ(ForestOf(main.kind), ContentForest::kManuals);
  // Sure enough for a thin choice, not for another one.
  ASSERT_GE(main.confidence, 600);
  ASSERT_LT(main.confidence, 900);
  EXPECT_FALSE(main.unsure);
  EXPECT_FALSE(main.fallback);
  ASSERT_EQ(main.blocks.size(), 143u);
  for (size_t i = 0; i < main.blocks.size(); ++i)
    EXPECT_EQ(main.blocks[i].kept, i >= 140) << i;
}

// Pages of random elements: whatever the models say, an unsure page loses
// nothing but its named frame, and a page with text is never empty.
TEST(ContentConfidence, UnsurePagesLoseTheirFrameAlone) {
  std::mt19937 random(7);
  const std::vector<std::string> parts = {
      "div", "p",     "li",      "td",          "nav", "footer",
      "dd",  "h2",    "section", "div class=x", "pre", "ul class=menu",
      "a",   "aside", "main"};
  int unsure = 0;
  for (int round = 0; round < 400; ++round) {
    std::string html;
    for (int i = 0; i < 40; ++i) {
      html += "<" + parts[random() % parts.size()] + ">";
      for (unsigned k = random() % 12; k > 0; --k)
        html += "word" + std::to_string(random() % 50) + " ";
      if (random() % 2 == 0) html += "</p></div></li></nav></footer></main>";
    }
    HtmlTree tree;
    BuildHtmlTree(html, &tree);
    ContentPage page;
    ReadContentPage(html, tree, &page);
    const MainContent main = FindMainContent(html, tree, false);
    ASSERT_EQ(main.blocks.size(), page.blocks.size());
    EXPECT_GE(main.confidence, 0);
    EXPECT_LE(main.confidence, 1000);
    bool any = main.blocks.empty(), all_framed = true;
    for (size_t i = 0; i < page.blocks.size(); ++i) {
      any |= main.blocks[i].kept;
      all_framed &= page.blocks[i].framed;
    }
    EXPECT_TRUE(any) << html;
    if (!main.unsure) continue;
    ++unsure;
    for (size_t i = 0; i < page.blocks.size(); ++i)
      EXPECT_EQ(main.blocks[i].kept, all_framed || !page.blocks[i].framed);
  }
  EXPECT_GT(unsure, 0);
}

}  // namespace
}  // namespace twinset
