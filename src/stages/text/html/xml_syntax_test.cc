// The small rules of XML, and what stands in front of a root element.
#include "text/html/xml_syntax.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/hash.h"
#include "base/utf8.h"

namespace twinset {
namespace {

constexpr size_t kNone = std::string_view::npos;

TEST(XmlSyntaxTest, CharactersAreThoseOfTheProduction) {
  // Char ::= #x9 | #xA | #xD | [#x20-#xD7FF] | [#xE000-#xFFFD] | ...
  for (char32_t c = 0; c < 0x120000; ++c) {
    const bool is_one =
        c == 0x9 || c == 0xA || c == 0xD || (0x20 <= c && c <= 0xD7FF) ||
        (0xE000 <= c && c <= 0xFFFD) || (0x10000 <= c && c <= 0x10FFFF);
    ASSERT_EQ(IsXmlCharacter(c), is_one) << static_cast<uint32_t>(c);
    if (c % 61 != 0 && c > 0x2000 && (c < 0xD700 || c > 0x10010)) continue;
    const auto number = static_cast<uint32_t>(c);
    char hex[16];
    std::snprintf(hex, sizeof hex, "#x%X", number);
    const auto expected = is_one ? std::optional(c) : std::nullopt;
    ASSERT_EQ(XmlCharacterOf("#" + std::to_string(number)), expected);
    ASSERT_EQ(XmlCharacterOf(hex), expected) << hex;
    ASSERT_EQ(XmlCharacterOf("#000" + std::to_string(number)), expected);
  }
  for (const char* other : {"", "#", "#x", "60", "#6a", "#xg", "#-1", "# 60",
                            "#X3c", "#99999999999999999999", "#x110000"})
    EXPECT_FALSE(XmlCharacterOf(other)) << other;
}

TEST(XmlSyntaxTest, TextsOfXmlHaveNoOtherCharacters) {
  for (int byte = 0; byte < 0x80; ++byte) {
    const std::string text = std::string("a") + static_cast<char>(byte) + "b";
    EXPECT_EQ(HasXmlCharacters(text),
              IsXmlCharacter(static_cast<char32_t>(byte)))
        << byte;
  }
  EXPECT_TRUE(HasXmlCharacters("\xEF\xBF\xBD"));   // U+FFFD
  EXPECT_FALSE(HasXmlCharacters("\xEF\xBF\xBE"));  // U+FFFE
  EXPECT_FALSE(HasXmlCharacters("x\xEF\xBF\xBF"));
}

TEST(XmlSyntaxTest, SizesOfNamesAndSpace) {
  for (const auto& [text, size] :
       std::vector<std::pair<const char*, size_t>>{{"", 0},
                                                   {"a", 1},
                                                   {"a:b-c.d_1 e", 9},
                                                   {"1a", 0},
                                                   {"-a", 0},
                                                   {".a", 0},
                                                   {"_a>", 2},
                                                   {":", 1},
                                                   {"\xC3\xA9t\xC3\xA9=", 5},
                                                   {"a;b", 1}})
    EXPECT_EQ(XmlNameSize(text), size) << text;
  EXPECT_EQ(XmlSpaceSize(" \t\r\n\fa"), 4u);
  EXPECT_EQ(XmlSpaceSize("a "), 0u);
}

TEST(XmlSyntaxTest, CommentsAndInstructions) {
  for (const auto& [text, size] :
       std::vector<std::pair<std::string, size_t>>{{"<!---->x", 7},
                                                   {"<!-- a - b -->", 14},
                                                   {"<!-- a -- b -->", 0},
                                                   {"<!--->", 0},
                                                   {"<!-->", 0},
                                                   {"<!-- a", 0},
                                                   {"<?a?>", 5},
                                                   {"<?a b?>?>", 7},
                                                   {"<?a-b c > ?>x", 12},
                                                   {"<?xml a?>", 0},
                                                   {"<?XmL?>", 0},
                                                   {"<?xml-stylesheet a?>", 20},
                                                   {"<? a?>", 0},
                                                   {"<?a", 0},
                                                   {"<?a$b?>", 0},
                                                   {"<a>", 0},
                                                   {"", 0}})
    EXPECT_EQ(XmlAsideSize(text), size) << text;
}

// The size of a prolog and what it declares, as one text.
std::string Prolog(std::string_view text) {
  XmlEntities entities;
  const size_t size = ReadXmlProlog(text, &entities);
  if (size == kNone) return "malformed";
  EXPECT_LE(size, text.size());
  std::string told = "before '" + std::string(text.substr(size, 3)) + "'";
  for (const auto& [name, replacement] : entities.declared)
    told += " " + name + (replacement ? "=" + *replacement : " external");
  return told + (entities.has_others ? " and others" : "");
}

TEST(XmlPrologTest, TellsWhereTheRootBeginsAndWhatIsDeclared) {
  EXPECT_EQ(Prolog("<a/>"), "before '<a/'");
  EXPECT_EQ(Prolog(""), "before ''");
  EXPECT_EQ(Prolog("<?xml version='1.0'?>\n<!-- c --><?p i?>\n<a/>"),
            "before '<a/'");
  EXPECT_EQ(
      Prolog("<?xml version=\"1.0\" encoding = 'x' standalone='no' ?><a>"),
      "before '<a>'");
  EXPECT_EQ(Prolog("<!DOCTYPE html><b>"), "before '<b>'");
  EXPECT_EQ(Prolog("<!DOCTYPE html SYSTEM 'u'><b>"), "before '<b>' and others");
  EXPECT_EQ(Prolog("<!DOCTYPE html PUBLIC \"p\"\n'u'><b>"),
            "before '<b>' and others");
  EXPECT_EQ(Prolog("<!DOCTYPE a [<!ENTITY e '&#60;&#x62;&f;&#38;'>"
                   "<!ENTITY e 'second'>\n<!ENTITY f SYSTEM \"u\" NDATA n>\n"
                   "<!ELEMENT a (b|'>')><!-- > --><?p ]?>%p;"
                   "<!ENTITY % q '>'>] >\n<a>"),
            "before '<a>' e=<b&f;& f external and others");
}

TEST(XmlPrologTest, MalformedOnesAreRefused) {
  for (const char* text :
       {"<?xml?><a/>",
        "<?xml ?><a/>",
        "<?xml encoding='x'?><a/>",
        "<?xml version='1.0'encoding='x'?><a/>",
        "<?xml version=1.0?><a/>",
        "<?xml version='1.0' standalone='no' encoding='x'?><a/>",
        "<?xml version='1.0'",
        "<!DOCTYPE>",
        "<!DOCTYPEa>",
        "<!DOCTYPE a",
        "<!DOCTYPE a><!DOCTYPE a><a/>",
        "<!DOCTYPE a PUBLIC 'p'>",
        "<!DOCTYPE a SYSTEM>",
        "<!DOCTYPE a SYSTEM'u'>",
        "<!DOCTYPE a [>",
        "<!DOCTYPE a [<b>]>",
        "<!DOCTYPE a [<!ENTITY e>]>",
        "<!DOCTYPE a [<!ENTITY e '&#0;'>]>",
        "<!DOCTYPE a [<!ENTITY e '&#60'>]>",
        "<!DOCTYPE a [<!ENTITY e 'x>]>",
        "<!DOCTYPE a [%;]>",
        "<!DOCTYPE a [%p]>",
        "<!DOCTYPE a [<!ENTITY e PUBLIC 'p'>]>",
        "<!-- a -- b --><a/>",
        "<!doctype a><a/>",
        "<![CDATA[x]]>"})
    EXPECT_EQ(Prolog(text), "malformed") << text;
}

// A prolog that is cut anywhere before its root is never taken for a whole one
// with less in it, and no bytes are read beyond its end.
TEST(XmlPrologTest, CutOnesAreRefusedOrEndWithTheText) {
  const std::string whole =
      "<?xml version='1.0' encoding='utf-8'?><!-- c --><!DOCTYPE a PUBLIC 'p' "
      "'u' [<!ENTITY e 'x &#60;'><!ELEMENT a ANY>%p;<?i j?>]> <?k l?>";
  const std::string root = "<a>";
  ASSERT_EQ(Prolog(whole + root), "before '<a>' e=x < and others");
  for (size_t size = 0; size < whole.size(); ++size) {
    const std::vector<char> cut(whole.begin(),
                                whole.begin() + static_cast<ptrdiff_t>(size));
    XmlEntities entities;
    const size_t end = ReadXmlProlog({cut.data(), size}, &entities);
    if (end == kNone) continue;
    const std::string_view rest =
        std::string_view(whole).substr(end, size - end);
    EXPECT_TRUE(rest.empty() || rest == "<") << size << " " << rest;
  }
  SplitMix64 random(1);
  for (int i = 0; i < 5000; ++i) {
    std::string damaged = whole + root;
    for (uint64_t k = 1 + random.Below(3); k > 0; --k)
      damaged[random.Below(damaged.size())] =
          "<>?!-[]'\"&#;% x"[random.Below(15)];
    Prolog(damaged);
  }
}

}  // namespace
}  // namespace twinset
