// The aligned difference of two texts, with everything that stands in them.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_REPORT_TEXT_DIFF_H_
#define TWINSET_SRC_DEDUP_PIPELINE_REPORT_TEXT_DIFF_H_

#include <span>
#include <string_view>
#include <vector>

#include "text/tokens/features.h"
#include "twinset/explain.h"
#include "verify/diff.h"

namespace twinset {

struct DiffSide {
  std::string_view text;
  std::span<const Token> tokens;  // of it, in order
};

// `runs` align the tokens of x and y. What stands between two tokens goes with
// the first of them up to its first white space, the rest with the second; so
// the pieces of a side, one after the other, are its text (DiffRun). A run of
// common tokens is cut where the two texts begin or cease to write them alike.
std::vector<DiffRun> DiffTexts(const DiffSide& x, const DiffSide& y,
                               std::span<const AlignedRun> runs);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_REPORT_TEXT_DIFF_H_
