#include "report/kept_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/file.h"
#include "base/test_dir.h"

namespace twinset {
namespace {

using html::Cell;
using ::testing::HasSubstr;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

html::Chart SomeChart() {
  html::Chart chart;
  chart.title = "Chart";
  chart.x = {"x", true, .5, std::nullopt};
  chart.y.label = "y";
  html::Series series{"a",
                      {{1, 2, 1.5, 2.5, "p"}, {.1, std::nan(""), 0, 0, ""}}};
  series.marks = false;
  series.band = true;
  series.points.push_back({kInfinity, -kInfinity, 0, 1e300, ""});
  chart.series = {series, {"b", {}}};
  chart.note = "note";
  return chart;
}

html::TextPair SomePair() {
  html::TextPair pair;
  pair.title = "0.9 alike";
  pair.tags = {"dates"};
  pair.left = {
      "l",
      "1",
      {{html::Piece::kSame, "same "}, {html::Piece::kDeleted, "<del>"}}};
  pair.right = {"r", "2", {{html::Piece::kSkipped, "9 alike"}}};
  return pair;
}

// A block of every kind.
KeptPage Everything() {
  KeptPage page("walk", "T & \xFF <title>");
  page.Add(html::Lead{"Strong.", "Weak."})
      .Add(html::Facts{{{"name", "1", "of 2"}, {"other", "", ""}}})
      .Add(html::Heading{"Heading", 3})
      .Add(html::Heading{"Plain"})
      .Add(html::Paragraph{"\x01 control"})
      .Add(html::Note{"note"})
      .Add(html::Warning{"warning"})
      .Add(html::KeyValues{"", {{"k", Cell::Count(1234)}, {"e", Cell()}}})
      .Add(
          html::Table{"Caption", {{"c"}, {"n", true}}, {{Cell::Text("x")}, {}}})
      .Add(html::Shares{"Shares", {{"a", 1}, {"b", UINT64_MAX / 2}}})
      .Add(html::Histogram{
          "H", "d", "x", "y", {{0, .1, 3}, {.1, .2, 0}}, "n", true})
      .Add(SomeChart())
      .Add(SomePair())
      .BeginFolded("folded")
      .Add(html::Paragraph{"inside"})
      .EndFolded()
      .BeginRun()
      .Add(html::Paragraph{"3 s"})
      .EndRun();
  return page;
}

TEST(KeptPage, IsTheSamePageWhenItIsReadAgain) {
  const KeptPage page = Everything();
  const auto again = KeptPage::Parse(page.Text());
  ASSERT_TRUE(again.has_value()) << again.error().ToString();
  EXPECT_EQ(again->command(), "walk");
  EXPECT_EQ(again->Text(), page.Text());
  EXPECT_EQ(again->Drawn().Finish(), page.Drawn().Finish());
  EXPECT_EQ(again->Drawn().exhibits().size(), 4u);
}

TEST(KeptPage, IsDrawnAsTheSameCallsDrawIt) {
  HtmlReport report("T & \xFF <title>");
  report.Add(html::Lead{"Strong.", "Weak."}).BeginFolded("more").EndFolded();
  KeptPage page("walk", "T & \xFF <title>");
  page.Add(html::Lead{"Strong.", "Weak."}).BeginFolded("more").EndFolded();
  EXPECT_EQ(page.Drawn().Finish(), std::move(report).Finish());
}

TEST(KeptPage, WhatIsNoPageIsRefused) {
  const auto with = [](const std::string& blocks) {
    return R"({"magic":"twinset-page","version":1,"command":"walk",)"
           R"("title":"t","blocks":[)" +
           blocks + "]}";
  };
  ASSERT_TRUE(KeptPage::Parse(with("")).has_value());
  ASSERT_TRUE(KeptPage::Parse(with(R"({"note":{"text":"x","unknown":1}})"))
                  .has_value());
  for (const char* blocks :
       {"1", "{}", R"({"note":{"text":3}})", R"({"note":"x"})",
        R"({"unknown":{}})", R"({"note":{},"lead":{}})", R"({"fold":"x"})",
        R"({"fold_end":true})", R"({"run":true})", R"({"run_end":true})",
        R"({"fold":"x"},{"run":true},{"run_end":true},{"fold_end":true})",
        R"({"run":true},{"run_end":true},{"run":true},{"run_end":true})",
        R"({"shares":{"parts":[["a"]]}})", R"({"shares":{"parts":[["a",-1]]}})",
        R"({"shares":{"parts":[["a",18446744073709551615],["b",1]]}})",
        R"({"histogram":{"bins":[{"low":"x"}]}})",
        R"({"pair":{"left":{"text":[{"kind":5}]}}})"}) {
    EXPECT_FALSE(KeptPage::Parse(with(blocks)).has_value()) << blocks;
  }
  for (const char* text : {"", "{}", "[]", R"({"magic":"twinset-page"})"})
    EXPECT_FALSE(KeptPage::Parse(text).has_value()) << text;
  EXPECT_THAT(KeptPage::Parse(R"({"magic":"twinset-page","version":2})")
                  .error()
                  .ToString(),
              HasSubstr("another version"));
}

TEST(KeptPage, IsWrittenBesideItsHtml) {
  const TestDir folder;
  const KeptPage page = Everything();
  ASSERT_TRUE(WriteKeptPage(page, folder.path(), "").has_value());
  EXPECT_FALSE(FileExists(folder.path() + "/report.html"));
  ASSERT_TRUE(WriteKeptPage(page, folder.path(), "report.html").has_value());
  const auto kept = ReadKeptPage(folder.path());
  ASSERT_TRUE(kept.has_value());
  EXPECT_EQ(*ReadWholeFile(folder.path() + "/report.html"),
            kept->Drawn().Finish());
}

}  // namespace
}  // namespace twinset
