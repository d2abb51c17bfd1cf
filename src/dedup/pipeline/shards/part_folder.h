// What a part of a merge keeps for the merge, in a folder with a manifest
// (docs/formats/shard.md, Parts).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_SHARDS_PART_FOLDER_H_
#define TWINSET_SRC_DEDUP_PIPELINE_SHARDS_PART_FOLDER_H_

#include <memory>
#include <string>
#include <vector>

#include "pipeline/run/run.h"
#include "store/saved_run.h"
#include "twinset/error.h"

namespace twinset {

using SavedRuns = std::vector<std::shared_ptr<const SavedRun>>;

// All names that a folder of a part may have.
std::vector<std::string> PartFiles();

// Places the pairs of the verify stage, which is done, and then the manifest,
// into options.out.
Status KeepPart(Run* run);

// Opens the part in the folder: which one it is must be in its manifest.
Result<std::shared_ptr<const SavedRun>> OpenPart(const std::string& folder,
                                                 Shard* number);
// Returns true iff the part was made of these shards, which are all of a run,
// by their numbers.
Result<bool> IsOfShards(const SavedRun& part, const SavedRuns& shards);
// What the candidate and the verify stage of the part have counted; kCorrupt
// when it says something else.
Result<RunCounts> CountsOfPart(const SavedRun& part);

// Opens the folders, in any order, and returns them by their numbers. kUsage
// unless they are all parts of one merge of these shards, each once.
Result<SavedRuns> OpenParts(const std::vector<std::string>& folders,
                            const SavedRuns& shards);

// The candidate and the verify stage of a merge with plan.inputs.parts: they
// unite what these have found, and add up what these have counted.
Status TakeCandidatesStage(Run* run);  // hot.run
Status TakeVerifiedStage(Run* run);    // verified.run

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_SHARDS_PART_FOLDER_H_
