#include "net/url_pattern.h"

#include <algorithm>
#include <map>

#include "base/ascii.h"

namespace twinset {
namespace {

// Part of a word: bytes of other alphabets too.
bool IsWord(char c) {
  return IsAsciiDigit(c) || IsAsciiLetter(c) ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool AllDigits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), IsAsciiDigit);
}

int Value(std::string_view digits) {
  int value = 0;
  for (const char c : digits) value = value * 10 + (c - '0');
  return value;
}

// YYYY-MM, YYYY-MM-DD with '-', '_', '.' or, of all three, nothing between.
bool IsDate(std::string_view text) {
  std::string digits;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (IsAsciiDigit(c)) {
      digits += c;
    } else if ((c != '-' && c != '_' && c != '.') || (i != 4 && i != 7)) {
      return false;
    }
  }
  const bool separated = digits.size() < text.size();
  if (digits.size() != 8 && !(digits.size() == 6 && separated)) return false;
  const std::string_view all = digits;
  const int year = Value(all.substr(0, 4)), month = Value(all.substr(4, 2));
  const int day = digits.size() == 8 ? Value(all.substr(6, 2)) : 1;
  return year >= 1900 && year <= 2999 && month >= 1 && month <= 12 &&
         day >= 1 && day <= 31;
}

// Eight characters or more that no one would choose: hex digits, or letters
// and digits mixed.
bool IsRandomLooking(std::string_view text) {
  if (text.size() < 8 || AllDigits(text)) return false;
  bool hex = true, digit = false, letter = false;
  for (const char c : text) {
    if (!IsAsciiDigit(c) && !IsAsciiLetter(c)) return false;
    hex = hex && IsAsciiHexDigit(c);
    digit = digit || IsAsciiDigit(c);
    letter = letter || IsAsciiLetter(c);
  }
  return digit && (hex || letter);
}

bool IsOf(Varying kind, std::string_view text) {
  switch (kind) {
    case Varying::kNothing:
      return text.empty();
    case Varying::kNumber:
      return AllDigits(text);
    case Varying::kDate:
      return IsDate(text);
    case Varying::kHex:
      // Among random ones, a few happen to be digits only.
      return IsRandomLooking(text) || (text.size() >= 8 && AllDigits(text));
    case Varying::kAny:
      return true;
  }
  return false;
}

std::string_view Middle(std::string_view text, size_t prefix, size_t suffix) {
  return text.substr(prefix, text.size() - prefix - suffix);
}

// Returns true iff every middle is of the kind, and one is so beyond doubt.
bool AllOf(Varying kind, const std::vector<std::string_view>& texts,
           size_t prefix, size_t suffix) {
  bool sure = kind != Varying::kHex;
  for (const std::string_view text : texts) {
    const std::string_view middle = Middle(text, prefix, suffix);
    if (!IsOf(kind, middle)) return false;
    sure = sure || IsRandomLooking(middle);
  }
  return sure;
}

struct Ends {
  size_t prefix = 0, suffix = 0;
};

// How much of the front and the back all texts share.
Ends CommonEnds(const std::vector<std::string_view>& texts) {
  const std::string_view first = texts.front();
  size_t shortest = first.size(), prefix = first.size(), suffix = first.size();
  for (const std::string_view text : texts) {
    shortest = std::min(shortest, text.size());
    prefix = std::min({prefix, shortest});
    size_t same = 0;
    while (same < prefix && text[same] == first[same]) ++same;
    prefix = same;
    same = 0;
    while (same < std::min(suffix, shortest) &&
           text[text.size() - 1 - same] == first[first.size() - 1 - same])
      ++same;
    suffix = same;
  }
  return {prefix, std::min(suffix, shortest - prefix)};
}

// Gives the middle back what belongs to it, by `belongs`.
template <typename F>
Ends Widened(std::string_view text, Ends ends, F belongs) {
  while (ends.prefix > 0 && belongs(text[ends.prefix - 1])) --ends.prefix;
  while (ends.suffix > 0 && belongs(text[text.size() - ends.suffix]))
    --ends.suffix;
  return ends;
}

std::string_view NameOf(Varying kind) {
  constexpr std::string_view kNames[] = {"", "{number}", "{date}", "{hex}",
                                         "{any}"};
  return kNames[static_cast<size_t>(kind)];
}

bool IsSessionName(std::string_view any_case) {
  const std::string name = ToLowerAscii(any_case);
  return name == "sid" || name == "s" || name.find("sess") != std::string::npos;
}

}  // namespace

bool PlacePattern::Matches(std::string_view text) const {
  if (varying == Varying::kNothing) return text == prefix;
  if (text.size() < prefix.size() + suffix.size()) return false;
  return text.substr(0, prefix.size()) == prefix &&
         text.substr(text.size() - suffix.size()) == suffix &&
         IsOf(varying, Middle(text, prefix.size(), suffix.size()));
}

std::string PlacePattern::ToString() const {
  return prefix + std::string(NameOf(varying)) + suffix;
}

PlacePattern GeneralisePlace(const std::vector<std::string_view>& texts) {
  PlacePattern pattern;
  const std::string_view first = texts.front();
  if (std::all_of(texts.begin(), texts.end(),
                  [&](std::string_view text) { return text == first; })) {
    pattern.prefix = first;
    return pattern;
  }
  const Ends common = CommonEnds(texts);
  const auto take = [&](Varying kind, Ends ends) {
    if (!AllOf(kind, texts, ends.prefix, ends.suffix)) return false;
    pattern.varying = kind;
    pattern.prefix = first.substr(0, ends.prefix);
    pattern.suffix = first.substr(first.size() - ends.suffix);
    return true;
  };
  Ends dates = Widened(first, common, [](char c) {
    return IsAsciiDigit(c) || c == '-' || c == '_' || c == '.';
  });
  // A separator at either end is none of the date's.
  while (dates.prefix < common.prefix && !IsAsciiDigit(first[dates.prefix]))
    ++dates.prefix;
  while (dates.suffix < common.suffix &&
         !IsAsciiDigit(first[first.size() - 1 - dates.suffix]))
    ++dates.suffix;
  if (take(Varying::kDate, dates)) return pattern;
  if (take(Varying::kNumber, Widened(first, common, IsAsciiDigit)))
    return pattern;
  const Ends words = Widened(first, common, IsWord);
  if (!take(Varying::kHex, words)) take(Varying::kAny, words);
  return pattern;
}

AddressParts SplitAddress(std::string_view url) {
  AddressParts parts;
  const size_t scheme = url.find("://");
  if (scheme != std::string_view::npos) url.remove_prefix(scheme + 3);
  url = url.substr(0, std::min(url.find('#'), url.size()));
  const size_t path = std::min(url.find_first_of("/?"), url.size());
  url.remove_prefix(path);
  const size_t mark = std::min(url.find('?'), url.size());
  std::string_view segments = url.substr(0, mark);
  while (!segments.empty()) {
    segments.remove_prefix(1);
    const size_t end = std::min(segments.find('/'), segments.size());
    parts.segments.emplace_back(segments.substr(0, end));
    segments.remove_prefix(end);
  }
  std::string_view query = mark < url.size() ? url.substr(mark + 1) : "";
  while (!query.empty()) {
    const size_t end = std::min(query.find('&'), query.size());
    const std::string_view item = query.substr(0, end);
    const size_t equals = item.find('=');
    const bool has_value = equals != std::string_view::npos;
    if (!item.empty())
      parts.parameters.emplace_back(
          item.substr(0, equals),
          has_value ? item.substr(equals + 1) : std::string_view());
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  std::stable_sort(parts.parameters.begin(), parts.parameters.end());
  return parts;
}

bool UrlPattern::Matches(const AddressParts& url) const {
  if (any_path ? url.segments.size() < segments.size()
               : url.segments.size() != segments.size())
    return false;
  for (size_t i = 0; i < segments.size(); ++i)
    if (!segments[i].Matches(url.segments[i])) return false;
  if (any_path) return true;
  size_t required = 0;
  for (const Parameter& parameter : parameters) required += !parameter.optional;
  for (const auto& [name, value] : url.parameters) {
    const auto at = std::find_if(parameters.begin(), parameters.end(),
                                 [&name = name](const Parameter& parameter) {
                                   return parameter.name == name;
                                 });
    if (at == parameters.end() || !at->value.Matches(value)) return false;
    required -= !at->optional && required > 0;
  }
  return required == 0;
}

std::string UrlPattern::ToString() const {
  std::string text;
  for (const PlacePattern& segment : segments) text += "/" + segment.ToString();
  if (any_path) text += "/{path}";
  bool first = true;
  for (const Parameter& parameter : parameters) {
    const std::string item =
        (first ? "?" : "&") + parameter.name + "=" + parameter.value.ToString();
    text += parameter.optional ? "[" + item + "]" : item;
    first = false;
  }
  return text;
}

std::vector<Varying> UrlPattern::VaryingPlaces() const {
  std::vector<Varying> places;
  for (const PlacePattern& segment : segments)
    if (segment.varying != Varying::kNothing) places.push_back(segment.varying);
  if (any_path) places.push_back(Varying::kAny);
  for (const Parameter& parameter : parameters) {
    if (parameter.value.varying != Varying::kNothing) {
      places.push_back(parameter.value.varying);
    } else if (parameter.optional) {
      places.push_back(Varying::kAny);
    }
  }
  return places;
}

bool UrlPattern::IsSession() const {
  const auto places = VaryingPlaces();
  if (places.size() != 1) return false;
  if (places.front() == Varying::kHex) return true;
  return std::any_of(parameters.begin(), parameters.end(),
                     [](const Parameter& parameter) {
                       return parameter.value.varying != Varying::kNothing &&
                              IsSessionName(parameter.name);
                     });
}

namespace {

void AppendShape(std::string_view text, std::string* shape) {
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() &&
           (IsAsciiDigit(text[end]) || IsAsciiLetter(text[end])))
      ++end;
    const std::string_view word = text.substr(at, end - at);
    if (IsRandomLooking(word) || (word.size() >= 8 && AllDigits(word))) {
      *shape += '#';
      at = end;
    } else if (IsAsciiDigit(text[at])) {
      *shape += '0';
      while (at < text.size() && IsAsciiDigit(text[at])) ++at;
    } else {
      *shape += text[at++];
    }
  }
}

}  // namespace

std::string AddressShape(const AddressParts& url) {
  std::string shape;
  for (const std::string& segment : url.segments) {
    shape += '/';
    AppendShape(segment, &shape);
  }
  for (const auto& [name, value] : url.parameters) {
    shape += '&' + name + '=';
    AppendShape(value, &shape);
  }
  return shape;
}

UrlPattern GeneraliseUrls(const std::vector<AddressParts>& urls) {
  UrlPattern pattern;
  size_t least = urls.front().segments.size(), most = least;
  for (const AddressParts& url : urls) {
    least = std::min(least, url.segments.size());
    most = std::max(most, url.segments.size());
  }
  pattern.any_path = least != most;
  for (size_t i = 0; i < least; ++i) {
    std::vector<std::string_view> texts;
    texts.reserve(urls.size());
    for (const AddressParts& url : urls) texts.push_back(url.segments[i]);
    PlacePattern place = GeneralisePlace(texts);
    if (pattern.any_path && place.varying != Varying::kNothing) break;
    pattern.segments.push_back(std::move(place));
  }
  if (pattern.any_path) return pattern;
  std::map<std::string, std::vector<std::string_view>> values;
  std::map<std::string, size_t> urls_with;
  for (const AddressParts& url : urls) {
    const std::string* last = nullptr;
    for (const auto& [name, value] : url.parameters) {
      values[name].push_back(value);
      if (last == nullptr || *last != name) ++urls_with[name];
      last = &name;
    }
  }
  for (const auto& [name, texts] : values)
    pattern.parameters.push_back(
        {name, GeneralisePlace(texts), urls_with[name] < urls.size()});
  return pattern;
}

}  // namespace twinset
