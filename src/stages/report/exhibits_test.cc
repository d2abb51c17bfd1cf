#include "report/exhibits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace twinset {
namespace {

using html::Cell;
using ::testing::HasSubstr;

TEST(ExhibitsTest, EachIsDrawingAndTable) {
  HtmlReport report("r");
  report.Add(html::Table{"", {{"x"}}, {}});  // nothing to quote it by
  report.Add(html::Table{"Largest: A & B_1!",
                         {{"name"}, {"n", true}},
                         {{Cell{"a, 50 %", false, "id"}, Cell::Count(1234)},
                          {Cell::Text("\x1B")}}});
  report.Add(html::Histogram{"Sizes", "d", "x", "y", {{0, 1, 2}}});
  const auto files = ExhibitFiles(report.exhibits());
  ASSERT_EQ(files.size(), 5u);
  EXPECT_EQ(files[0].first, "01-largest-a-b-1.csv");
  EXPECT_EQ(files[0].second, "name,n\n\"a, 50 % (id)\",1234\n\x1B,\n");
  EXPECT_EQ(files[1].first, "01-largest-a-b-1.tex");
  EXPECT_THAT(files[1].second, HasSubstr("\\caption{Largest: A \\& B\\_1!}"));
  EXPECT_THAT(files[1].second, HasSubstr("a, 50 \\% (id) & 1,234 \\\\\n"));
  EXPECT_THAT(files[1].second, HasSubstr("\\begin{tabular}{lr}\n\\toprule\n"));
  EXPECT_EQ(files[2].first, "02-sizes.svg");
  EXPECT_THAT(files[2].second,
              testing::StartsWith("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_THAT(files[2].second, HasSubstr(".bar.s0"));
}

TEST(ExhibitsTest, NamesAreOfWholeWords) {
  const auto name = [](const std::string& caption) {
    return ExhibitFiles({{caption, "", {}}})[0].first;
  };
  EXPECT_EQ(name("Similarity of the pairs that are not equal"),
            "01-similarity-of-the-pairs-that-are-not.csv");
  EXPECT_EQ(name("Similarity of pairs that are not equals."),
            "01-similarity-of-pairs-that-are-not-equals.csv");
  EXPECT_EQ(name(std::string(60, 'x')), "01-" + std::string(40, 'x') + ".csv");
  EXPECT_EQ(name("?"), "01.csv");
}

TEST(ExhibitsTest, LatexTakesAnyText) {
  EXPECT_EQ(LatexText("\\input{x}~^#$_%&\n"),
            "\\textbackslash{}input\\{x\\}\\textasciitilde{}"
            "\\textasciicircum{}\\#\\$\\_\\%\\& ");
}

}  // namespace
}  // namespace twinset
