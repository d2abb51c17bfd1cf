// Clean text to tokens to shingles (docs/spec/1.md, Tokens,
// Shingles).
#ifndef TWINSET_SRC_STAGES_TEXT_TOKENS_FEATURES_H_
#define TWINSET_SRC_STAGES_TEXT_TOKENS_FEATURES_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/keyed_hash.h"
#include "text/tokens/feature_hash.h"
#include "text/tokens/token_filter.h"
#include "twinset/error.h"
#include "twinset/text_choices.h"

namespace twinset {

// What stands between two words where they are joined: one space, or nothing.
std::string_view TokenSeparator(TokenRule rule);

// One feature kind of --shingle.
struct ShingleKind {
  enum Unit : uint8_t { kWord, kChar, kLine, kSentence, kParagraph, kChunk };
  Unit unit = kWord;
  uint32_t n = 5;  // window of kWord (tokens) and kChar (characters)
  uint32_t chunk_min = 0, chunk_max = 0;  // kChunk: tokens
  friend bool operator==(const ShingleKind&, const ShingleKind&) = default;
};

// "word:5", "char:9", "line", "sentence", "paragraph", "chunk:20-100", and
// unions "word:2+word:3". kUsage says what is wrong with the text. N is at most
// kMaxShingleWindow, MAX at most kMaxChunkTokens, and no kind stands twice.
inline constexpr uint32_t kMaxShingleWindow = 256;
inline constexpr uint32_t kMaxChunkTokens = 1000000;
Result<std::vector<ShingleKind>> ParseShingles(std::string_view text);
std::string ShinglesToString(const std::vector<ShingleKind>& kinds);

// A token and where it stands in the clean text, in bytes.
struct Token {
  uint32_t begin = 0, end = 0;  // in the clean text
  std::string text;             // normalised
};

// The same for the time of a call.
struct TokenView {
  uint32_t begin = 0, end = 0;
  std::string_view text;
};

// Offsets of one shingle for quoting: bytes of the clean text.
struct ShingleSpan {
  uint64_t hash = 0;
  uint32_t begin = 0, end = 0;
};

// One shingle as what it is made of: `kind` is its place in the union, `text`
// its tokens, each behind its length, or its characters. Shingles are the same
// if both are.
struct ShingleText {
  uint64_t hash = 0;
  uint32_t kind = 0;
  std::string_view text;
};

// What the sketch and verify stages see of a document.
struct Features {
  std::vector<uint64_t> shingles;  // ascending, unique hashes
  uint64_t token_count = 0;
  uint64_t code_points = 0;  // of the clean text
};

// Places in a text. What is not filled is never touched, so it takes no memory.
class PlaceBuffer {
 public:
  uint32_t* data() { return data_.get(); }
  uint32_t operator[](size_t i) const { return data_[i]; }
  size_t size() const { return size_; }
  // Room for at least `size`; what it held is lost.
  void Grow(size_t size) {
    if (size <= size_) return;
    data_.reset();
    data_ = std::make_unique_for_overwrite<uint32_t[]>(size);
    size_ = size;
  }

 private:
  std::unique_ptr<uint32_t[]> data_;
  size_t size_ = 0;
};

// Reusable buffers of one thread. They grow with the longest token, not with
// the document: text passes through them in windows (text/tokens/tokens.h).
struct FeatureScratch {
  std::string normalised;
  PlaceBuffer begins, ends;
  // Public and under the secret: of tokens, and of code points for char
  // shingles.
  std::vector<uint64_t> token_hashes, code_point_hashes;
  std::vector<uint64_t> secret_token_hashes, secret_code_point_hashes;
  // For a TokenFilter: the window without stop words, and the last stemmer. The
  // first `done` bytes of `filtered` end with the last token that was kept,
  // `size` are valid.
  std::string filtered, stemmer_name;
  size_t filtered_done = 0, filtered_size = 0;
  PlaceBuffer filtered_begins, filtered_ends;
  std::shared_ptr<Stemmer> stemmer;
};

// The constants of one kind (docs/spec/1.md, Shingles).
struct ShingleKeys {
  uint64_t salt = 0;
  std::vector<uint64_t> weights;
};

namespace features_internal {
struct SecretHash;
}
class TokenStream;

// Immutable after construction; safe to share between threads, each with its
// own scratch.
class FeatureExtractor {
 public:
  // `filter`: what becomes of tokens before anything is made of them; null:
  // nothing.
  using Filter = std::shared_ptr<const TokenFilter>;
  FeatureExtractor(TokenRule tokens, std::vector<ShingleKind> kinds,
                   FeatureHash hash = FeatureHash::kSpec, Filter filter = {});
  // Hashes under `secret` instead, for what is verified by equality alone: the
  // same shingles, other values (docs/methods/verification.md).
  FeatureExtractor(TokenRule tokens, std::vector<ShingleKind> kinds,
                   const HashKey& secret, Filter filter = {});

  // The hot path, where the hash is the spec's. Others hash the text of each
  // shingle: a byte costs as much as there are shingles over it, at most N for
  // windows of N. `clean` is valid UTF-8 (malformed bytes count as U+FFFD) and
  // shorter than 4 GiB. Peak memory, scratch and features together: at most 24
  // bytes per byte of text, except for text made of code points that normalise
  // to many (there it is proportional to the normalised text).
  void Extract(std::string_view clean, FeatureScratch* scratch,
               Features* features) const;

  // For an extractor with a secret: gives its own features and, in *open, those
  // of an extractor without a secret, in one pass over the text. Either in the
  // order of Extract (as_set) or of Sequence.
  void ExtractBoth(std::string_view clean, bool as_set, bool open_as_set,
                   FeatureScratch* scratch, Features* features,
                   Features* open) const;

  // The same with every shingle in the order of the text, repeats kept: kinds
  // of a union take turns, a stretch of the text each. Peak memory: those 24
  // bytes, or 24 for each shingle of each kind if that is more.
  void Sequence(std::string_view clean, FeatureScratch* scratch,
                Features* features) const;

  // Shingle hashes in text order with their spans (for explain and passages).
  // The set of the hashes equals Extract's. Not bounded like Extract: the
  // tokens and the way back of the whole text are held.
  std::vector<ShingleSpan> Spans(std::string_view clean) const;
  // For an extractor of the spec's hash or a secret: returns the shingles of
  // the text, kind by kind, each in the order of the text. Their texts point
  // into *buffer. Held like Spans.
  std::vector<ShingleText> Texts(std::string_view clean,
                                 std::string* buffer) const;
  // Tokens with spans (for text, explain, exact level tokens): where the words
  // stand, also where the token is their stem.
  std::vector<Token> Tokens(std::string_view clean) const;
  // The same tokens one after the other; only a window of the text is held.
  void ForEachToken(std::string_view clean,
                    const std::function<void(const TokenView&)>& body) const;

  // Returns true iff there is a token. Reads no further than to the first.
  bool HasToken(std::string_view clean) const;

  const std::vector<ShingleKind>& kinds() const { return kinds_; }

 private:
  // Where the shingles of one pass go, by which hash.
  struct Output {
    bool secret = false, as_set = false;
    Features* features = nullptr;
  };
  template <class Maker>
  void Fill(std::string_view clean, std::span<const Output> outputs,
            FeatureScratch* scratch) const;
  void FillOne(std::string_view clean, bool as_set, FeatureScratch* scratch,
               Features* features) const;
  // The whole text as one window, hashed.
  struct WholeText;
  bool ReadWhole(TokenStream* stream, WholeText* whole) const;
  template <class Maker>
  std::vector<ShingleSpan> FillSpans(std::string_view clean) const;
  template <class Maker>
  std::vector<Maker> Makers(bool secret) const;

  TokenRule rule_;
  FeatureHash hash_;
  Filter filter_;
  std::vector<ShingleKind> kinds_;
  std::vector<ShingleKeys> keys_;  // one for each kind
  std::shared_ptr<const features_internal::SecretHash> secret_;  // or null
  size_t max_words_ = 0;  // largest n of the word kinds, 0 without any
  size_t max_chars_ = 0;  // the same of the char kinds
};

// The normalised tokens of `clean` with TokenSeparator between any two: exact
// level "tokens", of which no two sequences of tokens give one.
void JoinTokens(std::string_view clean, TokenRule rule, FeatureScratch* scratch,
                std::string* out, const TokenFilter* filter = nullptr);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_TOKENS_FEATURES_H_
