// The tokens of a text with the hashes that features know them by.
#ifndef TWINSET_SRC_STAGES_TEXT_TOKENS_TERMS_H_
#define TWINSET_SRC_STAGES_TEXT_TOKENS_TERMS_H_

#include <cstdint>
#include <functional>
#include <string_view>

#include "text/tokens/features.h"

namespace twinset {

// Calls `sink` for every token of `clean`, in order and with repeats: the
// normalised token, valid during the call, and the hash of its word:1 shingle.
void ForEachTerm(std::string_view clean, TokenRule rule,
                 FeatureScratch* scratch,
                 const std::function<void(std::string_view, uint64_t)>& sink,
                 const TokenFilter* filter = nullptr);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_TOKENS_TERMS_H_
