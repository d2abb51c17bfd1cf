#include "verify/kind.h"

#include <algorithm>

#include "base/ascii.h"

namespace twinset {
namespace {

using Texts = std::span<const std::string_view>;

// The stretch between two common runs: [a_begin, a_end) was replaced by
// [b_begin, b_end).
struct Gap {
  uint64_t a_begin = 0, a_end = 0, b_begin = 0, b_end = 0;
  uint64_t removed() const { return a_end - a_begin; }
  uint64_t inserted() const { return b_end - b_begin; }
};

std::vector<Gap> FindGaps(std::span<const AlignedRun> runs) {
  std::vector<Gap> gaps;
  bool open = false;
  for (const AlignedRun& run : runs) {
    if (run.kind == AlignedRun::kBoth) {
      open = false;
    } else if (open) {
      gaps.back().a_end = std::max(gaps.back().a_end, run.a_end);
      gaps.back().b_end = std::max(gaps.back().b_end, run.b_end);
    } else {
      gaps.push_back({run.a_begin, run.a_end, run.b_begin, run.b_end});
      open = true;
    }
  }
  return gaps;
}

// Letters and digits of the tokens, ASCII lower-cased; bytes >= 0x80 as they
// are.
std::string Letters(Texts tokens, uint64_t begin, uint64_t end,
                    bool keep_digits) {
  std::string out;
  for (uint64_t i = begin; i < end; ++i) {
    for (const char c : tokens[i]) {
      if (IsAsciiLetter(c) || static_cast<unsigned char>(c) >= 0x80) {
        out += ToLowerAscii(c);
      } else if (IsAsciiDigit(c) && keep_digits) {
        out += c;
      }
    }
  }
  return out;
}

bool EveryGapKeepsLetters(const std::vector<Gap>& gaps, Texts a, Texts b,
                          bool keep_digits) {
  return std::all_of(gaps.begin(), gaps.end(), [&](const Gap& gap) {
    return Letters(a, gap.a_begin, gap.a_end, keep_digits) ==
           Letters(b, gap.b_begin, gap.b_end, keep_digits);
  });
}

// One pure removal and one pure insertion of the same tokens.
bool IsMove(const std::vector<Gap>& gaps, Texts a, Texts b) {
  if (gaps.size() != 2) return false;
  const bool removed_first = gaps[0].inserted() == 0;
  const Gap& out = removed_first ? gaps[0] : gaps[1];
  const Gap& in = removed_first ? gaps[1] : gaps[0];
  return out.inserted() == 0 && in.removed() == 0 &&
         out.removed() == in.inserted() &&
         std::equal(a.begin() + static_cast<ptrdiff_t>(out.a_begin),
                    a.begin() + static_cast<ptrdiff_t>(out.a_end),
                    b.begin() + static_cast<ptrdiff_t>(in.b_begin));
}

}  // namespace

std::string KindOfDifference(std::span<const AlignedRun> runs, Texts a_tokens,
                             Texts b_tokens, bool same_text) {
  const std::vector<Gap> gaps = FindGaps(runs);
  if (gaps.empty()) return same_text ? "none" : "punctuation or case only";
  if (gaps.size() == runs.size() ||
      (gaps.size() == 1 && gaps[0].removed() == a_tokens.size() &&
       gaps[0].inserted() == b_tokens.size())) {
    return "everything";
  }
  if (EveryGapKeepsLetters(gaps, a_tokens, b_tokens, true)) {
    return "punctuation or case only";
  }
  if (EveryGapKeepsLetters(gaps, a_tokens, b_tokens, false)) {
    return "digits only";
  }
  uint64_t removing = 0, inserting = 0, longest = 0;
  for (const Gap& gap : gaps) {
    removing += gap.removed() > 0;
    inserting += gap.inserted() > 0;
    longest = std::max({longest, gap.removed(), gap.inserted()});
  }
  const bool block = longest >= kBlockTokens;
  if (block && IsMove(gaps, a_tokens, b_tokens)) return "moved block";
  if (removing == 0) return block ? "inserted block" : "inserted words";
  if (inserting == 0) return block ? "removed block" : "removed words";
  if (!block) return "scattered words";
  return gaps.size() == 1 ? "replaced block" : "mixed changes";
}

}  // namespace twinset
