// Which stretches of one text stand in another: quotation, plagiarism,
// contamination (docs/methods/passages.md).
#ifndef TWINSET_SRC_STAGES_VERIFY_PASSAGES_H_
#define TWINSET_SRC_STAGES_VERIFY_PASSAGES_H_

#include <cstdint>
#include <span>
#include <vector>

namespace twinset {

// Tokens [a_begin, a_end) of one text, copied as [b_begin, b_end) of the other.
struct Passage {
  uint32_t a_begin = 0, a_end = 0;
  uint32_t b_begin = 0, b_end = 0;
  uint32_t equal = 0;  // tokens that stand in both, in order
  friend bool operator==(const Passage&, const Passage&) = default;
};

struct PassageRules {
  uint32_t seed_tokens = 5;  // a passage holds that many equal tokens in a row
  uint32_t max_gap = 8;      // tokens that may differ between two equal runs
  uint32_t min_tokens = 10;  // shorter passages are not reported
};

// Passages of `a` in `b`, both as hashes of tokens, ascending by a_begin. They
// do not overlap in `a`; of two that would, the longer stays, ties to the
// earlier in `a`, then in `b`. Runs of equal tokens of at least seed_tokens,
// grown as far as tokens agree, are chained when they follow each other in both
// texts with at most max_gap tokens between them on either side.
// Cost: O(|a| + |b| + matches), expected, for tokens under a secret hash; seeds
// that occur often in `b` are tried at their first kMaxPlaces places only, so
// that repetitive texts stay linear. Memory: kPassageIndexBytes a token of `b`.
std::vector<Passage> FindPassages(std::span<const uint64_t> a,
                                  std::span<const uint64_t> b,
                                  const PassageRules& rules);
inline constexpr uint32_t kMaxPlaces = 32;
inline constexpr uint64_t kPassageIndexBytes = 6;

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_VERIFY_PASSAGES_H_
