// Clean text to normalised text: NFKC_Casefold of Unicode 15.0 (docs/spec/1.md,
// Normalisation), with the way back.
#ifndef TWINSET_SRC_STAGES_TEXT_TOKENS_NORMALISE_H_
#define TWINSET_SRC_STAGES_TEXT_TOKENS_NORMALISE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/error.h"

namespace twinset {

// Fails (kUnsupported) when the utf8proc of this process is not of
// Unicode 15.0: its normalisation could differ from the committed tables and
// from other machines.
Status CheckUnicodeVersion();

// A piece of the normalised text and where it came from. Pieces follow each
// other in both texts without gaps; one of no normalised bytes stands for clean
// text that left nothing.
struct NormalisedPiece {
  uint32_t normalised = 0;  // first byte
  uint32_t clean = 0;       // first byte
  // True: byte for byte, clean + i is normalised + i. False: the piece is one
  // indivisible normalisation segment.
  bool linear = false;
};

// The way from normalised bytes to clean bytes.
class NormalisedMap {
 public:
  void Add(uint64_t normalised, uint64_t clean, bool linear);
  // Where the clean text of the last piece ends.
  void SetCleanEnd(size_t end) { clean_end_ = static_cast<uint32_t>(end); }
  void Clear() { pieces_.clear(); }
  // The first `bytes` of the normalised text are dropped: positions now count
  // from behind them. Linear in the pieces.
  void Advance(uint32_t bytes);
  // First clean byte of what the normalised byte `at` came from.
  uint32_t CleanBegin(uint32_t at) const;
  // Clean byte behind what the byte before `end` came from; end > 0.
  uint32_t CleanEnd(uint32_t end) const;
  const std::vector<NormalisedPiece>& pieces() const { return pieces_; }

 private:
  size_t PieceOf(uint32_t at) const;
  std::vector<NormalisedPiece> pieces_;
  uint32_t clean_end_ = 0;
};

// How Normaliser changes the text. Either way malformed bytes become U+FFFD,
// one for each maximal subpart.
enum class NormaliseRule : uint8_t {
  // U+200B becomes a space, then NFKC_Casefold, then U+2019 becomes U+0027.
  kUnicode,
  kCopy,
  // The full lower case of Unicode 15.0 without a locale (what Python's
  // str.lower gives): U+0130 becomes two code points, U+03A3 at the end of a
  // word U+03C2 (Final_Sigma).
  kLower,
};

// Normalises one text piecewise. Whatever the sizes of the steps, their outputs
// concatenate to the same text: a step ends only where neither side can change
// the other (a normalisation boundary). Time is linear in the text, also
// for unbounded runs of combining marks. Not thread-safe; the text must outlive
// it.
class Normaliser {
 public:
  Normaliser(std::string_view clean, NormaliseRule rule)
      : clean_(clean), rule_(rule) {}

  // Appends to (*out)[*size ...) until at least `more` bytes are added or the
  // text ends, growing `out` to what it needs plus kernels::kPaddingBytes;
  // *size is the end of what is valid in it. `map` may be null.
  void Step(size_t more, std::string* out, size_t* size, NormalisedMap* map);

  bool AtEnd() const { return at_ == clean_.size(); }
  // Code points of the clean text consumed so far; each malformed subpart
  // counts as one.
  uint64_t code_points() const { return code_points_; }

 private:
  struct Output;
  void AsciiSpan(size_t limit, const Output& out);
  void HighSpan(size_t limit, const Output& out);
  void HighSpanCopied(size_t limit, const Output& out);
  void HighSpanLower(size_t limit, const Output& out);
  void Replaced(uint32_t clean_bytes, const Output& out);
  size_t SegmentEnd(bool minimal) const;
  void Segment(const Output& out);

  std::string_view clean_;
  NormaliseRule rule_;
  size_t at_ = 0;  // kUnicode: always a normalisation boundary
  uint64_t code_points_ = 0;
  std::vector<int32_t> points_;  // of a segment, folded
};

// All of it. `map` may be null.
std::string Normalise(std::string_view clean, NormaliseRule rule,
                      NormalisedMap* map);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_TOKENS_NORMALISE_H_
