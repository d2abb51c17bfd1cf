// One document by its name, for commands that look at single ones.
#ifndef TWINSET_SRC_DEDUP_DOCUMENTS_FIND_DOCUMENT_H_
#define TWINSET_SRC_DEDUP_DOCUMENTS_FIND_DOCUMENT_H_

#include <string>

#include "documents/pass_progress.h"
#include "twinset/error.h"
#include "twinset/inspect.h"
#include "twinset/options.h"

namespace twinset {

// The document of file `name`, or the one that a run over the inputs of `in`
// calls so, with its payload. kUsage when there is none, or when the file holds
// several.
Result<DocumentText> FindDocument(const std::string& name,
                                  const InputOptions& in,
                                  const FeatureOptions& features,
                                  const PassWatch& watch = {});

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_DOCUMENTS_FIND_DOCUMENT_H_
