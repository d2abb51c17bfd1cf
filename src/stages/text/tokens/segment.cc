#include "text/tokens/segment.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "base/hash.h"
#include "kernels/unicode_class.h"
#include "text/tokens/code_point_range.h"
#include "text/tokens/tokens.h"

namespace twinset {
namespace {

// Closing quotes and brackets, which belong to the sentence before them.
bool IsCloser(uint32_t c) {
  switch (c) {
    case '"':
    case '\'':
    case ')':
    case ']':
    case '}':
    case 0xBB:    // right-pointing double angle quotation mark
    case 0x2019:  // right single quotation mark
    case 0x201D:  // right double quotation mark
    case 0x203A:  // single right-pointing angle quotation mark
    case 0x3009:  // right angle bracket
    case 0x300B:  // right double angle bracket
    case 0x300D:  // right corner bracket
    case 0x300F:  // right white corner bracket
    case 0x3011:  // right black lenticular bracket
    case 0xFF09:  // fullwidth right parenthesis
      return true;
    default:
      return false;
  }
}

constexpr uint32_t kIdeographicFullStop = 0x3002;

#include "text/tokens/sentence_terminals.inc"

}  // namespace

bool IsSentenceTerminal(uint32_t c) {
  if (c < 0x80) return c == '.' || c == '!' || c == '?';
  return IsIn(kSentenceTerminals, c);
}

namespace {

bool SentenceEnds(std::string_view gap, bool terminated, bool single_next) {
  const char *p = gap.data(), *const end = p + gap.size();
  while (p < end) {
    const kernels::CodePoint c = kernels::DecodeUtf8(p, end);
    if (c.value == kIdeographicFullStop) return true;
    if (terminated && WhiteSpaceAt(p, end) > 0) return true;
    terminated =
        IsSentenceTerminal(c.value) || (terminated && IsCloser(c.value));
    p += c.size;
  }
  return terminated && single_next;
}

bool ParagraphEnds(std::string_view gap) {
  const char *p = gap.data(), *const end = p + gap.size();
  bool line_ended = false;
  while (p < end) {
    const size_t space = WhiteSpaceAt(p, end);
    if (*p == '\n' && line_ended) return true;
    if (*p == '\n') {
      line_ended = true;
    } else if (space == 0) {
      line_ended = false;
    }
    p += space == 0 ? 1 : space;
  }
  return false;
}

}  // namespace

bool TerminatorAtEnd(std::string_view token) {
  const char *p = token.data(), *const end = p + token.size();
  bool terminated = false;
  while (p < end) {
    const kernels::CodePoint c = kernels::DecodeUtf8(p, end);
    terminated =
        IsSentenceTerminal(c.value) || (terminated && IsCloser(c.value));
    p += c.size;
  }
  return terminated;
}

bool SegmentEnds(ShingleKind::Unit unit, std::string_view gap, bool terminated,
                 bool single_next) {
  switch (unit) {
    case ShingleKind::kLine:
      return gap.find('\n') != std::string_view::npos;
    case ShingleKind::kParagraph:
      return ParagraphEnds(gap);
    case ShingleKind::kSentence:
      return SentenceEnds(gap, terminated, single_next);
    default:
      return false;
  }
}

namespace {

// The end of a sentence whose terminator is followed by `gap` from `at` on:
// behind further terminators and closers where `marks`, then white space.
size_t BehindSentence(std::string_view gap, size_t at, bool marks) {
  const char *const end = gap.data() + gap.size(), *p = gap.data() + at;
  while (marks && p < end) {
    const kernels::CodePoint c = kernels::DecodeUtf8(p, end);
    if (!IsSentenceTerminal(c.value) && !IsCloser(c.value)) break;
    p += c.size;
  }
  while (p < end) {
    const size_t space = WhiteSpaceAt(p, end);
    if (space == 0) break;
    p += space;
  }
  return static_cast<size_t>(p - gap.data());
}

std::optional<SegmentBoundary> SentenceBoundary(std::string_view gap,
                                                bool terminated,
                                                bool single_next) {
  std::optional<SegmentBoundary> found;
  const auto ends_at = [&](size_t at) {
    if (!found) found = SegmentBoundary{at, at};
    found->begin = at;
    terminated = false;
    return at;
  };
  const char *const end = gap.data() + gap.size();
  for (size_t at = 0; at < gap.size();) {
    const char *p = gap.data() + at;
    const kernels::CodePoint c = kernels::DecodeUtf8(p, end);
    if (c.value == kIdeographicFullStop) {
      at = ends_at(BehindSentence(gap, at + c.size, true));
    } else if (terminated && WhiteSpaceAt(p, end) > 0) {
      at = ends_at(BehindSentence(gap, at, false));
    } else {
      terminated =
          IsSentenceTerminal(c.value) || (terminated && IsCloser(c.value));
      at += c.size;
    }
  }
  if (terminated && single_next) ends_at(gap.size());
  return found;
}

// Lines: each line feed ends one. Paragraphs: each line feed that only white
// space parts from the one before.
std::optional<SegmentBoundary> LineBoundary(std::string_view gap,
                                            bool paragraphs) {
  std::optional<SegmentBoundary> found;
  bool line_ended = false, blank_since = true;
  const char *p = gap.data(), *const end = p + gap.size();
  while (p < end) {
    const size_t space = WhiteSpaceAt(p, end);
    if (*p == '\n') {
      const auto behind = static_cast<size_t>(p + 1 - gap.data());
      if (!paragraphs || line_ended) {
        if (!found) found = SegmentBoundary{behind, behind};
        if (blank_since) found->end = behind;
        found->begin = behind;
      }
      line_ended = true;
    } else if (space == 0) {
      line_ended = false;
      if (found) blank_since = false;
    }
    p += space == 0 ? 1 : space;
  }
  return found;
}

}  // namespace

std::optional<SegmentBoundary> FindSegmentBoundary(ShingleKind::Unit unit,
                                                   std::string_view gap,
                                                   bool terminated,
                                                   bool single_next) {
  switch (unit) {
    case ShingleKind::kLine:
    case ShingleKind::kParagraph:
      return LineBoundary(gap, unit == ShingleKind::kParagraph);
    case ShingleKind::kSentence:
      return SentenceBoundary(gap, terminated, single_next);
    default:
      return {};
  }
}

Chunker::Chunker(uint32_t min, uint32_t max, const uint64_t *weights)
    : weights_(weights), min_(min), max_(max) {
  const uint32_t spread = (max - min) / 2;
  mask_ = spread == 0 ? 0 : std::bit_floor(spread) - 1;
}

bool Chunker::Add(uint64_t token_hash) {
  for (size_t i = kWindow - 1; i > 0; --i) last_[i] = last_[i - 1];
  last_[0] = token_hash;
  ++length_;
  if (length_ < min_) return false;
  uint64_t sum = 0;
  for (size_t i = 0; i < kWindow; ++i) sum += weights_[i] * last_[i];
  if (length_ < max_ && (Mix64(sum) & mask_) != 0) return false;
  length_ = 0;
  return true;
}

}  // namespace twinset
