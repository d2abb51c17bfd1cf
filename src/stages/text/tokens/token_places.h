// Clean text to tokens and the stretch of text that goes with each
// (docs/methods/units.md).
#ifndef TWINSET_SRC_STAGES_TEXT_TOKENS_TOKEN_PLACES_H_
#define TWINSET_SRC_STAGES_TEXT_TOKENS_TOKEN_PLACES_H_

#include <cstdint>
#include <functional>
#include <string_view>

#include "text/tokens/features.h"
#include "text/tokens/units.h"

namespace twinset {

// Calls `body` for every token of `clean` in order, with its normalised text
// and the clean byte where the stretch that goes with it begins: 0 for the
// first token. A stretch ends where the next one begins, the last one at the
// end of the text, so the stretches of a text with a token make up all of it.
// What stands between two tokens goes with the one before, up to the end of the
// first white space there; what is behind that (a bracket, a quote, a bullet)
// goes with the one behind. Of several tokens that one character stands for,
// the last has it, and the stretches of the others are empty.
//
// `clean` is as FeatureExtractor::Extract takes it. Time is linear; memory: a
// window of text (text/tokens/tokens.h). The text of a token is good during the
// call. Counts each token as a unit.
UnitCounts ForEachToken(
    std::string_view clean, TokenRule rule, UnitScratch* scratch,
    const std::function<void(std::string_view token, uint32_t begin)>& body);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_TOKENS_TOKEN_PLACES_H_
