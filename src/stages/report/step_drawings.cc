#include "report/step_drawings.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "report/chart_axis.h"
#include "report/html_report.h"
#include "report/svg_parts.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

using html::Cell;
using html::Drawing;

// Pixels. Names at the left have room for the larger letters of narrow pages.
constexpr int kLeft = 112, kRight = 12;
constexpr int kInner = kDrawingWidth - kLeft - kRight;
constexpr size_t kMostRows = 24, kMostPlaces = 64, kMostLines = 8;
constexpr size_t kNameBytes = 40;

std::string NameOf(const std::string& name) {
  return Shortened(name, kNameBytes);
}

void AppendName(std::string* svg, int64_t y, std::string_view name) {
  AppendText(svg, " class=\"end\"", (kLeft - 8) * 10, y, name);
}

// "Bands": the first of a sentence or a column.
void AddNote(std::string_view sentence, Drawing* drawing) {
  if (!drawing->note.empty()) drawing->note += ' ';
  drawing->note += sentence;
}

// "24 of the 64 bands are drawn".
std::string DrawnOf(uint64_t drawn, uint64_t all, std::string_view one) {
  return std::to_string(drawn) + " of the " + CountText(all, one) +
         (drawn == 1 ? " is drawn" : " are drawn");
}

// ---- Slots ----

// The rows that are drawn, in their order: those that agree, then the first.
std::vector<size_t> RowsToDraw(const SlotRows& slots) {
  std::vector<size_t> drawn;
  for (const bool wanted : {true, false})
    for (size_t i = 0; i < slots.rows.size() && drawn.size() < kMostRows; ++i)
      if (slots.rows[i].all_equal() == wanted) drawn.push_back(i);
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

constexpr int kStrip = 10, kSlotRow = 32;  // of one document; of a row

void AppendSlotRow(const SlotRows& slots, size_t number, int64_t top,
                   int64_t width, std::string* svg) {
  const SlotRows::Row& row = slots.rows[number];
  AppendName(svg, top + kStrip * 10 + 50, row.name);
  const size_t shown = std::min(row.equal.size(), kMostPlaces);
  for (size_t i = 0; i < shown; ++i) {
    const int64_t x = kLeft * 10 + static_cast<int64_t>(i) * width;
    const std::string tip = row.name + ", " + slots.place + " " +
                            std::to_string(i + 1) +
                            (row.equal[i] ? ": equal" : ": different");
    if (row.equal[i]) {
      AppendRect(svg, "bar s0", x, top, width - 15, 2 * kStrip * 10, tip);
      continue;
    }
    AppendRect(svg, "pale", x, top, width - 15, kStrip * 10 - 10, tip);
    AppendRect(svg, "pale", x, top + kStrip * 10 + 10, width - 15,
               kStrip * 10 - 10, tip);
  }
  if (slots.meaning.empty() || !row.all_equal()) return;
  AppendRect(svg, "frame", kLeft * 10 - 35, top - 35,
             static_cast<int64_t>(shown) * width + 55, 2 * kStrip * 10 + 70,
             row.name + ": " + slots.meaning);
}

}  // namespace

bool SlotRows::Row::all_equal() const {
  return !equal.empty() &&
         std::find(equal.begin(), equal.end(), false) == equal.end();
}

Drawing DrawSlots(const SlotRows& slots) {
  Drawing drawing;
  drawing.title = slots.title;
  drawing.figures.columns = {{Capitalised(slots.row)},
                             {slots.place + "s", true},
                             {"equal", true},
                             {"all equal"}};
  size_t places = 1, equal = 0, agreeing = 0, all_places = 0;
  for (const SlotRows::Row& row : slots.rows) {
    places = std::max(places, row.equal.size());
    all_places += row.equal.size();
    equal += static_cast<size_t>(
        std::count(row.equal.begin(), row.equal.end(), true));
    agreeing += row.all_equal();
  }
  const std::vector<size_t> drawn = RowsToDraw(slots);
  const int64_t width = std::min<int64_t>(
      480, kInner * 10 / static_cast<int64_t>(std::min(places, kMostPlaces)));
  int64_t top = 80;
  for (const size_t i : drawn) {
    const SlotRows::Row& row = slots.rows[i];
    AppendSlotRow(slots, i, top, width, &drawing.svg);
    top += kSlotRow * 10;
    drawing.figures.rows.push_back(
        {Cell::Text(row.name), Cell::Count(row.equal.size()),
         Cell::Count(static_cast<uint64_t>(
             std::count(row.equal.begin(), row.equal.end(), true))),
         Cell::Text(row.all_equal() ? "yes" : "")});
  }
  drawing.height = static_cast<int>(top / 10);
  drawing.description =
      std::to_string(equal) + " of " + CountText(all_places, slots.place) +
      " of these " + slots.row + "s are equal, " + std::to_string(agreeing) +
      " of " + CountText(slots.rows.size(), slots.row) + " as a whole.";
  drawing.legend = {{"bar s0", "equal in both documents"},
                    {"pale", "different: " + NameOf(slots.a) + " above, " +
                                 NameOf(slots.b) + " below"}};
  if (!slots.meaning.empty())
    drawing.legend.push_back({"frame", "all of it equal: " + slots.meaning});
  AddNote(Capitalised(drawing.description), &drawing);
  if (drawn.size() < slots.rows.size()) {
    AddNote(DrawnOf(drawn.size(), slots.rows.size(), slots.row) +
                ": those that are equal as a whole, then the first of the "
                "others.",
            &drawing);
  }
  if (places > kMostPlaces) {
    AddNote("Of each " + slots.row + " the first " +
                std::to_string(kMostPlaces) + " are drawn.",
            &drawing);
  }
  return drawing;
}

// ---- Votes ----

namespace {

constexpr int kVotesTop = 34, kVotesBottom = 224, kBitRow = 26;

void AppendVoteAxis(const AxisRange& range, const AxisScale& scale,
                    std::string* svg) {
  for (const AxisTick& tick : AxisTicks(range, false, 5)) {
    if (tick.value != std::floor(tick.value)) continue;
    const int64_t y = scale.Place(tick.value);
    AppendLine(svg, "grid", kLeft * 10, y, (kDrawingWidth - kRight) * 10, y);
    AppendName(svg, y + 50, tick.label);
  }
  const int64_t zero = scale.Place(0);
  AppendLine(svg, "axis", kLeft * 10, zero, (kDrawingWidth - kRight) * 10,
             zero);
  AppendText(svg, "", 0, 180, "sum of the votes V");
}

// A box a bit: full where it is 1.
void AppendBits(const std::vector<int64_t>& votes, size_t bits, size_t series,
                int64_t top, int64_t width, std::string* svg) {
  for (size_t i = 0; i < bits; ++i) {
    AppendRect(
        svg, votes[i] > 0 ? "bar s" + std::to_string(series) : "pale",
        kLeft * 10 + static_cast<int64_t>(i) * width, top, width - 15, 160,
        "bit " + std::to_string(i + 1) + " is " + (votes[i] > 0 ? "1" : "0"));
  }
}

}  // namespace

Drawing DrawVotes(const BitVotes& votes) {
  Drawing drawing;
  drawing.title = votes.title;
  drawing.figures.columns = {{"bit", true}};
  const auto& documents = votes.documents;
  const size_t shown = std::min<size_t>(documents.size(), 2);
  const size_t all = documents[0].second.size();
  const size_t bits = std::min(all, kMostPlaces);
  AxisRange range;
  range.Add(0, false);
  for (size_t d = 0; d < shown; ++d) {
    for (size_t i = 0; i < bits; ++i)
      range.Add(static_cast<double>(documents[d].second[i]), false);
    drawing.figures.columns.push_back(
        {"V of " + NameOf(documents[d].first), true});
    drawing.legend.push_back(
        {"bar s" + std::to_string(d),
         (shown == 2 ? std::string(1, "AB"[d]) + ": " : "") +
             NameOf(documents[d].first) +
             (d == 0 ? "; below zero the bit is 0" : "")});
  }
  drawing.legend.push_back({"pale", "the bit is 0"});
  range = BoundsOf({"", false, {}, {}}, range);
  const AxisScale scale(range, false, kVotesBottom, kVotesTop);
  std::string& svg = drawing.svg;
  AppendVoteAxis(range, scale, &svg);
  const int64_t width =
      std::min<int64_t>(300, kInner * 10 / static_cast<int64_t>(bits));
  const int64_t bar = (width - 15) / static_cast<int64_t>(shown);
  const int64_t zero = scale.Place(0);
  uint64_t different = 0;
  const int64_t rows = (kVotesBottom + 14) * 10;
  for (size_t i = 0; i < bits; ++i) {
    const int64_t x = kLeft * 10 + static_cast<int64_t>(i) * width;
    auto& figures = drawing.figures.rows.emplace_back();
    figures.push_back(Cell::Count(i + 1));
    for (size_t d = 0; d < shown; ++d) {
      const int64_t vote = documents[d].second[i];
      const int64_t y = scale.Place(static_cast<double>(vote));
      AppendRect(&svg, "bar s" + std::to_string(d),
                 x + static_cast<int64_t>(d) * bar, std::min(y, zero), bar,
                 std::max<int64_t>(std::abs(y - zero), 5),
                 "bit " + std::to_string(i + 1) + " of " +
                     NameOf(documents[d].first) + ": " + std::to_string(vote));
      figures.push_back({std::to_string(vote), true});
    }
    if (shown < 2 ||
        (documents[0].second[i] > 0) == (documents[1].second[i] > 0))
      continue;
    ++different;
    figures.push_back(Cell::Text("differs"));
    AppendRect(&svg, "bar s6", x, rows + 2 * kBitRow * 10, width - 15, 160,
               "bit " + std::to_string(i + 1) + " differs");
  }
  for (size_t d = 0; d < shown; ++d) {
    const int64_t top = rows + static_cast<int64_t>(d) * kBitRow * 10;
    AppendBits(documents[d].second, bits, d, top, width, &svg);
    AppendName(&svg, top + 140,
               shown == 2 ? "bits of " + std::string(1, "AB"[d]) : "bits");
  }
  drawing.height = kVotesBottom + 24 + kBitRow * static_cast<int>(shown);
  drawing.description =
      "For each bit how far the votes of the features go above or below zero.";
  if (shown == 2) {
    AppendName(&svg, rows + 2 * kBitRow * 10 + 140, "differ");
    drawing.legend.push_back({"bar s6", "the bits differ"});
    drawing.figures.columns.push_back({""});
    drawing.height += kBitRow;
    AddNote(CountText(different, "bit") +
                (different == 1 ? " differs" : " differ") +
                ": those whose sums are on different sides of zero.",
            &drawing);
  }
  if (bits < all)
    AddNote("The first " + DrawnOf(bits, all, "bit") + ".", &drawing);
  if (shown < documents.size())
    AddNote("The first " + DrawnOf(shown, documents.size(), "document") + ".",
            &drawing);
  return drawing;
}

// ---- Marks ----

namespace {

constexpr int kLineHeight = 56;

struct Shape {
  const char* kind;
  int above;  // pixels above the line
};
constexpr Shape kShapes[] = {{"pale", 12}, {"bar s0", 24}, {"bar s1", 34}};

// Marks that fall onto one pixel are one: the most important. By pixel.
std::vector<int> KindsByPixel(const MarkLines::Line& line) {
  std::vector<int> kinds(kInner, -1);
  for (const MarkLines::Mark& mark : line.marks) {
    const auto pixel = [](double at) {
      return std::clamp(static_cast<int>(at * kInner), 0, kInner - 1);
    };
    kinds[pixel(mark.from)] =
        std::max(kinds[pixel(mark.from)], static_cast<int>(mark.kind));
  }
  return kinds;
}

void AppendMarks(const MarkLines::Line& line, int64_t base, std::string* svg) {
  const std::vector<int> kinds = KindsByPixel(line);
  // Blocks are as wide as they are, if there is a pixel for each.
  const bool as_blocks = !line.marks.empty() &&
                         line.marks[0].to > line.marks[0].from &&
                         line.marks.size() <= static_cast<size_t>(kInner) / 3;
  if (as_blocks) {
    for (const MarkLines::Mark& mark : line.marks) {
      const Shape& shape = kShapes[mark.kind];
      const auto at = [](double place) {
        return kLeft * 10 + static_cast<int64_t>(place * kInner * 10);
      };
      AppendRect(svg, shape.kind, at(mark.from), base - shape.above * 10,
                 std::max<int64_t>(at(mark.to) - at(mark.from) - 10, 10),
                 shape.above * 10);
    }
    return;
  }
  for (int x = 0; x < kInner; ++x) {
    if (kinds[x] < 0) continue;
    const Shape& shape = kShapes[kinds[x]];
    AppendRect(svg, shape.kind, (kLeft + x) * 10, base - shape.above * 10,
               kinds[x] == MarkLines::kLeftOut ? 10 : 16, shape.above * 10);
  }
}

}  // namespace

MarkLines::Line LineOfKinds(std::string name,
                            const std::vector<MarkLines::Kind>& kinds) {
  MarkLines::Line line{std::move(name), {}};
  const auto all = static_cast<double>(kinds.size());
  for (size_t i = 0; i < kinds.size(); ++i)
    line.marks.push_back({static_cast<double>(i) / all,
                          static_cast<double>(i + 1) / all, kinds[i]});
  return line;
}

Drawing DrawMarks(const MarkLines& marks) {
  Drawing drawing;
  drawing.title = marks.title;
  drawing.description = "From " + marks.low + " to " + marks.high +
                        ", one line per document: which " + marks.mark +
                        "s are kept.";
  drawing.figures.columns = {{"document"},
                             {marks.left_out, true},
                             {marks.kept, true},
                             {marks.shared, true}};
  const size_t shown = std::min(marks.lines.size(), kMostLines);
  int64_t base = 40 * 10;
  bool crowded = false;
  for (size_t i = 0; i < shown; ++i, base += kLineHeight * 10) {
    const MarkLines::Line& line = marks.lines[i];
    AppendName(&drawing.svg, base, Shortened(line.name, 7));
    AppendMarks(line, base, &drawing.svg);
    AppendLine(&drawing.svg, "axis", kLeft * 10, base,
               (kDrawingWidth - kRight) * 10, base);
    uint64_t counts[3] = {};
    for (const MarkLines::Mark& mark : line.marks) ++counts[mark.kind];
    drawing.figures.rows.push_back(
        {Cell::Text(NameOf(line.name)), Cell::Count(counts[0]),
         Cell::Count(counts[1]), Cell::Count(counts[2])});
    crowded = crowded || line.marks.size() > static_cast<size_t>(kInner) / 3;
  }
  base -= kLineHeight * 10;
  AppendText(&drawing.svg, "", kLeft * 10, base + 240, marks.low);
  AppendText(&drawing.svg, " class=\"end\"", (kDrawingWidth - kRight) * 10,
             base + 240, marks.high);
  drawing.height = static_cast<int>(base / 10) + 34;
  drawing.legend = {{kShapes[0].kind, marks.left_out},
                    {kShapes[1].kind, marks.kept}};
  if (marks.lines.size() > 1)
    drawing.legend.push_back({kShapes[2].kind, marks.shared});
  if (crowded)
    AddNote(
        Capitalised(marks.mark) + "s that fall onto one place are one mark.",
        &drawing);
  if (shown < marks.lines.size())
    AddNote("The first " + DrawnOf(shown, marks.lines.size(), "document") + ".",
            &drawing);
  return drawing;
}

// ---- Bars ----

namespace {

constexpr int kBarNames = 220, kBarRow = 28, kBarValues = 84;

// Evenly from all, the first and the last among them.
std::vector<size_t> Evenly(size_t all) {
  std::vector<size_t> places;
  const size_t shown = std::min(all, kMostRows);
  for (size_t i = 0; i < shown; ++i)
    places.push_back(shown == 1 ? 0 : i * (all - 1) / (shown - 1));
  return places;
}

}  // namespace

Drawing DrawBars(const NamedBars& bars) {
  Drawing drawing;
  drawing.title = bars.title;
  drawing.description =
      "One bar a " + bars.bar + ", as long as its " + bars.value + ".";
  drawing.figures.columns = {{Capitalised(bars.bar)}, {bars.value, true}, {""}};
  double longest = 0;
  for (const NamedBars::Bar& bar : bars.bars)
    longest = std::max(longest, bar.length);
  const AxisScale scale({0, longest > 0 ? longest : 1}, false, kBarNames,
                        kDrawingWidth - kBarValues);
  const std::vector<size_t> drawn = Evenly(bars.bars.size());
  int64_t top = 40;
  for (const size_t i : drawn) {
    const NamedBars::Bar& bar = bars.bars[i];
    const int64_t end =
        std::max<int64_t>(scale.Place(bar.length), kBarNames * 10 + 10);
    AppendText(&drawing.svg, " class=\"end\"", (kBarNames - 8) * 10, top + 160,
               Shortened(bar.name, 16));
    AppendRect(&drawing.svg, bar.is_kept ? "bar s0" : "pale", kBarNames * 10,
               top, end - kBarNames * 10, 200,
               bar.name + ": " + (bar.is_kept ? bars.kept : bars.left_out));
    const Cell value = Cell::Rounded(bar.length);
    AppendText(&drawing.svg, "", end + 60, top + 160, value.text);
    top += kBarRow * 10;
    drawing.figures.rows.push_back(
        {Cell::Text(bar.name), value,
         Cell::Text(bar.is_kept ? bars.kept : bars.left_out)});
  }
  drawing.height = static_cast<int>(top / 10) + 4;
  drawing.legend = {{"bar s0", bars.kept}, {"pale", bars.left_out}};
  if (drawn.size() < bars.bars.size()) {
    AddNote(DrawnOf(drawn.size(), bars.bars.size(), bars.bar) +
                ", evenly from the least " + bars.value + " to the greatest.",
            &drawing);
  }
  return drawing;
}

}  // namespace twinset
