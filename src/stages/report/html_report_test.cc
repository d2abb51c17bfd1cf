#include "report/html_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "report/chart_axis.h"
#include "report/html_style.h"
#include "report/svg_chart.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

using html::Cell;
using ::testing::HasSubstr;
using ::testing::Not;

std::string Escaped(std::string_view text) {
  std::string escaped;
  AppendHtml(&escaped, text);
  return escaped;
}

// Naive check that tags nest, attributes are quoted and nothing stands
// unescaped; returns what is wrong, or nothing.
std::string Malformed(std::string_view page) {
  std::vector<std::string> open;
  for (size_t i = 0; i < page.size();) {
    if (page[i] == '&') {
      const size_t end = page.find(';', i);
      if (end == page.npos || end - i > 7) return "bare &";
    }
    if (page[i] == '>') return "bare >";
    if (page[i] != '<') {
      ++i;
      continue;
    }
    if (page.substr(i, 4) == "<!--") {
      i = page.find("-->", i) + 3;
      continue;
    }
    bool quoted = false;
    size_t end = i + 1;
    for (; end < page.size() && (quoted || page[end] != '>'); ++end) {
      if (page[end] == '"') quoted = !quoted;
      if (page[end] == '<') return "< within a tag";
    }
    if (end == page.size()) return "tag without end";
    const std::string tag(page.substr(i + 1, end - i - 1));
    i = end + 1;
    if (tag[0] == '!' || tag.back() == '/') continue;
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1))
        return "unexpected <" + tag + ">";
      open.pop_back();
      continue;
    }
    open.push_back(tag.substr(0, tag.find(' ')));
    if (open.back() == "style") i = page.find("</style>", i);
  }
  return open.empty() ? "" : "<" + open.back() + "> is open";
}

const std::string kHostile =
    "\"><script>alert(1)</script><!-- run -->' onload=x &amp; \xFF\x01\xC2\x85";

// Every block, with `text` wherever a text goes and `value` among the numbers.
std::string PageOf(const std::string& text, double value) {
  HtmlReport report(text, text);
  report.Add(html::Lead{text, text})
      .Add(html::Facts{{{text, text, text}}})
      .Add(html::Note{text})
      .Add(html::Shares{text, {{text, 3}, {text, 0}, {text, 1}}})
      .Add(html::TextPair{text,
                          {text},
                          {text, text, {{html::Piece::kInserted, text}}},
                          {text, text, {{html::Piece::kSkipped, text}}},
                          text})
      .BeginFolded(text)
      .EndFolded()
      .Add(html::Heading{text, 9})
      .Add(html::Paragraph{text})
      .Add(html::Warning{text})
      .Add(html::KeyValues{text, {{text, Cell::Text(text)}}})
      .Add(html::Table{
          text, {{text}, {text, true}}, {{Cell::Text(text)}, {}, {{}, {}, {}}}})
      .Add(html::Histogram{
          text, text, text, text, {{0, 0.5, 3}, {0.5, value, 4}, {1, 2, 0}}});
  const std::vector<html::Series> series = {
      {text,
       {{1, 2, 1, 3, text}, {value, value, value, value, ""}},
       true,
       true,
       true},
      {text, {}, true, true, true},
      {text, {{value, 1, 0, 0, ""}, {3, value, 0, 0, ""}}, false, true, false}};
  report
      .Add(html::Chart{
          text, text, {text, false, {}, {}}, {text, true, value, {}}, series})
      .Add(html::Chart{
          text, text, {text, true, {}, {}}, {text, true, {}, {}}, series})
      .Add(html::PrecisionRecallChart(text, text, series));
  report.BeginRun().Add(html::Paragraph{text}).EndRun();
  return std::move(report).Finish();
}

TEST(HtmlReportTest, TextsAreEscaped) {
  EXPECT_EQ(Escaped("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
  EXPECT_EQ(Escaped("\xC3\xA4\xF0\x9F\x98\x80\n\t"),
            "\xC3\xA4\xF0\x9F\x98\x80\n\t");
  const std::string replacement = "\xEF\xBF\xBD";
  EXPECT_EQ(Escaped(std::string_view("\0\x01\x1B\r\x7F", 5)),
            "\xE2\x90\x80\xE2\x90\x81\xE2\x90\x9B\xE2\x90\x8D\xE2\x90\xA1");
  for (const std::string_view bad :
       {std::string_view("\xFF"), std::string_view("\xC2\x85"),
        std::string_view("\xEF\xBF\xBE"), std::string_view("\xEF\xB7\x90"),
        std::string_view("\xF0\x9F\xBF\xBF")}) {
    EXPECT_EQ(Escaped(bad), replacement);
  }
}

TEST(HtmlReportTest, HostileTextsStayText) {
  const std::string page = PageOf(kHostile, 0.25);
  EXPECT_EQ(Malformed(page), "");
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_EQ(page.find("<!-- run -->"), page.rfind("<!-- run -->"));
  EXPECT_THAT(page, HasSubstr("\n<!-- run -->\n"));
  EXPECT_THAT(page, HasSubstr("\n<!-- /run -->\n"));
}

TEST(HtmlReportTest, ServedPagesHaveFormsAndLinks) {
  HtmlReport report = HtmlReport::Served("T", "/s.css?a&b");
  html::Form form;
  form.action = "/";
  form.posts = true;
  form.fields = {
      {html::FormField::kText, "text", "<label>", "\n</textarea>", "hint"},
      {html::FormField::kLine, "id", "id", "\"><script>", ""}};
  form.button = "Go & look";
  report.Add(form);
  html::Table table;
  table.columns = {{"a"}};
  Cell cell = Cell::Text("<b>");
  cell.link = "/?id=\"<";
  table.rows = {{cell}};
  const std::string page = std::move(report.Add(table)).Finish();
  EXPECT_EQ(Malformed(page), "");
  for (const char* part :
       {"<link rel=\"stylesheet\" href=\"/s.css?a&amp;b\"/>",
        "<form action=\"/\" method=\"post\">",
        "<label for=\"text\">&lt;label&gt;</label>",
        "aria-describedby=\"text-hint\">\n\n&lt;/textarea&gt;</textarea>",
        "value=\"&quot;&gt;&lt;script&gt;\"/>",
        "<button>Go &amp; look</button>",
        "<a href=\"/?id=&quot;&lt;\">&lt;b&gt;</a>"})
    EXPECT_THAT(page, HasSubstr(part));
  // Its style and policy come with the response.
  for (const char* part : {"<style", "http-equiv", "style="})
    EXPECT_THAT(page, Not(HasSubstr(part)));
  EXPECT_EQ(ServedStyleSheet().find('<'), std::string::npos);
}

TEST(HtmlReportTest, NothingIsLoaded) {
  const std::string page = PageOf("x", 1);
  for (const char* word :
       {"http:", "https:", "src=", "href=", "url(", "@import"})
    EXPECT_THAT(page, Not(HasSubstr(word)));
  EXPECT_THAT(page, HasSubstr("prefers-color-scheme: dark"));
}

TEST(HtmlReportTest, AnyNumberGivesAPage) {
  const double inf = std::numeric_limits<double>::infinity();
  std::vector<double> values = {0,      -1,   1e-320, 1e-310,       1e300,
                                -1e300, inf,  -inf,   std::nan(""), 1e99,
                                -1e99,  1e15, 1e-90};
  std::mt19937_64 random(1);
  for (int i = 0; i < 300; ++i)
    values.push_back(std::bit_cast<double>(random()));
  for (const double value : values) {
    const std::string page = PageOf("x", value);
    EXPECT_EQ(Malformed(page), "") << value;
    EXPECT_LT(page.size(), 48'000u) << value;
    EXPECT_THAT(page, Not(HasSubstr("nan")));
    EXPECT_THAT(page, Not(HasSubstr("=\"-"))) << value;  // a place off the page
  }
}

TEST(HtmlReportTest, DrawingsHaveTextBeside) {
  HtmlReport report("r");
  report.Add(html::Histogram{
      "Sizes", "How large", "size", "clusters", {{2, 3, 12345}}});
  const std::string page = std::move(report).Finish();
  EXPECT_THAT(page, HasSubstr("role=\"img\" aria-labelledby=\"t1 d1\""));
  EXPECT_THAT(page, HasSubstr("<title id=\"t1\">Sizes</title>"));
  EXPECT_THAT(page, HasSubstr("<desc id=\"d1\">How large</desc>"));
  EXPECT_THAT(page, HasSubstr("<td class=\"n\">12,345</td>"));
}

TEST(HtmlReportTest, Cells) {
  EXPECT_EQ(NumberText(0), "0");
  EXPECT_EQ(NumberText(999), "999");
  EXPECT_EQ(NumberText(1234567), "1,234,567");
  EXPECT_EQ(Cell::Rounded(0.94736842).text, "0.9474");
  EXPECT_EQ(Cell::Rounded(0.5).text, "0.5");
  EXPECT_EQ(Cell::Rounded(123.456).text, "123.5");
  EXPECT_EQ(Cell::Rounded(1e-7).text, "1.00e-07");
  EXPECT_EQ(Cell::Rounded(4000).text, "4000");
  EXPECT_EQ(Cell::Number(0.1).text, "0.1");
  EXPECT_EQ(FixedText(0.12345, 3), "0.123");
  EXPECT_EQ(FixedText(2, 0), "2");
  EXPECT_EQ(ShareText(1, 3), "33.3 %");
  EXPECT_EQ(ShareText(UINT64_MAX, UINT64_MAX), "100.0 %");
  EXPECT_EQ(ShareText(0, 0), Cell::Number(std::nan("")).text);
}

TEST(SvgChartTest, LogarithmIsRight) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> exponent(-300, 300);
  for (int i = 0; i < 100'000; ++i) {
    const double x = std::pow(10.0, exponent(random));
    ASSERT_NEAR(PinnedLog10(x), std::log10(x),
                1e-13 * (1 + std::abs(std::log10(x))));
  }
  EXPECT_EQ(PinnedLog10(1), 0);
  EXPECT_NEAR(PinnedLog10(5e-324), std::log10(5e-324), 1e-10);
}

std::vector<std::string> Labels(double low, double high, bool log, int most) {
  std::vector<std::string> labels;
  for (const AxisTick& tick : AxisTicks({low, high}, log, most))
    labels.push_back(tick.label);
  return labels;
}

TEST(SvgChartTest, TicksAreRound) {
  using ::testing::ElementsAre;
  EXPECT_THAT(Labels(0, 1, false, 5),
              ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1"));
  EXPECT_THAT(Labels(0.8, 1, false, 4),
              ElementsAre("0.8", "0.85", "0.9", "0.95", "1"));
  EXPECT_THAT(Labels(-3, 3, false, 3), ElementsAre("-2", "0", "2"));
  EXPECT_THAT(Labels(1, 1e6, true, 10),
              ElementsAre("1", "10", "100", "1000", "10 k", "100 k", "1 M"));
  EXPECT_THAT(Labels(0, 12000, false, 4), ElementsAre("0", "5 k", "10 k"));
  EXPECT_THAT(Labels(0.1, 1, true, 10), ElementsAre("0.1", "0.2", "0.5", "1"));
  EXPECT_LE(Labels(1e-99, 1e99, true, 10).size(), 11u);
}

TEST(SvgChartTest, MarksAtOnePlaceAreSeen) {
  const std::string svg = DrawChart(
      html::PrecisionRecallChart("t", "d",
                                 {{"a", {{.5, .5, 0, 0, ""}}, false},
                                  {"b", {{.5, .5, 0, 0, ""}}, false},
                                  {"c", {{.5, .5, 0, 0, ""}}, false},
                                  {"d", {{.6, .5, 0, 0, ""}}, false}}),
      1);
  EXPECT_THAT(svg, HasSubstr("class=\"mark s0\" d=\"M348 154m-3.5"));
  EXPECT_THAT(svg, HasSubstr("class=\"ring s1\" d=\"M348 154m-10 0a10 10"));
  EXPECT_THAT(svg, HasSubstr("class=\"ring s2\" d=\"M348 154m-15 0a15 15"));
  EXPECT_THAT(svg, HasSubstr("class=\"mark s3\""));
}

// High values would share a corner of axes from 0 on.
TEST(SvgChartTest, AxesOfSharesBeginWhereTheValuesNeed) {
  const double nan = std::nan("");
  const auto chart_of = [&](double recall, double precision) {
    return html::PrecisionRecallChart("t", "d",
                                      {{"a", {{recall, precision, 0, 0, ""}}},
                                       {"b", {{1, 1, 0, 0, ""}}},
                                       {"c", {{nan, nan, 0, 0, ""}}}});
  };
  const html::Chart high = chart_of(.954, .71);
  EXPECT_EQ(high.x.low, .9);
  EXPECT_EQ(high.y.low, .5);
  EXPECT_THAT(high.note, HasSubstr("The axis of recall begins at 0.9, that of "
                                   "precision at 0.5."));
  EXPECT_EQ(chart_of(1, 1).x.low, .95);
  const html::Chart low = chart_of(.1, .5);
  EXPECT_EQ(low.x.low, 0);
  EXPECT_EQ(low.y.low, 0);
  EXPECT_THAT(low.note, Not(HasSubstr("begins")));
}

TEST(SvgChartTest, CountsHaveNoFractions) {
  const std::string svg =
      DrawHistogram({"t", "d", "x", "y", {{2, 3, 1}, {3, 4, 1}}}, 1);
  EXPECT_THAT(svg, HasSubstr(">1</text>"));
  EXPECT_THAT(svg, HasSubstr(">3</text>"));
  EXPECT_THAT(svg, Not(HasSubstr(".5</text>")));
  EXPECT_THAT(svg, Not(HasSubstr(">0.2</text>")));
}

TEST(SvgChartTest, BarsStandOnTheirBins) {
  const std::string svg = DrawHistogram(
      {"t", "d", "x", "y", {{0, 1, 10}, {1, 2, 0}, {2, 4, 5}}}, 1);
  // 528 pixels for 0 to 4; the first bar is as high as the drawing.
  EXPECT_THAT(svg, HasSubstr("<rect class=\"bar s0\" x=\"84\" y=\"40\" "
                             "width=\"131.5\" height=\"228\">"));
  EXPECT_THAT(svg, HasSubstr("<rect class=\"bar s0\" x=\"348\" y=\"154\" "
                             "width=\"263.5\" height=\"114\">"));
  // A decade is as wide as the next; a bin that begins at 0 has no place.
  const std::string log = DrawHistogram(
      {"t", "d", "x", "y", {{0, 1, 1}, {1, 10, 2}, {10, 100, 2}}, "", true}, 1);
  EXPECT_THAT(log, HasSubstr("x=\"84\" y=\"40\" width=\"263.5\""));
  EXPECT_THAT(log, HasSubstr("x=\"348\" y=\"40\" width=\"263.5\""));
  EXPECT_THAT(log, Not(HasSubstr(">0 to 1:")));
}

}  // namespace
}  // namespace twinset
