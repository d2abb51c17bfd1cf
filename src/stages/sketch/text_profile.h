// A profile of the frequent tokens of a text as a signature (Nutch's
// TextProfileSignature; docs/methods/text-profile.md).
#ifndef TWINSET_SRC_STAGES_SKETCH_TEXT_PROFILE_H_
#define TWINSET_SRC_STAGES_SKETCH_TEXT_PROFILE_H_

#include <memory>
#include <string>
#include <string_view>

#include "sketch/sketcher.h"

namespace twinset {

// Tokens (separated by one space) of more than two characters with their
// frequencies, these rounded down to multiples of max(2, round(1 % of the
// greatest)), or of 1 where none repeats; what falls to zero is left out. One
// line "token frequency" each, most frequent first, equal ones by the bytes of
// the token; lines are separated by line feeds.
std::string TextProfile(std::string_view tokens);

// The MD5 of the profile, four words; of the tokens where the profile is empty,
// so that only equal texts of such kind agree. Reads tokens joined by one
// space.
std::unique_ptr<Sketcher> MakeTextProfileSketcher();

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_SKETCH_TEXT_PROFILE_H_
