// Lexica, and how two of them differ, in words and tables.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_LEXICON_PAGE_H_
#define TWINSET_SRC_DEDUP_PIPELINE_LEXICON_PAGE_H_

#include <array>
#include <cstddef>
#include <vector>

#include "report/kept_page.h"
#include "sketch/learnt/lexicon.h"
#include "twinset/lexicon.h"

namespace twinset {

// How many terms of a kind a page shows.
constexpr size_t kShownTerms = 20;

// The first changes of each kind, by LexiconChange::Kind.
using ShownChanges = std::array<std::vector<LexiconChange>, 3>;

// The term at a place of the lexicon.
LexiconRow RowOf(const Lexicon& lexicon, size_t place);

KeptPage LexiconPage(const Lexicon& lexicon, const LexiconInfo& info);
// The most common and the rarest terms.
void AddTerms(const Lexicon& lexicon, KeptPage* page);
KeptPage DifferencePage(const LexiconDifference& difference,
                        const ShownChanges& shown);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_LEXICON_PAGE_H_
