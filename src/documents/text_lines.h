// Lines of any text file, compressed or not, for formats that are not documents
// (edge lists, query logs).
#ifndef TWINSET_SRC_DOCUMENTS_TEXT_LINES_H_
#define TWINSET_SRC_DOCUMENTS_TEXT_LINES_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "twinset/error.h"

namespace twinset::inline v1 {

struct TextLine {
  std::string_view text;  // without its line end; empty when `problem` is not
  uint64_t number = 0;    // from 1; behind damage counted from what was read
  std::string problem;    // "longer than N bytes", "damaged: ..."
};

inline constexpr uint64_t kMaxTextLineBytes = 64 << 10;

// Calls on_line for every line until it returns false. Too long lines and
// damage of the compression come as lines with a problem, and reading goes on
// behind them. kIo when the file cannot be opened or read. Memory: 2 MB, 2 x
// max_line_bytes and the decoder's window.
Status ForEachTextLine(const std::string& path,
                       const std::function<bool(const TextLine&)>& on_line,
                       uint64_t max_line_bytes = kMaxTextLineBytes);
// The same over bytes in memory, for tests.
Status ForEachTextLineOf(std::string bytes,
                         const std::function<bool(const TextLine&)>& on_line,
                         uint64_t max_line_bytes = kMaxTextLineBytes);

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_DOCUMENTS_TEXT_LINES_H_
