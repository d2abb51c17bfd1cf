// What the files of a run were when it began: a line for each in a file of the
// work folder, so that a million of them need no memory
// (src/ground/store/FORMAT.md).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RUN_RUN_INPUTS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RUN_RUN_INPUTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "pipeline/run/plan.h"
#include "twinset/error.h"

namespace twinset {

// Writes work file `kRunInputs`; its digest, for the journal.
inline constexpr char kRunInputs[] = "inputs.jsonl";
Result<std::string> RecordRunInputs(const Plan& plan);

// The first file that is not what it was, in words; empty if there is none.
// `digest`: as the journal has it; kCorrupt if the work file has another.
Result<std::string> CompareRunInputs(const Plan& plan,
                                     const std::string& digest);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RUN_RUN_INPUTS_H_
