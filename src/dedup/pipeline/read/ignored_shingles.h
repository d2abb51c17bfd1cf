// --ignore: shingles that do not count (docs/methods/common-text.md).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_READ_IGNORED_SHINGLES_H_
#define TWINSET_SRC_DEDUP_PIPELINE_READ_IGNORED_SHINGLES_H_

#include "pipeline/read/ingest.h"
#include "pipeline/run/run.h"

namespace twinset {

struct IgnoredSet {
  IgnoredShingles hashes;  // none without --ignore
  Reservation memory;
};

// The work file that stands for the files of --ignore in a saved run.
inline constexpr char kIgnoredFile[] = "ignored.blob";
// Writes it; nothing without --ignore.
Status KeepIgnored(Run* run);

// Reads the files of --ignore, or kIgnoredFile where it is there, in the work
// folder or in the saved run that the run joins. kMemory when
// half of the budget does not hold their shingles.
Result<IgnoredSet> LoadIgnored(Run* run);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_READ_IGNORED_SHINGLES_H_
