// Options of a run over units of text (twinset/dedup.h).
#ifndef TWINSET_UNIT_OPTIONS_H_
#define TWINSET_UNIT_OPTIONS_H_

#include <cstdint>

#include "twinset/text_choices.h"

namespace twinset {
inline namespace v1 {

// Which units of text are looked for, and what happens to repeated ones
// (docs/methods/units.md).
struct UnitOptions {
  UnitKind unit = UnitKind::kParagraph;
  UnitAction unit_action = UnitAction::kKeepFirst;
  // Shorter units are neither listed nor cut. 0: LeastTokens.
  uint64_t min_tokens = 0;
  EmptyRows empty_rows = EmptyRows::kKeep;  // of `write`
  // Units of fewer places are neither listed nor cut.
  uint64_t min_copies = 2;
  // So many units in a row are compared in place of each one.
  uint64_t unit_window = 1;
};

// The tokens that a unit has at least.
inline uint64_t LeastTokens(const UnitOptions& options) {
  if (options.min_tokens != 0) return options.min_tokens;
  return options.unit == UnitKind::kSubstring ? 50 : 5;
}

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_UNIT_OPTIONS_H_
