// What changed between two documents, in words for a person.
#ifndef TWINSET_SRC_STAGES_VERIFY_KIND_H_
#define TWINSET_SRC_STAGES_VERIFY_KIND_H_

#include <span>
#include <string>
#include <string_view>

#include "verify/diff.h"

namespace twinset {

// One line that names the difference which `runs` (AlignTokens of the two token
// sequences) describe. a_tokens and b_tokens are the tokens as they stand in
// the clean texts; `same_text` says whether the clean texts are equal byte for
// byte, so that differences between or inside equal tokens (punctuation, case)
// are seen. One of:
//   "none", "punctuation or case only", "digits only", "everything", "moved
//   block", "inserted block", "removed block", "replaced block", "inserted
//   words", "removed words", "scattered words", "mixed changes"
// A block is a run of at least kBlockTokens tokens. Linear time. Pure.
std::string KindOfDifference(std::span<const AlignedRun> runs,
                             std::span<const std::string_view> a_tokens,
                             std::span<const std::string_view> b_tokens,
                             bool same_text);

inline constexpr uint64_t kBlockTokens = 8;

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_VERIFY_KIND_H_
