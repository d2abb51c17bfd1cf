#include "twinset/plain_words.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace twinset {

namespace {

constexpr const char* kDash = "\xE2\x80\x93";

// Without zeros behind the decimal point.
std::string Trimmed(double value, int decimals) {
  std::string text = FixedText(value, decimals);
  if (text.find('.') == text.npos) return text;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

std::string v1::NumberText(uint64_t number) {
  std::string text = std::to_string(number);
  for (size_t i = text.size(); i > 3;) text.insert(i -= 3, ",");
  return text;
}

std::string v1::FixedText(double value, int decimals) {
  if (!std::isfinite(value)) return kDash;
  char buffer[400];  // the largest double has 309 digits
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value,
                                 std::chars_format::fixed, decimals)
                       .ptr;
  return {buffer, end};
}

std::string v1::RecordPlace(uint64_t offset, bool is_table_row) {
  return (is_table_row ? "row " : "byte ") + std::to_string(offset);
}

std::string v1::CountText(uint64_t count, std::string_view one,
                          std::string_view many) {
  std::string text = NumberText(count) + " ";
  if (count != 1 && !many.empty()) return text += many;
  text += one;
  return count == 1 ? text : text + "s";
}

std::string_view v1::WordFor(uint64_t count, std::string_view one,
                             std::string_view many) {
  return count == 1 ? one : many;
}

std::string v1::ShareText(uint64_t part, uint64_t whole) {
  if (whole == 0) return kDash;
  const auto tenths = static_cast<uint64_t>(
      (static_cast<unsigned __int128>(part) * 1000 + whole / 2) / whole);
  if (tenths == 1000 && part < whole) return "99.9 %";
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " %";
}

std::string v1::ShareInWords(uint64_t part, uint64_t whole) {
  if (part == 0 || whole == 0) return "None";
  if (part >= whole) return "All";
  if (part == whole - part) return "Half";
  struct Name {
    double below;
    const char* words;
  };
  constexpr Name kNames[] = {{.02, "Very few"},
                             {.035, "A few"},
                             {.065, "About a twentieth"},
                             {.09, "About a twelfth"},
                             {.13, "About a tenth"},
                             {.18, "About a sixth"},
                             {.225, "About a fifth"},
                             {.29, "About a quarter"},
                             {.37, "About a third"},
                             {.45, "About two fifths"},
                             {.495, "Nearly half"},
                             {.505, "About half"},
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

std::string v1::PercentText(double share) {
  const std::string percent = Trimmed(100 * share, 2);
  return (percent == "100" && share < 1 ? "99.99" : percent) + " %";
}

std::string v1::BytesText(uint64_t bytes) {
  constexpr const char* kUnits[] = {" kB", " MB", " GB", " TB", " PB"};
  if (bytes < 1000) return CountText(bytes, "byte");
  double value = static_cast<double>(bytes);
  size_t unit = 0;
  for (value /= 1000; value >= 999.5 && unit < 4; ++unit) value /= 1000;
  return FixedText(value, value < 9.95 ? 1 : 0) + kUnits[unit];
}

std::string v1::SecondsText(double seconds) {
  if (!(seconds >= 9.95)) return FixedText(seconds, 2) + " s";
  const auto whole =
      static_cast<uint64_t>(std::llround(std::min(seconds, 1e12)));
  const auto two = [](uint64_t many, const char* unit, uint64_t few,
                      const char* small) {
    return std::to_string(many) + unit + std::to_string(few) + small;
  };
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return two(whole / 60, " min ", whole % 60, " s");
  return two(whole / 3600, " h ", whole % 3600 / 60, " min");
}

std::string v1::Capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] -= 'a' - 'A';
  return text;
}

std::string v1::FileName(std::string_view path) {
  return NameText(path.substr(path.rfind('/') + 1));
}

std::string v1::WordsOf(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

}  // namespace twinset
