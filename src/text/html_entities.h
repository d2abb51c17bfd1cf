// Character references of HTML.
#ifndef TWINSET_SRC_TEXT_HTML_ENTITIES_H_
#define TWINSET_SRC_TEXT_HTML_ENTITIES_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace twinset {

struct CharacterReference {
  size_t length = 0;  // bytes of the reference; 0: none starts here
  char32_t code_point = 0;
};

// The reference at the start of `text`, which begins with '&'. Numeric ones as
// the HTML standard says (windows-1252 for 0x80-0x9F, U+FFFD for what is no
// character); named ones from a table of the HTML 4 set and others that pages
// use, the 106 legacy names also without semicolon. `in_attribute`: there, a
// legacy name followed by '=' or a letter or digit is text. Looks at no more
// than 16 bytes beyond leading digits. Pure.
CharacterReference ReadReference(std::string_view text, bool in_attribute);

// `text` with its references decoded.
std::string DecodeReferences(std::string_view text, bool in_attribute);

}  // namespace twinset

#endif  // TWINSET_SRC_TEXT_HTML_ENTITIES_H_
