// What kind of difference there is between two documents: the kinds by which
// methods are compared (docs/methods/kinds-of-difference.md).
#ifndef TWINSET_SRC_STAGES_VERIFY_DIFFERENCE_KIND_H_
#define TWINSET_SRC_STAGES_VERIFY_DIFFERENCE_KIND_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "twinset/judgements.h"
#include "verify/token_marks.h"

namespace twinset {

// A text and its tokens: where they stand and what they are. `hashes` of the
// normalised tokens, one for each span. `marks` of MarkTokens, for who compares
// a text more than once; empty: they are made where they are needed.
struct TokenisedText {
  std::string_view text;
  std::span<const TextSpan> spans;
  std::span<const uint64_t> hashes;
  std::span<const TokenMark> marks = {};
};

// A page as it is compared, and in the two forms that tell its content from its
// frame. Of what has no frame (plain text, rows) all three are the same text.
struct PageTexts {
  TokenisedText compared, main, all;
};

// The kind by the compared texts. Where these are equal and all that a reader
// sees is not, the kind of that: boilerplate unless only URLs, dates or numbers
// differ. Pure.
DifferenceKind DifferenceOfPages(const PageTexts& a, const PageTexts& b);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_VERIFY_DIFFERENCE_KIND_H_
