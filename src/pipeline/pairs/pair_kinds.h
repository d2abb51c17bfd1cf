// Kinds of difference of sampled pairs (docs/methods/kinds-of-difference.md).
#ifndef TWINSET_SRC_PIPELINE_PAIRS_PAIR_KINDS_H_
#define TWINSET_SRC_PIPELINE_PAIRS_PAIR_KINDS_H_

#include <vector>

#include "pipeline/run/run.h"
#include "verify/difference_kind.h"

namespace twinset::inline v1 {

// The kind of each pair of documents of `base`, whose read stage is done. The
// inputs are read once more; the texts of the documents concerned pass through
// a file of the work folder. `pairs`: in any order.
Result<std::vector<DifferenceKind>> KindsOfPairs(
    Run* base, const std::vector<CandidatePair>& pairs);

// A text with its tokens.
struct TokenisedCopy {
  TokenisedCopy() = default;
  TokenisedCopy(std::string t, const FeatureExtractor& extractor);
  TokenisedText view() const { return {text, spans, hashes}; }

  std::string text;
  std::vector<TextSpan> spans;
  std::vector<uint64_t> hashes;
};

// The forms in which the kind of a difference looks at a document. `main` and
// `all` are empty optionals where they are the compared text.
struct PageForms {
  TokenisedCopy compared;
  std::optional<TokenisedCopy> main, all;
  PageTexts view() const {
    return {compared.view(), main ? main->view() : compared.view(),
            all ? all->view() : compared.view()};
  }
};

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_PIPELINE_PAIRS_PAIR_KINDS_H_
