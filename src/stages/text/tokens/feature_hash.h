// How the text of a feature becomes a number, where it is not the spec's own
// hash (docs/methods/feature-hashes.md).
#ifndef TWINSET_SRC_STAGES_TEXT_TOKENS_FEATURE_HASH_H_
#define TWINSET_SRC_STAGES_TEXT_TOKENS_FEATURE_HASH_H_

#include <cstdint>
#include <string_view>

#include "twinset/method_choices.h"

namespace twinset {

// The value of a feature whose text is `text`. kBinary of anything but 1 to 64
// digits 0 and 1, and kDecimal of anything but the digits of a number below
// 2^64, is the kMd5 of the text. For kSpec, which does not hash texts, the same
// as kXxh3. Thread-safe.
uint64_t HashFeature(FeatureHash hash, std::string_view text);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_TOKENS_FEATURE_HASH_H_
