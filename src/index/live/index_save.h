// The documents of an index as inputs of a run.
#ifndef TWINSET_SRC_INDEX_LIVE_INDEX_SAVE_H_
#define TWINSET_SRC_INDEX_LIVE_INDEX_SAVE_H_

#include "store/scratch_folder.h"
#include "twinset/index_files.h"

namespace twinset {

// Returns the options with which Dedup saves a run of the documents that are
// there into options.folder, once it has written them into `work`; with `none`
// set, of no document. It does not look at the index any more.
Result<DedupOptions> BeginSaving(const Index& index,
                                 const IndexSaveOptions& options,
                                 const ScratchFolder& work, bool none = false);

}  // namespace twinset

#endif  // TWINSET_SRC_INDEX_LIVE_INDEX_SAVE_H_
