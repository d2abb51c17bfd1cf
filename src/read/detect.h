// Which format a source is written in.
#ifndef TWINSET_SRC_READ_DETECT_H_
#define TWINSET_SRC_READ_DETECT_H_

#include <cstddef>
#include <string_view>

#include "read/reader.h"

namespace twinset::inline v1 {

// As many first bytes as DetectFormat looks at.
inline constexpr size_t kDetectFormatBytes = 4 << 10;

// By the first bytes of the decompressed stream; if they say nothing, by the
// suffix of `path` in front of a compression suffix; else kText.
InputFormat DetectFormat(std::string_view first_bytes, std::string_view path);

// Returns true iff rows of JSON are the elements of one array, not lines.
bool IsJsonArray(std::string_view first_bytes);

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_READ_DETECT_H_
