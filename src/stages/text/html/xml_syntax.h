// Small rules of XML 1.0, and what stands in front of its root element.
#ifndef TWINSET_SRC_STAGES_TEXT_HTML_XML_SYNTAX_H_
#define TWINSET_SRC_STAGES_TEXT_HTML_XML_SYNTAX_H_

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace twinset {

constexpr bool IsXmlSpace(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// Size of the name that `text` begins with; 0: it begins with none. Characters
// beyond ASCII all count as letters.
size_t XmlNameSize(std::string_view text);
// Size of the white space that it begins with.
size_t XmlSpaceSize(std::string_view text);

// Returns true iff all characters of `utf8` are those of XML.
bool HasXmlCharacters(std::string_view utf8);
bool IsXmlCharacter(char32_t c);

// The character of a reference "#60" or "#x3c"; nothing for one that is none.
std::optional<char32_t> XmlCharacterOf(std::string_view reference);

// Size of the comment or processing instruction that `text` begins with; 0: it
// is not well-formed.
size_t XmlAsideSize(std::string_view text);

// What the document type declares.
struct XmlEntities {
  // Replacement texts of internal entities, by name; none of those that are
  // external.
  std::map<std::string, std::optional<std::string>, std::less<>> declared;
  // There may be others, which are not read.
  bool has_others = false;
};

// Size of the XML declaration, comments, instructions and the document type
// that `text` begins with; npos where they are not well-formed.
size_t ReadXmlProlog(std::string_view text, XmlEntities* entities);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_HTML_XML_SYNTAX_H_
