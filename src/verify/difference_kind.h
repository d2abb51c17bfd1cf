// What kind of difference there is between two documents: the kinds by which
// methods are compared (docs/methods/kinds-of-difference.md).
#ifndef TWINSET_SRC_VERIFY_DIFFERENCE_KIND_H_
#define TWINSET_SRC_VERIFY_DIFFERENCE_KIND_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "verify/token_marks.h"

namespace twinset::inline v1 {

// In the order in which they are tried: a pair is of the first that fits. Each
// is decided without an alignment, so none depends on how one breaks its ties.
enum class DifferenceKind : uint8_t {
  kIdentical,    // the same tokens in the same order
  kUrls,         // without those in URLs they are
  kDates,        // without those in dates and times of day they are
  kNumbers,      // without their digits they are
  kBoilerplate,  // the main content is the same, what surrounds it is not
  kInsertion,    // the second has all of the first in order, and more
  kDeletion,     // the first has all of the second in order, and more
  kReordering,   // the same tokens as often, in another order
  kMixed,        // anything else
};
inline constexpr size_t kDifferenceKinds = 9;
// "identical text", "only URLs", "only dates and times", "only numbers", "only
// boilerplate", "insertion", "deletion", "reordering", "mixed".
std::string_view DifferenceKindName(DifferenceKind kind);

// A text and its tokens: where they stand and what they are. `hashes` of the
// normalised tokens, one for each span. `marks` of MarkTokens, for who compares
// a text more than once; empty: they are made where they are needed.
struct TokenisedText {
  std::string_view text;
  std::span<const TextSpan> spans;
  std::span<const uint64_t> hashes;
  std::span<const TokenMark> marks = {};
};

// The kind by these two texts alone: never kBoilerplate. A text without tokens
// and another differ by insertion or deletion. Symmetric but for these two,
// which change places. O(n log n) time. Pure.
DifferenceKind DifferenceOfTexts(const TokenisedText& a,
                                 const TokenisedText& b);

// A page as it is compared, and in the two forms that tell its content from its
// frame. Of what has no frame (plain text, rows) all three are the same text.
struct PageTexts {
  TokenisedText compared, main, all;
};

// The kind by the compared texts. Where these are equal and all that a reader
// sees is not, the kind of that: boilerplate unless only URLs, dates or numbers
// differ. Pure.
DifferenceKind DifferenceOfPages(const PageTexts& a, const PageTexts& b);

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_VERIFY_DIFFERENCE_KIND_H_
