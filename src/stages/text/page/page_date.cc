#include "text/page/page_date.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>

#include "base/ascii.h"
#include "text/html/html_tokenizer_chars.h"

namespace twinset {
namespace {

constexpr size_t kMaxDateBytes = 64;

struct Moment {
  int year = 0, month = 0, day = 0;
  bool has_time = false;
  int hour = 0, minute = 0, second = 0;
  int offset_minutes = 0;  // of the zone, east of UTC
};

// Reads from the front of a text; a failed step leaves it where it was.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  // `low` to `high` digits; at most nine.
  std::optional<int> Number(size_t low, size_t high) {
    size_t length = 0;
    int value = 0;
    while (length < high && length < rest_.size() && rest_[length] >= '0' &&
           rest_[length] <= '9') {
      value = value * 10 + (rest_[length++] - '0');
    }
    if (length < low) return std::nullopt;
    rest_.remove_prefix(length);
    return value;
  }
  bool SkipDigits() {
    size_t count = 0;
    for (; Peek() >= '0' && Peek() <= '9'; ++count) rest_.remove_prefix(1);
    return count > 0;
  }
  bool Skip(std::string_view any_of) {
    if (rest_.empty() || any_of.find(rest_[0]) == any_of.npos) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void Spaces() {
    while (!rest_.empty() && IsAsciiSpace(rest_[0])) rest_.remove_prefix(1);
  }
  std::string_view Letters() {
    size_t length = 0;
    while (length < rest_.size() && IsAsciiLetter(rest_[length])) ++length;
    const std::string_view word = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return word;
  }
  char Peek() const { return rest_.empty() ? '\0' : rest_[0]; }
  bool AtEnd() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

int DaysInMonth(int year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return kDays[month - 1] + (month == 2 && leap ? 1 : 0);
}

bool IsPossible(const Moment& m) {
  return m.year >= 1000 && m.month >= 1 && m.month <= 12 && m.day >= 1 &&
         m.day <= DaysInMonth(m.year, m.month) && m.hour <= 23 &&
         m.minute <= 59 && m.second <= 60;
}

// Named zones of RFC 822, section 5; the military ones but Z are of no use.
std::optional<int> NamedZone(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, int>, 12> kZones = {
      {{"z", 0},
       {"ut", 0},
       {"gmt", 0},
       {"utc", 0},
       {"est", -300},
       {"edt", -240},
       {"cst", -360},
       {"cdt", -300},
       {"mst", -420},
       {"mdt", -360},
       {"pst", -480},
       {"pdt", -420}}};
  for (const auto& [zone, minutes] : kZones) {
    if (EqualsIgnoreCase(name, zone)) return minutes;
  }
  return std::nullopt;
}

// Z, +02:00, +0200, +02, GMT, ... or nothing, up to the end.
bool ReadZone(Reader* in, Moment* m) {
  in->Spaces();
  if (in->AtEnd()) return true;
  if (in->Peek() == '+' || in->Peek() == '-') {
    const int sign = in->Skip("+") ? 1 : -1;
    if (sign < 0) in->Skip("-");
    const auto hours = in->Number(2, 2);
    if (!hours || *hours > 23) return false;
    in->Skip(":");
    const auto minutes = in->AtEnd() ? 0 : in->Number(2, 2);
    if (!minutes || *minutes > 59) return false;
    m->offset_minutes = sign * (*hours * 60 + *minutes);
  } else {
    const auto zone = NamedZone(in->Letters());
    if (!zone) return false;
    m->offset_minutes = *zone;
  }
  return in->AtEnd();
}

// hh:mm, hh:mm:ss, with fractions; `compact`: hhmm, hhmmss. Then the zone.
bool ReadTime(bool compact, Reader* in, Moment* m) {
  const auto hour = in->Number(2, 2);
  if (!hour || (!compact && !in->Skip(":"))) return false;
  const auto minute = in->Number(2, 2);
  if (!minute) return false;
  m->has_time = true;
  m->hour = *hour;
  m->minute = *minute;
  const bool more =
      compact ? in->Peek() >= '0' && in->Peek() <= '9' : in->Skip(":");
  if (more) {
    const auto second = in->Number(2, 2);
    if (!second) return false;
    m->second = *second;
    if (in->Skip(".,") && !in->SkipDigits()) return false;
  }
  return ReadZone(in, m);
}

std::optional<Moment> ReadIso(Reader in) {
  Moment m;
  const auto year = in.Number(4, 4);
  if (!year) return std::nullopt;
  const char separator = in.Peek();
  const bool compact = separator >= '0' && separator <= '9';
  if (!compact && !in.Skip("-/.")) return std::nullopt;
  const auto month = in.Number(compact ? 2 : 1, 2);
  if (!month || (!compact && !in.Skip({&separator, 1}))) return std::nullopt;
  const auto day = in.Number(compact ? 2 : 1, 2);
  if (!day) return std::nullopt;
  m.year = *year;
  m.month = *month;
  m.day = *day;
  if (in.AtEnd()) return m;
  const bool letter = in.Skip("Tt");
  if (!letter && !in.Skip(" ")) return std::nullopt;
  in.Spaces();
  if (!ReadTime(compact && letter, &in, &m)) return std::nullopt;
  return m;
}

// 1 to 12; 0: no month is called so.
int MonthOf(std::string_view word) {
  constexpr std::string_view kMonths[] = {
      "january", "february", "march",     "april",   "may",      "june",
      "july",    "august",   "september", "october", "november", "december"};
  for (int i = 0; i < 12; ++i) {
    const std::string_view month = kMonths[i];
    if (EqualsIgnoreCase(word, month) ||
        EqualsIgnoreCase(word, month.substr(0, 3))) {
      return i + 1;
    }
  }
  return 0;
}

std::optional<Moment> ReadRfc1123(Reader in) {
  Moment m;
  if (!in.Letters().empty()) {  // the day's name
    in.Skip(",");
    in.Spaces();
  }
  const auto day = in.Number(1, 2);
  if (!day || !in.Skip(" -")) return std::nullopt;
  m.day = *day;
  m.month = MonthOf(in.Letters());
  if (m.month == 0 || !in.Skip(" -")) return std::nullopt;
  const auto year = in.Number(4, 4);
  if (!year) return std::nullopt;
  m.year = *year;
  in.Spaces();
  if (in.AtEnd()) return m;
  if (!ReadTime(false, &in, &m)) return std::nullopt;
  return m;
}

}  // namespace

std::string ToRfc3339(std::string_view text) {
  while (!text.empty() && IsAsciiSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsAsciiSpace(text.back())) text.remove_suffix(1);
  if (text.size() > kMaxDateBytes) return "";
  auto moment = ReadIso(Reader(text));
  if (!moment) moment = ReadRfc1123(Reader(text));
  if (!moment || !IsPossible(*moment)) return "";
  const Moment& m = *moment;
  char out[96];
  if (!m.has_time) {
    std::snprintf(out, sizeof(out), "%04d-%02d-%02d", m.year, m.month, m.day);
    return out;
  }
  const int offset =
      m.offset_minutes < 0 ? -m.offset_minutes : m.offset_minutes;
  char zone[16] = "Z";
  if (offset != 0) {
    std::snprintf(zone, sizeof(zone), "%c%02d:%02d",
                  m.offset_minutes < 0 ? '-' : '+', offset / 60, offset % 60);
  }
  std::snprintf(out, sizeof(out), "%04d-%02d-%02dT%02d:%02d:%02d%s", m.year,
                m.month, m.day, m.hour, m.minute, m.second, zone);
  return out;
}

}  // namespace twinset
