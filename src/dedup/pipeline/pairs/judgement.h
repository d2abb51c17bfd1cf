// What is said of a pair beside its similarity: what the documents share, what
// differs, and how likely a reader calls them near-duplicates. One place for
// `explain`, for result rows and for the kinds of an evaluation.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_PAIRS_JUDGEMENT_H_
#define TWINSET_SRC_DEDUP_PIPELINE_PAIRS_JUDGEMENT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/keyed_hash.h"
#include "pipeline/read/judged_text.h"
#include "text/tokens/features.h"
#include "twinset/options.h"
#include "verify/difference_kind.h"
#include "verify/pair_kind.h"

namespace twinset {

struct Judgement {
  DuplicateKind kind = DuplicateKind::kDifferent;
  DifferenceKind difference = DifferenceKind::kMixed;
  uint32_t per_mille = 0;  // the grade
};

// A text that stands elsewhere, with its tokens.
struct TokenisedForm {
  std::string_view text;
  std::vector<TextSpan> spans;
  std::vector<uint64_t> hashes;
  std::vector<TokenMark> marks;  // of JudgedDocument::compared
  TokenisedText view() const { return {text, spans, hashes, marks}; }
};

// A document as its pairs are judged. Its texts stand elsewhere.
struct JudgedDocument {
  TokenisedForm compared;
  std::optional<TokenisedForm> other;  // JudgedText::other
  // Ascending hashes as stored: shingles of `compared`, and of the layout.
  std::string content, layout;
};

// Thread-safe.
class Judge {
 public:
  // Tokens and shingles are hashed under `key`: only their equality counts.
  static Result<Judge> Make(const FeatureOptions& features, const HashKey& key);

  JudgedDocument Prepare(const JudgedText& text,
                         const std::vector<uint64_t>& layout) const;
  // The same for DifferenceOf alone: without content and layout.
  JudgedDocument PrepareForms(const JudgedText& text) const;
  // What Prepare makes of a text, to the byte but for the layout; and at most
  // so many bytes for each that EncodeJudged makes.
  uint64_t BytesOf(const JudgedText& text) const;
  static constexpr uint64_t kBytesAByte = 24;

  PairFacts FactsOf(const JudgedDocument& a, const JudgedDocument& b) const;
  DifferenceKind DifferenceOf(const JudgedDocument& a,
                              const JudgedDocument& b) const;
  // Symmetric but for insertion and deletion, which say what `b` has.
  Judgement Of(const JudgedDocument& a, const JudgedDocument& b) const;

 private:
  Judge(const HashKey& key, ContentMode mode) : key_(key), mode_(mode) {}
  TokenisedForm Tokenise(std::string_view text) const;

  HashKey key_;
  ContentMode mode_;
  std::unique_ptr<FeatureExtractor> content_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_PAIRS_JUDGEMENT_H_
