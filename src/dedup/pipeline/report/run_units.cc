// The units that are repeated most, each told apart from the others.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "pipeline/report/pair_excerpt.h"
#include "pipeline/report/run_page.h"
#include "text/page/clean_text.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

using html::Cell;

const std::string kDots = "\xE2\x80\xA6";
constexpr size_t kIdBytes = 80;
constexpr size_t kUnitBytes = 300;  // of a unit that no other begins like
constexpr size_t kHeadBytes = 100;  // of others, and of what is shown of them
constexpr size_t kBeforeBytes = 40, kFromBytes = 60;  // around a difference

// A unit as it is compared with the others: white space is one blank.
struct UnitText {
  std::string text;
  bool is_whole = true;
};

UnitText TextOf(const RunStory& story, const ShownUnit& unit) {
  UnitText of{unit.text, !unit.is_cut};
  if (unit.document < story.texts.size() &&
      story.texts[unit.document].is_found) {
    const TextWindow& window = story.texts[unit.document].windows[unit.window];
    of.text = window.head;
    of.is_whole = window.left_out == 0;
  }
  of.text = WithSingleSpaces(of.text);
  if (of.text.starts_with(' ')) of.text.erase(0, 1);
  if (of.is_whole && of.text.ends_with(' ')) of.text.pop_back();
  return of;
}

size_t CommonBytes(std::string_view x, std::string_view y) {
  const auto ends = std::mismatch(x.begin(), x.end(), y.begin(), y.end());
  auto count = static_cast<size_t>(ends.first - x.begin());
  while (count > 0 && count < x.size() && IsContinuation(x[count])) --count;
  return count;
}

// Where texts that begin like the one at `number` cease to be like it,
// ascending, each place once.
std::vector<size_t> Differences(const std::vector<UnitText>& units,
                                size_t number) {
  std::vector<size_t> places;
  for (size_t i = 0; i < units.size(); ++i) {
    if (i == number) continue;
    const size_t common = CommonBytes(units[number].text, units[i].text);
    if (common + kBeforeBytes >= kHeadBytes) places.push_back(common);
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

// A place near `at` where a word begins; `at` itself within long words.
size_t WordNear(std::string_view text, size_t at) {
  constexpr size_t kNear = 24;
  at = LengthUpTo(text, at);
  const size_t blank = text.find(' ', at == 0 ? 0 : at - 1);
  return at == 0 || at == text.size() || blank > at + kNear ? at : blank + 1;
}

// How the text begins, and what stands around each of `places`.
std::string Told(const UnitText& unit, const std::vector<size_t>& places) {
  const std::string_view text = unit.text;
  size_t end = WordNear(text, kHeadBytes);
  std::string told(text.substr(0, end));
  for (const size_t place : places) {
    const size_t from = std::min(
        place, WordNear(text, place < kBeforeBytes ? 0 : place - kBeforeBytes));
    const size_t to = std::max(end, WordNear(text, place + kFromBytes));
    if (from > end) {
      told += kDots + " " +
              NumberText(CountCodePoints(text.substr(end, from - end))) +
              " characters " + kDots + " ";
      end = from;
    }
    told += text.substr(end, to - end);
    end = to;
  }
  return end < text.size() || !unit.is_whole ? told + kDots : told;
}

std::string PlaceOf(const ShownUnit& unit) {
  return CountText(unit.tokens, "word") + ", first in " +
         Shortened(unit.id, kIdBytes) + " at character " +
         NumberText(unit.begin);
}

}  // namespace

void AddUnits(const RunStory& story, KeptPage* page) {
  if (story.units.empty()) return;
  page->Add(html::Heading{"What is repeated most"});
  if (!story.no_texts.empty()) page->Add(html::Note{story.no_texts});
  std::vector<UnitText> texts;
  for (const ShownUnit& unit : story.units)
    texts.push_back(TextOf(story, unit));
  bool any_alike = false;
  html::Table table{"The most frequent stretches of text",
                    {{"text"}, {"places", true}, {"documents", true}},
                    {}};
  for (size_t i = 0; i < texts.size(); ++i) {
    const ShownUnit& unit = story.units[i];
    const std::vector<size_t> places = Differences(texts, i);
    const bool is_long = texts[i].text.size() > kUnitBytes;
    any_alike |= is_long && !places.empty();
    Cell text = Cell::Text(is_long && !places.empty() ? Told(texts[i], places)
                           : texts[i].is_whole || is_long
                               ? Shortened(texts[i].text, kUnitBytes)
                               : texts[i].text + kDots);
    if (!unit.id.empty()) text.below = PlaceOf(unit);
    table.rows.push_back({std::move(text), Cell::Count(unit.count),
                          Cell::Count(unit.documents)});
  }
  page->Add(table);
  if (any_alike) {
    page->Add(html::Note{
        "Where long stretches begin alike, the text around the place where "
        "they differ is shown, too."});
  }
}

}  // namespace twinset
