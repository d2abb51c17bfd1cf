// What people read: numbers, names, summaries, differences, progress.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "diff_text.h"
#include "generate.h"
#include "summary.h"
#include "twinset/plain_words.h"
#include "values.h"

namespace twinset::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Values, Sizes) {
  EXPECT_EQ(ParseSize("0").value(), 0u);
  EXPECT_EQ(ParseSize("8M").value(), 8u << 20);
  EXPECT_EQ(ParseSize("3k").value(), 3072u);
  EXPECT_EQ(ParseSize("8GiB").value(), uint64_t{8} << 30);
  EXPECT_EQ(ParseSize("1TB").value(), uint64_t{1} << 40);
  EXPECT_EQ(ParseSize("7B").value(), 7u);
  EXPECT_EQ(ParseSize("16777215T").value(), uint64_t{16777215} << 40);
  for (const char* bad :
       {"", "M", "-1", "+1", " 1", "1 M", "1.5G", "1MM", "1iB", "1BB",
        "16777216T", "18446744073709551616", "0x10"})
    EXPECT_FALSE(ParseSize(bad)) << bad;
}

TEST(Values, NumbersAreTakenWholeOrNotAtAll) {
  EXPECT_EQ(ParseCount("18446744073709551615").value(), ~uint64_t{0});
  EXPECT_EQ(ParseInt("-3", -3, 3).value(), -3);
  EXPECT_EQ(ParseNumber("1e-3").value(), 1e-3);
  for (const char* bad : {"", " ", "1 ", "1x", "x", "--1", "1,5"}) {
    EXPECT_FALSE(ParseCount(bad)) << bad;
    EXPECT_FALSE(ParseInt(bad, -9, 9)) << bad;
    EXPECT_FALSE(ParseNumber(bad)) << bad;
  }
  EXPECT_FALSE(ParseNumber("inf"));
  EXPECT_FALSE(ParseInt("4", -3, 3));
}

TEST(Values, Lists) {
  EXPECT_THAT(SplitLists({"a, b", "c"}).value(),
              ::testing::ElementsAre("a", "b", "c"));
  for (const char* bad : {"", ",", "a,", ",a", "a,,b", "a, ,b"})
    EXPECT_FALSE(SplitLists({bad})) << bad;
}

TEST(Values, HumanForms) {
  EXPECT_EQ(NumberText(0), "0");
  EXPECT_EQ(NumberText(999), "999");
  EXPECT_EQ(NumberText(1000), "1,000");
  EXPECT_EQ(NumberText(1234567), "1,234,567");
  EXPECT_EQ(ShellQuoted("a/b-c.txt"), "a/b-c.txt");
  EXPECT_EQ(ShellQuoted("it's"), "'it'\\''s'");
  EXPECT_EQ(ShellQuoted(""), "''");
  EXPECT_EQ(ShellQuoted("<urn:uuid:1>"), "'<urn:uuid:1>'");
}

TEST(Values, PrintableDisarmsTerminals) {
  EXPECT_EQ(Printable("a\x1b[31mb"), "a\uFFFD[31mb");
  EXPECT_EQ(Printable("a\nb\tc"), "a\uFFFDb\uFFFDc");
  EXPECT_EQ(Printable("a\nb\tc\r", true), "a\nb\tc\uFFFD");
  EXPECT_EQ(Printable("\xc2\x9b"
                      "31m"),
            "\uFFFD31m");                      // C1 control
  EXPECT_EQ(Printable("\u202Ex"), "\uFFFDx");  // right-to-left override
  EXPECT_EQ(Printable("grün 漢字 😀"), "grün 漢字 😀");
  EXPECT_EQ(Printable("\xff\xc3"), "\uFFFD\uFFFD");            // not UTF-8
  EXPECT_EQ(Printable("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");  // a surrogate
  EXPECT_EQ(Printable("\xc0\xaf"), "\uFFFD\uFFFD");            // overlong
}

TEST(Wrap, BreaksAtSpacesOnly) {
  EXPECT_EQ(Wrap("aa bb cc", 0, 5), "aa bb\ncc\n");
  EXPECT_EQ(Wrap("aa toolongword b", 2, 6), "  aa\n  toolongword\n  b\n");
  EXPECT_EQ(Wrap("a\n\nb", 1, 9), " a\n\n b\n");
  EXPECT_EQ(Wrap("", 2, 9), "");
}

std::string Numbered(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "w" + std::to_string(i) + " ";
  return text;
}

TEST(DiffText, MarksRunsAndElidesWhatIsCommon) {
  const std::string text =
      DiffText({{DiffRun::kBoth, Numbered(100), Numbered(100), 100},
                {DiffRun::kOnlyX, "old", "", 1},
                {DiffRun::kOnlyY, "new", "", 1},
                {DiffRun::kBoth, " short", "\nshort", 1},
                {DiffRun::kBoth, " end", " end", 1}},
               false);
  EXPECT_THAT(text, HasSubstr("  [... 88 words in both ...]\n  w88 "));
  EXPECT_THAT(text, HasSubstr("w99\n- old\n+ new\n  short end\n"));
  EXPECT_THAT(text, Not(HasSubstr("w87 ")));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(DiffText, TellsApartDifferentWordsAndDifferentWriting) {
  EXPECT_EQ(DiffText({{DiffRun::kBoth, "a  b", "a\nb", 2}}, false), "");
  EXPECT_EQ(DiffText({{DiffRun::kBoth, "Hello,", "hello", 1},
                      {DiffRun::kBoth, " world", " world", 1}},
                     false),
            "< and > the same words as X and as Y write them\n"
            "< Hello,\n> hello\n  world\n");
}

TEST(DiffText, ColoursItsOwnAndNoOther) {
  const std::string text =
      DiffText({{DiffRun::kOnlyX, "a\x1b[5mb", "", 1}}, true);
  EXPECT_EQ(text, "- only in X, + only in Y\n\x1b[31m- a\uFFFD[5mb\x1b[0m\n");
}

TEST(SummaryText, ToleratesAnyJson) {
  DedupSummary summary;
  summary.documents = 4;
  summary.clusters = 1;
  summary.pairs = 1;
  Request request;
  request.options.out = "/nonexistent/out";
  for (const char* json :
       {"", "null", "[]", "{", "7", R"({"classes":"x"})",
        R"({"largest_clusters":[1]})", R"({"largest_clusters":[{"size":-1}]})",
        R"({"sources":[1,2]})", R"({"sources":[{"dropped":1},{}]})",
        R"({"records":{"skipped":3},"expected_recall":"x"})"}) {
    summary.json = Json::Parse(json);
    EXPECT_THAT(SummaryText(request, summary, 0), HasSubstr("4 documents"))
        << json;
  }
}

TEST(SummaryText, TellsWhatTheJsonHas) {
  DedupSummary summary;
  summary.documents = 1000;
  summary.dropped = 125;
  summary.kept = 875;
  summary.skipped = 5;
  summary.pairs = 9;
  summary.clusters = 3;
  summary.seconds = 2;
  summary.json = Json::Parse(
      R"({"records":{"skipped":{"status":1,"type":4}},"pairs":{"implied":7},
    "classes":{"classes":2,"copies":40},"largest_clusters":[{"size":3,"samples":["p","q"]}],
    "sources":[{"source":"a","kept":9,"dropped":1},{"source":"b","kept":1,"dropped":9}]})");
  Request request;
  request.options.out = "dups";
  const std::string text = SummaryText(request, summary, 20'000'000);
  for (const char* part :
       {"1,000 documents in 2.00 s, 10 MB/s", "5: type 4, status 1",
        "9 listed, 7 more", "40 of the documents", "3 documents, such as p, q",
        "125 (12.5 %)", "b loses most: 9 (90.0 %)", "dups"})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST(SummaryText, SaysWhereSketchesWouldSaveAFifth) {
  DedupSummary summary;
  summary.documents = 10;
  Request request;
  const auto text_of = [&](const std::string& seconds) {
    summary.json = Json::Parse(
        R"({"run":{"seconds":10,"by_sketches":{"method":"sketchy","seconds":)" +
        seconds + R"(,"recall_at_threshold":0.992}}})");
    return SummaryText(request, summary, 0);
  };
  EXPECT_THAT(text_of("6"),
              HasSubstr("--method sketchy would take about 40 % less time and "
                        "find 99.2 % of the pairs at the threshold"));
  EXPECT_THAT(text_of("9"), testing::Not(HasSubstr("sketchy")));
  EXPECT_THAT(text_of("12"), testing::Not(HasSubstr("sketchy")));
}

}  // namespace
}  // namespace twinset::cli
