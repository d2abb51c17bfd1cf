#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/kept_page.h"
#include "report/text_columns.h"

namespace twinset {
namespace {

using html::Cell;
using ::testing::HasSubstr;
using ::testing::Not;

KeptPage WholePage() {
  KeptPage page("walk", "Walk");
  page.Add(html::Lead{"Half of it is so.", "Of 2 pages, 1 is."});
  page.Add(html::Facts{{{"pages", "1,000", "of 2,000"}, {"hosts", "7", ""}}});
  page.Add(html::Heading{"Only a chart follows"});
  page.Add(html::Chart{"a chart", "", {}, {}, {}});
  page.Add(html::Heading{"Hosts"});
  html::Table table{"By host", {{"host"}, {"share", true}}, {}};
  Cell share = Cell::Percent(1, 2);
  share.below = "9 to 90";
  table.rows = {{Cell::Text("a.org"), share}, {Cell::Text("b"), Cell::None()}};
  page.Add(table);
  page.Add(html::Warning{"a warning"});
  page.BeginFolded("More");
  page.Add(html::Paragraph{"folded"});
  page.EndFolded();
  page.BeginRun();
  page.Add(html::KeyValues{"", {{"seconds", Cell::Count(3)}}});
  page.EndRun();
  return page;
}

TEST(PageTextTest, ShowsWhatAPersonCameFor) {
  EXPECT_EQ(WholePage().Terminal({}),
            "Half of it is so.\n"
            "Of 2 pages, 1 is.\n"
            "\n"
            "  pages  1,000  of 2,000\n"
            "  hosts      7\n"
            "\n"
            "By host\n"
            "  host    share\n"
            "  a.org  50.0 %  9 to 90\n"
            "  b           \xE2\x80\x93\n");
}

TEST(PageTextTest, BriefIsTablesAlone) {
  EXPECT_EQ(WholePage().Terminal({.brief = true}),
            "  host    share\n"
            "  a.org  50.0 %  9 to 90\n"
            "  b           \xE2\x80\x93\n");
}

TEST(PageTextTest, ColourIsOnlyWhereItIsAskedFor) {
  EXPECT_THAT(WholePage().Terminal({}), Not(HasSubstr("\x1b")));
  const std::string text = WholePage().Terminal({.colour = true});
  EXPECT_THAT(text, HasSubstr("\x1b[1mHalf of it is so.\x1b[0m\n"));
  EXPECT_THAT(text, HasSubstr("\x1b[2m  host    share\x1b[0m\n"));
}

TEST(PageTextTest, SentencesAreWrappedBetweenWords) {
  KeptPage page("walk", "");
  page.Add(html::Lead{"One two three.", "Averyverylongword x."});
  EXPECT_EQ(page.Terminal({.width = 9}),
            "One two\nthree.\nAveryverylongword\nx.\n");
  EXPECT_EQ(Wrapped("", 9), "\n");
  // Two wide letters fill four columns.
  EXPECT_EQ(Wrapped("\xE4\xB8\xAD\xE4\xB8\xAD a", 5),
            "\xE4\xB8\xAD\xE4\xB8\xAD\na\n");
}

TEST(PageTextTest, RowsBeyondTheMostAreCounted) {
  KeptPage page("walk", "");
  html::Table table{"", {{"n", true}}, {}};
  for (uint64_t i = 0; i < 5; ++i) table.rows.push_back({Cell::Count(i)});
  page.Add(table);
  EXPECT_EQ(page.Terminal({.most_rows = 3}),
            "  n\n  0\n  1\n  2\n  \xE2\x80\xA6 and 2 more rows\n");
  EXPECT_EQ(page.Terminal({.most_rows = 5}), "  n\n  0\n  1\n  2\n  3\n  4\n");
}

TEST(PageTextTest, PartsOfAWholeAreRows) {
  KeptPage page("walk", "");
  page.Add(html::Shares{"Pages", {{"same", 3}, {"gone", 1}}});
  EXPECT_EQ(page.Terminal({}), "Pages\n  same  3  75.0 %\n  gone  1  25.0 %\n");
}

TEST(PageTextTest, WhatADocumentSaysDoesNotSteerTheTerminal) {
  KeptPage page("walk", "");
  page.Add(html::Lead{"a\x1b[31mb", "c\nd"});
  page.Add(html::Heading{"\x07"});
  page.Add(html::Facts{{{"\x1b", "\x1b", "\x1b"}}});
  page.Add(html::Shares{"\x1b", {{"\x1b", 1}}});
  html::Table table{"\x1b", {{"\x1b"}}, {{Cell::Text("x\r\ny")}}};
  table.rows[0][0].below = "\x1b";
  page.Add(table);
  page.Add(html::KeyValues{"\x1b", {{"\x1b", Cell::Text("\xE2\x80\xAE")}}});
  const std::string text = page.Terminal({});
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\x07")));
  EXPECT_THAT(text, Not(HasSubstr("\r")));
  EXPECT_THAT(text, Not(HasSubstr("\xE2\x80\xAE")));
  EXPECT_THAT(text, HasSubstr("c\xEF\xBF\xBD"
                              "d"));
}

TEST(ResultPageTest, DrawsWhatItWasMadeFrom) {
  const ResultPage page(WholePage());
  EXPECT_EQ(page.Text(), WholePage().Terminal({}));
  EXPECT_EQ(page.Html(), WholePage().Drawn().Finish());
  const ResultPage nothing;
  EXPECT_EQ(nothing.Text(), "");
  EXPECT_EQ(nothing.Html(), "");
  EXPECT_EQ(nothing.kept(), nullptr);
}

}  // namespace
}  // namespace twinset
