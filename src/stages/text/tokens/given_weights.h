// The weights of features that are given in place of a text
// (docs/methods/shingles.md).
#ifndef TWINSET_SRC_STAGES_TEXT_TOKENS_GIVEN_WEIGHTS_H_
#define TWINSET_SRC_STAGES_TEXT_TOKENS_GIVEN_WEIGHTS_H_

#include <cstdint>
#include <string_view>

namespace twinset {

// Walks over the lines of such a text (read/rows/given_features.h), of which
// each that has a token under TokenRule::kFeatures has a weight. Not
// thread-safe.
class GivenWeights {
 public:
  static constexpr uint64_t kOne = 1 << 16;
  explicit GivenWeights(std::string_view text) : rest_(text) {}

  // The weight of the next feature in 1/65536, rounded, from 1 to 2^32 - 1:
  // kOne where the line says none.
  uint64_t Next();

 private:
  std::string_view rest_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_TOKENS_GIVEN_WEIGHTS_H_
