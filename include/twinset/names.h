// How the names of files, which may be any bytes, are written as text.
#ifndef TWINSET_NAMES_H_
#define TWINSET_NAMES_H_

#include <optional>
#include <string>
#include <string_view>

namespace twinset {
inline namespace v1 {

// The name as every output shows it: bytes that are not UTF-8, control bytes
// (below 0x20, and 0x7F) and backslashes become \xHH, two lower-case digits.
// So it is printable UTF-8, and NameBytes gives the name back.
std::string NameText(std::string_view bytes);

// The name that NameText shows as `text`; nothing if no name is shown so.
std::optional<std::string> NameBytes(std::string_view text);

// A text as a terminal may show it: control characters, those that reorder a
// line, and malformed UTF-8 are replaced by U+FFFD; line feeds and tabs stay
// when `lines`. What a document says must not steer the terminal.
std::string Printable(std::string_view text, bool lines = false);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_NAMES_H_
