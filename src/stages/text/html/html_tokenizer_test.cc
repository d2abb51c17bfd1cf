#include "text/html/html_tokenizer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "text/html/html_doctype.h"
#include "text/html/html_tokenizer_reference.h"
#include "text/html/html_tokenizer_testing.h"

namespace twinset {
namespace {

using State = HtmlTokenizer;
using Plain = std::vector<PlainToken>;
using namespace std::string_literals;

constexpr char kBad[] = "\xEF\xBF\xBD";

struct Fixture {
  std::string source;
  Plain expected;
};

// Both tokenizers give the expected tokens.
void Expect(const std::vector<Fixture>& fixtures,
            const TokenizeOptions& options) {
  for (const Fixture& fixture : fixtures) {
    EXPECT_EQ(PlainTokens(fixture.source, options), fixture.expected)
        << fixture.source;
    EXPECT_EQ(ReferenceTokenizer(fixture.source, options).Run(),
              fixture.expected)
        << fixture.source;
  }
}

TEST(HtmlTokenizer, Data) {
  Expect({{"", {}},
          {"a &amp; b", {{"Text", "a & b"}}},
          {"a\r\nb\rc\n\r", {{"Text", "a\nb\nc\n\n"}}},
          {"a\0b"s, {{"Text", "a\0b"s}}},
          {"&#0;&#13;&#x80;", {{"Text", kBad + "\r\u20AC"s}}},
          {"1 < 2 <3 <", {{"Text", "1 < 2 <3 <"}}},
          {"<<a>", {{"Text", "<"}, {"Start", "a"}}},
          {"a</", {{"Text", "a</"}}},
          {"a</>b", {{"Text", "ab"}}},
          {"</>", {}},
          {"</ x>y", {{"Comment", " x"}, {"Text", "y"}}},
          {"</3>", {{"Comment", "3"}}},
          {"<?xml v\0?>"s, {{"Comment", "?xml v"s + kBad + "?"}}},
          {"<?", {{"Comment", "?"}}}},
         {});
}

TEST(HtmlTokenizer, Tags) {
  Expect({{"<p>", {{"Start", "p"}}},
          {"</P\n>", {{"End", "p"}}},
          {"<BR/>", {{"Start/", "br"}}},
          {"<br / >", {{"Start", "br"}}},
          {"<a/b>", {{"Start", "a", "b", ""}}},
          {"<a\0b>"s, {{"Start", "a"s + kBad + "b"}}},
          {"</a/>", {{"End", "a"}}},
          {"</a b=c>", {{"End", "a"}}},
          {"x<a", {{"Text", "x"}}},
          {"x<a ", {{"Text", "x"}}},
          {"x<a b", {{"Text", "x"}}},
          {"x<a b=", {{"Text", "x"}}},
          {"x<a b=c", {{"Text", "x"}}},
          {"x<a b='c'", {{"Text", "x"}}},
          {"x<a b='>", {{"Text", "x"}}},
          {"x<a/", {{"Text", "x"}}},
          {"<a<b>", {{"Start", "a<b"}}}},
         {});
}

TEST(HtmlTokenizer, Attributes) {
  Expect({{"<a b>", {{"Start", "a", "b", ""}}},
          {"<a B = C>", {{"Start", "a", "b", "C"}}},
          {"<a b=\"c>d\" e='f\"'>", {{"Start", "a", "b", "c>d", "e", "f\""}}},
          {"<a b=1 b=2>", {{"Start", "a", "b", "1"}}},
          {"<a b=>", {{"Start", "a", "b", ""}}},
          {"<a b=/>", {{"Start", "a", "b", "/"}}},
          {"<a b=c/>", {{"Start", "a", "b", "c/"}}},
          {"<a b='c'/>", {{"Start/", "a", "b", "c"}}},
          {"<a b='c'd>", {{"Start", "a", "b", "c", "d", ""}}},
          {"<a =b>", {{"Start", "a", "=b", ""}}},
          {"<a ==b>", {{"Start", "a", "=", "b"}}},
          {"<a / =b='>'>", {{"Start", "a", "=b", ">"}}},
          {"<a b'c>d'>", {{"Start", "a", "b'c", ""}, {"Text", "d'>"}}},
          {"<a b=c\"d>e\">", {{"Start", "a", "b", "c\"d"}, {"Text", "e\">"}}},
          {"<a b\0=c\0>"s, {{"Start", "a", "b"s + kBad, "c"s + kBad}}},
          {"<a b='c\r\nd\re'>", {{"Start", "a", "b", "c\nd\ne"}}},
          {"<a\rb=c\rd>", {{"Start", "a", "b", "c", "d", ""}}},
          {"<a b='&amp;&copy=1&copyx&copy;&copy'>",
           {{"Start", "a", "b", "&&copy=1&copyx\u00A9\u00A9"}}}},
         {});
}

TEST(HtmlTokenizer, Comments) {
  Expect({{"<!-->a", {{"Comment", ""}, {"Text", "a"}}},
          {"<!--->a", {{"Comment", ""}, {"Text", "a"}}},
          {"<!---->", {{"Comment", ""}}},
          {"<!--a-->b-->", {{"Comment", "a"}, {"Text", "b-->"}}},
          {"<!--a--!>b", {{"Comment", "a"}, {"Text", "b"}}},
          {"<!--a--!b-->", {{"Comment", "a--!b"}}},
          {"<!--a--!-->", {{"Comment", "a--!"}}},
          {"<!--->-->", {{"Comment", ""}, {"Text", "-->"}}},
          {"<!--!>-->", {{"Comment", "!>"}}},
          {"<!---!>-->", {{"Comment", "-!>"}}},
          {"<!----!>", {{"Comment", ""}}},
          {"<!--a--->", {{"Comment", "a-"}}},
          {"<!--<!-->", {{"Comment", "<!"}}},
          {"<!--a\0\r\n-->"s, {{"Comment", "a"s + kBad + "\n"}}},
          {"<!--a-", {{"Comment", "a"}}},
          {"<!--a--", {{"Comment", "a"}}},
          {"<!--a---", {{"Comment", "a-"}}},
          {"<!--a--!", {{"Comment", "a"}}},
          {"<!--", {{"Comment", ""}}},
          {"<!---", {{"Comment", ""}}},
          {"<!-a>", {{"Comment", "-a"}}},
          {"<!", {{"Comment", ""}}},
          {"<!>", {{"Comment", ""}}}},
         {});
}

TEST(HtmlTokenizer, Doctypes) {
  const auto doctype = [](std::string name, std::string public_id,
                          std::string system_id, bool correct) -> Plain {
    return {{"Doctype", name, public_id, system_id,
             correct ? "correct" : "quirks"}};
  };
  Expect({{"<!DOCTYPE html>", doctype("html", kMissing, kMissing, true)},
          {"<!doctypeHTML\0 >"s,
           doctype("html"s + kBad, kMissing, kMissing, true)},
          {"<!DOCTYPE>", doctype(kMissing, kMissing, kMissing, false)},
          {"<!DOCTYPE \r", doctype(kMissing, kMissing, kMissing, false)},
          {"<!DOCTYPE a", doctype("a", kMissing, kMissing, false)},
          {"<!DOCTYPE a b>", doctype("a", kMissing, kMissing, false)},
          {"<!DOCTYPE a PUBLIC\"b\"'c'>", doctype("a", "b", "c", true)},
          {"<!DOCTYPE a public 'b\r\n' >", doctype("a", "b\n", kMissing, true)},
          {"<!DOCTYPE a public>", doctype("a", kMissing, kMissing, false)},
          {"<!DOCTYPE a public b>", doctype("a", kMissing, kMissing, false)},
          {"<!DOCTYPE a public 'b>", doctype("a", "b", kMissing, false)},
          {"<!DOCTYPE a public 'b' c>", doctype("a", "b", kMissing, false)},
          {"<!DOCTYPE a public 'b' 'c\">", doctype("a", "b", "c\"", false)},
          {"<!DOCTYPE a SYSTEM 'c' d>", doctype("a", kMissing, "c", true)},
          {"<!DOCTYPE a SYSTEM 'c' d", doctype("a", kMissing, "c", true)},
          {"<!DOCTYPE a SYSTEM 'c'", doctype("a", kMissing, "c", false)},
          {"<!DOCTYPE a system\"\0\">"s, doctype("a", kMissing, kBad, true)},
          {"<!DOCTYP>", {{"Comment", "DOCTYP"}}}},
         {});
}

TEST(HtmlTokenizer, Quirks) {
  const auto mode = [](std::string_view source) {
    HtmlTokenizer tokenizer(source);
    return QuirksModeOf(ParseDoctype(tokenizer.Next()));
  };
  EXPECT_EQ(mode("<!doctype html>"), QuirksMode::kNone);
  EXPECT_EQ(mode("<!doctype html SYSTEM 'about:legacy-compat'>"),
            QuirksMode::kNone);
  EXPECT_EQ(mode("<!doctype html PUBLIC '-//W3C//DTD HTML 4.01//EN'>"),
            QuirksMode::kNone);
  EXPECT_EQ(mode("<!doctype xhtml>"), QuirksMode::kQuirks);
  EXPECT_EQ(mode("<!doctype>"), QuirksMode::kQuirks);
  EXPECT_EQ(mode("<!doctype html PUBLIC '-//W3C//DTD HTML 3.2 Final//EN'>"),
            QuirksMode::kQuirks);
  EXPECT_EQ(mode("<!doctype html PUBLIC 'HTML'>"), QuirksMode::kQuirks);
  const std::string loose =
      "<!doctype html PUBLIC '-//W3C//DTD HTML 4.01 Transitional//EN'";
  EXPECT_EQ(mode(loose + ">"), QuirksMode::kQuirks);
  EXPECT_EQ(mode(loose + " ''>"), QuirksMode::kLimited);
  EXPECT_EQ(
      mode("<!doctype html PUBLIC '-//W3C//DTD XHTML 1.0 Transitional//EN'>"),
      QuirksMode::kLimited);
}

TEST(HtmlTokenizer, Cdata) {
  TokenizeOptions options;
  Expect({{"<![CDATA[a]]>", {{"Comment", "[CDATA[a]]"}}}}, options);
  options.allow_cdata = true;
  Expect({{"<![CDATA[a<b>&amp;\0\r\n]]>&lt;"s, {{"Text", "a<b>&amp;\0\n<"s}}},
          {"<![CDATA[]]><a>", {{"Start", "a"}}},
          {"<![CDATA[>]>]]]>", {{"Text", ">]>]"}}},
          {"<![CDATA[a]]", {{"Text", "a]]"}}},
          {"<![CDATA[", {}},
          {"<![CDATA]]>", {{"Comment", "[CDATA]]"}}},
          {"<![cdata[]]>", {{"Comment", "[cdata[]]"}}}},
         options);
}

TEST(HtmlTokenizer, RawTexts) {
  Expect({{"a<b>&amp;\0</TITLE x>c"s,
           {{"Text", "a<b>&"s + kBad}, {"End", "title"}, {"Text", "c"}}},
          {"</titles></titl></title", {{"Text", "</titles></titl></title"}}},
          {"a</title ", {{"Text", "a"}}},
          {"</title/>", {{"End", "title"}}}},
         {State::kRcdata, "title"});
  Expect({{"a&amp;\r</style\f>", {{"Text", "a&amp;\n"}, {"End", "style"}}},
          {"<!--</style>-->",
           {{"Text", "<!--"}, {"End", "style"}, {"Text", "-->"}}}},
         {State::kRawText, "style"});
  Expect({{"</style>", {{"Text", "</style>"}}}}, {State::kRawText, ""});
  Expect({{"</plaintext>&amp;\0"s, {{"Text", "</plaintext>&amp;"s + kBad}}}},
         {State::kPlaintext, "plaintext"});
}

TEST(HtmlTokenizer, Scripts) {
  const std::string end = "</script>";
  const auto whole = [](std::string text) -> Plain { return {{"Text", text}}; };
  const auto ended = [](std::string text, std::string after) -> Plain {
    Plain tokens = {{"Text", text}, {"End", "script"}};
    if (!after.empty()) tokens.push_back({"Text", after});
    return tokens;
  };
  Expect({{"a<b&amp;" + end, ended("a<b&amp;", "")},
          {"<script>" + end + "x", ended("<script>", "x")},
          {"<!--" + end + "x", ended("<!--", "x")},
          {"<!--<script>" + end + end + "x", ended("<!--<script>" + end, "x")},
          {"<!--<script>" + end + "x", whole("<!--<script>" + end + "x")},
          {"<!--<script>-->" + end + "x", ended("<!--<script>-->", "x")},
          {"<!--<script>" + end + "--><script>" + end,
           ended("<!--<script>" + end + "--><script>", "")},
          {"<!--<scripts>" + end, ended("<!--<scripts>", "")},
          {"<!--><script>" + end, ended("<!--><script>", "")},
          {"<!---><script>" + end, ended("<!---><script>", "")},
          {"<!--->--<script/</script-->" + end,
           ended("<!--->--<script/</script-->", "")},
          {"<!-<script>" + end, ended("<!-<script>", "")},
          {"<!--a\0<script\r>b</SCRIPT\t"s + end,
           ended("<!--a"s + kBad + "<script\n>b</SCRIPT\t", "")}},
         {State::kScript, "script"});
}

// Ranges, flags and numbers, which the plain tokens do not show.
TEST(HtmlTokenizer, Ranges) {
  HtmlTokenizer tokenizer("a&b<DIV x=1>c</><br/>\r<x-y></div");
  const struct {
    HtmlToken::Kind kind;
    uint32_t begin, end;
    std::string_view raw;
    HtmlTag tag;
    bool flag;  // needs_decoding or self_closing
  } expected[] = {
      {HtmlToken::kText, 0, 3, "a&b", HtmlTag::kUnknown, true},
      {HtmlToken::kStartTag, 3, 12, "DIV", HtmlTag::kDiv, false},
      {HtmlToken::kText, 12, 13, "c", HtmlTag::kUnknown, false},
      {HtmlToken::kStartTag, 16, 21, "br", HtmlTag::kBr, true},
      {HtmlToken::kText, 21, 22, "\r", HtmlTag::kUnknown, true},
      {HtmlToken::kStartTag, 22, 27, "x-y", HtmlTag::kUnknown, false},
      {HtmlToken::kEnd, 27, 32, "", HtmlTag::kUnknown, false},
      {HtmlToken::kEnd, 32, 32, "", HtmlTag::kUnknown, false},
      {HtmlToken::kEnd, 32, 32, "", HtmlTag::kUnknown, false},
  };
  for (const auto& e : expected) {
    const HtmlToken& token = tokenizer.Next();
    EXPECT_EQ(token.kind, e.kind);
    EXPECT_EQ(token.begin, e.begin);
    EXPECT_EQ(token.end, e.end);
    EXPECT_EQ(token.raw, e.raw);
    if (e.kind == HtmlToken::kText) {
      EXPECT_EQ(token.needs_decoding, e.flag);
    }
    if (e.kind == HtmlToken::kStartTag) {
      EXPECT_EQ(token.tag, e.tag);
      EXPECT_EQ(token.self_closing, e.flag);
    }
  }
}

TEST(HtmlTokenizer, AttributesOnDemand) {
  const std::string source = "<p A='1' a=2 hidden><i></i q><b>x";
  HtmlTokenizer tokenizer(source);
  tokenizer.Next();
  EXPECT_EQ(tokenizer.AttributeText(), " A='1' a=2 hidden");
  ASSERT_EQ(tokenizer.attributes().size(), 3u);
  EXPECT_EQ(tokenizer.attributes()[1].value, "2");
  EXPECT_EQ(tokenizer.Find("a")->value, "1");
  EXPECT_EQ(tokenizer.Find("hidden")->value, "");
  EXPECT_EQ(tokenizer.Find("b"), nullptr);
  tokenizer.Next();
  EXPECT_EQ(tokenizer.AttributeText(), "");
  EXPECT_TRUE(tokenizer.attributes().empty());
  tokenizer.Next();
  EXPECT_EQ(tokenizer.attributes().size(), 1u);
  tokenizer.Next();
  tokenizer.Next();
  EXPECT_TRUE(tokenizer.attributes().empty());
  EXPECT_EQ(tokenizer.AttributeText(), "");
}

TEST(HtmlTokenizer, AttributeLimit) {
  std::string source = "<p";
  for (int i = 0; i < 1000; ++i) source += " a" + std::to_string(i) + "=1";
  source += ">x";
  HtmlTokenizer tokenizer(source);
  tokenizer.Next();
  EXPECT_EQ(tokenizer.attributes().size(), HtmlTokenizer::kMaxAttributes);
  EXPECT_EQ(tokenizer.Next().raw, "x");
  std::vector<HtmlAttribute> attributes;
  ReadAttributes(source.substr(0, source.size() - 1), &attributes);
  EXPECT_EQ(attributes.size(), HtmlTokenizer::kMaxAttributes);
}

// Every string of up to `length` pieces, one less in builds with sanitizers.
void CompareExhaustively(const std::vector<std::string>& pieces, size_t length,
                         const TokenizeOptions& options) {
  std::vector<size_t> digits;
  std::string source;
  for (;;) {
    source.clear();
    for (const size_t digit : digits) source += pieces[digit];
    ASSERT_EQ(PlainTokens(source, options),
              ReferenceTokenizer(source, options).Run())
        << source;
    size_t i = 0;
    while (i < digits.size() && ++digits[i] == pieces.size()) digits[i++] = 0;
    if (i == digits.size()) {
      if (digits.size() + TWINSET_SLOW_BUILD == length) return;
      digits.push_back(0);
    }
  }
}

TEST(HtmlTokenizerReference, ExhaustiveTags) {
  CompareExhaustively({"<", "/", ">", "=", "'", "a", " "}, 7, {});
  CompareExhaustively({"<a ", "\"", "'", "=", ">", "b", "&lt", "\n"}, 5, {});
}
TEST(HtmlTokenizerReference, ExhaustiveTagInsides) {
  for (const std::string name : {"<a", "<a b", "</a b="}) {
    CompareExhaustively({name + "/", "=", ">", "'", "b", " "}, 5, {});
    CompareExhaustively({"/", "=", ">", "'", "\r", name}, 5, {});
  }
}
TEST(HtmlTokenizerReference, ExhaustiveMarkup) {
  TokenizeOptions options;
  CompareExhaustively({"<", "!", "-", ">", "a", "?"}, 7, options);
  CompareExhaustively({"<!--", "!", "-", ">", "<"}, 7, options);
  CompareExhaustively({"<!doctype", " ", "'", "\"", "public", "system", ">"}, 5,
                      options);
  options.allow_cdata = true;
  CompareExhaustively({"<![CDATA[", "]", ">", "\r", "&lt"}, 6, options);
}
TEST(HtmlTokenizerReference, ExhaustiveRawTexts) {
  CompareExhaustively({"<", "/", "a", ">", " ", "&"}, 6, {State::kRcdata, "a"});
  CompareExhaustively({"</", "xmp", "<", ">", "\r", "<!--"}, 5,
                      {State::kRawText, "xmp"});
  CompareExhaustively({"<", "/", "script", "!--", "-", ">"}, 7,
                      {State::kScript, "script"});
  CompareExhaustively({"<!--", "<script", "</script", "-->", ">", " ", "s"}, 5,
                      {State::kScript, "script"});
}

// Long mixtures, which cross the sixteen bytes of a scan.
TEST(HtmlTokenizerReference, Random) {
  const std::vector<std::string> pieces = {
      "<",         "</",          ">",          "/",
      "=",         "\"",          "'",          " ",
      "\r\n",      "\r",          "\0"s,        "&amp;",
      "&copy",     "&notin;",     "a",          "script",
      "<script>",  "</script>",   "<title",     "</title",
      "<p class=", "<!--",        "-->",        "--!>",
      "<![CDATA[", "]]>",         "<!doctype ", "text of some length",
      "<style>",   "</style>",    "\xC3\xA4",   "<br/>",
      "&#x41;",    "<a href='x'>"};
  std::mt19937 random(7);
  for (int round = 0; round < 6000; ++round) {
    TokenizeOptions options;
    options.follow_tags = true;
    options.allow_cdata = random() % 2 == 0;
    std::string source;
    for (size_t n = random() % 40; n > 0; --n) {
      source += pieces[random() % pieces.size()];
    }
    ASSERT_EQ(PlainTokens(source, options),
              ReferenceTokenizer(source, options).Run())
        << source;
  }
}

// What would be slow if a scan began again and again: a second at most for all.
TEST(HtmlTokenizer, LinearOnFloods) {
  for (const std::string piece :
       {"<", "</", "<!--", "</scrip", "<a b='", "<a = ", "<a                ",
        "<![CDATA[", "<script>", "<!--<script>", "&", "-", "=", "<title>",
        "<!doctype '", "]]", "<a/", "</>"}) {
    std::string source;
    while (source.size() < 1 << 20) source += piece;
    size_t tokens = 0;
    for (const auto state : {State::kData, State::kRcdata, State::kScript}) {
      HtmlTokenizer tokenizer(source);
      tokenizer.SetState(state, "script");
      tokenizer.AllowCdata(true);
      while (tokenizer.Next().kind != HtmlToken::kEnd) ++tokens;
    }
    EXPECT_LE(tokens, 3 * source.size());
  }
}

}  // namespace
}  // namespace twinset
