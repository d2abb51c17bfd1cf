// Near-duplicates among ranked documents, told by their texts
// (docs/methods/run-evaluation.md).
#ifndef TWINSET_SRC_CORPORA_RETRIEVAL_TEXT_DUPLICATES_H_
#define TWINSET_SRC_CORPORA_RETRIEVAL_TEXT_DUPLICATES_H_

#include "retrieval/duplicate_list.h"
#include "retrieval/id_table.h"
#include "twinset/corpora/runs.h"
#include "twinset/error.h"

namespace twinset {

// Similarity of duplicates when none is given.
inline constexpr double kTextDuplicate = 0.9;

// Every pair of documents of `ids` whose texts in options.texts have at least
// the similarity asked for, by the complete join. A document is known by its id
// or, as engines name it, by its address; of several the first counts. Counts
// into `result`, and warns of ids without a text. kUsage when no id has one;
// errors of Dedup. Memory: that of options.resources, and the ids of the
// collection; the texts of the ranked documents stand in a work folder.
Result<DuplicateList> FindTextDuplicates(const RunsOptions& options,
                                         IdTable* ids,
                                         RunsCollapseResult* result);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_RETRIEVAL_TEXT_DUPLICATES_H_
