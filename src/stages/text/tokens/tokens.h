// Clean text to tokens, in windows of bounded size (docs/methods/tokens.md).
#ifndef TWINSET_SRC_STAGES_TEXT_TOKENS_TOKENS_H_
#define TWINSET_SRC_STAGES_TEXT_TOKENS_TOKENS_H_

#include <cstdint>
#include <string_view>

#include "text/tokens/features.h"
#include "text/tokens/normalise.h"

namespace twinset {

// Some tokens that follow each other. Everything points into the scratch and is
// good until the next call of Next.
struct TokenWindow {
  // Normalised text from the end of the last token of the window before (or
  // the beginning) on; kernels::kPaddingBytes readable behind it.
  const char* text = nullptr;
  const uint32_t* begins = nullptr;  // bytes of `text`
  const uint32_t* ends = nullptr;
  size_t count = 0;
  // Where the tokens stood before a TokenFilter changed the text; without one
  // the same arrays. A NormalisedMap starts from here.
  const uint32_t* place_begins = nullptr;
  const uint32_t* place_ends = nullptr;
};

// Normalised bytes a window aims at: what fits the second-level cache together
// with its tokens.
inline constexpr size_t kTokenWindowBytes = 64 << 10;

// Walks over the tokens of one text. A window ends behind a token that nothing
// further on can change, so the tokens do not depend on the window size. It
// grows when a token, or the space between two, is longer than a window. Time
// is linear in the text. Not thread-safe.
class TokenStream {
 public:
  // `map`, if any, receives the way back: positions in the text of the window
  // that Next returned last. `filter`, if any, is applied to every window.
  TokenStream(std::string_view clean, TokenRule rule, FeatureScratch* scratch,
              size_t window_bytes = kTokenWindowBytes,
              NormalisedMap* map = nullptr,
              const TokenFilter* filter = nullptr);

  // The next window, with at least one token; false: there are no more.
  bool Next(TokenWindow* window);

  // The code points of the text, when Next has returned false.
  uint64_t code_points() const { return normaliser_.code_points(); }
  // The normalised text behind the last token, when Next has returned false.
  // For `map` it begins at RestBegin().
  std::string_view Rest() const {
    return std::string_view(scratch_->normalised)
        .substr(consumed_, size_ - consumed_);
  }
  size_t RestBegin() const { return consumed_; }

 private:
  bool NextUnfiltered(TokenWindow* window);
  size_t Find(std::string_view text);
  size_t FindPeers(std::string_view text);

  TokenRule rule_;
  FeatureScratch* scratch_;
  size_t window_bytes_;
  NormalisedMap* map_;
  const TokenFilter* filter_;
  Normaliser normaliser_;
  size_t size_ = 0;      // valid bytes of scratch_->normalised
  size_t consumed_ = 0;  // of them, those of earlier windows
  bool at_end_ = false;
  bool first_ = true;  // no token yet
};

// Tokens of `--tokens whitespace`: what stands between code points with the
// property White_Space. The arrays have room for text.size() / 2 + 64 entries.
size_t SplitAtWhiteSpace(std::string_view text, uint32_t* begins,
                         uint32_t* ends);

// Tokens of `--tokens features`: of each line what stands in front of its first
// tab, unless it is nothing. `first`: the text begins with a line; else behind
// the token of one. Arrays with room as above.
size_t FindLineNames(std::string_view text, bool first, uint32_t* begins,
                     uint32_t* ends);

// Bytes of the white space character at `p`, 0 when there is none. Reads
// nothing at or behind `end`; p < end.
size_t WhiteSpaceAt(const char* p, const char* end);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_TOKENS_TOKENS_H_
