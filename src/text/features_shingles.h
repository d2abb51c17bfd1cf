// Tokens to the shingles of one kind, window by window (docs/spec/1.md,
// Shingles; docs/methods/shingles.md).
#ifndef TWINSET_SRC_TEXT_FEATURES_SHINGLES_H_
#define TWINSET_SRC_TEXT_FEATURES_SHINGLES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "text/features.h"
#include "text/segment.h"
#include "text/tokens.h"

namespace twinset::features_internal {

// The salt and weights of `kind`: a stream of SplitMix64 of its own, so that
// different kinds and window sizes are hashed independently.
ShingleKeys MakeKeys(const ShingleKind& kind);

// What a window holds for all kinds: its tokens, the hashes of its tokens and,
// with char kinds, of its code points. In front of either array stand `carried`
// hashes of what came before the window.
struct ShingleInput {
  TokenWindow tokens;
  const uint64_t* token_hashes =
      nullptr;  // of the window; carried at [-1], ...
  size_t carried_tokens = 0;
  const uint64_t* code_point_hashes = nullptr;
  size_t code_points = 0;  // of the window
  size_t carried_code_points = 0;
};

// Units of a shingle, counted within the window: [first, last].
struct UnitRange {
  size_t first, last;
};

// Shingles of one kind of one text. Not thread-safe.
class ShingleMaker {
 public:
  ShingleMaker(TokenRule rule, const ShingleKind& kind,
               const ShingleKeys& keys);

  // Appends the shingles that end in the window to `hashes` and, unless null,
  // their units (code points for char kinds, else tokens) to `ranges`; ranges
  // need the whole text in one window.
  void Add(const ShingleInput& input, std::vector<uint64_t>* hashes,
           std::vector<UnitRange>* ranges);
  // After the last window, whose input it gets again: the last segment, or the
  // one shingle of a text with fewer units than a window.
  void Finish(const ShingleInput& input, std::vector<uint64_t>* hashes,
              std::vector<UnitRange>* ranges);

 private:
  void AddUnits(const uint64_t* units, size_t count, size_t carried,
                std::vector<uint64_t>* hashes, std::vector<UnitRange>* ranges);
  void AddToken(uint64_t hash, size_t at);
  void EndSegment(std::vector<uint64_t>* hashes,
                  std::vector<UnitRange>* ranges);

  TokenRule rule_;
  const ShingleKind& kind_;
  const ShingleKeys& keys_;
  uint64_t units_ = 0;  // of the text so far
  // Segments and chunks: the open one.
  std::optional<Chunker> chunker_;
  uint64_t segment_hash_ = 0, segment_tokens_ = 0;
  UnitRange segment_range_ = {0, 0};
  bool terminated_ = false;  // TerminatorAtEnd of the last token
};

// Hash of one code point as a unit of char shingles.
uint64_t HashCodePoint(uint32_t c);

// Appends the code point hashes of the window's tokens joined by one space; a
// space comes first unless the first token is the `first` of the text. With
// `bounds`, appends where each stands in the window's text; the space stands
// for the gap.
struct TextBounds {
  uint32_t begin, end;
};
void AppendCodePoints(const TokenWindow& window, bool first,
                      std::vector<uint64_t>* hashes,
                      std::vector<TextBounds>* bounds);

}  // namespace twinset::features_internal

#endif  // TWINSET_SRC_TEXT_FEATURES_SHINGLES_H_
