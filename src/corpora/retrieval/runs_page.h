// What the `runs` commands say (docs/methods/run-evaluation.md).
#ifndef TWINSET_SRC_CORPORA_RETRIEVAL_RUNS_PAGE_H_
#define TWINSET_SRC_CORPORA_RETRIEVAL_RUNS_PAGE_H_

#include "twinset/corpora/runs.h"

namespace twinset {

// Gives a result, which is complete else, its sides and its page.
void TellOf(RunsEvalResult* result);
void TellOf(RunsCollapseResult* result);
void TellOf(RunsTransferResult* result);
void TellOf(RunsCompareResult* result);
void TellOf(RunsMakeResult* result);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_RETRIEVAL_RUNS_PAGE_H_
