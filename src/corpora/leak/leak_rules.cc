#include "leak/leak_rules.h"

namespace twinset {
namespace {

// Any shingle of a text shorter than 4 GiB.
constexpr double kAnyShingle = 1e-10;

}  // namespace

LeakRuleInfo LeakRuleOf(LeakRule rule, double threshold) {
  LeakRuleInfo info;
  info.least_share = threshold;
  if (rule == LeakRule::kShare) return info;
  info.least_share = kAnyShingle;
  if (rule == LeakRule::kTulu3) {
    info.covered = 0.5;
    return info;
  }
  info.most_documents = 10;
  info.gap = 0;
  info.least_words = 0;
  info.window = 200;
  info.least_piece = 200;
  info.most_pieces = 10;
  info.between = "\n\n";
  return info;
}

void Gpt3GramWords::Add(uint64_t item_words) {
  if (item_words == 0) return;
  ++items_;
  if (item_words <= kMost) ++shorter_[item_words];
}

uint32_t Gpt3GramWords::Words() const {
  uint64_t so_far = 0;
  for (uint32_t words = 1; words <= kMost; ++words) {
    so_far += shorter_[words];
    if (so_far * 20 >= items_) return words < kLeast ? kLeast : words;
  }
  return kMost;
}

}  // namespace twinset
