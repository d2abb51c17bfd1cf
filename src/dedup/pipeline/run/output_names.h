// What the files of --write and --attributes are called: one per input.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RUN_OUTPUT_NAMES_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RUN_OUTPUT_NAMES_H_

#include <string>

#include "pipeline/run/plan.h"

namespace twinset {

// Where --write puts what stays of `input`: its own name, below the folder.
std::string WrittenPath(const PlanOptions& options, const InputFile& input);

// Returns true iff --attributes names one file: NAME.jsonl, also compressed,
// unless it is a folder.
bool IsAttributeFile(const std::string& path);
// Where --attributes, a folder, puts the rows of `input`: its own name, with
// .jsonl behind that of another format.
std::string AttributesPath(const PlanOptions& options, const InputFile& input);

// Makes the folder of `path`, which is below `folder`, that of `flag`. kIo when
// another on the way has become a link that leads out of it.
Status MakeFolderOf(const std::string& path, const std::string& folder,
                    const std::string& flag);

// kUsage where two files would have one name, or a name could not be written.
Status CheckOutputNames(const Plan& plan);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RUN_OUTPUT_NAMES_H_
