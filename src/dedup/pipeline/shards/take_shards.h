// The read stage of a merge: what all shards have read becomes what one run
// would have read.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_SHARDS_TAKE_SHARDS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_SHARDS_TAKE_SHARDS_H_

#include "pipeline/run/run.h"
#include "twinset/error.h"

namespace twinset {

// Writes the work files of the read stage (read_files.h) from those of
// plan.inputs.shards, block by block in the order of the inputs, and counts
// what it counts. Features, views and texts are read where they lie, and only
// their order is written (pieces.run): they are copied only for a run that is
// saved, which must stand alone, and of more shards than there are files to
// open. What is copied is read once, from front to back; memory is 32 bytes a
// block and 64 KB a file that is open. kCorrupt when the files of a shard do
// not fit each other or the deal.
Status TakeShardsStage(Run* run);

// Sets run->splices by what that stage left. Memory: 24 bytes a piece.
Status SpliceShards(Run* run);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_SHARDS_TAKE_SHARDS_H_
