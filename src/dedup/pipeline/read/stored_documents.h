// Documents of a saved run, taken over by the read stage as if their inputs
// were read (docs/formats/saved-run.md).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_READ_STORED_DOCUMENTS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_READ_STORED_DOCUMENTS_H_

#include "pipeline/read/read_files.h"
#include "pipeline/run/run.h"
#include "twinset/error.h"

namespace twinset {

// Returns true iff the read stage of a run of this plan writes into `file`;
// else it is empty.
bool LeavesFile(const Plan& plan, read_file::ReadFile file);

// Makes a document of the saved run one of this run: its source, the values of
// scopes, its fields.
Status TakeStoredDocument(const Plan& plan, const StoredInputs& stored,
                          DocumentInfo* info);

// A work file of the saved run; kCorrupt when its manifest does not list it.
Result<BlobReader> OpenStored(const StoredInputs& stored,
                              const std::string& name);

// kCorrupt, of file `name` of the saved run.
tl::unexpected<Error> StoredFilesDoNotFit(const StoredInputs& stored,
                                          const std::string& name);

// What the read stage of the saved run counted.
Result<ReadCounts> StoredReadCounts(const StoredInputs& stored);

// Appends what the read stage of `stored` has left to `files`, which hold what
// precedes its inputs, and adds what it has counted to `counts`. Of a run that
// keeps its decisions it is what that run has compared, so that its pages are
// as they were cut. Reads each of its files once, from front to back. Of a run
// that is asked (ask_stage.h) only what is no document is taken. kCorrupt when
// the files do not fit each other.
Status TakeStoredDocuments(const Run& run, const StoredInputs& stored,
                           ReadOutputs* files, ReadCounts* counts);

// What a run adds to saved runs is an error if none of it can be used; nothing
// is a warning. `problem`: of the first of its records that is no document.
Status CheckAdded(const std::string& problem, Run* run);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_READ_STORED_DOCUMENTS_H_
