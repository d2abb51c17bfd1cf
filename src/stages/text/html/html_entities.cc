#include "text/html/html_entities.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

#include "base/ascii.h"
#include "text/charset/charset.h"

namespace twinset {
namespace {

#include "text/html/html_entities.inc"

constexpr size_t kNames = std::size(kReferenceValues);

// What the numbers 0x80 to 0x9F mean: the windows-1252 characters authors
// intended.
constexpr uint16_t kC1[32] = {
    0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
    0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178,
};

int HexValue(char c) {
  if (IsAsciiDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

CharacterReference ReadNumeric(std::string_view text) {
  size_t at = 2;  // behind "&#"
  const bool hex = at < text.size() && (text[at] == 'x' || text[at] == 'X');
  if (hex) ++at;
  const size_t first = at;
  char32_t value = 0;
  for (; at < text.size(); ++at) {
    const int digit = HexValue(text[at]);
    if (digit < 0 || (!hex && digit > 9)) break;
    value = std::min<char32_t>(
        value * (hex ? 16 : 10) + static_cast<char32_t>(digit), 0x110000);
  }
  if (at == first) return {};
  if (at < text.size() && text[at] == ';') ++at;
  if (value == 0 || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) {
    value = 0xFFFD;
  } else if (value >= 0x80 && value <= 0x9F) {
    value = kC1[value - 0x80];
  }
  return {at, value};
}

constexpr size_t SizeOfName(size_t i) {
  return kReferenceStarts[i + 1] - kReferenceStarts[i];
}
constexpr char CharOfName(size_t i, size_t at) {
  return kReferenceNames[kReferenceStarts[i] + at];
}

// kFirst[c - 'A']: the first name whose first letter is c or later.
constexpr std::array<uint16_t, 'z' - 'A' + 2> FirstNames() {
  std::array<uint16_t, 'z' - 'A' + 2> first{};
  size_t name = 0;
  for (size_t c = 0; c < first.size(); ++c) {
    while (name < kNames && CharOfName(name, 0) < static_cast<char>('A' + c)) {
      ++name;
    }
    first[c] = static_cast<uint16_t>(name);
  }
  return first;
}
constexpr auto kFirst = FirstNames();

// The first name in [begin, end) whose byte at `at` is `c` or greater. They all
// agree in the bytes before, and only the first of them can end there.
size_t FirstNotBelow(size_t begin, size_t end, size_t at, unsigned char c) {
  while (begin < end) {
    const size_t middle = begin + (end - begin) / 2;
    if (static_cast<unsigned char>(CharOfName(middle, at)) < c) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

// The longest name that `text` (behind the '&') begins with, or kNames: the
// range of names that agree shrinks letter by letter.
size_t LongestName(std::string_view text) {
  if (text.empty() || !IsAsciiLetter(text[0])) return kNames;
  const size_t letter = static_cast<size_t>(text[0] - 'A');
  size_t begin = kFirst[letter], end = kFirst[letter + 1];
  size_t best = kNames;
  for (size_t at = 1; begin < end; ++at) {
    if (SizeOfName(begin) == at) best = begin++;
    if (at == text.size()) break;
    const auto c = static_cast<unsigned char>(text[at]);
    if (c >= 0x80) break;
    begin = FirstNotBelow(begin, end, at, c);
    end = FirstNotBelow(begin, end, at, static_cast<unsigned char>(c + 1));
  }
  return best;
}

}  // namespace

CharacterReference ReadReference(std::string_view text, bool in_attribute) {
  if (text.size() < 2) return {};
  if (text[1] == '#') return ReadNumeric(text);
  const size_t name = LongestName(text.substr(1));
  if (name == kNames) return {};
  const size_t length = 1 + SizeOfName(name);
  if (in_attribute && text[length - 1] != ';' && length < text.size()) {
    const char next = text[length];
    if (next == '=' || IsAsciiDigit(next) || IsAsciiLetter(next)) return {};
  }
  const uint32_t value = kReferenceValues[name];
  const uint32_t second = value >> 24;
  return {length, value & 0xFFFFFF,
          second == 0 ? char32_t{0} : kSecondCodePoints[second - 1]};
}

void AppendReference(const CharacterReference& reference, std::string* out) {
  AppendCodePoint(reference.code_point, out);
  if (reference.second != 0) AppendCodePoint(reference.second, out);
}

std::string DecodeReferences(std::string_view text, bool in_attribute) {
  std::string out;
  while (!text.empty()) {
    const size_t literal = std::min(text.find('&'), text.size());
    out.append(text.substr(0, literal));
    text.remove_prefix(literal);
    if (text.empty()) break;
    const CharacterReference reference = ReadReference(text, in_attribute);
    if (reference.length == 0) {
      out.push_back('&');
      text.remove_prefix(1);
    } else {
      AppendReference(reference, &out);
      text.remove_prefix(reference.length);
    }
  }
  return out;
}

}  // namespace twinset
