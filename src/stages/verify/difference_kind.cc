#include "verify/difference_kind.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/ascii.h"

namespace twinset {
namespace {

bool SameTokens(const TokenisedText& a, const TokenisedText& b) {
  return std::equal(a.hashes.begin(), a.hashes.end(), b.hashes.begin(),
                    b.hashes.end());
}

bool SameBags(const TokenisedText& a, const TokenisedText& b) {
  if (a.hashes.size() != b.hashes.size()) return false;
  std::vector<uint64_t> x(a.hashes.begin(), a.hashes.end());
  std::vector<uint64_t> y(b.hashes.begin(), b.hashes.end());
  std::sort(x.begin(), x.end());
  std::sort(y.begin(), y.end());
  return x == y;
}

// Are all tokens of `a` in `b`, in their order?
bool IsSubsequence(const TokenisedText& a, const TokenisedText& b) {
  size_t at = 0;
  for (const uint64_t token : b.hashes) {
    if (at < a.hashes.size() && a.hashes[at] == token) ++at;
  }
  return at == a.hashes.size();
}

std::vector<uint64_t> Without(const TokenisedText& side,
                              std::span<const TokenMark> marks,
                              TokenMark mark) {
  std::vector<uint64_t> kept;
  for (size_t i = 0; i < marks.size(); ++i) {
    if (marks[i] != mark) kept.push_back(side.hashes[i]);
  }
  return kept;
}

std::span<const TokenMark> MarksOf(const TokenisedText& side,
                                   std::vector<TokenMark>* made) {
  if (side.marks.size() == side.spans.size()) return side.marks;
  *made = MarkTokens(side.text, side.spans);
  return *made;
}

// The tokens as the text writes them, ASCII letters in lower case, without the
// decimal digits of ASCII and all else of ASCII; a space behind each that is
// not empty then.
std::string WithoutDigits(const TokenisedText& side) {
  std::string out;
  for (const TextSpan& span : side.spans) {
    const size_t before = out.size();
    for (uint32_t at = span.begin; at < span.end; ++at) {
      const char c = side.text[at];
      if (IsAsciiLetter(c) || static_cast<unsigned char>(c) >= 0x80)
        out.push_back(ToLowerAscii(c));
    }
    if (out.size() != before) out.push_back(' ');
  }
  return out;
}

// The kinds that say what differs; kMixed: none of them.
DifferenceKind WhatDiffers(const TokenisedText& a, const TokenisedText& b) {
  if (a.hashes.empty() || b.hashes.empty()) return DifferenceKind::kMixed;
  std::vector<TokenMark> made[2];
  const std::span<const TokenMark> of_a = MarksOf(a, &made[0]),
                                   of_b = MarksOf(b, &made[1]);
  for (const TokenMark mark : {TokenMark::kUrl, TokenMark::kDate}) {
    if (Without(a, of_a, mark) == Without(b, of_b, mark)) {
      return mark == TokenMark::kUrl ? DifferenceKind::kUrls
                                     : DifferenceKind::kDates;
    }
  }
  return WithoutDigits(a) == WithoutDigits(b) ? DifferenceKind::kNumbers
                                              : DifferenceKind::kMixed;
}

// The kinds that say how the sequence of tokens changed.
DifferenceKind HowItDiffers(const TokenisedText& a, const TokenisedText& b) {
  if (IsSubsequence(a, b)) return DifferenceKind::kInsertion;
  if (IsSubsequence(b, a)) return DifferenceKind::kDeletion;
  return SameBags(a, b) ? DifferenceKind::kReordering : DifferenceKind::kMixed;
}

}  // namespace

DifferenceKind DifferenceOfPages(const PageTexts& a, const PageTexts& b) {
  if (!SameTokens(a.compared, b.compared)) {
    const DifferenceKind what = WhatDiffers(a.compared, b.compared);
    if (what != DifferenceKind::kMixed) return what;
    return !a.main.hashes.empty() && SameTokens(a.main, b.main)
               ? DifferenceKind::kBoilerplate
               : HowItDiffers(a.compared, b.compared);
  }
  if (SameTokens(a.all, b.all)) return DifferenceKind::kIdentical;
  const DifferenceKind what = WhatDiffers(a.all, b.all);
  return what != DifferenceKind::kMixed ? what : DifferenceKind::kBoilerplate;
}

}  // namespace twinset
