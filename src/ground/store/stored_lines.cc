#include "store/stored_lines.h"

#include <algorithm>
#include <string>

namespace twinset {

Result<uint64_t> ForEachStoredLine(
    const File& file, uint64_t most_bytes,
    const std::function<Status(std::string_view line, uint64_t offset)>&
        on_line) {
  TWINSET_ASSIGN(const uint64_t size, file.Size());
  std::string buffer(std::min<uint64_t>(size, 1 << 20), '\0'), line;
  uint64_t position = 0, begin = 0, number = 1;
  while (position < size) {
    const auto part =
        static_cast<size_t>(std::min<uint64_t>(buffer.size(), size - position));
    TWINSET_TRY(file.ReadAt(position, buffer.data(), part));
    position += part;
    for (std::string_view rest(buffer.data(), part); !rest.empty();) {
      const size_t end = std::min(rest.find('\n'), rest.size());
      line.append(rest.substr(0, end));
      if (line.size() > most_bytes) {
        return Fail(ErrorCode::kCorrupt, "a line is too long",
                    file.path() + ":" + std::to_string(number));
      }
      if (end == rest.size()) break;
      TWINSET_TRY(on_line(line, begin));
      begin += line.size() + 1;
      ++number;
      line.clear();
      rest.remove_prefix(end + 1);
    }
  }
  return begin;
}

}  // namespace twinset
