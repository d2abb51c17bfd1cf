// The rules of bytes for every list of lines, and every small file of settings,
// that a user gives. ForEachTextLine (documents/text_lines.h) streams lists by
// them; ReadListText reads a small file whole.
#ifndef TWINSET_SRC_GROUND_BASE_LISTS_LIST_TEXT_H_
#define TWINSET_SRC_GROUND_BASE_LISTS_LIST_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "twinset/error.h"

namespace twinset {

// The byte order mark of UTF-8. Editors put it in front of a file, so that it
// stands in front of any line where files were joined.
inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// `line` without the byte order marks in front of it.
inline std::string_view WithoutMark(std::string_view line) {
  while (line.starts_with(kByteOrderMark))
    line.remove_prefix(kByteOrderMark.size());
  return line;
}

// So many first bytes are enough for CheckListBytes.
inline constexpr size_t kListHeadBytes = 64;

// kCorrupt, naming the coding and what to do, when the first bytes of a list
// are those of UTF-16 or UTF-32, with their mark or without one.
Status CheckListBytes(std::string_view first_bytes, const std::string& path);

// kCorrupt: what is read as UTF-8 is in `coding`, a name that iconv knows.
tl::unexpected<Error> RefuseCoding(std::string_view coding,
                                   const std::string& path);

// The text of a list that `bytes` are: without byte order marks in front of its
// lines, each of which ends with '\n' alone. kCorrupt for what CheckListBytes
// refuses, for compressed bytes, and for a NUL byte.
Result<std::string> ListTextOf(std::string bytes, const std::string& path);

// The same of a file of at most `most_bytes` bytes, which are in memory twice.
Result<std::string> ReadListText(const std::string& path, uint64_t most_bytes);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_LISTS_LIST_TEXT_H_
