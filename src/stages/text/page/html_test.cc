#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "text/html/html_entities.h"
#include "text/html/html_scan.h"
#include "text/html/html_tags.h"
#include "text/html/html_tree.h"
#include "text/page/html_rules_testing.h"
#include "text/page/html_text.h"

namespace twinset {
namespace {

CleanText Fast(std::string_view html, bool keep_offsets = false) {
  HtmlTree tree;
  BuildHtmlTree(html, &tree);
  CleanText out;
  RenderText(html, tree, {}, keep_offsets, &out);
  out.facts = ReadPageFacts(html, tree);
  out.title = out.facts.title;
  out.language = out.facts.language;
  return out;
}

// Offsets make no difference.
void ExpectText(std::string_view html, std::string_view text) {
  EXPECT_EQ(Fast(html).text, text) << html;
  EXPECT_EQ(Fast(html, true).text, text) << "with offsets: " << html;
}

std::vector<std::string> Targets(const CleanText& clean) {
  std::vector<std::string> targets;
  std::string buffer;
  for (const DocumentLink& link : clean.facts.links) {
    targets.emplace_back(CollapseWhiteSpace(link.href, &buffer));
  }
  return targets;
}

TEST(Html, RulesHold) {
  for (const HtmlRule& c : kHtmlRules) {
    ExpectText(c.html, c.text);
  }
}

// The select of the standard since 2025.
TEST(Html, SelectHoldsWhatABodyHolds) {
  constexpr HtmlRule kCases[] = {
      {"<select><button><selectedcontent></selectedcontent></button>"
       "<option>a</option><option><b>b</b></select>c",
       "a\nb\nc"},
      {"<select><div>a</div><p>b<p>c<option>d</select>e", "a\nb\nc\nd\ne"},
      {"<select><ul><li>a<li>b</ul></select>c", "a\nb\nc"},
      {"<select><option>a<hr><option>b</select>c", "a\nb\nc"},
      {"<select><optgroup><option>a<optgroup><option>b</select>c", "a\nb\nc"},
      {"<select><optgroup>a<option>b</optgroup>c</select>", "a\nb\nc"},
      {"<select><option hidden>x<hr>a</select>", "a"},
      {"<select><option hidden>x<option>a</select>", "a"},
      {"<select><optgroup hidden><option>x<option>y</select>a", "a"},
      {"<select><optgroup hidden><option>x<optgroup>a</select>", "a"},
      {"<select><div hidden><option>x</div>a</select>b", "ab"},
      // An option is ended by what stands in it, but only through what ends by
      // itself.
      {"<select><option hidden>x<span>y<option>z</select>a", "a"},
      {"<select hidden>x<select>a", "a"},
      {"<select hidden><div>x<select>a", "a"},
      {"<select hidden>x<input>a", "a"},
      {"<select hidden>x<textarea>y</textarea><keygen>z</select>a", "a"},
      {"<select><textarea>a</textarea>b</select>c", "abc"},
      {"<select><option>a<style>x</style><title>y</title></select>b", "a\nb"},
      {"<select><svg><text>x</text></svg><option>a</select>b", "a\nb"},
      {"<p hidden>x<select>y</p>z</select>q<p>a", "a"},
      {"<b hidden>x<select></b>y</select>z</b>a", "a"},
      {"<button hidden>x<select></button>y</select></button>a", "a"},
      {"<li hidden>x<select></li>y</select>z<li>a", "a"},
      {"<table><tr><td hidden><select>x<td>a</table>b", "a\nb"},
      {"<table><tr><td><select hidden>x</td>y<td>a</table>b", "y\na\nb"},
      {"<table><select hidden><option>x<tr><td>a</table>b", "a\nb"},
      {"<table><caption><select hidden>x</caption><tr><td>a</table>", "a"},
      {"<div><select hidden>x</div>y</select>a</div>b", "a\nb"},
      {"<svg><desc><select><svg></select>x</svg>a", "a"},
  };
  for (const HtmlRule& c : kCases) {
    EXPECT_EQ(Fast(c.html).text, c.text) << c.html;
    EXPECT_EQ(Fast(c.html, true).text, c.text) << c.html;
  }
  // A link that is open around a select does not end inside it.
  const CleanText link = Fast("<a href=x>a<select></a><option>b</select>c</a>");
  ASSERT_EQ(link.facts.links.size(), 1u);
  EXPECT_EQ(link.facts.links[0].anchor, "a b c");
}

TEST(Html, SoftHyphensLeaveTitlesAndAnchors) {
  const std::string_view html =
      "<title>so\xC2\xAD"
      "ft&shy;</title><a href=x>hy&#173;p\xC2\xADhen</a>";
  EXPECT_EQ(Fast(html).title, "soft");
  ASSERT_EQ(Fast(html).facts.links.size(), 1u);
  EXPECT_EQ(Fast(html).facts.links[0].anchor, "hyphen");
}

// What is read without a tree hides by name what the tree hides.
TEST(Html, TheRestOfAHugePageHidesTheSame) {
  std::string many;
  while (many.size() < 4 * (kMaxHtmlNodes + 2)) many += "<br>";
  constexpr HtmlRule kCases[] = {
      {"a<script type=text/template><p>x</p></script>b", "ab"},
      {"a<script/>x</script>b", "ab"},
      {"a<template><p>x<template>y</template>z</template>b", "ab"},
      {"a<style>x</style><iframe>x</iframe><noembed>x</noembed>b", "ab"},
      {"a<noscript><p>x</noscript><noframes><p>x</noframes>b", "ab"},
      {"a<title>x<p></title><svg><text>x<svg></svg></text></svg><svg/>b", "ab"},
      {"a<svg><g><p>b", "a\nb"},
      {"a<video><p>x</p></video><audio>x</audio><canvas>x</canvas>b", "ab"},
      {"a<datalist><option>x</datalist>b", "ab"},
      {"<ruby>a<rp>(</rp><rt>x</rt><rp>)</rp>b</ruby>c", "abc"},
      {"<ruby>a<rt>x</ruby>b<rt>c", "abc"},
      {"<ruby><rb>a<rb>b<rt>x<rt>y<rtc><rt>z</rtc></ruby>c", "abc"},
      {"<ruby>a<rt>x<p>b", "a\nb"},
      {"<ruby><ruby>a<rt>x</ruby><rt>y</rt>b</ruby>c", "abc"},
      {"so\xC2\xAD"
       "ft hy&shy;phen",
       "soft hyphen"},
      {"<textarea>a<p>&amp;</textarea><xmp><p>&amp;</xmp>b",
       "a<p>&\n<p>&amp;\nb"},
      {"a<plaintext><p>b", "a\n<p>b"},
  };
  for (size_t i = 0; i < std::size(kCases); i += TWINSET_SLOW_BUILD ? 8 : 1) {
    const HtmlRule& c = kCases[i];
    const std::string html = many + std::string(c.html);
    EXPECT_EQ(Fast(html).text, c.text) << c.html;
    EXPECT_EQ(Fast(c.html).text, c.text) << c.html;
  }
  EXPECT_EQ(Fast(many + "a<ruby>b<rt>x</ruby>&shy;c", true).text, "abc");
}

TEST(Html, TitleLanguageAndLinks) {
  const std::string_view html =
      "<html lang=de-CH><head><title> A &amp;\n B </title><title>C</title>"
      "</head><body><a href=' x?a=1&amp;b=2&copy=3 '>1</a><a name=n>2</a>"
      "<map><area href=y></map><iframe src=z></iframe>"
      "<div hidden><a href=h>3</a></div><noscript><a href=no></a></noscript>"
      "<template><a href=no></a></template>"
      "<div hidden><template><a "
      "href=no></a></template></div><svg><title>S</title></svg>"
      "<A HREF=q href=no></A>";
  const std::vector<std::string> links = {"x?a=1&b=2&copy=3", "y", "z", "h",
                                          "q"};
  const CleanText out = Fast(html);
  EXPECT_EQ(out.title, "A & B");
  EXPECT_EQ(out.language, "de-CH");
  EXPECT_EQ(Targets(out), links);
  EXPECT_EQ(out.text, "12");
  // A reopened link counts once.
  const std::string_view reopened =
      "<p><a href=x>1<p>2<p>3\r\n<a href='y\r\nz'>";
  EXPECT_EQ(Targets(Fast(reopened)), (std::vector<std::string>{"x", "y z"}));
  const std::string_view frames =
      "<frameset><frame src=a><frame src=b></frameset>";
  EXPECT_EQ(Targets(Fast(frames)), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(Fast(frames).text, "");
}

// Every clean code point must lead back to where it came from.
void CheckOffsets(std::string_view html, const CleanText& out) {
  uint32_t last = 0;
  for (uint32_t i = 0; i < out.text.size(); ++i) {
    if (IsContinuation(out.text[i])) continue;
    const uint32_t source = SourceOffset(out, i);
    ASSERT_LT(source, html.size()) << html;
    const char c = out.text[i], s = html[source];
    const bool separator = c == ' ' || c == '\n' || c == '\t';
    EXPECT_TRUE(c == s || s == '&' || separator) << html << " at " << i;
    if (!separator) {
      EXPECT_GE(source, last) << html << " at " << i;
      last = source;
    }
  }
}

TEST(Html, OffsetsLeadBackToTheSource) {
  for (const HtmlRule& c : kHtmlRules) {
    CheckOffsets(c.html, Fast(c.html, true));
  }
}

TEST(Html, OffsetsAcrossReferencesAndIgnoredTags) {
  const std::string_view html =
      "<p>ab &eacute;&eacute;x</foo>yz &NotEqualTilde; &Afr;q\r\n w</p>";
  const CleanText out = Fast(html, true);
  const auto where = [&](std::string_view what) {
    return SourceOffset(out, static_cast<uint32_t>(out.text.find(what)));
  };
  EXPECT_EQ(where("ab"), html.find("ab"));
  EXPECT_EQ(where("\xC3\xA9"), html.find("&eacute;"));
  EXPECT_EQ(SourceOffset(out, static_cast<uint32_t>(out.text.find("x") - 2)),
            html.rfind("&eacute;"));  // inside a piece: its start
  EXPECT_EQ(where("x"), html.find("x</foo>"));
  EXPECT_EQ(where("yz"), html.find("yz"));
  EXPECT_EQ(where("q"), html.find("q\r"));
  EXPECT_EQ(where("w"), html.find("w</p>"));
}

std::string Repeat(std::string_view text, size_t times) {
  std::string out;
  out.reserve(text.size() * times);
  for (size_t i = 0; i < times; ++i) out += text;
  return out;
}

double Seconds(const std::chrono::steady_clock::time_point& start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

TEST(Html, BombsAreReadQuickly) {
  constexpr int kPart = TWINSET_SLOW_BUILD ? 8 : 1;
  const auto repeat = [](const char* piece, int times) {
    return Repeat(piece, times / kPart);
  };
  std::string attributes = "<p ";
  for (int i = 0; i < 100000 / kPart; ++i)
    attributes.append("a").append(std::to_string(i)).append(" ");
  std::string formatting;
  for (int i = 0; i < 10000 / kPart; ++i) {
    formatting.append("<b x").append(std::to_string(i)).append("><p>");
  }
  const struct {
    const char* name;
    std::string html;
  } bombs[] = {
      {"div", repeat("<div>", 100000) + "end"},
      {"b", repeat("<b>", 100000) + "end"},
      {"table", repeat("<table>", 100000) + "end"},
      {"td", repeat("<table><tr><td>", 100000) + "end"},
      {"b i", repeat("<b><i>", 33334) + "end"},
      {"b p", repeat("<b><p>", 33334) + "end"},
      {"formatting", formatting + "end"},
      {"attributes", attributes + ">end"},
      {"body attributes", repeat("<body a b c d e f g h>", 50000) + "end"},
      {"svg", "<svg>" + repeat("<g>", 100000) + "<p>end"},
      {"svg style",
       "<svg><style>" + repeat("<g>", 100000) + "</style></svg>end"},
      {"misnested", repeat("<span><div></span>", 100000) + "end"},
      {"isindex", repeat("<isindex>", 100000) + "end"},
      {"adoption",
       repeat("<a><div><div><div><div><div><div><div><div><div>", 20000) +
           "end"},
      {"p", repeat("<p>", 600000) + "end"},
      {"large", repeat("<p>word</p>", 500000) + "end"},
      {"less", repeat("<", 8 << 20) + " end"},
      {"open comments", repeat("<!--", 2 << 20)},
      {"quotes", repeat("<a b='", 1 << 20)},
      {"ampersands", repeat("&", 6 << 20) + "end"},
      {"digits", "&#" + repeat("9", 6 << 20) + "end"},
      {"raw", repeat("<title>", 1 << 20)},
  };
  for (const auto& bomb : bombs) {
    const auto start = std::chrono::steady_clock::now();
    CleanText out;
    HtmlTree tree;
    BuildHtmlTree(bomb.html, &tree);
    RenderText(bomb.html, tree, {}, true, &out);
    EXPECT_LT(Seconds(start), 8.0) << bomb.name;
    EXPECT_LE(tree.nodes.size(), kMaxHtmlNodes + 2 * kMaxHtmlDepth + 8)
        << bomb.name;
    if (bomb.html.ends_with("end")) {
      EXPECT_TRUE(out.text.ends_with("end")) << bomb.name;
    }
    std::printf("%-16s %8zu bytes %.3f s\n", bomb.name, bomb.html.size(),
                Seconds(start));
  }
  rusage usage;
  ASSERT_EQ(getrusage(RUSAGE_SELF, &usage), 0);
  std::printf("peak resident set %ld MB\n", usage.ru_maxrss / 1024);
}

TEST(HtmlEntities, References) {
  EXPECT_EQ(DecodeReferences("&lt&gt;&ampx", false), "<>&x");
  EXPECT_EQ(DecodeReferences("?a=1&copy=2&amp;b&lt;", true), "?a=1&copy=2&b<");
  EXPECT_EQ(DecodeReferences("&thetasym;&thetasym &zwj;", false),
            "\xCF\x91&thetasym \xE2\x80\x8D");
  EXPECT_EQ(DecodeReferences("&", false), "&");
  EXPECT_EQ(DecodeReferences("&#x26;#38;", false), "&#38;");
}

TEST(HtmlTags, KnownNamesInAnyCase) {
  for (int i = 1; i < static_cast<int>(HtmlTag::kCount); ++i) {
    const auto tag = static_cast<HtmlTag>(i);
    std::string name(TagName(tag));
    EXPECT_EQ(TagOf(name), tag);
    EXPECT_EQ(TagOf(name + "x"), HtmlTag::kUnknown);
    name[0] = static_cast<char>(name[0] - 32);
    EXPECT_EQ(TagOf(name), tag);
  }
  EXPECT_EQ(TagOf(""), HtmlTag::kUnknown);
  EXPECT_EQ(TagOf("blink"), HtmlTag::kUnknown);
  EXPECT_EQ(TagFlags(HtmlTag::kUnknown), 0u);
  EXPECT_NE(TagFlags(HtmlTag::kTable) & kTagBlock, 0u);
}

TEST(HtmlTest, CanonicalLinkOfOrdinaryAndDeepPages) {
  const std::string page =
      "<html><head><link rel='stylesheet' href=a.css><link "
      "rel=\"nofollow CANONICAL\" href='http://x/?a=1&amp;b=2'><link "
      "rel=canonical href=second></head><body>text</body></html>";
  std::string deep = page;
  for (int i = 0; i < 2000; ++i) deep += "<div>";
  for (const std::string& markup : {page, deep}) {
    Document document;
    document.kind = ContentKind::kHtml;
    document.payload = markup;
    const auto clean = ExtractText(document, TextOptions{});
    ASSERT_TRUE(clean);
    EXPECT_FALSE(clean->used_fallback);
    EXPECT_EQ(clean->canonical, "http://x/?a=1&b=2");
  }
}

}  // namespace
}  // namespace twinset
