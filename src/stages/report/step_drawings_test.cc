#include "report/step_drawings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/html_report.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;

size_t CountOf(std::string_view text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != text.npos;
       at = text.find(part, at + part.size()))
    ++count;
  return count;
}

SlotRows Slots(size_t rows, size_t places) {
  SlotRows slots{"slots", "<a>", "b", "band", "value", "a pair", {}};
  for (size_t r = 0; r < rows; ++r)
    slots.rows.push_back(
        {"band " + std::to_string(r + 1), std::vector<bool>(places, true)});
  return slots;
}

TEST(StepDrawingsTest, SlotsThatAgreeAreOneBlockAndBandsThatCollideAreFramed) {
  SlotRows slots = Slots(3, 4);
  slots.rows[0].equal[2] = false;
  slots.rows[2].equal = {false, false, false, false};
  const html::Drawing drawing = DrawSlots(slots);
  EXPECT_EQ(CountOf(drawing.svg, "\"bar s0\""), 7u);
  EXPECT_EQ(CountOf(drawing.svg, "\"pale\""), 2 * 5u);
  EXPECT_EQ(CountOf(drawing.svg, "\"frame\""), 1u);
  EXPECT_THAT(drawing.svg, HasSubstr("band 2: a pair"));
  EXPECT_EQ(
      drawing.description,
      "7 of 12 values of these bands are equal, 1 of 3 bands as a whole.");
  HtmlReport page("x");
  page.Add(drawing);
  const std::string html = std::move(page).Finish();
  EXPECT_THAT(html, HasSubstr("different: &lt;a&gt; above, b below"));
  EXPECT_EQ(CountOf(html, "<a>"), 0u);
}

TEST(StepDrawingsTest, OfManyBandsThoseThatCollideAreDrawn) {
  SlotRows slots = Slots(1000, 500);
  for (size_t r = 0; r < 1000; ++r)
    if (r != 999) slots.rows[r].equal[0] = false;
  const html::Drawing drawing = DrawSlots(slots);
  EXPECT_THAT(drawing.svg, HasSubstr("band 1000: a pair"));
  EXPECT_THAT(drawing.note, HasSubstr("24 of the 1,000 bands are drawn"));
  EXPECT_THAT(drawing.note, HasSubstr("the first 64 are drawn"));
  EXPECT_LT(drawing.svg.size(), 400'000u);
  EXPECT_LT(drawing.height, 1000);
}

TEST(StepDrawingsTest, VotesStandOnBothSidesOfZero) {
  const html::Drawing drawing = DrawVotes(
      {"votes", {{"a", {5, -3, 0, 2}}, {"b", {4, 3, -1, -2}}, {"c", {}}}});
  // Eight bars, and a full box for each bit that is 1.
  EXPECT_EQ(CountOf(drawing.svg, "\"bar s0\""), 4 + 2u);
  EXPECT_EQ(CountOf(drawing.svg, "\"bar s1\""), 4 + 2u);
  EXPECT_EQ(CountOf(drawing.svg, "\"bar s6\""), 2u);  // bits 2 and 4
  EXPECT_THAT(drawing.svg, HasSubstr("bit 2 differs"));
  EXPECT_THAT(drawing.note, HasSubstr("2 bits differ"));
  EXPECT_THAT(drawing.note, HasSubstr("2 of the 3 documents are drawn"));
  const html::Drawing many = DrawVotes(
      {"votes", {{"a", std::vector<int64_t>(384, 1'000'000'000'000)}}});
  EXPECT_THAT(many.note, HasSubstr("64 of the 384 bits are drawn"));
  EXPECT_LT(many.svg.size(), 40'000u);
}

TEST(StepDrawingsTest, MarksShareALine) {
  MarkLines marks{"hashes", "0",    "2^64", "left out",
                  "kept",   "both", "hash", {}};
  marks.lines = {{"a",
                  {{.1, .1, MarkLines::kKept},
                   {.1, .1, MarkLines::kLeftOut},
                   {.5, .5, MarkLines::kLeftOut},
                   {1, 1, MarkLines::kShared}}},
                 {"b", {}}};
  const html::Drawing drawing = DrawMarks(marks);
  EXPECT_EQ(CountOf(drawing.svg, "\"bar s0\""), 1u);  // what is kept is seen
  EXPECT_EQ(CountOf(drawing.svg, "\"bar s1\""), 1u);
  EXPECT_EQ(CountOf(drawing.svg, "\"pale\""), 1u);
  marks.lines.assign(20, LineOfKinds("x", std::vector<MarkLines::Kind>(
                                              100'000, MarkLines::kLeftOut)));
  const html::Drawing many = DrawMarks(marks);
  EXPECT_THAT(many.note, HasSubstr("8 of the 20 documents are drawn"));
  EXPECT_THAT(many.note, HasSubstr("one mark"));
  EXPECT_LT(many.svg.size(), 400'000u);
}

TEST(StepDrawingsTest, BarsAreTakenEvenly) {
  NamedBars bars{"terms", "IDF", "kept", "left out", "term", {}};
  for (int i = 0; i < 1000; ++i)
    bars.bars.push_back({"t" + std::to_string(i), i / 100.0, i < 500});
  const html::Drawing drawing = DrawBars(bars);
  EXPECT_EQ(drawing.figures.rows.size(), 24u);
  EXPECT_THAT(drawing.svg, HasSubstr(">t0<"));
  EXPECT_THAT(drawing.svg, HasSubstr(">t999<"));
  EXPECT_EQ(CountOf(drawing.svg, "\"bar s0\""), 12u);
  EXPECT_THAT(drawing.note, HasSubstr("24 of the 1,000 terms are drawn"));
}

}  // namespace
}  // namespace twinset
