#include "verify/token_marks.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "base/ascii.h"

namespace twinset {
namespace {

constexpr size_t kNone = ~size_t{0};
constexpr size_t kMaxScheme = 16;  // letters before "://"

bool IsLetter(char c) {
  return IsAsciiLetter(c) || static_cast<unsigned char>(c) >= 0x80;
}
char At(std::string_view text, size_t at) {
  return at < text.size() ? text[at] : '\0';
}
// Not inside a word or number. A number may follow a letter that is not ASCII,
// as in scripts that put no space between words.
bool Begins(std::string_view text, size_t at) {
  if (at == 0) return true;
  const char before = text[at - 1];
  if (IsAsciiDigit(before)) return false;
  return !IsLetter(before) ||
         (IsAsciiDigit(text[at]) && static_cast<unsigned char>(before) >= 0x80);
}

// Behind a URL: white space, a control character or what quotes it.
bool EndsUrl(char c) {
  return static_cast<unsigned char>(c) <= ' ' || c == '"' || c == '<' ||
         c == '>' || c == '\x7f';
}

// "://" at `at`: where the scheme before it begins, or kNone.
size_t SchemeBegin(std::string_view text, size_t at) {
  size_t begin = at;
  while (begin > 0 && at - begin < kMaxScheme &&
         (IsAsciiDigit(text[begin - 1]) ||
          (ToLowerAscii(text[begin - 1]) >= 'a' &&
           ToLowerAscii(text[begin - 1]) <= 'z'))) {
    --begin;
  }
  return begin == at ? kNone : begin;
}

// A whole number of `low` to `high` digits at *at, and *at behind it; -1 when
// there are fewer or more.
int Number(std::string_view text, size_t* at, size_t low, size_t high) {
  size_t end = *at;
  int value = 0;
  while (end < text.size() && IsAsciiDigit(text[end])) {
    if (end - *at == high) return -1;
    value = value * 10 + (text[end++] - '0');
  }
  if (end - *at < low) return -1;
  *at = end;
  return value;
}

bool IsYear(int value) { return value >= 1000 && value <= 2999; }
bool IsDay(int value) { return value >= 1 && value <= 31; }
bool IsMonth(int value) { return value >= 1 && value <= 12; }

// Not part of a longer number or word.
bool Closed(std::string_view text, size_t end) {
  const char c = At(text, end);
  if (IsAsciiDigit(c) || IsLetter(c)) return false;
  return !((c == '.' || c == ',' || c == ':' || c == '-' || c == '/') &&
           IsAsciiDigit(At(text, end + 1)));
}

size_t SkipSpaces(std::string_view text, size_t at, size_t most) {
  while (most-- > 0 && At(text, at) == ' ') ++at;
  return at;
}

// The word of letters at `at`, at most `most` bytes of it, in lower case.
std::string Word(std::string_view text, size_t at, size_t most) {
  std::string word;
  while (at < text.size() && IsLetter(text[at]) && word.size() <= most) {
    word += ToLowerAscii(text[at++]);
  }
  return word;
}

// hh:mm, hh:mm:ss, fractions; then am or pm and a zone. Behind it, or kNone.
size_t TimeEnd(std::string_view text, size_t at) {
  const int hours = Number(text, &at, 1, 2);
  if (hours < 0 || hours > 24 || At(text, at) != ':') return kNone;
  ++at;
  const int minutes = Number(text, &at, 2, 2);
  if (minutes < 0 || minutes > 59) return kNone;
  if (At(text, at) == ':') {
    size_t next = at + 1;
    const int seconds = Number(text, &next, 2, 2);
    if (seconds < 0 || seconds > 60) return kNone;
    at = next;
    if ((At(text, at) == '.' || At(text, at) == ',') &&
        IsAsciiDigit(At(text, at + 1))) {
      next = at + 1;
      if (Number(text, &next, 1, 9) >= 0) at = next;
    }
  }
  if (IsAsciiDigit(At(text, at))) return kNone;
  for (int part = 0; part < 2; ++part) {  // am or pm, then a zone
    const size_t begin = SkipSpaces(text, at, 1);
    const std::string word = Word(text, begin, 4);
    constexpr std::string_view kWords[] = {
        "am",  "pm",  "z",   "utc", "gmt", "est",  "edt", "cst",  "cdt",
        "mst", "mdt", "pst", "pdt", "cet", "cest", "mez", "mesz", "uhr"};
    if (std::find(std::begin(kWords), std::end(kWords), word) !=
            std::end(kWords) &&
        !IsAsciiDigit(At(text, begin + word.size()))) {
      at = begin + word.size();
    }
  }
  size_t zone = SkipSpaces(text, at, 1);
  if (At(text, zone) == '+' || At(text, zone) == '-') {
    ++zone;
    const size_t begin = zone;
    if (Number(text, &zone, 2, 4) >= 0) {
      if (zone - begin == 2 && At(text, zone) == ':') {
        size_t next = zone + 1;
        if (Number(text, &next, 2, 2) >= 0) zone = next;
      }
      at = zone;
    }
  }
  return IsLetter(At(text, at)) ? kNone : at;
}

// Three numbers around one kind of separator: 2026-11-21, 21.11.2026, 11/21/26.
size_t NumericDateEnd(std::string_view text, size_t at) {
  size_t end = at;
  const int first = Number(text, &end, 1, 4);
  const bool year_first = end - at == 4;
  const char mark = At(text, end);
  if (first < 0 || (mark != '-' && mark != '/' && mark != '.')) return kNone;
  ++end;
  const int second = Number(text, &end, 1, 2);
  if (second < 0 || At(text, end) != mark) return kNone;
  const size_t begin = ++end;
  const int third = Number(text, &end, 1, 4);
  if (third < 0) return kNone;
  if (year_first) {
    if (!IsYear(first) || !IsMonth(second) || !IsDay(third) || end - begin > 2)
      return kNone;
    const char t = ToLowerAscii(At(text, end));
    if (t == 't' || t == ' ') {
      const size_t behind = TimeEnd(text, end + 1);
      if (behind != kNone) return behind;
    }
  } else {
    const bool day_and_month =
        IsDay(first) && IsDay(second) && (IsMonth(first) || IsMonth(second));
    const bool year = (end - begin == 4 && IsYear(third)) ||
                      (end - begin == 2 && mark == '/');
    if (!day_and_month || !year) return kNone;
  }
  return Closed(text, end) ? end : kNone;
}

// Full names and the abbreviations in use, of English, German, French, Spanish,
// Italian, Portuguese and Dutch, without those that are other words too often
// to be taken even beside a number.
constexpr std::string_view kMonths[] = {
    "jan",       "feb",        "mar",      "apr",       "may",
    "jun",       "jul",        "aug",      "sep",       "sept",
    "oct",       "nov",        "dec",      "january",   "february",
    "march",     "april",      "june",     "july",      "august",
    "september", "october",    "november", "december",  "januar",
    "februar",   "märz",       "mai",      "juni",      "juli",
    "oktober",   "dezember",   "janvier",  "février",   "mars",
    "avril",     "juin",       "juillet",  "août",      "septembre",
    "octobre",   "novembre",   "décembre", "enero",     "febrero",
    "marzo",     "abril",      "mayo",     "junio",     "julio",
    "agosto",    "septiembre", "octubre",  "noviembre", "diciembre",
    "gennaio",   "febbraio",   "aprile",   "maggio",    "giugno",
    "luglio",    "settembre",  "ottobre",  "dicembre",  "janeiro",
    "fevereiro", "março",      "maio",     "junho",     "julho",
    "setembro",  "outubro",    "novembro", "dezembro",  "januari",
    "februari",  "maart",      "mei",      "augustus",  "okt",
    "dez",       "mrt"};
constexpr std::string_view kWeekdays[] = {
    "monday",     "tuesday",   "wednesday", "thursday",  "friday",
    "saturday",   "sunday",    "montag",    "dienstag",  "mittwoch",
    "donnerstag", "freitag",   "samstag",   "sonnabend", "sonntag",
    "lundi",      "mardi",     "mercredi",  "jeudi",     "vendredi",
    "samedi",     "dimanche",  "lunes",     "martes",    "miércoles",
    "jueves",     "viernes",   "sábado",    "domingo",   "lunedì",
    "martedì",    "mercoledì", "giovedì",   "venerdì",   "sabato",
    "domenica",   "maandag",   "dinsdag",   "woensdag",  "donderdag",
    "vrijdag",    "zaterdag",  "zondag"};
constexpr std::string_view kShortWeekdays[] = {
    "mon", "tue", "tues", "wed", "thu", "thur", "thurs", "fri", "sat", "sun"};
constexpr size_t kLongestName = 12;

template <size_t N>
bool IsOneOf(const std::string_view (&names)[N], const std::string& word) {
  return std::find(std::begin(names), std::end(names), word) != std::end(names);
}

// Spaces, one comma or dot and the words "of" and "de" between the parts of a
// date in words.
size_t SkipGlue(std::string_view text, size_t at) {
  if (At(text, at) == '.' || At(text, at) == ',') ++at;
  at = SkipSpaces(text, at, 2);
  for (const std::string_view word : {"of ", "de "}) {
    if (text.substr(std::min(at, text.size()), word.size()) == word) {
      at += word.size();
    }
  }
  if (At(text, at) == '-') ++at;
  return at;
}

// A day of a month at `at`, with 1st, 2nd, 3rd, 4th; behind it, or kNone.
size_t DayEnd(std::string_view text, size_t at) {
  if (!IsDay(Number(text, &at, 1, 2))) return kNone;
  const std::string suffix = Word(text, at, 2);
  if (suffix == "st" || suffix == "nd" || suffix == "rd" || suffix == "th") {
    return at + 2;
  }
  return IsLetter(At(text, at)) || IsAsciiDigit(At(text, at)) ? kNone : at;
}

size_t YearEnd(std::string_view text, size_t at) {
  if (!IsYear(Number(text, &at, 4, 4))) return kNone;
  return IsLetter(At(text, at)) || IsAsciiDigit(At(text, at)) ? kNone : at;
}

// What follows a month's name that ends at `at`: a day, a year, or both.
size_t MonthTailEnd(std::string_view text, size_t at, bool has_day) {
  size_t end = has_day ? at : kNone;
  size_t next = SkipGlue(text, at);
  if (!has_day) {
    const size_t day = DayEnd(text, next);
    if (day != kNone) {
      end = day;
      next = SkipGlue(text, day);
    }
  }
  const size_t year = YearEnd(text, next);
  return year != kNone ? year : end;
}

// "21 November 2026", "November 21, 2026", "November 2026", "21. November".
size_t WordDateEnd(std::string_view text, size_t at) {
  size_t month = at;
  const bool has_day = IsAsciiDigit(At(text, at));
  if (has_day) {
    const size_t day = DayEnd(text, at);
    if (day == kNone) return kNone;
    month = SkipGlue(text, day);
  }
  const std::string word = Word(text, month, kLongestName);
  if (!IsOneOf(kMonths, word)) return kNone;
  return MonthTailEnd(text, month + word.size(), has_day);
}

// 2026年11月21日 12時30分: each number with its unit.
size_t HanDateEnd(std::string_view text, size_t at) {
  if (Number(text, &at, 1, 4) < 0) return kNone;
  for (const std::string_view unit :
       {"年", "月", "日", "時", "时", "分", "秒"}) {
    if (text.substr(std::min(at, text.size()), unit.size()) == unit) {
      return at + unit.size();
    }
  }
  return kNone;
}

size_t WeekdayEnd(std::string_view text, size_t at) {
  const std::string word = Word(text, at, kLongestName);
  const size_t end = at + word.size();
  if (IsOneOf(kWeekdays, word))
    return IsAsciiDigit(At(text, end)) ? kNone : end;
  if (!IsOneOf(kShortWeekdays, word)) return kNone;
  // An abbreviation only before a date.
  const size_t next = SkipGlue(text, end);
  const size_t date =
      IsAsciiDigit(At(text, next)) && NumericDateEnd(text, next) != kNone
          ? NumericDateEnd(text, next)
          : WordDateEnd(text, next);
  return date;
}

size_t DateEnd(std::string_view text, size_t at) {
  if (IsAsciiDigit(text[at])) {
    for (const auto end : {NumericDateEnd, TimeEnd, WordDateEnd, HanDateEnd}) {
      const size_t behind = end(text, at);
      if (behind != kNone) return behind;
    }
    return kNone;
  }
  const size_t behind = WordDateEnd(text, at);
  return behind != kNone ? behind : WeekdayEnd(text, at);
}

TextSpan Span(size_t begin, size_t end) {
  return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
}

// Gives `mark` to the tokens that touch a span.
void Mark(std::span<const TextSpan> tokens, const std::vector<TextSpan>& spans,
          TokenMark mark, std::vector<TokenMark>* marks) {
  size_t next = 0;
  for (size_t i = 0; i < tokens.size(); ++i) {
    while (next < spans.size() && spans[next].end <= tokens[i].begin) ++next;
    if (next == spans.size()) return;
    if (spans[next].begin < tokens[i].end) (*marks)[i] = mark;
  }
}

}  // namespace

std::vector<TextSpan> FindUrls(std::string_view text) {
  std::vector<TextSpan> urls;
  size_t done = 0;
  for (size_t at = 0; at + 3 < text.size(); ++at) {
    size_t begin = kNone;
    if (text[at] == ':' && text[at + 1] == '/' && text[at + 2] == '/') {
      begin = SchemeBegin(text, at);
    } else if (ToLowerAscii(text[at]) == 'w' &&
               ToLowerAscii(text[at + 1]) == 'w' &&
               ToLowerAscii(text[at + 2]) == 'w' && text[at + 3] == '.' &&
               Begins(text, at)) {
      begin = at;
    }
    if (begin == kNone || begin < done) continue;
    size_t end = at;
    while (end < text.size() && !EndsUrl(text[end])) ++end;
    urls.push_back(Span(begin, end));
    done = end;
    at = end - 1;
  }
  return urls;
}

std::vector<TextSpan> FindDates(std::string_view text) {
  std::vector<TextSpan> dates;
  for (size_t at = 0; at < text.size(); ++at) {
    if ((!IsAsciiDigit(text[at]) && !IsLetter(text[at])) || !Begins(text, at)) {
      continue;
    }
    const size_t end = DateEnd(text, at);
    if (end == kNone) continue;
    dates.push_back(Span(at, end));
    at = end - 1;
  }
  return dates;
}

std::vector<TokenMark> MarkTokens(std::string_view text,
                                  std::span<const TextSpan> tokens) {
  std::vector<TokenMark> marks(tokens.size(), TokenMark::kWord);
  Mark(tokens, FindDates(text), TokenMark::kDate, &marks);
  Mark(tokens, FindUrls(text), TokenMark::kUrl, &marks);
  return marks;
}

}  // namespace twinset
