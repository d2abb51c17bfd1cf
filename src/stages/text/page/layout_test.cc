#include "text/page/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"

namespace twinset {
namespace {

std::vector<uint64_t> Layout(std::string_view html) {
  HtmlTree tree;
  BuildHtmlTree(html, &tree);
  return LayoutShingles(tree);
}

// Those of leaves, and those of cells.
struct Parts {
  std::vector<uint64_t> leaves, cells;
};
Parts PartsOf(const std::vector<uint64_t>& layout) {
  Parts parts;
  for (const uint64_t hash : layout)
    (hash < kCellShingle ? parts.leaves : parts.cells).push_back(hash);
  return parts;
}

template <typename Set>
size_t Common(const Set& a, const Set& b) {
  Set both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(),
                        std::inserter(both, both.end()));
  return both.size();
}

double Alike(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
  const size_t common = Common(a, b);
  return static_cast<double>(common) /
         static_cast<double>(a.size() + b.size() - common);
}

// For each node the number of its kClose; for what is not kOpen its own number.
std::vector<uint32_t> ClosingNodes(const HtmlTree& tree) {
  std::vector<uint32_t> closing(tree.nodes.size());
  std::vector<uint32_t> open;
  for (uint32_t i = 0; i < tree.nodes.size(); ++i) {
    closing[i] = i;
    if (tree.nodes[i].kind == HtmlNode::kOpen) {
      open.push_back(i);
    } else if (tree.nodes[i].kind == HtmlNode::kClose) {
      closing[open.back()] = i;
      open.pop_back();
    }
  }
  return closing;
}

// The definition of docs/methods/kinds.md with paths as text: leaves first,
// then equal neighbours out, then runs.
std::set<std::vector<std::string>> Reference(const HtmlTree& tree) {
  const std::vector<uint32_t> closing = ClosingNodes(tree);
  const auto visible = [&](uint32_t i) {
    return (tree.nodes[i].flags & HtmlNode::kHidden) == 0;
  };
  const auto is_void_leaf = [&](uint32_t i) {
    static const std::set<std::string_view> kNames = {
        "img", "image", "hr", "input", "isindex", "embed", "frame", "iframe"};
    const HtmlNode& node = tree.nodes[i];
    return node.kind == HtmlNode::kVoid && kNames.contains(TagName(node.tag));
  };
  const auto is_link = [&](uint32_t i) {
    return tree.nodes[i].kind == HtmlNode::kLinkOpen &&
           (tree.nodes[i].flags & HtmlNode::kReopened) == 0;
  };
  std::vector<std::string> leaves;
  std::vector<std::string> path;
  std::vector<std::string> due(tree.nodes.size());  // leaf at this kClose
  const auto joined = [&] {
    std::string text;
    for (const std::string& name : path) text += "/" + name;
    return text;
  };
  for (uint32_t i = 0; i < tree.nodes.size(); ++i) {
    const HtmlNode& node = tree.nodes[i];
    if (node.kind == HtmlNode::kOpen) {
      path.emplace_back(TagName(node.tag));
      bool inside = false;
      for (uint32_t k = i + 1; k < closing[i]; ++k) {
        const bool counts = tree.nodes[k].kind == HtmlNode::kOpen ||
                            is_link(k) || is_void_leaf(k);
        inside = inside || (counts && visible(k));
      }
      if (visible(i) && !inside) due[closing[i]] = joined();
    } else if (node.kind == HtmlNode::kClose) {
      if (!due[i].empty()) leaves.push_back(due[i]);
      path.pop_back();
    } else if (visible(i) && (is_link(i) || is_void_leaf(i))) {
      leaves.push_back(joined() + "/" + std::string(TagName(node.tag)));
    }
  }
  leaves.erase(std::unique(leaves.begin(), leaves.end()), leaves.end());
  leaves.insert(leaves.begin(), kLayoutShingle - 1, "");
  std::set<std::vector<std::string>> shingles;
  for (size_t i = 0; i + kLayoutShingle <= leaves.size(); ++i) {
    shingles.emplace(leaves.begin() + static_cast<ptrdiff_t>(i),
                     leaves.begin() + static_cast<ptrdiff_t>(i) +
                         static_cast<ptrdiff_t>(kLayoutShingle));
  }
  return shingles;
}

constexpr std::string_view kPage =
    "<html><head><title>A</title><link rel=x href=y></head><body>"
    "<div><ul><li><a href=1>one</a><li><a href=2>two</a></ul></div>"
    "<h1>Head</h1><p>Text of the first.<p>Text of the second."
    "<table><tr><td>1<td>2<tr><td>3<td>4</table><hr><p>End</body></html>";

std::string Page(std::string_view from, std::string_view to) {
  std::string page(kPage);
  return page.replace(page.find(from), from.size(), to);
}

TEST(Layout, IsASortedSetOfDistinctHashes) {
  const auto layout = Layout(kPage);
  EXPECT_GE(PartsOf(layout).leaves.size(), 5u);
  EXPECT_TRUE(std::is_sorted(layout.begin(), layout.end()));
  EXPECT_EQ(std::adjacent_find(layout.begin(), layout.end()), layout.end());
}

TEST(Layout, DoesNotDependOnTextHeadOrNumberOfRows) {
  const auto layout = Layout(kPage);
  EXPECT_EQ(Layout(Page("Text of the first.", "Other <b>words</b><br>here")),
            layout);
  EXPECT_EQ(Layout(Page("<title>A</title>", "<meta name=a><title>B</title>")),
            layout);
  EXPECT_EQ(Layout(Page("<tr><td>3", "<tr><td>5<td>6<tr><td>3")), layout);
  EXPECT_EQ(Layout(Page("<p>End", "<p>End<p>of the<p>page")), layout);
  EXPECT_EQ(Layout(Page("<li>", "<li><a href=0>none</a><li>")), layout);
}

TEST(Layout, SeesNothingThatAReaderDoesNot) {
  const auto layout = Layout(kPage);
  EXPECT_EQ(Layout(Page("<h1>", "<script>var a = '<p>';</script><h1>")),
            layout);
  EXPECT_EQ(Layout(Page("<h1>", "<div hidden><table><td>x</table></div><h1>")),
            layout);
  EXPECT_EQ(Layout(Page("<h1>", "<!-- <hr> --><h1>")), layout);
}

TEST(Layout, SeesAnotherFrame) {
  const auto layout = Layout(kPage);
  EXPECT_NE(Layout(Page("<hr>", "")), layout);
  EXPECT_NE(Layout(Page("<hr>", "<h2>x</h2>")), layout);
  EXPECT_LT(Alike(Layout(Page("<body>", "<body><table><tr><td>")), layout),
            0.2);
  EXPECT_LT(
      Alike(Layout("<div><div><p>a<p>b</div><ul><li>c</ul></div>"), layout),
      0.2);
}

TEST(Layout, PagesWithoutElements) {
  EXPECT_TRUE(LayoutShingles(HtmlTree{}).empty());
  const auto plain = Layout("only text");
  EXPECT_LE(plain.size(), 1u);  // that of the implied body
  EXPECT_EQ(plain, Layout("another text"));
}

TEST(Layout, EqualsTheDefinitionOnRandomPages) {
  constexpr std::string_view kPieces[] = {"<div>",     "</div>",
                                          "<p>",       "</p>",
                                          "<ul>",      "</ul>",
                                          "<li>",      "<table>",
                                          "</table>",  "<tr>",
                                          "<td>",      "<a href=x>",
                                          "</a>",      "<img>",
                                          "<hr>",      "<br>",
                                          "word ",     "<h2>",
                                          "</h2>",     "<div hidden>",
                                          "<span>",    "</span>",
                                          "<b>",       "</b>",
                                          "<input>",   "<script>x</script>",
                                          "<section>", "</section>"};
  SplitMix64 random(11);
  std::vector<std::vector<uint64_t>> fast;
  std::vector<std::set<std::vector<std::string>>> slow;
  for (int page = 0; page < 300; ++page) {
    std::string html;
    const uint64_t pieces = random.Below(60);
    for (uint64_t i = 0; i < pieces; ++i) {
      html += kPieces[random.Below(std::size(kPieces))];
    }
    HtmlTree tree;
    BuildHtmlTree(html, &tree);
    fast.push_back(PartsOf(LayoutShingles(tree)).leaves);
    slow.push_back(Reference(tree));
    ASSERT_EQ(fast.back().size(), slow.back().size()) << html;
  }
  for (size_t i = 0; i < fast.size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      ASSERT_EQ(Common(fast[i], fast[k]), Common(slow[i], slow[k]));
    }
  }
}

TEST(Layout, NestingAndNumberDoNotMatterToTime) {
  std::string deep, wide;
  for (int i = 0; i < 200000; ++i) deep += "<div>";
  for (int i = 0; i < 200000; ++i) wide += i % 2 == 0 ? "<p>a" : "<hr>";
  EXPECT_LE(Layout(deep).size(), 400000u);
  EXPECT_LE(Layout(wide).size(), 4u);
}

// A table of `rows` rows of `columns` cells.
std::string Table(int columns, int rows, std::string_view cell = "<td>") {
  std::string html = "<table>";
  for (int row = 0; row < rows; ++row) {
    html += "<tr>";
    for (int i = 0; i < columns; ++i) html.append(cell).append("1");
  }
  return html + "</table>";
}

TEST(Layout, CellsStandForTheColumnsOfTables) {
  const auto cells = [](const std::string& html) {
    return PartsOf(Layout(html)).cells;
  };
  const auto seven = cells(Table(7, 5));
  EXPECT_EQ(seven.size(), 8u);  // the first, six after it, the next row
  EXPECT_EQ(cells(Table(7, 2)), seven);
  EXPECT_EQ(cells(Table(7, 5) + "<p>text"), seven);
  EXPECT_LT(Alike(cells(Table(12, 5)), seven), .7);
  EXPECT_EQ(Common(cells(Table(7, 5, "<th>")), seven), 0u);
  EXPECT_EQ(cells("<p>no table<ul><li>here</ul>"), std::vector<uint64_t>());
  EXPECT_EQ(cells("<table hidden><tr><td>1</table>"), std::vector<uint64_t>());
  EXPECT_EQ(cells(Table(500, 3)), cells(Table(64, 3)));
  EXPECT_EQ(cells(Table(1, 9)).size(), 1u);
}

TEST(Layout, CellsAreBounded) {
  std::string html;
  for (int depth = 0; depth < 3000; ++depth) html += "<table><tr><td>1<td>2";
  EXPECT_LE(PartsOf(Layout(html)).cells.size(), kMostCells);
}

// Values that must never change: tags by name, not by number.
TEST(Layout, KnownAnswer) {
  const std::vector<uint64_t> expected = {0x0b0e4f1d058fe63cu,
                                          0x639339dc214fabadu};
  EXPECT_EQ(Layout("<body><p>a<hr></body>"), expected);
}

}  // namespace
}  // namespace twinset
