// Texts that are made up, of which a known share are near-copies.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_MADE_UP_TEXTS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_MADE_UP_TEXTS_H_

#include <cstdint>
#include <string>

#include "twinset/error.h"

namespace twinset {

// Writes rows of JSON, id and text, with `bytes` of text each on average. Half
// of the documents are one of the last thousand others with a share of its
// words replaced, a tenth of them none. The same arguments, the same bytes.
Status WriteMadeUpTexts(const std::string& path, uint64_t documents,
                        uint64_t bytes);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_MADE_UP_TEXTS_H_
