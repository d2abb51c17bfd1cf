// The differences of two texts with a little of what surrounds them, as a page
// shows them side by side.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_REPORT_PAIR_EXCERPT_H_
#define TWINSET_SRC_DEDUP_PIPELINE_REPORT_PAIR_EXCERPT_H_

#include <string>
#include <string_view>
#include <vector>

#include "pipeline/report/text_window.h"
#include "report/html_blocks.h"
#include "text/tokens/features.h"

namespace twinset {

struct PairExcerpt {
  // What only the left one has is kInserted, what only the right one has
  // kDeleted. White space is collapsed.
  std::vector<html::Piece> left, right;
  uint64_t differences = 0, hidden = 0;  // runs of them; not shown
  bool is_same = false;                  // but for white space
};

// At most a few KB, however long the texts are. Time and memory are those of
// the alignment (verify/diff.h). Pure.
PairExcerpt ExcerptOfPair(std::string_view left, std::string_view right,
                          const FeatureExtractor& extractor);

// Fills both sides of `pair` with the excerpt, and says in its note what is not
// shown. Returns true iff the texts are the same; of texts that are not whole
// that is not known. As ExcerptOfPair.
bool FillDifferences(std::string_view left, std::string_view right,
                     bool are_whole, const FeatureExtractor& extractor,
                     html::TextPair* pair);

// Adds a passage that both texts have, with what surrounds it, to both sides of
// `pair`: what they share is kMarked, and what differs within it kInserted at
// the left, kDeleted at the right. A passage whose middle is left out is
// kMarked from end to end. Pure.
void AddPassage(const TextWindow& left, const TextWindow& right,
                const FeatureExtractor& extractor, html::TextPair* pair);

// Says what is marked in `pair`: `passages` with `words` in all.
std::string PassagesNote(const html::TextPair& pair, size_t passages,
                         uint64_t words);

// How a text begins: at most `most` bytes, white space collapsed.
std::string BeginningOf(std::string_view text, size_t most);

// Text with every run of white space as one blank.
std::string WithSingleSpaces(std::string_view text);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_REPORT_PAIR_EXCERPT_H_
