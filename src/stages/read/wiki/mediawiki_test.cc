#include <gtest/gtest.h>

#include "base/hash.h"
#include "read/detect.h"
#include "read/test_compress.h"
#include "read/test_records.h"
#include "read/wiki/mediawiki_page.h"
#include "read/wiki/xml_scanner.h"

namespace twinset {
namespace {

using test::Briefly;
using test::ReadAll;
using Strings = std::vector<std::string>;

std::string Revision(int id, const std::string& text) {
  const std::string number = std::to_string(id);
  return "<revision><id>" + number + "</id><timestamp>2024-01-" +
         (id < 10 ? "0" : "") + number +
         "T00:00:00Z</timestamp><contributor><username>U</username><id>9</id>"
         "</contributor><comment>why</comment><model>wikitext</model>"
         "<text bytes=\"1\" xml:space=\"preserve\">" +
         text + "</text><sha1>s" + number + "</sha1></revision>";
}

std::string Page(const std::string& title, const std::string& rest) {
  return "  <page>\n    <title>" + title + "</title>\n<ns>0</ns><id>7</id>" +
         rest + "\n  </page>\n";
}

std::string Export(const std::string& pages) {
  return "<mediawiki xmlns=\"http://www.mediawiki.org/xml/export-0.11/\" "
         "version=\"0.11\" xml:lang=\"en\">\n<siteinfo><sitename>W</sitename>"
         "<base>https://wiki.example.org/wiki/Main_Page</base><namespaces>"
         "<namespace key=\"0\" case=\"first-letter\" /></namespaces>"
         "</siteinfo>\n" +
         pages + "</mediawiki>\n";
}

ReadOptions All() {
  ReadOptions options;
  options.revisions = RevisionRule::kAll;
  return options;
}

TEST(MediaWiki, TheNewestRevisionIsTheDocument) {
  ReadOptions options;
  options.fields = {"ns", "page_id", "revision", "sha1", "model", "other"};
  // The newest is not the last one.
  const auto records =
      ReadAll(Export(Page("A &amp; B",
                          Revision(3, "new &lt;b&gt;") + Revision(2, "old"))),
              "x.xml", options);
  ASSERT_EQ(records.size(), 1u);
  const Document& document = records[0].document;
  EXPECT_EQ(document.id, "A & B");
  EXPECT_EQ(document.payload, "new <b>");
  EXPECT_EQ(document.kind, ContentKind::kText);
  EXPECT_EQ(document.provenance.url, "https://wiki.example.org/wiki/A_%26_B");
  EXPECT_EQ(document.provenance.date, "2024-01-03T00:00:00Z");
  const std::vector<std::pair<std::string, std::string>> fields = {
      {"ns", "0"},    {"page_id", "7"},      {"revision", "3"},
      {"sha1", "s3"}, {"model", "wikitext"}, {"other", ""}};
  EXPECT_EQ(document.fields, fields);
}

TEST(MediaWiki, AllRevisionsAreDocumentsOfOneAddress) {
  const std::string bytes =
      Export(Page("A", Revision(1, "a") + Revision(2, "b")) +
             Page("B", Revision(3, "c")));
  const auto records = ReadAll(bytes, "x", All());
  EXPECT_EQ(Briefly(records), (Strings{"A@1:a", "A@2:b", "B@3:c"}));
  EXPECT_EQ(records[0].document.provenance.url,
            records[1].document.provenance.url);
  EXPECT_EQ(records[1].document.provenance.offset,
            bytes.rfind("<revision>", bytes.find("<id>2<")));
}

TEST(MediaWiki, RedirectsAndHiddenTextsAreSkipped) {
  const std::string hidden =
      "<revision><id>4</id><timestamp>2024-01-04T00:00:00Z</timestamp>"
      "<text deleted=\"deleted\" /></revision>";
  const std::string stub =
      "<revision><id>5</id><text id=\"8\" bytes=\"12\" /></revision>";
  const std::string bytes = Export(
      Page("Old", "<redirect title=\"New page\" />" + Revision(1, "was here") +
                      Revision(2, "#REDIRECT [[New page#Part|x]]")) +
      Page("Hidden", hidden) + Page("Stub", stub) + Page("Empty", ""));
  const auto newest = ReadAll(bytes, "x");
  ASSERT_EQ(newest.size(), 4u);
  Strings reasons, kinds;
  for (const Record& record : newest) reasons.push_back(record.reason);
  EXPECT_EQ(reasons,
            (Strings{"redirect", "deleted", "no-text", "no-revision"}));
  EXPECT_EQ(newest[0].kind, RecordKind::kSkipped);
  EXPECT_EQ(newest[2].kind, RecordKind::kQuarantined);
  EXPECT_EQ(newest[0].redirects_to, "https://wiki.example.org/wiki/New_page");
  EXPECT_EQ(newest[0].document.provenance.url,
            "https://wiki.example.org/wiki/Old");
  const auto all = ReadAll(bytes, "x", All());
  ASSERT_EQ(all.size(), 5u);
  EXPECT_EQ(all[0].document.payload, "was here");
  EXPECT_EQ(all[1].reason, "redirect");
  EXPECT_EQ(all[1].redirects_to, newest[0].redirects_to);
}

// Exports of old versions say only that a page is one.
TEST(MediaWiki, RedirectsWithoutTitlesSayInTheirTextWhereTheyLead) {
  const std::string bytes =
      Export(Page("Old", "<redirect />" + Revision(2, "#REDIRECT [[New]]")) +
             Page("Text", Revision(3, "#REDIRECT [[New]]")));
  for (const ReadOptions& options : {ReadOptions(), All()}) {
    const auto records = ReadAll(bytes, "x", options);
    ASSERT_EQ(records.size(), 2u);
    EXPECT_EQ(records[0].reason, "redirect");
    EXPECT_EQ(records[0].redirects_to, "https://wiki.example.org/wiki/New");
    EXPECT_EQ(records[1].kind, RecordKind::kDocument);
  }
}

TEST(MediaWiki, ReferencesCdataAndComments) {
  const std::string bytes = Export(Page(
      "&#x41;&#66;", Revision(1,
                              "&quot;&apos;&#x1F600;<![CDATA[<page>&amp;]] ]]>"
                              "<!-- <page> -->&gt;")));
  EXPECT_EQ(Briefly(ReadAll(
                "\xEF\xBB\xBF<?xml version=\"1.0\"?>\n<!DOCTYPE mediawiki [ "
                "<!ENTITY x SYSTEM \"file:///etc/passwd\"> ]>\n" +
                    bytes,
                "x")),
            (Strings{"AB:\"'\xF0\x9F\x98\x80<page>&amp;]] >"}));
}

TEST(MediaWiki, IsRecognisedBehindAnyDocumentType) {
  const std::string bytes = Export(Page("A", Revision(1, "b")));
  for (const char* type :
       {"<!DOCTYPE mediawiki>", "<!DOCTYPE\nmediawiki SYSTEM \"x\">",
        "<!doctype mediawiki>", "<!-- x --><!DOCTYPE html>",
        "<?xml version='1.0'?>\n<!DOCTYPE wiki [<!ENTITY a ']>'><!-- ' ] -->"
        "<?p ] > ?>]>\n<!-- y -->\n"})
    EXPECT_EQ(Briefly(ReadAll(type + bytes, "x.xml")), Strings{"A:b"}) << type;
}

TEST(MediaWiki, DamageCostsOnePage) {
  const std::string good = Page("G", Revision(1, "g"));
  const auto read = [&](const std::string& bad) {
    return Briefly(ReadAll(Export(good + bad + good), "x"));
  };
  const auto damaged = [](const std::string& reason) {
    return Strings{"G:g", "!" + reason, "G:g"};
  };
  EXPECT_EQ(read(Page("B", "<revision></wrong></revision>")),
            damaged("bad-xml"));
  EXPECT_EQ(read(Page("B", Revision(1, "&unknown;"))), damaged("bad-xml"));
  EXPECT_EQ(read(Page("B", Revision(1, "AT&T"))), damaged("bad-xml"));
  EXPECT_EQ(read(Page("B", Revision(1, "&#0;"))), damaged("bad-xml"));
  EXPECT_EQ(read(Page("B", Revision(1, "<a href=\"x>"))), damaged("bad-xml"));
  EXPECT_EQ(read("<page><title>cut"), damaged("unclosed"));
  EXPECT_EQ(read("stray"), damaged("junk"));
  EXPECT_EQ(read("<page><revision><text>x</text></revision></page>"),
            damaged("no-title"));
  std::string deep;
  for (int i = 0; i < 40; ++i) deep += "<a>";
  EXPECT_EQ(read(Page("B", deep)), damaged("bad-xml"));
  EXPECT_EQ(read(Page("B", "<" + std::string(80'000, 'a') + ">")),
            damaged("bad-xml"));
  EXPECT_EQ(read("<logitem><id>1</id></logitem>"), damaged("type"));
  const auto records =
      ReadAll(Export(good + Page("B", "<revision></wrong>") + good), "x");
  EXPECT_EQ(records[1].document.id, "B");
  EXPECT_NE(records[1].detail.find("</wrong> closes <revision>"),
            std::string::npos);
}

// Text that an element would take out of the page, and nobody would miss.
TEST(MediaWiki, NoTextIsLostSilently) {
  std::string twice = Revision(2, "one");
  twice.insert(twice.find("<text"), "<text>another</text>");
  for (const std::string& page : {Revision(2, "before <b>bold</b> behind"),
                                  Revision(2, "<br/>"), twice}) {
    const auto records =
        ReadAll(Export(Page("A", page) + Page("B", Revision(3, "c"))), "x.xml");
    EXPECT_EQ(Briefly(records), (Strings{"!bad-xml", "B:c"})) << page;
  }
}

TEST(MediaWiki, ASourceThatEndsEarlySaysSo) {
  const std::string whole = Export(Page("A", Revision(1, "a")));
  const size_t page_end = whole.find("</mediawiki>");
  EXPECT_EQ(Briefly(ReadAll(whole.substr(0, page_end), "x")),
            (Strings{"A:a", "!truncated"}));
  for (const size_t end :
       {page_end - 5, whole.find("</text>") + 3, whole.find("<title>") + 2}) {
    const Strings brief = Briefly(ReadAll(whole.substr(0, end), "x"));
    ASSERT_FALSE(brief.empty());
    EXPECT_EQ(brief.back()[0], '!') << end;
  }
  // A part of an export without its frame is read too.
  ReadOptions options;
  options.format = InputFormat::kMediaWiki;
  EXPECT_EQ(Briefly(ReadAll(Page("A", Revision(1, "a")), "x", options)),
            (Strings{"A:a"}));
}

TEST(MediaWiki, LargeTextsAreQuarantined) {
  ReadOptions options;
  options.max_document_bytes = 1000;
  const std::string large(600'000, 'x');
  // Only of the newest the size matters.
  EXPECT_EQ(
      Briefly(ReadAll(Export(Page("A", Revision(1, large) + Revision(2, "a")) +
                             Page("B", Revision(1, "b") + Revision(2, large)) +
                             Page("C", Revision(3, "c"))),
                      "x", options)),
      (Strings{"A:a", "!too-large", "C:c"}));
}

TEST(MediaWiki, DamagedMembersLoseOnlyTheirPages) {
  const auto page = [](const std::string& title) {
    return Page(title, Revision(1, "x"));
  };
  std::string second = test::Gzip(page("2"));
  second[second.size() - 5] ^= 1;
  const std::string bytes = test::Gzip("<mediawiki>" + page("0") + page("1")) +
                            second + test::Gzip(page("3")) +
                            test::Gzip(page("4")).substr(0, 60);
  EXPECT_EQ(Briefly(ReadAll(bytes, "x.gz")),
            (Strings{"0:x", "1:x", "!compression-checksum", "3:x",
                     "!compression-truncated"}));
}

TEST(MediaWiki, ACutTextIsKeptWhereAskedFor) {
  ReadOptions options;
  options.keep_truncated = true;
  std::string text;
  SplitMix64 random(5);
  while (text.size() < 20'000) text += std::to_string(random.Next()) + " ";
  const std::string bytes = test::Gzip(Export(Page("A", Revision(1, text))));
  const auto records =
      ReadAll(bytes.substr(0, bytes.size() / 2), "x.gz", options);
  ASSERT_EQ(records.size(), 1u);
  const Document& document = records[0].document;
  EXPECT_TRUE(document.truncated);
  EXPECT_GT(document.payload.size(), 1000u);
  EXPECT_EQ(text.substr(0, document.payload.size()), document.payload);
}

// A text written with references, CDATA and comments at random.
std::string Escaped(const std::string& text, SplitMix64* random) {
  std::string xml;
  for (const char c : text) {
    const uint64_t how = random->Below(12);
    if (how == 0)
      xml += "&#" + std::to_string(static_cast<int>(c)) + ";";
    else if (how == 1)
      xml += std::string("<![CDATA[") + c + "]]>";
    else if (c == '<')
      xml += "&lt;";
    else if (c == '&')
      xml += "&amp;";
    else
      xml += c;
    if (how == 2) xml += "<!-- - -->";
  }
  return xml;
}

TEST(MediaWiki, ReadsBackWhatWasWritten) {
  SplitMix64 random(11);
  std::string pages;
  Strings newest, all;
  for (int i = 0; i < 60; ++i) {
    const std::string title = "T" + std::to_string(i);
    std::string revisions, text;
    const int count = static_cast<int>(random.Below(4)) + 1;
    for (int r = 1; r <= count; ++r) {
      text.clear();
      // Some are longer than a piece of the scanner.
      const uint64_t size = random.Below(i % 20 == 0 ? 70'000 : 40);
      while (text.size() < size) text += "ab <&>]\n"[random.Below(8)];
      revisions += Revision(r, Escaped(text, &random));
      all.push_back(title + "@" + std::to_string(r) + ":" + text);
    }
    newest.push_back(title + ":" + text);
    pages += Page(title, revisions);
  }
  EXPECT_EQ(Briefly(ReadAll(Export(pages), "x")), newest);
  EXPECT_EQ(Briefly(ReadAll(Export(pages), "x", All())), all);
}

TEST(MediaWiki, RandomDamageNeverFailsAndKeepsOthers) {
  SplitMix64 random(23);
  std::string pages;
  for (int i = 0; i < 40; ++i)
    pages += Page(std::to_string(i), Revision(1, "word"));
  const std::string text = Export(pages);
  for (int round = 0; round < (TWINSET_SLOW_BUILD ? 100 : 400); ++round) {
    std::string damaged = text;
    const uint64_t count = random.Below(6);
    for (uint64_t i = count; i-- > 0;)
      damaged[random.Below(damaged.size())] = "<>/&\"! x"[random.Below(8)];
    ReadOptions options;
    options.format = InputFormat::kMediaWiki;
    if (round % 2 == 1) options.revisions = RevisionRule::kAll;
    size_t good = 0;
    for (const Record& record : ReadAll(damaged, "x", options))
      good += record.kind == RecordKind::kDocument;
    // A hit at a page's begin costs the page behind it too.
    ASSERT_GE(good + 2 * count, 40u) << round;
  }
}

TEST(MediaWiki, IsDetectedByContent) {
  for (const char* begin : {"<mediawiki xmlns=\"x\">",
                            "\xEF\xBB\xBF<?xml version=\"1.0\"?>\n"
                            "<!-- c --><mediawiki>"})
    EXPECT_EQ(DetectFormat(begin, "pages.txt"), InputFormat::kMediaWiki);
  EXPECT_EQ(DetectFormat("<mediawikis>", "x"), InputFormat::kText);
}

TEST(MediaWiki, AddressesAndRedirects) {
  EXPECT_EQ(WikiAddressPrefix(" https://a.org/wiki/Main_Page\n"),
            "https://a.org/wiki/");
  EXPECT_EQ(WikiAddressPrefix("http://a.org/index.php?title=Main"),
            "http://a.org/index.php?title=");
  EXPECT_EQ(WikiAddressPrefix("http://a.org"), "http://a.org/");
  EXPECT_EQ(WikiAddressPrefix("file:///wiki/x"), "");
  EXPECT_EQ(WikiAddress("http://a.org/", "Caf\xC3\xA9 100%?"),
            "http://a.org/Caf\xC3\xA9_100%25%3F");
  EXPECT_EQ(WikiAddress("", "A b"), "A b");
  EXPECT_EQ(WikiRedirect(" #REDIRECT: [[A b#c|d]] rest"), "A b");
  EXPECT_EQ(WikiRedirect("#WEITERLEITUNG[[:X]]"), "X");
  for (const char* text : {"# [[A]]", "#[[A]]", "#one two [[A]]", "[[A]]",
                           "#REDIRECT [[A", "#REDIRECT [[\n]]"})
    EXPECT_FALSE(WikiRedirect(text)) << text;
}

// Which comments end is looked for once, however many begin.
TEST(XmlScanner, CommentsThatEndTooFarAway) {
  std::string xml;
  while (xml.size() < 80'000) xml += "<!--";
  const size_t closes = xml.size();
  xml += "--> x <!-- y --> <? z";
  const auto stream = ByteStreamFromMemory(xml, {});
  XmlScanner scanner(&*stream);
  // Every comment in front of it is too long.
  const size_t first = (closes + 3 - XmlScanner::kMostBytes + 3) / 4 * 4;
  size_t bad = 0;
  std::string text;
  for (;;) {
    const auto token = scanner.Next();
    ASSERT_TRUE(token);
    if (token->kind == XmlToken::kEnd) break;
    if (token->kind == XmlToken::kBad) {
      ++bad;
    } else if (bad >= first / 4) {
      text += token->text;
    }
  }
  EXPECT_EQ(bad, first / 4 + 1);
  EXPECT_EQ(text.substr(text.find(' ')), " x  ? z");
}

TEST(XmlScanner, AttributesAndReferences) {
  EXPECT_EQ(XmlAttribute(" a='1' title=\"x &lt; y\" b=\"2\"", "title"),
            "x < y");
  EXPECT_EQ(XmlAttribute(" a='title=\"n\"' b=2", "title"), "");
  EXPECT_EQ(XmlAttribute(" a", "a"), "");
  for (const char* bad : {"&", "&;", "&#;", "&#x;", "&#x110000;", "&#xD800;",
                          "&#99999999;", "&lt", "&#x1g;"}) {
    std::string decoded;
    EXPECT_FALSE(DecodeXmlReferences(bad, &decoded).empty()) << bad;
  }
}

}  // namespace
}  // namespace twinset
