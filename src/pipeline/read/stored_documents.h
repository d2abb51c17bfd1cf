// Documents of a saved run, taken over by the read stage as if their inputs
// were read (docs/formats/saved-run.md).
#ifndef TWINSET_SRC_PIPELINE_READ_STORED_DOCUMENTS_H_
#define TWINSET_SRC_PIPELINE_READ_STORED_DOCUMENTS_H_

#include "pipeline/read/read_files.h"
#include "pipeline/run/run.h"
#include "twinset/error.h"

namespace twinset {

// Appends what the read stage of plan.stored has left to `files`, which hold
// what precedes its inputs, and adds what it has counted to `counts`. Reads
// each of its files once, from front to back. kCorrupt when they do not fit
// each other.
Status TakeStoredDocuments(const Run& run, ReadFiles* files,
                           ReadCounts* counts);

}  // namespace twinset

#endif  // TWINSET_SRC_PIPELINE_READ_STORED_DOCUMENTS_H_
