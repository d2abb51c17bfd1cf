#include "text/content/content_frame.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "text/content/content.h"
#include "text/content/content_kind.h"
#include "text/content/content_page.h"

namespace twinset {
namespace {

std::string Times(int count, const std::string& text) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

// Forty words, none of which names a part of a page.
const std::string kText = Times(4,
                                "The old mill by the river was closed for "
                                "years before it ground again. ");

// The texts of a page's blocks that are `so`, each followed by a line feed.
std::string BlocksThatAre(bool PageBlock::*so, const std::string& html) {
  HtmlTree tree;
  BuildHtmlTree(html, &tree);
  ContentPage page;
  ReadContentPage(html, tree, &page);
  std::string texts;
  for (const PageBlock& block : page.blocks) {
    if (!(block.*so)) continue;
    const HtmlNode& node = tree.nodes[block.first_node];
    texts += html.substr(node.begin, node.end - node.begin) + "\n";
  }
  return texts;
}

std::string Framed(const std::string& html) {
  return BlocksThatAre(&PageBlock::framed, html);
}

std::string Commented(const std::string& html) {
  return BlocksThatAre(&PageBlock::commented, html);
}

TEST(ContentFrame, LandmarksFrame) {
  const std::string text = "<p>" + kText + "</p>";
  for (const char* tag : {"nav", "footer", "button", "textarea"}) {
    EXPECT_EQ(Framed(text + "<" + tag + ">x y</" + tag + ">"), "x y\n") << tag;
  }
  for (const char* role :
       {"navigation", "menu", "menubar", "tablist", "toolbar", "contentinfo"}) {
    EXPECT_EQ(Framed(text + "<div role=" + role + ">x y</div>"), "x y\n")
        << role;
  }
  for (const char* part : {"<header>x</header>", "<aside>x</aside>",
                           "<div role=note>x</div>", "<form>x</form>"}) {
    EXPECT_EQ(Framed(text + part), "") << part;
  }
}

TEST(ContentFrame, OutsideOfMainIsFrame) {
  for (const auto& [open, close] :
       {std::pair<std::string, std::string>{"<main>", "</main>"},
        {"<div role=main>", "</div>"}}) {
    EXPECT_EQ(Framed("<p>before</p>" + open + "<p>" + kText + "</p>" + close +
                     "<p>behind</p>"),
              "before\nbehind\n");
    // With less than three tenths of the long text it is not believed, unless
    // the rest is no longer than a notice.
    EXPECT_EQ(Framed("<p>" + Times(5, kText) + "</p>" + open + "<p>" + kText +
                     "</p>" + close),
              "");
    EXPECT_EQ(Framed("<p>" + Times(2, kText) + "</p>" + open +
                     "<p>moved to b</p>" + close),
              Times(2, kText) + "\n");
    EXPECT_EQ(Framed("<p>before</p>" + open + "<p>top</p>" + close), "");
  }
  // The longest text of the page is a notice that names itself.
  const std::string notice = Times(20, "Copies may be made and given away. ");
  EXPECT_EQ(
      Framed("<main><p>" + kText + "</p></main><footer role=contentinfo><p>" +
             notice + "</p></footer>"),
      notice + "\n");
}

TEST(ContentFrame, CommentsBesideATextAreMarked) {
  const auto page = [](const std::string& text, const std::string& names) {
    return "<div>" + text + "</div><ol " + names + "><li>" + kText +
           "</li></ol>";
  };
  const std::string text = "<p>" + kText + "</p>";
  for (const char* names :
       {"class=comments", "class='x comment-list'", "id=comments_area",
        "class=Comment-123", "id=disqus_thread", "class=kommentare"}) {
    EXPECT_EQ(Commented(page(text, names)), kText + "\n") << names;
    EXPECT_EQ(Commented(page("", names)), "") << names;
    EXPECT_EQ(Framed(page(text, names)), "") << names;
  }
  for (const char* names : {"class=comments-open", "class=no-comments-yet",
                            "class=recommended", "id=commentary"}) {
    EXPECT_EQ(Commented(page(text, names)), "") << names;
  }
  // In a footer they are framed, as all is there.
  EXPECT_EQ(
      Commented("<footer>" + page("", "class=comments") + "</footer>" + text),
      "");
  // They are what a page of a forum is there for.
  EXPECT_EQ(Commented("<div class=question>" + page(text, "class=comments") +
                      "</div>"),
            "");
}

TEST(ContentFrame, AShortPostLosesItsComments) {
  std::string comments;
  for (int i = 0; i < 30; ++i) {
    comments += "<li class=comment><b>Somebody " + std::to_string(i) +
                "</b><p>Remark " + std::to_string(i) + ": " + kText +
                "</p></li>";
  }
  const std::string html =
      "<html><body><article class=post><h1>The mill</h1><p>" + kText +
      "</p></article><ol class=comment-list>" + comments +
      "</ol></body></html>";
  HtmlTree tree;
  BuildHtmlTree(html, &tree);
  const MainContent main = FindMainContent(html, tree, false);
  size_t kept = 0;
  for (const ContentBlock& block : main.blocks) {
    const HtmlNode& node = tree.nodes[block.first_node];
    const std::string text = html.substr(node.begin, node.end - node.begin);
    EXPECT_FALSE(block.kept && text.starts_with("Remark")) << text;
    kept += block.kept && text == kText;
  }
  EXPECT_EQ(kept, 1u);
}

TEST(ContentFrame, ArticlesWithPagesOfTheirOwnAreTeasers) {
  const auto marked = [](const std::string& html) {
    HtmlTree tree;
    BuildHtmlTree(html, &tree);
    ContentPage page;
    ReadContentPage(html, tree, &page);
    int others = 0;
    for (const PageElement& element : page.elements)
      others += (element.marks & MarkBit(ContentTag::kOtherArticle)) != 0;
    return others;
  };
  const std::string text = "<p>" + Times(2, kText) + "</p>";
  const std::string teaser =
      "<article><h2><a href=/b>B</a></h2>" + text + "</article>";
  EXPECT_EQ(marked("<article><h1>A</h1>" + text + "</article>" + teaser), 1);
  EXPECT_EQ(marked("<link rel=canonical href=https://h.example/a/><article><h1>"
                   "<a href=/a>A</a></h1>" +
                   text + "</article>" + teaser + teaser),
            2);
  // A list of articles has no page of its own.
  EXPECT_EQ(marked(teaser + teaser), 0);
}

TEST(ContentFrame, AddressesOfOnePageAreEqual) {
  EXPECT_EQ(AddressHash("https://h.example/a/"), AddressHash("/a"));
  EXPECT_EQ(AddressHash("//h.example/a#part"), AddressHash("/a"));
  EXPECT_NE(AddressHash("/a"), AddressHash("/b"));
  EXPECT_NE(AddressHash(""), 0u);
}

TEST(ContentKind, NamesAreInTheOrderOfTheClasses) {
  for (size_t i = 0; i <= kPageKinds; ++i)
    EXPECT_EQ(kChoices<PageKind>[i].value, static_cast<PageKind>(i));
}

TEST(ContentKind, TheModelFitsTheFeatures) {
  uint64_t digest = 0xCBF29CE484222325u;
  for (size_t i = 0; i < kKindFeatures; ++i) {
    for (const char c : (i == 0 ? "" : "\n") + KindFeatureName(i)) {
      digest = (digest ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
    }
  }
  EXPECT_EQ(digest, KindModelFeatures())
      << "train the models again: training/train_content";
}

TEST(ContentKind, FoundAsByWalkingTheTrees) {
  std::mt19937 random(5);
  std::array<int, kPageKinds> found{};
  for (int round = 0; round < 3000; ++round) {
    KindRow row;
    for (int16_t& value : row) {
      const unsigned draw = random() % 8;
      value = static_cast<int16_t>(draw == 0   ? INT16_MAX
                                   : draw == 1 ? INT16_MIN
                                   : draw < 5  ? random() % 1001
                                               : random() % 4);
    }
    const KindScores scores = ScoreKinds(row);
    ASSERT_EQ(scores, ReferenceKindScores(row));
    ++found[static_cast<size_t>(LikeliestKind(scores))];
  }
  EXPECT_GE(std::count_if(found.begin(), found.end(),
                          [](int count) { return count > 0; }),
            4);
}

TEST(ContentKind, TellsAReferenceFromAnArticle) {
  const auto kind = [](const std::string& html) {
    HtmlTree tree;
    BuildHtmlTree(html, &tree);
    return KindOfPage(html, tree);
  };
  std::string methods;
  for (int i = 0; i < 20; ++i) {
    const std::string name = "grind" + std::to_string(i);
    methods += "<section class=detail id=" + name + "><h3>" + name +
               "</h3><pre>public int " + name +
               "(int grain)</pre><dl><dt>Parameters:</dt><dd><code>grain</code>"
               " - how much</dd><dt>Returns:</dt><dd>the flour</dd></dl>"
               "</section>";
  }
  const PageKind reference = kind(
      "<html><head><title>Mill</title></head><body><main role=main><h1>"
      "Class Mill</h1><ul><li>Methods</li></ul>" +
      methods + "</main></body></html>");
  EXPECT_TRUE(reference == PageKind::kReference ||
              reference == PageKind::kDocumentation)
      << ChoiceName(reference);
  EXPECT_EQ(
      kind("<html><head><meta property=og:type content=article><title>The "
           "mill opens</title></head><body><nav><a href=/>Home</a> <a "
           "href=/s>Sport</a></nav><article class=story><h1>The mill "
           "opens</h1><p class=byline>By A. Writer, 3 May 2019</p><p>" +
           kText + "</p><p>" + kText + "</p><p>" + kText +
           "</p></article></body></html>"),
      PageKind::kArticle);
}

}  // namespace
}  // namespace twinset
