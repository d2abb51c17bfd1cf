#include "text/tokens/python_text.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "kernels/unicode_class.h"
#include "text/tokens/code_point_range.h"

namespace twinset {
namespace {

using kernels::CodePoint;
using kernels::DecodeUtf8;

constexpr uint32_t kCapitalSigma = 0x3A3, kSigma = 0x3C3, kFinalSigma = 0x3C2;
constexpr uint32_t kCapitalIDot = 0x130, kDotAbove = 0x307;

// A set of general categories of Unicode, as bits.
constexpr uint32_t Categories(auto... category) {
  return ((uint32_t{1} << category) | ...);
}

bool IsOf(uint32_t c, uint32_t categories) {
  return (categories >> utf8proc_category(static_cast<int32_t>(c)) & 1) != 0;
}

// Word_Break is MidLetter, MidNumLet or Single_Quote.
constexpr CodePointRange kMidWord[] = {
    {0x27, 0x27},     {0x2E, 0x2E},     {0x3A, 0x3A},     {0xB7, 0xB7},
    {0x387, 0x387},   {0x55F, 0x55F},   {0x5F4, 0x5F4},   {0x2018, 0x2019},
    {0x2024, 0x2024}, {0x2027, 0x2027}, {0xFE13, 0xFE13}, {0xFE52, 0xFE52},
    {0xFE55, 0xFE55}, {0xFF07, 0xFF07}, {0xFF0E, 0xFF0E}, {0xFF1A, 0xFF1A}};

// Other_Lowercase and Other_Uppercase, without those that are Case_Ignorable.
constexpr CodePointRange kCasedOthers[] = {
    {0xAA, 0xAA},       {0xBA, 0xBA},       {0x2160, 0x217F},  {0x24B6, 0x24E9},
    {0x1F130, 0x1F149}, {0x1F150, 0x1F169}, {0x1F170, 0x1F189}};

// Case_Ignorable (Unicode 15.0, 3.13, D136).
bool IsIgnorable(uint32_t c) {
  constexpr uint32_t kIgnorable = Categories(
      UTF8PROC_CATEGORY_MN, UTF8PROC_CATEGORY_ME, UTF8PROC_CATEGORY_CF,
      UTF8PROC_CATEGORY_LM, UTF8PROC_CATEGORY_SK);
  return IsOf(c, kIgnorable) || IsIn(kMidWord, c);
}

// Cased (D135), of code points that are not Case_Ignorable.
bool IsCased(uint32_t c) {
  constexpr uint32_t kCased = Categories(
      UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LL, UTF8PROC_CATEGORY_LT);
  return IsOf(c, kCased) || IsIn(kCasedOthers, c);
}

// The code point that ends at `end` > 0; U+FFFD, which is neither cased nor
// ignorable, for malformed bytes.
CodePoint Before(std::string_view text, size_t end) {
  size_t begin = end - 1;
  while (begin > 0 && end - begin < 4 && IsContinuation(text[begin])) --begin;
  const CodePoint c = DecodeUtf8(text.data() + begin, text.data() + end);
  if (c.valid && begin + c.size == end) return c;
  return {0xFFFD, 1, false};
}

// Final_Sigma (Unicode 15.0, table 3-17): a cased character before, none
// behind, case-ignorable ones not counted.
bool IsFinalSigma(std::string_view text, size_t at) {
  bool cased = false;
  for (size_t end = at; end > 0;) {
    const CodePoint c = Before(text, end);
    end -= c.size;
    if (IsIgnorable(c.value)) continue;
    cased = IsCased(c.value);
    break;
  }
  if (!cased) return false;
  const char* const end = text.data() + text.size();
  for (const char* p = text.data() + at + 2; p < end;) {
    const CodePoint c = DecodeUtf8(p, end);
    p += c.size;
    if (!IsIgnorable(c.value)) return !IsCased(c.value);
  }
  return true;
}

// IsPythonWord of the code points below 128.
constexpr std::array<bool, 128> kAsciiWord = [] {
  std::array<bool, 128> word{};
  for (int c = 0; c < 128; ++c) {
    word[static_cast<size_t>(c)] = (c >= '0' && c <= '9') ||
                                   (c >= 'a' && c <= 'z') ||
                                   (c >= 'A' && c <= 'Z') || c == '_';
  }
  return word;
}();

}  // namespace

size_t LowerCase(std::string_view text, size_t at, uint32_t c, uint32_t* out) {
  if (c == kCapitalIDot) {
    out[0] = 'i';
    out[1] = kDotAbove;
    return 2;
  }
  if (c == kCapitalSigma) {
    out[0] = IsFinalSigma(text, at) ? kFinalSigma : kSigma;
  } else {
    out[0] = static_cast<uint32_t>(utf8proc_tolower(static_cast<int32_t>(c)));
  }
  return 1;
}

bool IsPythonWord(uint32_t c) {
  if (c < 128) return kAsciiWord[c];
  constexpr uint32_t kWord = Categories(
      UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LL, UTF8PROC_CATEGORY_LT,
      UTF8PROC_CATEGORY_LM, UTF8PROC_CATEGORY_LO, UTF8PROC_CATEGORY_ND,
      UTF8PROC_CATEGORY_NL, UTF8PROC_CATEGORY_NO);
  return IsOf(c, kWord);
}

size_t SplitAtNonwords(std::string_view text, bool first, uint32_t* begins,
                       uint32_t* ends) {
  if (text.empty()) return 0;
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const char* p = first ? begin : begin + DecodeUtf8(begin, end).size;
  size_t count = 0;
  begins[0] = static_cast<uint32_t>(p - begin);
  while (p < end) {
    const CodePoint c = DecodeUtf8(p, end);
    const char* const next = p + c.size;
    if (!IsPythonWord(c.value)) {
      ends[count++] = static_cast<uint32_t>(p - begin);
      begins[count] = static_cast<uint32_t>(next - begin);
    }
    p = next;
  }
  ends[count++] = static_cast<uint32_t>(text.size());
  return count;
}

size_t FindWordRuns(std::string_view text, uint32_t* begins, uint32_t* ends) {
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  size_t count = 0;
  bool in_run = false;
  for (const char* p = begin; p < end;) {
    const CodePoint c = DecodeUtf8(p, end);
    const bool word = IsPythonWord(c.value);
    const auto at = static_cast<uint32_t>(p - begin);
    if (word && !in_run) begins[count] = at;
    if (!word && in_run) ends[count++] = at;
    in_run = word;
    p += c.size;
  }
  if (in_run) ends[count++] = static_cast<uint32_t>(text.size());
  return count;
}

size_t SplitAtSpaces(std::string_view text, uint32_t* begins, uint32_t* ends) {
  size_t count = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t space = std::min(text.find(' ', at), text.size());
    if (space > at) {
      begins[count] = static_cast<uint32_t>(at);
      ends[count++] = static_cast<uint32_t>(space);
    }
    at = space + 1;
  }
  return count;
}

}  // namespace twinset
