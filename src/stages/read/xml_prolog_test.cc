// What is known of markup before its root element is read.
#include "read/xml_prolog.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace twinset {
namespace {

using std::string_literals::operator""s;

TEST(XmlProlog, TheRootStandsBehindWhatIsNoElement) {
  for (const auto& [text, root] :
       std::vector<std::pair<std::string, std::string>>{
           {"<a>", "<a>"},
           {"", ""},
           {" \t\r\n<a>", "<a>"},
           {"\xEF\xBB\xBF<a>", "<a>"},
           {"text <a>", "text <a>"},
           {"<?xml version='1.0'?>\n<!-- <b> --><?p <c>?><a>", "<a>"},
           {"<!doctype html><a>", "<a>"},
           {"<!DOCTYPE a PUBLIC \"<b>\" '>'><a>", "<a>"},
           {"<!DOCTYPE a [<!ENTITY e \"]>\"> <!-- ]> ' --> <?p ]>?>]><a>",
            "<a>"},
           // What does not end, or is none of these, hides the root.
           {"<!-- <a>", ""},
           {"<?xml <a>", ""},
           {"<!DOCTYPE a [ ><a>", ""},
           {"<!DOCTYPE 'a><a>", ""},
           {"<!ELEMENT a><a>", ""},
           {"<!--->", ""}})
    EXPECT_EQ(RootElement(text), root) << text;
}

// Whatever is cut off from the end of a document type, it is not found whole.
TEST(XmlProlog, ADocumentTypeEndsWhereItEnds) {
  const std::string type =
      "<!DocType a PUBLIC \"p>\" 'u[' [<!ENTITY e '>'><!-- ' --><?p \"?>] >";
  EXPECT_EQ(EndOfDoctype(type + "<a>"), type.size());
  for (size_t size = 0; size < type.size(); ++size)
    EXPECT_EQ(EndOfDoctype(type.substr(0, size)), 0u) << size;
  EXPECT_TRUE(BeginsDoctype("<!doctypehtml>"));
  for (const char* other : {"", "<!DOCTYP", "<!DOCTYP e", " <!DOCTYPE a>"})
    EXPECT_FALSE(BeginsDoctype(other)) << other;
}

TEST(XmlProlog, XhtmlDeclaresItselfAndItsNamespace) {
  const std::string xml = "<?xml version=\"1.0\"?>",
                    space = " xmlns='http://www.w3.org/1999/xhtml'";
  for (const std::string& text :
       {xml + "<html" + space + ">",
        "\xEF\xBB\xBF" + xml + "<html" + space + "/>",
        xml + "<!DOCTYPE html><!-- c -->\n<html lang=de\n" + space + ">",
        xml + "<h:html xmlns:h=\"http://www.w3.org/1999/xhtml\">"}) {
    EXPECT_TRUE(DeclaresXhtml(text)) << text;
    EXPECT_EQ(MarkupMime(text), "application/xhtml+xml");
  }
  for (const std::string& text :
       {""s, "<html" + space + ">", " " + xml + "<html" + space + ">",
        xml + "<html>", xml + "<svg" + space + ">",
        xml + "<html2" + space + ">",
        xml + "<html xmlns='http://www.w3.org/1999/xhtml>'>",
        xml + "<html xmlns='http://www.w3.org/1999/xhtml/2'>",
        xml + "<html xmlns=http://www.w3.org/1999/xhtml>",
        xml + "<html><p" + space + ">", xml + "<html",
        "<?xmlx?><html" + space + ">", xml + "<!-- <html" + space + ">"}) {
    EXPECT_FALSE(DeclaresXhtml(text)) << text;
    EXPECT_EQ(MarkupMime(text), "text/html");
  }
}

TEST(XmlProlog, XhtmlOfWideCharactersNeedsItsMark) {
  const std::string text =
      "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'>";
  std::string wide;
  for (const char c : text) wide += {c, '\0'};
  EXPECT_TRUE(DeclaresXhtml("\xFF\xFE" + wide));
  EXPECT_FALSE(DeclaresXhtml(wide));
  std::string turned;
  for (const char c : text) turned += {'\0', c};
  EXPECT_TRUE(DeclaresXhtml("\xFE\xFF" + turned));
  EXPECT_FALSE(DeclaresXhtml("\xFF\xFE" + turned));
}

}  // namespace
}  // namespace twinset
