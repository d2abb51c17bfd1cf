// Tokens to the shingles of one kind, window by window (docs/spec/1.md,
// Shingles; docs/methods/shingles.md).
#ifndef TWINSET_SRC_STAGES_TEXT_TOKENS_FEATURES_SHINGLES_H_
#define TWINSET_SRC_STAGES_TEXT_TOKENS_FEATURES_SHINGLES_H_

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/keyed_hash.h"
#include "kernels/keyed_tokens.h"
#include "kernels/unicode_class.h"
#include "text/tokens/features.h"
#include "text/tokens/segment.h"
#include "text/tokens/tokens.h"

namespace twinset::features_internal {

// The salt and weights of `kind`: a stream of SplitMix64 of its own, so that
// different kinds and window sizes are hashed independently.
ShingleKeys MakeKeys(const ShingleKind& kind);
// The same drawn from a secret: windows that differ have one hash with a
// probability below 2^-58 over the secret.
ShingleKeys MakeSecretKeys(const ShingleKind& kind, const HashKey& secret);

// What a secret makes of a union of kinds; immutable.
struct SecretHash {
  SecretHash(const std::vector<ShingleKind>& kinds, const HashKey& secret);
  uint64_t CodePoint(uint32_t c) const;

  kernels::TokenKey tokens;
  std::vector<ShingleKeys> keys;  // of each kind
  bool has_chunks = false;        // their ends are found by the public hashes

 private:
  std::array<uint64_t, 128> ascii_;
};

// What stands before each token of a text where characters are counted: one
// space where the text has a break between words, nothing between characters
// that are tokens of their own. Other rules than the spec's join all tokens in
// one way. Called for every token in order.
class CharacterJoiner {
 public:
  explicit CharacterJoiner(TokenRule rule)
      : is_spec_(rule == TokenRule::kUnicode),
        separator_(TokenSeparator(rule)) {}
  std::string_view Before(const TokenWindow& window, size_t i);

 private:
  bool is_spec_;
  std::string_view separator_;
  bool first_ = true, last_single_ = false;
};

// What a window holds for all kinds: its tokens, the hashes of its tokens and,
// with char kinds, of its code points. In front of either array stand `carried`
// hashes of what came before the window.
struct ShingleInput {
  TokenWindow tokens;
  const uint64_t* token_hashes =
      nullptr;  // of the window; carried at [-1], ...
  const uint64_t* public_hashes = nullptr;  // by which chunks end
  size_t carried_tokens = 0;
  const uint64_t* code_point_hashes = nullptr;
  size_t code_points = 0;  // of the window
  size_t carried_code_points = 0;
};

// Units of a shingle, counted within the window: [first, last].
struct UnitRange {
  size_t first, last;
};

// Walks over the tokens of one text and says where its segments or chunks end.
class SegmentWalk {
 public:
  // `keys`: the public ones.
  SegmentWalk(TokenRule rule, const ShingleKind& kind, const ShingleKeys& keys)
      : rule_(rule), unit_(kind.unit) {
    if (unit_ == ShingleKind::kChunk)
      chunker_.emplace(kind.chunk_min, kind.chunk_max, keys.weights.data());
  }
  // Calls add(i) for each token of the window and end() where a segment ends.
  template <class Add, class End>
  void Over(const ShingleInput& input, Add add, End end) {
    const TokenWindow& tokens = input.tokens;
    if (chunker_.has_value()) {
      for (size_t i = 0; i < tokens.count; ++i) {
        add(i);
        if (chunker_->Add(input.public_hashes[i])) end();
      }
      return;
    }
    uint32_t gap_begin = 0;
    for (size_t i = 0; i < tokens.count; ++i) {
      if (EndsBefore(tokens, i, gap_begin)) end();
      add(i);
      gap_begin = tokens.ends[i];
    }
  }

 private:
  bool EndsBefore(const TokenWindow& tokens, size_t i, uint32_t gap_begin) {
    const char* token = tokens.text + tokens.begins[i];
    const char* token_end = tokens.text + tokens.ends[i];
    const std::string_view gap(tokens.text + gap_begin,
                               tokens.begins[i] - gap_begin);
    const bool single =
        unit_ == ShingleKind::kSentence && token < token_end &&
        kernels::ClassOf(kernels::DecodeUtf8(token, token_end).value) ==
            kernels::CodePointClass::kSingle;
    const bool ends = SegmentEnds(unit_, gap, terminated_, single);
    if (rule_ != TokenRule::kUnicode && unit_ == ShingleKind::kSentence) {
      terminated_ =
          TerminatorAtEnd({token, static_cast<size_t>(token_end - token)});
    }
    return ends;
  }

  TokenRule rule_;
  ShingleKind::Unit unit_;
  std::optional<Chunker> chunker_;
  bool terminated_ = false;  // TerminatorAtEnd of the last token
};

// Shingles of one kind of one text, by the spec's hash or under a secret. Not
// thread-safe.
class ShingleMaker {
 public:
  static constexpr bool kHashesUnits = true;
  // `ends`: the public keys, by which chunks end; `keys`: those of the hash.
  ShingleMaker(TokenRule rule, const ShingleKind& kind, const ShingleKeys& ends,
               const ShingleKeys& keys, FeatureHash hash);

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

  const ShingleKind& kind_;
  const ShingleKeys& keys_;
  uint64_t units_ = 0;  // of the text so far
  // Segments and chunks: the open one.
  SegmentWalk walk_;
  uint64_t segment_hash_ = 0, segment_tokens_ = 0;
  UnitRange segment_range_ = {0, 0};
};

// The same by a hash of the text of each shingle: its tokens with
// TokenSeparator between them. Time is the bytes of all shingles; memory is two
// windows of text, or the longest segment. Not thread-safe.
class TextShingleMaker {
 public:
  static constexpr bool kHashesUnits = false;
  TextShingleMaker(TokenRule rule, const ShingleKind& kind,
                   const ShingleKeys& ends, const ShingleKeys& keys,
                   FeatureHash hash);
  void Add(const ShingleInput& input, std::vector<uint64_t>* hashes,
           std::vector<UnitRange>* ranges);
  void Finish(const ShingleInput& input, std::vector<uint64_t>* hashes,
              std::vector<UnitRange>* ranges);

 private:
  void AddUnits(const TokenWindow& window);
  void AddCodePoints(std::string_view text);
  void HashWindows(std::vector<uint64_t>* hashes,
                   std::vector<UnitRange>* ranges);
  void AddToken(std::string_view token, size_t at);
  void EndSegment(std::vector<uint64_t>* hashes,
                  std::vector<UnitRange>* ranges);

  const ShingleKind& kind_;
  FeatureHash hash_;
  std::string_view separator_;
  CharacterJoiner joiner_;
  bool first_ = true;  // no token yet
  // The text of the units that shingles still to come need, or of the open
  // segment; and where the units stand in it.
  std::string text_;
  std::vector<size_t> begins_, ends_;
  uint64_t units_ = 0;  // of the text so far
  SegmentWalk walk_;
  size_t segment_tokens_ = 0;
  UnitRange segment_range_ = {0, 0};
};

// Hash of one code point as a unit of char shingles.
uint64_t HashCodePoint(uint32_t c);

// Where a code point stood in the text, as TokenWindow::place_begins counts: in
// a word that became another, all of the word. A space stands for the gap.
struct TextBounds {
  uint32_t begin, end;
};
// Calls add(code point, bounds) for those of the window's joined tokens.
template <class Add>
void ForEachCodePoint(const TokenWindow& window, CharacterJoiner* joiner,
                      Add add) {
  const bool in_place = window.place_begins == window.begins;
  uint32_t gap_begin = 0;
  for (size_t i = 0; i < window.count; ++i) {
    const uint32_t word = window.place_begins[i],
                   word_end = window.place_ends[i];
    if (!joiner->Before(window, i).empty())
      add(' ', TextBounds{gap_begin, word});
    const char* const end = window.text + window.ends[i];
    for (const char* p = window.text + window.begins[i]; p < end;) {
      const kernels::CodePoint c = kernels::DecodeUtf8(p, end);
      const auto at = static_cast<uint32_t>(p - window.text);
      add(c.value,
          in_place ? TextBounds{at, at + c.size} : TextBounds{word, word_end});
      p += c.size;
    }
    gap_begin = word_end;
  }
}

}  // namespace twinset::features_internal

#endif  // TWINSET_SRC_STAGES_TEXT_TOKENS_FEATURES_SHINGLES_H_
