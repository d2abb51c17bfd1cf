#include "sample/lexical_signature.h"

#include <algorithm>

namespace twinset {

std::vector<SignatureTerm> LexicalSignature(
    const std::vector<std::string>& tokens, const TermStatistics& statistics,
    const SignatureOptions& options) {
  std::vector<SignatureTerm> scored;
  for (const TermCount& term : CountTerms(tokens)) {
    if (options.skip_unknown && statistics.Frequency(term.term) == 0) continue;
    const uint64_t count = options.most_occurrences == 0
                               ? term.count
                               : std::min(term.count, options.most_occurrences);
    scored.push_back(
        {term.term, static_cast<double>(count) * statistics.Idf(term.term)});
  }
  // The terms stand by bytes already, which decides ties.
  std::stable_sort(scored.begin(), scored.end(),
                   [](const SignatureTerm& a, const SignatureTerm& b) {
                     return a.score > b.score;
                   });
  if (scored.size() > options.terms) scored.resize(options.terms);
  return scored;
}

}  // namespace twinset
