// Where natural segments and content-defined chunks end.
#ifndef TWINSET_SRC_STAGES_TEXT_TOKENS_SEGMENT_H_
#define TWINSET_SRC_STAGES_TEXT_TOKENS_SEGMENT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "text/tokens/features.h"

namespace twinset {

// Returns true iff a segment of `unit` (kLine, kSentence, kParagraph) ends in
// `gap`, the normalised text between two tokens. `single_next`: the next token
// is one character of the scripts without spaces (Han, Thai, ...).
//   line       a line feed
//   paragraph  two line feeds with nothing but white space between them
//   sentence   a sentence terminal, then any closing quotes and brackets, then
//              white space or a character of the scripts without spaces; or
//              U+3002 by itself
// No dictionary: "Dr. Who" is two sentences, in every copy of it.
// `terminated`: TerminatorAtEnd of the token before, needed only where tokens
// can hold terminators (--tokens whitespace).
bool SegmentEnds(ShingleKind::Unit unit, std::string_view gap, bool terminated,
                 bool single_next);

// The same for those who cut: where in `gap` the segment before ends, with the
// white space (for lines and paragraphs: the blank lines) behind it, and where
// the next one begins. Between the two stand segments without a token. Nothing
// exactly if SegmentEnds is false.
struct SegmentBoundary {
  size_t end = 0, begin = 0;  // end <= begin
};
std::optional<SegmentBoundary> FindSegmentBoundary(ShingleKind::Unit unit,
                                                   std::string_view gap,
                                                   bool terminated,
                                                   bool single_next);

// Returns true iff a character ends sentences: it has the property
// Sentence_Terminal of Unicode 15.0, or is an ellipsis (U+2026) or a full stop
// of Khmer (U+17D4, U+17D5) or Tibetan (U+0F0D, U+0F0E).
bool IsSentenceTerminal(uint32_t code_point);

// Returns true iff `token` ends with a terminator and any closers.
bool TerminatorAtEnd(std::string_view token);

// Content-defined chunks: a chunk ends behind a token when it has MIN tokens
// and the mixed hash of the last 4 tokens of the text is 0 in its low bits, or
// when it has MAX. So equal passages get equal chunks whatever stands before
// them, after at most a few chunks (Manber 1994; Brin, Davis and Garcia-Molina
// 1995). With 2^bits the largest power of two <= (MAX - MIN) / 2, the mean
// length is near MIN + 2^bits on text without much repetition, always between
// MIN and MAX.
class Chunker {
 public:
  static constexpr size_t kWindow = 4;
  // `weights`: kWindow of them.
  Chunker(uint32_t min, uint32_t max, const uint64_t* weights);
  // Returns true iff a chunk ends behind this token.
  bool Add(uint64_t token_hash);

 private:
  const uint64_t* weights_;
  uint32_t min_, max_;
  uint64_t mask_;
  uint64_t last_[kWindow] = {};  // newest first
  uint32_t length_ = 0;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_TOKENS_SEGMENT_H_
