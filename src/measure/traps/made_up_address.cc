#include "traps/made_up_address.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "base/hash.h"
#include "net/url.h"

namespace twinset {
namespace {

constexpr int kTries = 256;
// After so many tries numbers get one more digit.
constexpr int kTriesOfOneLength = 16;
constexpr int kLettersOfAWord = 16;

// What values are drawn from: the further, the more tries were in vain.
struct Draw {
  SplitMix64* random;
  int tries;
};

char Digit(const Draw& draw) {
  return static_cast<char>('0' + draw.random->Below(10));
}

std::string Number(std::string_view like, const Draw& draw) {
  std::string number(
      like.size() + static_cast<size_t>(draw.tries) / kTriesOfOneLength, '0');
  for (char& c : number) c = Digit(draw);
  if (!like.starts_with('0') && number[0] == '0') number[0] = '1';
  return number;
}

// A day of the years around, with the separators of `like`.
std::string Date(std::string_view like, const Draw& draw) {
  int year = 0;
  for (size_t i = 0; i < 4; ++i) year = year * 10 + (like[i] - '0');
  const int reach = 10 + draw.tries;
  year += static_cast<int>(
              draw.random->Below(2 * static_cast<uint64_t>(reach) + 1)) -
          reach;
  const auto two = [](uint64_t number) {
    return std::to_string(100 + number).substr(1);
  };
  const std::string digits = std::to_string(std::clamp(year, 1900, 2999)) +
                             two(1 + draw.random->Below(12)) +
                             two(1 + draw.random->Below(28));
  std::string date;
  size_t next = 0;
  for (const char c : like) date += IsAsciiDigit(c) ? digits[next++] : c;
  return date;
}

// Digits stay digits, letters letters, of hexadecimal values hexadecimal ones.
std::string RandomLooking(std::string_view like, const Draw& draw) {
  const bool hex = std::all_of(like.begin(), like.end(), IsAsciiHexDigit);
  std::string value;
  for (const char c : like) {
    const auto letter = draw.random->Below(hex ? 6 : 26);
    value += IsAsciiDigit(c)
                 ? Digit(draw)
                 : static_cast<char>((c >= 'a' ? 'a' : 'A') + letter);
  }
  return value;
}

std::string MadeUpWord(const Draw& draw) {
  std::string word;
  for (int i = 0; i < kLettersOfAWord; ++i)
    word += static_cast<char>('a' + draw.random->Below(26));
  return word;
}

// The text of a place with another value, as is when it does not vary.
std::string Another(const PlacePattern& place, const std::string& text,
                    const Draw& draw) {
  if (place.varying == Varying::kNothing) return text;
  const std::string like =
      text.substr(place.prefix.size(),
                  text.size() - place.prefix.size() - place.suffix.size());
  std::string value;
  switch (place.varying) {
    case Varying::kNothing:
      break;
    case Varying::kNumber:
      value = Number(like, draw);
      break;
    case Varying::kDate:
      value = Date(like, draw);
      break;
    case Varying::kHex:
      value = RandomLooking(like, draw);
      break;
    case Varying::kAny:
      // A cut through an escape leaves one.
      value = (place.prefix.ends_with('%') ? "20" : "") + MadeUpWord(draw);
      break;
  }
  return place.prefix + value + place.suffix;
}

const PlacePattern* ValueOf(const UrlPattern& pattern,
                            const std::string& name) {
  for (const UrlPattern::Parameter& parameter : pattern.parameters)
    if (parameter.name == name) return &parameter.value;
  return nullptr;
}

std::string Written(const std::string& origin, const AddressParts& parts) {
  std::string url = origin;
  for (const std::string& segment : parts.segments) url += "/" + segment;
  char mark = '?';
  for (const auto& [name, value] : parts.parameters) {
    url += mark + name;
    if (!value.empty()) url += "=" + value;
    mark = '&';
  }
  return url;
}

// Returns true iff a value that was drawn stands in none of the addresses
// crawled.
bool IsFree(const UrlPattern& pattern, const AddressParts& made,
            const std::vector<const AddressParts*>& crawled) {
  std::vector<size_t> segments;
  for (size_t i = 0; i < made.segments.size(); ++i)
    if (i >= pattern.segments.size() ||
        pattern.segments[i].varying != Varying::kNothing)
      segments.push_back(i);
  std::vector<std::pair<std::string, std::string>> parameters;
  for (const auto& parameter : made.parameters) {
    const PlacePattern* value = ValueOf(pattern, parameter.first);
    if (value != nullptr && value->varying != Varying::kNothing)
      parameters.push_back(parameter);
  }
  return std::none_of(
      crawled.begin(), crawled.end(), [&](const AddressParts* other) {
        return std::any_of(segments.begin(), segments.end(),
                           [&](size_t i) {
                             return i < other->segments.size() &&
                                    other->segments[i] == made.segments[i];
                           }) ||
               std::any_of(parameters.begin(), parameters.end(),
                           [&](const auto& parameter) {
                             return std::find(other->parameters.begin(),
                                              other->parameters.end(),
                                              parameter) !=
                                    other->parameters.end();
                           });
      });
}

}  // namespace

std::string MakeUpAddress(const UrlPattern& pattern, const std::string& like,
                          const std::vector<const AddressParts*>& crawled,
                          uint64_t seed) {
  const AddressParts base = SplitAddress(like);
  if (!pattern.Matches(base)) return "";
  const std::string origin = UrlOrigin(like);
  SplitMix64 random(seed);
  for (int tries = 0; tries < kTries; ++tries) {
    const Draw draw = {&random, tries};
    AddressParts parts = base;
    bool varies = pattern.any_path;
    if (pattern.any_path) {
      parts.segments.resize(pattern.segments.size());
      parts.segments.push_back(MadeUpWord(draw));
      parts.parameters.clear();
    } else {
      for (size_t i = 0; i < parts.segments.size(); ++i) {
        varies |= pattern.segments[i].varying != Varying::kNothing;
        parts.segments[i] =
            Another(pattern.segments[i], base.segments[i], draw);
      }
    }
    for (auto& [name, text] : parts.parameters) {
      const PlacePattern* value = ValueOf(pattern, name);
      if (value == nullptr) continue;
      varies |= value->varying != Varying::kNothing;
      text = Another(*value, text, draw);
    }
    if (!varies) return "";
    std::string url = NormaliseUrl(Written(origin, parts));
    const AddressParts made = SplitAddress(url);
    if (pattern.Matches(made) && IsFree(pattern, made, crawled)) return url;
  }
  return "";
}

}  // namespace twinset
