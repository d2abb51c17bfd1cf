#include "report/step_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace twinset {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string PageOf(const StepText& text) {
  HtmlReport page("steps");
  text.AddTo(&page);
  return std::move(page).Finish();
}

TEST(StepTextTest, TextsCannotBreakMarkdown) {
  EXPECT_EQ(Plain("a|b"), "a\\|b");
  EXPECT_EQ(Plain("a\\|b"), "a\\\\\\|b");
  EXPECT_EQ(Plain("a\nb\t\x7F"), "a b  ");
  EXPECT_EQ(Plain("a\r\nb\xC2\x85\xE2\x80\xA8|"), "a  b  \\|");
  EXPECT_EQ(Plain("<b>[x](y)"), "\\<b\\>\\[x\\](y)");
  EXPECT_EQ(Plain("\xFF"), "\xEF\xBF\xBD");
  EXPECT_EQ(Plain(std::string(500, 'x')).size(), 80u + 3);
}

TEST(StepTextTest, TablesAreCut) {
  StepText text(2);
  text.Table({"a", ">b"}, {{"1", "2"}, {"3", "4"}, {"5", "6"}}, false, 7);
  EXPECT_EQ(text.Written().markdown,
            "\n| a | b |\n|---|--:|\n| 1 | 2 |\n| 3 | 4 |\n\n"
            "\xE2\x80\xA6 and 8 more rows.\n");
  EXPECT_EQ(text.Written().text,
            "  a  b\n  -  -\n  1  2\n  3  4\n"
            "  \xE2\x80\xA6 and 8 more rows.\n");
}

// Every row has as many cells as there are columns, whatever the cells say.
TEST(StepTextTest, NoCellEndsItsRow) {
  for (const char* cell : {"a|b", "a\nb", "a\\", "\\|", "a\\\\|b", "|\r\n|"}) {
    StepText text;
    text.Table({"x", "y"}, {{cell, Plain(cell)}});
    const std::string markdown = text.Written().markdown;
    const std::string row = markdown.substr(markdown.find("---|\n") + 5);
    size_t bars = 0;
    for (size_t i = 0; i < row.size(); ++i) {
      if (row[i] == '\\')
        ++i;
      else
        bars += row[i] == '|';
    }
    EXPECT_EQ(bars, 3u) << row;
    EXPECT_EQ(row.find('\n'), row.size() - 1) << row;
  }
}

TEST(StepTextTest, ATerminalSeesColumnsAndNoMarks) {
  StepText text;
  text.Heading("Votes of a\\_b");
  text.Paragraph("**rose**: 2 tokens, `x|y`.");
  text.Table({"word", ">count", "bits"},
             {{"\xE7\x8C\xAB", "7", "`10`"},  // two columns wide
              {"caf\x65\xCC\x81", "1234", "**1**0"},
              {Plain("a|b<i>"), "1", ""}});
  EXPECT_EQ(text.Written().text,
            "Votes of a_b\n\n"
            "  rose: 2 tokens, x|y.\n\n"
            "  word    count  bits\n"
            "  ------  -----  ----\n"
            "  \xE7\x8C\xAB          7  10\n"
            "  caf\x65\xCC\x81     1234  *1*0\n"
            "  a|b<i>      1\n");
  EXPECT_EQ(text.Written().markdown,
            "### Votes of a\\_b\n\n"
            "**rose**: 2 tokens, `x|y`.\n\n"
            "| word | count | bits |\n|---|--:|---|\n"
            "| \xE7\x8C\xAB | 7 | `10` |\n"
            "| caf\x65\xCC\x81 | 1234 | **1**0 |\n"
            "| a\\|b\\<i\\> | 1 |  |\n");
}

TEST(StepTextTest, APageMarksWhatIsStrongAndShowsTextsAsTheyAre) {
  StepText text;
  text.Heading("a\\_b");
  text.Paragraph("**rose**: <b>");
  text.Table({"x"}, {{"1, **2**"}, {Plain("a|b<i>")}});
  text.DrawNothing("There is nothing to draw.");
  const std::string page = PageOf(text);
  EXPECT_THAT(page, HasSubstr("<h2>a_b</h2>"));
  EXPECT_THAT(page, HasSubstr("<p>rose: &lt;b&gt;</p>"));
  EXPECT_THAT(page, HasSubstr("<td>1, <mark>2</mark></td>"));
  EXPECT_THAT(page, HasSubstr("<td>a|b&lt;i&gt;</td>"));
  EXPECT_THAT(page, HasSubstr("There is nothing to draw."));
  EXPECT_THAT(page, Not(HasSubstr("**")));
  EXPECT_THAT(text.Written().text, Not(HasSubstr("nothing")));
}

}  // namespace
}  // namespace twinset
