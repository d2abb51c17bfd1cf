// Character references of HTML (HTML standard, sections 13.2.5.72 to 13.2.5.80
// and 13.5).
#ifndef TWINSET_SRC_STAGES_TEXT_HTML_HTML_ENTITIES_H_
#define TWINSET_SRC_STAGES_TEXT_HTML_HTML_ENTITIES_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace twinset {

struct CharacterReference {
  size_t length = 0;  // bytes of the reference; 0: none starts here
  char32_t code_point = 0;
  char32_t second = 0;  // 93 names stand for two code points; 0: only one
};

// The reference at the start of `text`, which begins with '&'. Numeric ones:
// windows-1252 for 0x80-0x9F, U+FFFD for what is no character. Named ones: the
// longest of the standard's 2231 names that is a prefix, 106 of them without
// semicolon; `in_attribute`, such a name followed by '=' or a letter or digit
// is text. Looks at no more than 34 bytes beyond leading digits. Pure.
CharacterReference ReadReference(std::string_view text, bool in_attribute);

// Appends what it stands for; `reference` is one (length > 0).
void AppendReference(const CharacterReference& reference, std::string* out);

// `text` with its references decoded.
std::string DecodeReferences(std::string_view text, bool in_attribute);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_HTML_HTML_ENTITIES_H_
