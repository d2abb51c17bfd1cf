// Which format a source is written in, and whether it can be read in its
// coding.
#ifndef TWINSET_SRC_STAGES_READ_DETECT_H_
#define TWINSET_SRC_STAGES_READ_DETECT_H_

#include <cstddef>
#include <string_view>

#include "read/reader.h"

namespace twinset {

// As many first bytes as DetectFormat looks at.
inline constexpr size_t kDetectFormatBytes = 4 << 10;

// By the first bytes of the decompressed stream; if they say nothing, by the
// suffix of `path` in front of a compression suffix; else kText.
InputFormat DetectFormat(std::string_view first_bytes, std::string_view path);

struct Recognised {
  InputFormat format = InputFormat::kText;
  // Records are looked for in bytes that stand in ASCII, so nothing of them is
  // seen in another coding, which this is; empty when the source can be read.
  std::string_view coding;
};
// What an input is by its first bytes, as `options` say what it is or leave it
// to them. A source in UTF-16 or UTF-32 is what it would be in UTF-8; besides,
// one whose first line names a field of the text among its columns is a table.
Recognised Recognise(std::string_view first_bytes, std::string_view path,
                     const ReadOptions& options);

// Returns true iff rows of JSON are the elements of one array, not lines.
bool IsJsonArray(std::string_view first_bytes);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_DETECT_H_
