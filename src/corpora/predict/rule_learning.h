// Rules for addresses, learnt from pages of which the duplicates are known
// (docs/methods/predict.md).
#ifndef TWINSET_SRC_CORPORA_PREDICT_RULE_LEARNING_H_
#define TWINSET_SRC_CORPORA_PREDICT_RULE_LEARNING_H_

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "twinset/corpora/predict.h"
#include "twinset/error.h"

namespace twinset {

struct AddressedPage {
  static constexpr uint64_t kAlone = UINT64_MAX;
  std::string address;  // plain (rewrite.h)
  uint64_t cluster = kAlone;

  bool IsTwinOf(const AddressedPage& other) const {
    return cluster == other.cluster && cluster != kAlone;
  }
};
using AddressedPages = std::vector<const AddressedPage*>;

struct RuleLearning {
  uint64_t least_support = 5;
  uint64_t most_bytes = UINT64_MAX;  // for suggestions
  const std::atomic<bool>* stop = nullptr;
};

// `pages`: by address, each once. The rules whose probability is likely above
// one half, by support descending. A host has a rule of its own where the rate
// of the rule for any host is not within its interval, so that a rule that
// fails on a host is known to fail there. kMemory, kInterrupted.
Result<std::vector<RewriteRule>> LearnRules(const AddressedPages& pages,
                                            const RuleLearning& learning);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_PREDICT_RULE_LEARNING_H_
