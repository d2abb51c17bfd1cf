// The stages of `match` that are not those of `dedup`
// (docs/methods/passages.md, docs/formats/results.md).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_MATCH_STAGES_H_
#define TWINSET_SRC_DEDUP_PIPELINE_MATCH_STAGES_H_

#include "pipeline/run/run.h"

namespace twinset {

// kCorrupt when a side has no document: nothing found would look like nothing
// there. Leaves quarantine.jsonl.
Status CheckSides(Run* run);
// clusters.run: each document of A that has a match, a pair that --max-loss
// lets count, with its best one in B.
Status BestStage(Run* run);
// passages.jsonl, when the plan stores passages.
Status PassageStage(Run* run);
// The files of the result folder but passages and summary.
Status MatchResultStage(Run* run);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_MATCH_STAGES_H_
