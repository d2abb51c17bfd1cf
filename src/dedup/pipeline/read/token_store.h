// What the read stage stores of a document with --unit substring: its tokens,
// and where each of them stands.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_READ_TOKEN_STORE_H_
#define TWINSET_SRC_DEDUP_PIPELINE_READ_TOKEN_STORE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "text/page/clean_text.h"
#include "text/tokens/units.h"
#include "twinset/error.h"

namespace twinset {

// Replaces *bytes. Each token counts as a unit.
UnitCounts EncodeTokens(TokenRule rule, const CleanText& clean,
                        UnitScratch* scratch, std::string* bytes);

// The number of tokens that a document has, without a look at them; 0 for what
// is no such document.
uint64_t CountStoredTokens(std::string_view bytes);

// Walks over the tokens of one document. A value, so a copy goes on from where
// the original stands.
class StoredTokens {
 public:
  static Result<StoredTokens> Open(std::string_view bytes);

  uint64_t tokens() const { return tokens_; }  // of the whole document
  // The number of the token that Next gives next.
  uint64_t number() const { return number_; }
  // The next token, into the bytes of the document; empty at the end.
  std::string_view Next();
  // What is left of the normalised text: each token with a space behind it.
  std::string_view rest() const { return rest_; }
  // Goes on to token `number`, at least number() and at most tokens().
  Status SkipTo(uint64_t number);

 private:
  uint64_t tokens_ = 0, number_ = 0;
  std::string_view rest_;
};

// Walks over the places of the same tokens.
class StoredTokenPlaces {
 public:
  static Result<StoredTokenPlaces> Open(std::string_view bytes);

  // Where the stretch of text that goes with token `number` begins, in code
  // points of the clean text and bytes of the decoded source; for the number
  // behind the last token, where the text ends. Numbers must not descend.
  struct Place {
    uint64_t code_point = 0, source = 0;
  };
  Result<Place> At(uint64_t number);

 private:
  explicit StoredTokenPlaces(std::string_view table) : reader_(table) {}
  ByteReader reader_;
  uint64_t number_ = 0;
  Place place_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_READ_TOKEN_STORE_H_
