// What a shard keeps for the merge, in a folder with a manifest
// (docs/formats/shard.md).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_SHARDS_SHARD_FOLDER_H_
#define TWINSET_SRC_DEDUP_PIPELINE_SHARDS_SHARD_FOLDER_H_

#include <memory>
#include <string>
#include <vector>

#include "pipeline/run/run.h"
#include "store/saved_run.h"
#include "twinset/error.h"

namespace twinset {

// All names that a folder of a shard may have.
std::vector<std::string> ShardFiles();

// Places the work files of the read stage, which is done, and then the
// manifest, into options.out.
Status KeepShard(Run* run);

Shard NumberOf(const SavedRun& shard);
// The inputs of the run, of which it has read some.
Result<InputList> InputsOfShard(const SavedRun& shard);

// kUsage for a shard that was made with other parameters or inputs than the
// plan's; the message names the first difference.
Status CheckSameRun(const SavedRun& shard, const Plan& plan);

// Opens the folders, in any order, and returns them by their numbers. kUsage
// unless they are all shards of one run, each once; else the errors of
// SavedRun::Open.
Result<std::vector<std::shared_ptr<const SavedRun>>> OpenShards(
    const std::vector<std::string>& folders);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_SHARDS_SHARD_FOLDER_H_
