#include "text/page/page_facts.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "text/html/html_tree.h"
#include "text/page/page_date.h"
#include "text/page/page_meta.h"

namespace twinset {
namespace {

PageFacts Facts(std::string_view html) {
  HtmlTree tree;
  BuildHtmlTree(html, &tree);
  return ReadPageFacts(html, tree);
}

using Strings = std::vector<std::string>;

Strings Anchors(std::string_view html) {
  Strings anchors;
  for (const DocumentLink& link : Facts(html).links)
    anchors.push_back(link.href + "|" + link.anchor);
  return anchors;
}

TEST(PageFactsTest, EmptyPagesSayNothing) {
  for (const std::string_view html :
       {"", "<", "text", "<p>text",
        "<html><head></head><body></body></html>"}) {
    const PageFacts facts = Facts(html);
    EXPECT_EQ(facts.title + facts.language + facts.canonical + facts.base +
                  facts.robots + facts.redirect + facts.published +
                  facts.modified + facts.description + facts.author,
              "")
        << html;
    EXPECT_EQ(facts.redirect_seconds, -1);
    EXPECT_TRUE(facts.links.empty());
  }
}

TEST(PageFactsTest, TheFirstTitleCounts) {
  EXPECT_EQ(Facts("<title> A &amp;\n B </title>").title, "A & B");
  EXPECT_EQ(Facts("<title>a</title><title>b</title>").title, "a");
  EXPECT_EQ(Facts("<title></title><title>b</title>").title, "");
  EXPECT_EQ(Facts("<p>x<title>late</title>").title, "late");
  EXPECT_EQ(Facts("<svg><title>icon</title></svg><title>page</title>").title,
            "page");
  EXPECT_EQ(
      Facts("<template><title>t</title></template><title>p</title>").title,
      "p");
  EXPECT_EQ(Facts("<title>a <b>c</title>").title, "a <b>c");
  EXPECT_EQ(Facts("<title>open").title, "open");
}

TEST(PageFactsTest, LanguageIsDeclaredByTheRootElseByMeta) {
  EXPECT_EQ(Facts("<html lang=de>").language, "de");
  EXPECT_EQ(Facts("<html lang=' de-AT '>").language, "de-AT");
  EXPECT_EQ(Facts("<html xml:lang=de>").language, "de");
  EXPECT_EQ(Facts("<html xml:lang=de lang=en>").language, "en");
  EXPECT_EQ(Facts("<meta http-equiv=Content-Language content='fr x'>").language,
            "fr");
  EXPECT_EQ(
      Facts("<meta http-equiv=content-language content='fr, en'>").language,
      "");
  EXPECT_EQ(Facts("<html lang=de><meta http-equiv=content-language content=fr>")
                .language,
            "de");
}

TEST(PageFactsTest, CanonicalIsTheFirstLinkOfThatRelation) {
  EXPECT_EQ(Facts("<link rel=canonical href=' /a?x=1&amp;y=2 '>").canonical,
            "/a?x=1&y=2");
  EXPECT_EQ(Facts("<link rel='nofollow CANONICAL' href=a>").canonical, "a");
  EXPECT_EQ(Facts("<link rel=canonicals href=a><link rel=canonical href=b>"
                  "<link rel=canonical href=c>")
                .canonical,
            "b");
  EXPECT_EQ(Facts("<link rel=canonical><link rel=canonical href=b>").canonical,
            "b");
  EXPECT_EQ(Facts("<body><p>x<link rel=canonical href=b>").canonical, "b");
  EXPECT_EQ(Facts("<!-- <link rel=canonical href=b> -->").canonical, "");
}

TEST(PageFactsTest, BaseIsTheFirst) {
  EXPECT_EQ(Facts("<base target=x><base href=/a/><base href=/b/>").base, "/a/");
}

TEST(PageFactsTest, RobotsJoinsAllDirectives) {
  EXPECT_EQ(Facts("<meta name=Robots content='NoIndex,  nofollow'>").robots,
            "noindex, nofollow");
  EXPECT_EQ(Facts("<meta name=robots content='noindex nofollow noindex'>"
                  "<meta name=googlebot content=noarchive>"
                  "<meta name=robots content=nosnippet>")
                .robots,
            "noindex, nofollow, nosnippet");
  EXPECT_EQ(
      Facts("<meta name=robots content='max-snippet: 20, unavailable_after:"
            " 25 Jun 2030 15:00:00 GMT'>")
          .robots,
      "max-snippet: 20, unavailable_after: 25 jun 2030 15:00:00 gmt");
  EXPECT_EQ(Facts("<meta property=robots content=noindex>").robots, "");
}

// The steps as the standard words them, by position.
RefreshTarget ReferenceRefresh(const std::string& input) {
  const auto space = [&](size_t i) {
    return i < input.size() &&
           std::string(" \t\n\f\r").find(input[i]) != std::string::npos;
  };
  const auto digit = [&](size_t i) {
    return i < input.size() && input[i] >= '0' && input[i] <= '9';
  };
  const auto is = [&](size_t i, std::string_view any) {
    return i < input.size() && any.find(input[i]) != any.npos;
  };
  RefreshTarget none, target;
  size_t position = 0;
  while (space(position)) ++position;
  std::string time;
  while (digit(position)) time += input[position++];
  if (time.empty() && !is(position, ".")) return none;
  target.valid = true;
  target.seconds = time.empty() ? 0 : std::stoi(time);
  while (digit(position) || is(position, ".")) ++position;
  if (position == input.size()) return target;
  if (!is(position, ";,") && !space(position)) return none;
  while (space(position)) ++position;
  if (is(position, ";,")) ++position;
  while (space(position)) ++position;
  if (position == input.size()) return target;
  std::string url = input.substr(position);
  const auto steps = [&] {
    if (is(position, "Uu")) {
      if (!is(++position, "Rr")) return;
      if (!is(++position, "Ll")) return;
      ++position;
      while (space(position)) ++position;
      if (!is(position, "=")) return;
      ++position;
      while (space(position)) ++position;
    }
    std::string quote;
    if (is(position, "'\"")) quote = input[position++];
    url = input.substr(position);
    if (!quote.empty()) url = url.substr(0, url.find(quote));
  };
  steps();
  target.url = Trim(url);
  return target;
}

TEST(PageFactsTest, RefreshFollowsTheStandard) {
  EXPECT_EQ(ParseRefresh("5; url='x'").url, "x");
  EXPECT_EQ(ParseRefresh("5; url='x'").seconds, 5);
  EXPECT_EQ(ParseRefresh("99999999999999999999").seconds, 1'000'000'000);
  constexpr std::string_view kLetters = "5.; urL='x";
  constexpr size_t kLongest = 6;
  for (size_t length = 0; length <= kLongest; ++length) {
    size_t count = 1;
    for (size_t i = 0; i < length; ++i) count *= kLetters.size();
    for (size_t n = 0; n < count; ++n) {
      std::string input;
      for (size_t i = 0, rest = n; i < length; ++i, rest /= kLetters.size())
        input += kLetters[rest % kLetters.size()];
      const RefreshTarget expected = ReferenceRefresh(input);
      const RefreshTarget found = ParseRefresh(input);
      ASSERT_EQ(found.valid, expected.valid) << input;
      ASSERT_EQ(found.seconds, expected.seconds) << input;
      ASSERT_EQ(found.url, expected.url) << input;
    }
  }
  for (const char* url : {"0;url=a", "0;URL = a", "0, url=\"a\"b", "0 'a'",
                          "0 a", "0;uri=a", "0;ur", "0;url", "0;url='a"}) {
    EXPECT_EQ(ParseRefresh(url).url, ReferenceRefresh(url).url) << url;
  }
}

TEST(PageFactsTest, TheFirstValidRefreshRedirects) {
  const PageFacts facts = Facts(
      "<meta http-equiv=refresh content=x>"
      "<meta http-equiv=Refresh content='3; url=/new?a&amp;b'>"
      "<meta http-equiv=refresh content='0; url=/other'>");
  EXPECT_EQ(facts.redirect, "/new?a&b");
  EXPECT_EQ(facts.redirect_seconds, 3);
  const PageFacts reload = Facts("<meta http-equiv=refresh content=60>");
  EXPECT_EQ(reload.redirect, "");
  EXPECT_EQ(reload.redirect_seconds, 60);
  EXPECT_EQ(Facts("<noscript><meta http-equiv=refresh content='0;url=/n'>"
                  "</noscript>")
                .redirect_seconds,
            -1);
}

TEST(PageFactsTest, DatesBecomeRfc3339) {
  constexpr std::pair<std::string_view, std::string_view> kDates[] = {
      {"2012-05-31", "2012-05-31"},
      {" 2012-05-31\n", "2012-05-31"},
      {"2012-5-3", "2012-05-03"},
      {"2012/05/31", "2012-05-31"},
      {"2012.05.31", "2012-05-31"},
      {"20120531", "2012-05-31"},
      {"2012-05-31T10:00:00+02:00", "2012-05-31T10:00:00+02:00"},
      {"2012-05-31T10:00:00+0200", "2012-05-31T10:00:00+02:00"},
      {"2012-05-31T10:00:00-05", "2012-05-31T10:00:00-05:00"},
      {"2012-05-31T10:00:00Z", "2012-05-31T10:00:00Z"},
      {"2012-05-31t10:00:00.123z", "2012-05-31T10:00:00Z"},
      {"2012-05-31T10:00:00,5Z", "2012-05-31T10:00:00Z"},
      {"2012-05-31T10:00:00.99999999999999999999Z", "2012-05-31T10:00:00Z"},
      {"2012-05-31 10:00", "2012-05-31T10:00:00Z"},
      {"2012-05-31 10:00:07 UTC", "2012-05-31T10:00:07Z"},
      {"2012-05-31T10:00:00 +02:00", "2012-05-31T10:00:00+02:00"},
      {"20120531T100005Z", "2012-05-31T10:00:05Z"},
      {"20120531T1000", "2012-05-31T10:00:00Z"},
      {"2012-05-31T10:00:00-00:00", "2012-05-31T10:00:00Z"},
      {"2016-12-31T23:59:60Z", "2016-12-31T23:59:60Z"},
      {"Thu, 31 May 2012 10:00:00 GMT", "2012-05-31T10:00:00Z"},
      {"31 May 2012 10:00:00 +0200", "2012-05-31T10:00:00+02:00"},
      {"Thu, 31 May 2012 10:00 EST", "2012-05-31T10:00:00-05:00"},
      {"Thursday, 31-May-2012 10:00:00 GMT", "2012-05-31T10:00:00Z"},
      {"3 September 2012", "2012-09-03"},
      {"", ""},
      {"yesterday", ""},
      {"2012", ""},
      {"2012-05", ""},
      {"2012-05/31", ""},
      {"2012-13-01", ""},
      {"2012-00-01", ""},
      {"2012-01-00", ""},
      {"0999-01-01", ""},
      {"31.05.2012", ""},
      {"05/31/2012", ""},
      {"2012-05-31x", ""},
      {"2012-05-31T", ""},
      {"2012-05-31T24:00:00Z", ""},
      {"2012-05-31T10:60:00Z", ""},
      {"2012-05-31T10:00:61Z", ""},
      {"2012-05-31T10:00:00Zx", ""},
      {"2012-05-31T10:00:00+24:00", ""},
      {"2012-05-31T10:00:00+02:60", ""},
      {"2012-05-31T10:00:00.Z", ""},
      {"Thu, 31 Mai 2012 10:00:00 GMT", ""},
      {"Thu, 31 May 12 10:00:00 GMT", ""},
      {"Thu, 31 May 2012 10:00:00 XYZ", ""},
      {"2012-05-31T10:00:00Z and a very long story that goes on and on and on",
       ""}};
  for (const auto& [written, expected] : kDates)
    EXPECT_EQ(ToRfc3339(written), expected) << written;
}

// Every day that the calendar has and none else, by counting days on.
TEST(PageFactsTest, DaysAreThoseOfTheCalendar) {
  int days_left = 0;  // of the month, counted down from its known length
  for (int year = 1896; year <= 2104; ++year) {
    const bool leap = year % 400 == 0 || (year % 4 == 0 && year % 100 != 0);
    for (int month = 1; month <= 12; ++month) {
      const bool short_month =
          month == 4 || month == 6 || month == 9 || month == 11;
      days_left = month == 2 ? (leap ? 29 : 28) : short_month ? 30 : 31;
      for (int day = 1; day <= 33; ++day, --days_left) {
        char date[40];
        std::snprintf(date, sizeof(date), "%04d-%02d-%02d", year, month, day);
        EXPECT_EQ(ToRfc3339(date), days_left > 0 ? date : "") << date;
      }
    }
  }
}

TEST(PageFactsTest, BetterWitnessesOfADateCountFirst) {
  EXPECT_EQ(Facts("<time datetime=2011-01-01>x</time>"
                  "<meta name=date content=2012-01-01>"
                  "<meta property=article:published_time content=2013-01-01>"
                  "<meta itemprop=datePublished content=2014-01-01>")
                .published,
            "2013-01-01");
  EXPECT_EQ(Facts("<meta property=article:published_time content=soon>"
                  "<meta name=DC.Date content=2012-01-01>")
                .published,
            "2012-01-01");
  EXPECT_EQ(Facts("<time datetime=2011-01-01></time>"
                  "<time datetime=2012-01-01 pubdate></time>")
                .published,
            "2012-01-01");
  EXPECT_EQ(Facts("<time datetime=2011-01-01></time>"
                  "<time itemprop=datePublished datetime=2012-01-01></time>")
                .published,
            "2012-01-01");
  const PageFacts both = Facts(
      "<time itemprop=dateModified datetime=2012-01-01></time>"
      "<meta name=last-modified content=2013-01-01>");
  EXPECT_EQ(both.published, "");
  EXPECT_EQ(both.modified, "2012-01-01");
  EXPECT_EQ(
      Facts("<meta http-equiv=last-modified content='Thu, 31 May 2012 10:00:00 "
            "GMT'>")
          .modified,
      "2012-05-31T10:00:00Z");
  EXPECT_EQ(
      Facts("<div hidden><time datetime=2011-01-01></time></div>").published,
      "");
}

TEST(PageFactsTest, DescriptionAndAuthor) {
  const PageFacts facts = Facts(
      "<meta property=og:description content=second>"
      "<meta name=description content='  the\n first '>"
      "<meta property=article:author content='https://x.example/me'>"
      "<meta name=author content='A. &Eacute;'>"
      "<meta name=author content='another'>");
  EXPECT_EQ(facts.description, "the first");
  EXPECT_EQ(facts.author, "A. É");
  EXPECT_EQ(Facts("<meta name=description>").description, "");
}

TEST(PageFactsTest, LinksStandInDocumentOrderWithTheirText) {
  EXPECT_EQ(Anchors("<a href=a>one</a> <a name=x>no link</a>"
                    "<map><area href=b alt='two &lt;'></map>"
                    "<iframe src=c title=three></iframe><a href=' d '>  four"
                    "\n<b>bold</b>er </a><iframe></iframe><a href>five</a>"),
            (Strings{"a|one", "b|two <", "c|three", "d|four bolder", "|five"}));
  EXPECT_EQ(Anchors("<frameset><frame src=a><frame src=b></frameset>"),
            (Strings{"a|", "b|"}));
  EXPECT_EQ(Anchors("<a href=a?x&amp;y>a &amp; b&nbsp;c</a>"),
            (Strings{"a?x&y|a & b\u00A0c"}));
}

TEST(PageFactsTest, LineBreaksAndBlocksInALinkSeparateWords) {
  EXPECT_EQ(Anchors("<a href=a>one<br>two<p>three<div>four</div>five</a>"),
            (Strings{"a|one two three four five"}));
  EXPECT_EQ(Anchors("<a href=a><img src=i>one<img src=j>two</a>"),
            (Strings{"a|one two"}));
}

TEST(PageFactsTest, PicturesSpeakForLinksWithoutText) {
  EXPECT_EQ(Anchors("<a href=a><img alt='the &quot;logo&quot;'><img alt=two>"
                    "</a>"),
            (Strings{"a|the \"logo\" two"}));
  EXPECT_EQ(Anchors("<a href=a><img alt=logo>text</a><img alt=outside>"
                    "<a href=b></a>"),
            (Strings{"a|text", "b|"}));
}

TEST(PageFactsTest, PicturesOutsideALinkSayNothingOfIt) {
  EXPECT_EQ(Anchors("<img alt=x><a href=a></a><img alt=y><a href=b></a>"),
            (Strings{"a|", "b|"}));
}

TEST(PageFactsTest, AContinuedLinkIsOneLink) {
  const std::string html = "<a href=x>one two";
  HtmlTree tree;
  const auto add = [&](HtmlNode::Kind kind, uint32_t begin, uint32_t end,
                       uint8_t flags) {
    const HtmlTag tag =
        kind == HtmlNode::kText ? HtmlTag::kUnknown : HtmlTag::kA;
    tree.nodes.push_back({begin, end, tag, kind, flags});
  };
  add(HtmlNode::kLinkOpen, 0, 10, 0);
  add(HtmlNode::kText, 10, 14, 0);
  add(HtmlNode::kLinkClose, 14, 14, HtmlNode::kImplied);
  add(HtmlNode::kText, 0, 10, 0);  // between: not of the link
  add(HtmlNode::kLinkOpen, 0, 10, HtmlNode::kReopened);
  add(HtmlNode::kText, 14, 17, 0);
  add(HtmlNode::kLinkClose, 17, 17, HtmlNode::kImplied);
  const PageFacts facts = ReadPageFacts(html, tree);
  ASSERT_EQ(facts.links.size(), 1u);
  EXPECT_EQ(facts.links[0].href, "x");
  EXPECT_EQ(facts.links[0].anchor, "one two");
}

TEST(PageFactsTest, LinksEndWhereTheNextBegins) {
  EXPECT_EQ(Anchors("<a href=a>one <a href=b>two</a> none"),
            (Strings{"a|one", "b|two"}));
  EXPECT_EQ(Anchors("<a href=a>one <iframe src=f></iframe> two</a>"),
            (Strings{"a|one two", "f|"}));
}

TEST(PageFactsTest, RelationsAndHiddenLinks) {
  const PageFacts facts = Facts(
      "<a href=a rel='nofollow UGC'>x</a><div style='display:none'>"
      "<a href=b>y</a></div><a href=c>z</a>");
  ASSERT_EQ(facts.links.size(), 3u);
  EXPECT_EQ(facts.links[0].rel, "nofollow UGC");
  EXPECT_FALSE(facts.links[0].hidden);
  EXPECT_TRUE(facts.links[1].hidden);
  EXPECT_FALSE(facts.links[2].hidden);
}

TEST(PageFactsTest, AnchorsAreCutAtACharacter) {
  for (size_t lead = 0; lead < 4; ++lead) {
    std::string html = "<a href=a>" + std::string(lead, 'x');
    for (int i = 0; i < 1000; ++i) html += "漢";
    const PageFacts facts = Facts(html + " <b>more</b></a>");
    const std::string& anchor = facts.links.at(0).anchor;
    EXPECT_LE(anchor.size(), kMaxAnchorBytes);
    EXPECT_GT(anchor.size(), kMaxAnchorBytes - 3);
    EXPECT_EQ((anchor.size() - lead) % 3, 0u);
  }
  std::string words = "<a href=a>";
  for (int i = 0; i < 1000; ++i) words += "w" + std::to_string(i) + "\n<b> ";
  EXPECT_LE(Facts(words).links.at(0).anchor.size(), kMaxAnchorBytes);
}

std::string Repeated(std::string_view text, size_t bytes) {
  std::string out;
  while (out.size() < bytes) out += text;
  return out;
}

// Twice the page, about twice the time: a quadratic step would take four times
// as long, and minutes at this size.
TEST(PageFactsTest, HostilePagesTakeLinearTime) {
  constexpr size_t kBytes = TWINSET_SLOW_BUILD ? 1 << 18 : 2 << 20;
  const std::string long_word(200'000, 'r');
  for (const std::string& part : Strings{
           "<a href=x>y", "<a href=x><img alt=y>", "<a href=x><p>y",
           "<meta name=robots content='a, b'>",
           "<meta name=robots content='" + long_word +
               "'><meta name=robots "
               "content=x>",
           "<meta http-equiv=refresh content=x>", "<title>", "<title>x</title>",
           "<link rel='a b c' href=x>", "<time datetime=2012-01-01>",
           "<html a>", "<p><a href=q>w<table><td>", "&amp;",
           "<meta content='&amp;&amp;'>", "<a href='",
           "<area href=x alt=", "<iframe src=x>", "<svg><title>"}) {
    const std::string page = Repeated(part, kBytes);
    const auto start = std::chrono::steady_clock::now();
    const PageFacts facts = Facts(page);
    const std::chrono::duration<double> took =
        std::chrono::steady_clock::now() - start;
    EXPECT_LT(took.count(), 4) << part.substr(0, 60);
    EXPECT_LE(facts.links.size(), page.size() / 9);
  }
}

// What a run asks of every page must not differ from what `text` shows.
TEST(PageFacts, TheHeadAloneSaysTheSame) {
  for (const char* html :
       {"<html lang=de><title> A &amp; b</title><link rel=canonical href=' /x "
        "'>"
        "<meta http-equiv=content-language content=fr><a href=y>z</a>",
        "<html xml:lang=ja><title></title><title>no</title>",
        "<meta http-equiv=content-language content=ru><p><title>late</title>",
        "<svg><title>s</title></svg><link rel='a canonical' href=1>"
        "<link rel=canonical href=2>",
        ""}) {
    HtmlTree tree;
    BuildHtmlTree(html, &tree);
    const PageFacts all = ReadPageFacts(html, tree);
    const PageFacts head = ReadPageFacts(html, tree, FactsWanted::kHead);
    EXPECT_EQ(head.title, all.title) << html;
    EXPECT_EQ(head.language, all.language) << html;
    EXPECT_EQ(head.canonical, all.canonical) << html;
    EXPECT_TRUE(head.links.empty()) << html;
  }
}

}  // namespace
}  // namespace twinset
