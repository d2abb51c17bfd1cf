// When an item leaks, and what is cut of a document that has it: the rule of
// this command and those of others (docs/methods/leak.md, Rules of others).
#ifndef TWINSET_SRC_CORPORA_LEAK_LEAK_RULES_H_
#define TWINSET_SRC_CORPORA_LEAK_LEAK_RULES_H_

#include <cstdint>
#include <string_view>

#include "twinset/corpora/leak.h"

namespace twinset {

struct LeakRuleInfo {
  // The least share of the shingles of an item in one document that can leak.
  double least_share = 0;
  // More than this share of its words must stand in such shingles; 0: any.
  double covered = 0;
  // Shingles that stand in more training documents do not count; 0: no limit.
  uint64_t most_documents = 0;

  // A passage of an item may have so many other words in a row, in place of no
  // more of the item, and has at least so many words, or all of the item.
  uint32_t gap = 8, least_words = 10;
  // Characters on either side of a passage that go with it.
  uint64_t window = 0;
  // What stays between passages is a piece. Shorter ones, in characters, go,
  // and where there are more pieces, the document goes.
  uint64_t least_piece = 0, most_pieces = UINT64_MAX;
  std::string_view between;  // two pieces, in place of what is cut
};

// `threshold`: of LeakRule::kShare.
LeakRuleInfo LeakRuleOf(LeakRule rule, double threshold);

// Lambert et al. 2024.
inline constexpr uint32_t kTulu3GramWords = 8;

// Brown et al. 2020, appendix C: N is the 5th percentile of the words of the
// items, but at least 8 and at most 13. Counts items that have words.
class Gpt3GramWords {
 public:
  static constexpr uint32_t kLeast = 8, kMost = 13;
  void Add(uint64_t item_words);
  uint32_t Words() const;

 private:
  uint64_t shorter_[kMost + 1] = {};  // by words, up to kMost
  uint64_t items_ = 0;
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_LEAK_LEAK_RULES_H_
