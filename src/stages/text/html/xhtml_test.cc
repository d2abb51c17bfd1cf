#include "text/html/xhtml.h"

#include <gtest/gtest.h>

#include <string>

#include "text/page/clean_text.h"

namespace twinset {
namespace {

constexpr char kXhtml[] = "http://www.w3.org/1999/xhtml";

CleanText Extract(const std::string& page, const TextOptions& options = {},
                  const std::string& charset = "") {
  Document document;
  document.kind = ContentKind::kHtml;
  document.mime = "application/xhtml+xml";
  document.charset = charset;
  document.payload = page;
  auto clean = ExtractText(document, options);
  return clean ? *std::move(clean) : CleanText();
}

// Returns the text of a body; "HTML" in front of it where the page is not
// well-formed.
std::string Text(const std::string& body, const std::string& prolog = "") {
  const CleanText clean = Extract(prolog + "<html xmlns=\"" + kXhtml +
                                  "\"><head><title>t</title></head><body>" +
                                  body + "</body></html>");
  return (clean.malformed_xml ? "HTML " : "") + clean.text;
}

TEST(Xhtml, EveryElementMayBeEmpty) {
  for (const char* name :
       {"script", "style", "iframe", "noscript", "textarea", "template",
        "noframes", "noembed", "title", "xmp", "plaintext", "p", "div", "a",
        "svg", "object", "select", "td", "X"}) {
    EXPECT_EQ(Text("<p>one</p><" + std::string(name) + "/><p>two</p>"),
              "one\ntwo")
        << name;
  }
  const CleanText clean = Extract(
      "<html xmlns='http://www.w3.org/1999/xhtml'><head><title/>"
      "<script src=\"x\" /></head><body><p>x</p></body></html>");
  EXPECT_EQ(clean.text, "x");
  EXPECT_EQ(clean.title, "");
  EXPECT_EQ(Extract("<html xmlns='http://www.w3.org/1999/xhtml'><head><title>"
                    "a &amp; b</title><link/></head><body>x</body></html>")
                .title,
            "a & b");
}

TEST(Xhtml, ContentIsThatOfXml) {
  EXPECT_EQ(Text("a<![CDATA[<b>&amp;</b> ]] ]]>z"), "a<b>&amp;</b> ]] z");
  EXPECT_EQ(Text("a<?php echo 1 > 0 ?>b<!-- > -->c"), "abc");
  EXPECT_EQ(Text("&nbsp;&eacute;&#233;&#xE9;&lt;&amp;lt;&apos;"),
            "\u00a0\u00e9\u00e9\u00e9<&lt;'");
  EXPECT_EQ(Text("a&#x85;b"), "a\u0085b");  // no windows-1252
  EXPECT_EQ(Text("<P>a</P><SCRIPT>b</SCRIPT>"), "ab");
  EXPECT_EQ(Text("<br>a</br>b"), "ab");
  EXPECT_EQ(Text("<pre>\n\na</pre>"), Text("<pre>&#10;&#10;a</pre>"));
  EXPECT_EQ(Text("<p>a</p><script>if (1 &lt; 2) b</script>"), "a");
  EXPECT_EQ(Text("<p>a</p><script><p>b</p></script><p>c</p>"), "a\nc");
  EXPECT_EQ(Text("<p>a</p><textarea>b<i>c</i></textarea>"),
            Text("<p>a</p><textarea>bc</textarea>"));
  EXPECT_EQ(Text("<div hidden=\"hidden\">a</div><x hidden=''>b</x>c"), "c");
}

TEST(Xhtml, NamespacesDecide) {
  EXPECT_EQ(Extract("<h:html xmlns:h='http://www.w3.org/1999/xhtml'><h:body>"
                    "<h:p>a</h:p><h:script>b</h:script></h:body></h:html>")
                .text,
            "a");
  EXPECT_EQ(Text("a<svg xmlns='http://www.w3.org/2000/svg'><title>b</title>"
                 "<text>c</text></svg>d"),
            "ad");
  EXPECT_EQ(Text("<o:script xmlns:o='urn:x'>a</o:script>"), "a");
  EXPECT_EQ(Text("<script xmlns='urn:x'>a<p xmlns='http://www.w3.org/1999/"
                 "xhtml'>b</p></script>"),
            "a\nb");
  EXPECT_EQ(Text("<m:math xmlns:m='http://www.w3.org/1998/Math/MathML'><m:mi>x"
                 "</m:mi><m:annotation>y</m:annotation></m:math>"),
            "x");
  EXPECT_EQ(Extract("<html><body><p/>a</body></html>").text, "a");
}

TEST(Xhtml, WhatIsNotWellFormedIsHtml) {
  for (const char* body : {"<p>a",
                           "<p>a</div></p>",
                           "<p a>x</p>",
                           "<p a=b>x</p>",
                           "<p a='<'/>",
                           "<p a='1' a='2'/>",
                           "<p a='1'b='2'/>",
                           "a & b",
                           "&unknown;",
                           "&#0;",
                           "&#xFFFE;",
                           "&copy",
                           "]]>",
                           "<!-- a -- b -->",
                           "<![CDATA[x",
                           "<o:p/>",
                           "<p o:a='1'/>",
                           "<p xmlns:o=''/>",
                           "<?xml version='1.0'?>",
                           "<!DOCTYPE html>",
                           "<a:b:c/>",
                           "< p/>",
                           "<1/>",
                           "a\x01",
                           "</p>"})
    EXPECT_EQ(Text(body).substr(0, 5), "HTML ") << body;
  const std::string page = std::string("<html xmlns='") + kXhtml + "'/>";
  EXPECT_FALSE(Extract(page).malformed_xml);
  for (const std::string& bad :
       {page + page, page + "x", " " + page + "<", std::string("x"),
        std::string(), "<?xml encoding='utf-8'?>" + page,
        " <?xml version='1.0'?>" + page, "<!DOCTYPE html [<!ENTITY>]>" + page})
    EXPECT_TRUE(Extract(bad).malformed_xml) << bad;
}

// A page that is not well-formed keeps its text, and is counted.
TEST(Xhtml, NoMalformedPageIsLost) {
  const std::string begin = std::string("<html xmlns='") + kXhtml +
                            "'><head><title>t</title></head><body>";
  const std::string end = "</body></html>";
  const std::string good = "<p>one</p><p>two</p>";
  const struct {
    const char* what;
    std::string page, text;
  } rows[] = {
      {"unclosed", begin + "<p>one<p>two" + end, "one\ntwo"},
      {"entity", begin + "<p>one &unknown; two</p>" + end, "one &unknown; two"},
      {"attribute twice", begin + "<p id='a' id='b'>one</p>two" + end,
       "one\ntwo"},
      {"ampersand", begin + "<p>one & two</p>" + end, "one & two"},
      {"less-than", begin + "<p>one < two</p>" + end, "one < two"},
      {"nesting", begin + "<p><b><i>one</b></i> two</p>" + end, "one two"},
      {"no namespace", "<html><body><p>one<br></p>two</body></html>",
       "one\ntwo"},
      {"prefix", begin + "<o:p>one</o:p> two" + end, "one two"},
      {"CDATA left open", begin + "<p>one</p><![CDATA[<p>two</p>" + end,
       "one\ntwo"},
      {"CDATA closed twice", begin + "<p>one ]]> two</p>" + end, "one ]]> two"},
      {"instruction", begin + "<p>one</p><?php echo 1><p>two</p>" + end,
       "one\ntwo"},
      {"second declaration", begin + "<p>one</p><?xml version='1.0'?>two" + end,
       "one\ntwo"},
      {"comment", begin + "<p>one</p><!-- a -- b -->two" + end, "one\ntwo"},
      {"wrong encoding",
       "<?xml version='1.0' encoding='utf-8'?>" + begin + "one \xe9 two" + end,
       "one \uFFFD two"},
      {"unknown encoding",
       "<?xml version='1.0' encoding='klingon'?>" + begin + "one<br>two" + end,
       "one\ntwo"},
      {"NUL byte", begin + "one" + std::string(1, '\0') + " two" + end,
       "one two"},
      {"character of no text", begin + "one &#0; two" + end, "one \uFFFD two"},
      {"truncated", begin + "<p>one</p><p>two", "one\ntwo"},
      {"truncated in a tag", begin + good + "<p cla", "one\ntwo"},
      {"truncated in a comment", begin + good + "<!-- x", "one\ntwo"},
      {"two roots", begin + "one" + end + begin + "<p>two</p>" + end,
       "one\ntwo"},
      {"text behind the root", begin + "one" + end + "<p>two", "one\ntwo"},
      {"declaration not in front",
       "\n<?xml version='1.0'?>" + begin + good + end, "one\ntwo"},
      {"attribute without quotes", begin + "<p class=a>one</p>two" + end,
       "one\ntwo"},
      {"attribute without value", begin + "<input disabled>one two" + end,
       "one two"},
      {"script", begin + "<script>if (a < b && c) d</script>one two" + end,
       "one two"},
  };
  for (const auto& row : rows) {
    const CleanText clean = Extract(row.page);
    EXPECT_TRUE(clean.malformed_xml) << row.what;
    EXPECT_EQ(clean.text, row.text) << row.what;
  }
  EXPECT_FALSE(Extract(begin + good + end).malformed_xml);
}

TEST(Xhtml, EntitiesOfTheDocument) {
  const auto with = [](const std::string& declarations) {
    return "<?xml version=\"1.0\"?>\n<!DOCTYPE html [" + declarations + "]>\n";
  };
  EXPECT_EQ(Text("&a;|&b;", with("<!ENTITY a 'x&#38;amp;y'><!ENTITY b '<p>z"
                                 "</p>'><!-- ]> ' --><!ELEMENT p ANY>")),
            "x&y|\nz");
  EXPECT_EQ(Text("<a title=\"&a;\" href='x'>b</a>",
                 with("<!ENTITY a \"it's\"><!ENTITY c SYSTEM 'file:///etc'>")),
            "b");
  EXPECT_EQ(Text("a&c;b", with("<!ENTITY c SYSTEM 'file:///etc/passwd'>")),
            "ab");
  EXPECT_EQ(Text("&a;", with("<!ENTITY a 'first'><!ENTITY a 'second'>")),
            "first");
  for (const char* bad :
       {"<!ENTITY a '&a;'>", "<!ENTITY a '&b;'><!ENTITY b '&a;'>",
        "<!ENTITY a '<p>'>", "<!ENTITY a '</p>'>", "<!ENTITY a '&'>"})
    EXPECT_EQ(Text("<p>&a;</p>", with(bad)).substr(0, 5), "HTML ") << bad;
  std::string laughs = "<!ENTITY l0 'ha'>";
  for (int i = 1; i < 30; ++i) {
    const std::string below = "&l" + std::to_string(i - 1) + ";";
    laughs += "<!ENTITY l" + std::to_string(i) + " '" + below + below + "'>";
  }
  EXPECT_EQ(Text("&l29;", with(laughs)).substr(0, 5), "HTML ");
  EXPECT_EQ(Text("&l4;", with(laughs)).size(), 32u);
  // A document type that is not read may declare it.
  EXPECT_EQ(Text("a&other;b",
                 "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 "
                 "Strict//EN\" \"xhtml1-strict.dtd\">"),
            "ab");
}

TEST(Xhtml, DecodedAsItDeclares) {
  const std::string body =
      "<html xmlns='http://www.w3.org/1999/xhtml'><head>"
      "<meta charset='windows-1251'/></head><body>";
  const std::string end = "</body></html>";
  EXPECT_EQ(Extract("<?xml version='1.0' encoding='iso-8859-1'?>" + body +
                    "\xe9" + end)
                .text,
            "\u00e9");
  EXPECT_EQ(Extract(body + "\xc3\xa9" + end).text, "\u00e9");
  EXPECT_EQ(Extract("\xef\xbb\xbf<?xml version='1.0' encoding='x'?>" + body +
                    "\xc3\xa9<p/>" + end)
                .text,
            "\u00e9");
  std::string wide = "\xff\xfe";
  for (const char c :
       "<?xml version='1.0' encoding='UTF-16'?>" + body + "<script/>a" + end) {
    wide += c;
    wide += '\0';
  }
  EXPECT_EQ(Extract(wide).text, "a");
  EXPECT_FALSE(Extract(wide).malformed_xml);
  EXPECT_EQ(Extract(wide.substr(2)).text, "a");
}

TEST(Xhtml, PlacesAreThoseOfThePage) {
  TextOptions options;
  options.keep_offsets = true;
  const std::string page = std::string("<html xmlns='") + kXhtml +
                           "'><body><script/><p>one<![CDATA[ two]]></p><p/>"
                           "three</body></html>";
  const CleanText clean = Extract(page, options);
  EXPECT_EQ(clean.text, "one two\nthree");
  for (const char* word : {"one", "two", "three"})
    EXPECT_EQ(SourceOffset(clean, static_cast<uint32_t>(clean.text.find(word))),
              page.find(word))
        << word;
  options.content = ContentMode::kRaw;
  EXPECT_EQ(Extract(page, options).text, page);
}

TEST(Xhtml, DeepAndLongPagesTakeLinearTime) {
  std::string deep;
  for (size_t i = 0; i < kMostXmlDepth + 10; ++i) deep += "<i>";
  EXPECT_EQ(Text(deep).substr(0, 5), "HTML ");
  std::string many = "x";
  for (int i = 0; i < 100000; ++i) many += "<b a='1' c='2'/>&amp;";
  EXPECT_EQ(Text(many).size(), 100001u);
  XhtmlAsHtml as_html;
  EXPECT_FALSE(
      XhtmlToHtml("<html>" + std::string(1 << 20, '<'), true, &as_html));
}

}  // namespace
}  // namespace twinset
