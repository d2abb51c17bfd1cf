// Lexical signatures: the few words that find a page again (Phelps and
// Wilensky, Robust Hyperlinks, 2000; docs/methods/rescue.md).
#ifndef TWINSET_SRC_MEASURE_SAMPLE_LEXICAL_SIGNATURE_H_
#define TWINSET_SRC_MEASURE_SAMPLE_LEXICAL_SIGNATURE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sample/term_statistics.h"

namespace twinset {

struct SignatureOptions {
  uint32_t terms = 5;
  // Occurrences beyond this do not count, so that rareness outweighs
  // repetition; 0: all count.
  uint64_t most_occurrences = 5;
  // A term that the lexicon does not have is taken as rare. An index built of
  // the lexicon's own corpus cannot hold it: then true.
  bool skip_unknown = false;
};

struct SignatureTerm {
  std::string term;
  double score = 0;  // tf * idf
};

// The terms of highest tf * idf, highest first; ties by bytes. Fewer when the
// page has fewer distinct terms. Terms that every document has (idf 0) come
// last. Time: O(n log n) in the tokens.
std::vector<SignatureTerm> LexicalSignature(
    const std::vector<std::string>& tokens, const TermStatistics& statistics,
    const SignatureOptions& options);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_SAMPLE_LEXICAL_SIGNATURE_H_
