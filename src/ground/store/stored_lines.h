// Lines of a file that this program wrote.
#ifndef TWINSET_SRC_GROUND_STORE_STORED_LINES_H_
#define TWINSET_SRC_GROUND_STORE_STORED_LINES_H_

#include <cstdint>
#include <functional>
#include <string_view>

#include "base/file.h"
#include "twinset/error.h"

namespace twinset {

// Calls on_line with each whole line, without its line feed, and the offset at
// which it begins. Gives the offset behind the last of them: what follows was
// being written when a run died. kCorrupt for a line of more than `most_bytes`.
// Memory: 1 MB and a line.
Result<uint64_t> ForEachStoredLine(
    const File& file, uint64_t most_bytes,
    const std::function<Status(std::string_view line, uint64_t offset)>&
        on_line);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_STORE_STORED_LINES_H_
