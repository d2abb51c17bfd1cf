#include "report/plain_words.h"

#include <algorithm>

#include "report/html_blocks.h"
#include "twinset/names.h"

namespace twinset {

namespace {

using html::Cell;

// Without zeros behind the decimal point.
std::string Trimmed(double value, int decimals) {
  std::string text = Cell::Fixed(value, decimals).text;
  if (text.find('.') == text.npos) return text;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

std::string CountText(uint64_t count, std::string_view one,
                      std::string_view many) {
  std::string text = Cell::Count(count).text + " ";
  if (count != 1 && !many.empty()) return text += many;
  text += one;
  return count == 1 ? text : text + "s";
}

std::string ShareInWords(uint64_t part, uint64_t whole) {
  if (part == 0 || whole == 0) return "None";
  if (part >= whole) return "All";
  struct Name {
    double below;
    const char* words;
  };
  constexpr Name kNames[] = {{.02, "Very few"},
                             {.07, "A few"},
                             {.13, "About a tenth"},
                             {.18, "About a sixth"},
                             {.225, "About a fifth"},
                             {.29, "About a quarter"},
                             {.37, "About a third"},
                             {.45, "About two fifths"},
                             {.495, "Nearly half"},
                             {.505, "Half"},
                             {.56, "A little over half"},
                             {.63, "About three fifths"},
                             {.71, "About two thirds"},
                             {.79, "About three quarters"},
                             {.95, "Most"},
                             {2, "Almost all"}};
  const double share = static_cast<double>(part) / static_cast<double>(whole);
  for (const Name& name : kNames)
    if (share < name.below) return name.words;
  return "All";
}

std::string PercentText(double share) { return Trimmed(100 * share, 2) + " %"; }

std::string BytesText(uint64_t bytes) {
  constexpr const char* kUnits[] = {" KB", " MB", " GB", " TB"};
  if (bytes < 1000) return CountText(bytes, "byte");
  double value = static_cast<double>(bytes);
  size_t unit = 0;
  for (value /= 1000; value >= 999.5 && unit < 3; ++unit) value /= 1000;
  return Cell::Fixed(value, value < 10 ? 1 : 0).text + kUnits[unit];
}

std::string SecondsText(double seconds) {
  if (seconds < 10) return Cell::Fixed(seconds, 2).text + " s";
  if (seconds < 120) return Cell::Fixed(seconds, 0).text + " s";
  const auto minutes = static_cast<uint64_t>(seconds / 60);
  if (minutes < 60) return std::to_string(minutes) + " min";
  return std::to_string(minutes / 60) + " h " + std::to_string(minutes % 60) +
         " min";
}

std::string FileName(std::string_view path) {
  return NameText(path.substr(path.rfind('/') + 1));
}

std::string WordsOf(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

}  // namespace twinset
