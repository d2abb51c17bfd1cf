// The door for every list of lines that a user gives beside documents (edge
// lists, judgements, networks, names of files): any text file, compressed or
// not, a pipe too. Its rules of bytes are those of base/lists/list_text.h.
#ifndef TWINSET_SRC_DEDUP_DOCUMENTS_TEXT_LINES_H_
#define TWINSET_SRC_DEDUP_DOCUMENTS_TEXT_LINES_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "twinset/error.h"

namespace twinset {

class ByteStream;
struct InputFile;

struct TextLine {
  // Without its line end and byte order marks; empty when `problem` is not.
  std::string_view text;
  // As it stands in the file, without '\n' alone, even if it holds a NUL byte.
  // For files of ours, whose names may hold anything but line ends.
  std::string_view raw = {};
  uint64_t number = 0;  // from 1; behind damage counted from what was read
  // "longer than N bytes", "damaged: ...", "holds a NUL byte".
  std::string problem;
};

inline constexpr uint64_t kMaxTextLineBytes = 64 << 10;

// Calls on_line for every line until it returns false. Too long lines, damage
// of the compression and NUL bytes come as lines with a problem, and reading
// goes on behind them. Nothing is trimmed. kIo when the file cannot be opened
// or read, kUsage for a device, kCorrupt for UTF-16 and UTF-32. Memory: 2 MB, 2
// x max_line_bytes and the decoder's window.
Status ForEachTextLine(const std::string& path,
                       const std::function<bool(const TextLine&)>& on_line,
                       uint64_t max_line_bytes = kMaxTextLineBytes);
// The same of an input, which may be remote.
Status ForEachTextLine(const InputFile& input,
                       const std::function<bool(const TextLine&)>& on_line,
                       uint64_t max_line_bytes = kMaxTextLineBytes);
// The same over a stream, from where it stands on; `path` is for messages.
Status ForEachTextLineOf(const std::string& path, ByteStream* stream,
                         const std::function<bool(const TextLine&)>& on_line,
                         uint64_t max_line_bytes = kMaxTextLineBytes);
// The same over bytes in memory, for tests.
Status ForEachTextLineOf(std::string bytes,
                         const std::function<bool(const TextLine&)>& on_line,
                         uint64_t max_line_bytes = kMaxTextLineBytes);

// kCorrupt for UTF-16 and UTF-32, of a list that another reader parses; nothing
// of a pipe, which can be read only once.
Status CheckListFile(const std::string& path);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_DOCUMENTS_TEXT_LINES_H_
