// What predictions save and lose, by a crawl that is done over in thought
// (docs/methods/predict.md).
#ifndef TWINSET_SRC_CORPORA_PREDICT_FETCH_SAVINGS_H_
#define TWINSET_SRC_CORPORA_PREDICT_FETCH_SAVINGS_H_

#include <cstdint>
#include <vector>

#include "predict/rule_learning.h"
#include "twinset/corpora/predict.h"
#include "twinset/error.h"

namespace twinset {

// `test` in its order, as a crawler does that has fetched `train` and fetches
// all that `rules` do not say is a duplicate with at least `probability`.
Saving SavingOf(const AddressedPages& train, const AddressedPages& test,
                const std::vector<RewriteRule>& rules, double probability);

// Cross-validated over `folds` folds, at least 2. `pages`: by address, each
// once. Of more than kMostValidated pages whole hosts are drawn.
inline constexpr size_t kMostValidated = 100000;
Result<Validation> ValidateRules(const AddressedPages& pages,
                                 const RuleLearning& learning, uint64_t folds,
                                 uint64_t seed);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_PREDICT_FETCH_SAVINGS_H_
