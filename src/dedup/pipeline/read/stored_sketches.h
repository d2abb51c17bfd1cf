// Sketches of a document as the work files hold them.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_READ_STORED_SKETCHES_H_
#define TWINSET_SRC_DEDUP_PIPELINE_READ_STORED_SKETCHES_H_

#include <string>
#include <string_view>
#include <vector>

#include "core/values.h"
#include "twinset/error.h"

namespace twinset {

// Sketches as stored in sketches.blob, and back; the views point into `bytes`,
// which is 4-byte aligned. kCorrupt when the bytes are no such sketches.
void EncodeSketches(const std::vector<Sketch>& sketches, std::string* bytes);
Status DecodeSketches(std::string_view bytes, size_t count,
                      std::vector<SketchView>* sketches);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_READ_STORED_SKETCHES_H_
