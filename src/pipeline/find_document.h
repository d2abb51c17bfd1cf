// One document by its name, for commands that look at single ones.
#ifndef TWINSET_SRC_PIPELINE_FIND_DOCUMENT_H_
#define TWINSET_SRC_PIPELINE_FIND_DOCUMENT_H_

#include <string>

#include "twinset/error.h"
#include "twinset/inspect.h"
#include "twinset/options.h"

namespace twinset {

// The first document of file `name`, or the document that a run over the inputs
// of `in` calls so. kUsage when there is none.
Result<DocumentText> FindDocument(const std::string& name,
                                  const InputOptions& in,
                                  const FeatureOptions& features);

}  // namespace twinset

#endif  // TWINSET_SRC_PIPELINE_FIND_DOCUMENT_H_
