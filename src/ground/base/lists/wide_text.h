// UTF-16 and UTF-32, as far as it takes to tell them and what is written in
// them.
#ifndef TWINSET_SRC_GROUND_BASE_LISTS_WIDE_TEXT_H_
#define TWINSET_SRC_GROUND_BASE_LISTS_WIDE_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace twinset {

struct WideText {
  // The name that iconv has for the coding; empty for bytes that begin neither
  // with a mark of it nor with two characters of Latin-1 in it.
  std::string_view coding;
  bool is_marked = false;
  // How many bytes from the beginning on are characters of Latin-1; counted
  // where there is no mark.
  size_t latin_bytes = 0;
  // The characters behind the mark: ASCII, and '?' for each other one.
  std::string text;
};

// `bytes` are the first of a text. Linear time.
WideText ReadWideText(std::string_view bytes);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_LISTS_WIDE_TEXT_H_
