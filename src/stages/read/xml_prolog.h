// What stands in front of the root element of XML, and what that says.
#ifndef TWINSET_SRC_STAGES_READ_XML_PROLOG_H_
#define TWINSET_SRC_STAGES_READ_XML_PROLOG_H_

#include <cstddef>
#include <string_view>

namespace twinset {

// Position behind the '>' that ends the document type which `text` begins with
// ("<!DOCTYPE" in any case), with the declarations inside it; 0 where that does
// not end. Linear time.
size_t EndOfDoctype(std::string_view text);
bool BeginsDoctype(std::string_view text);

// `text` from its root element on: behind a byte order mark, white space,
// comments, processing instructions and the document type. Empty where it does
// not begin within `text`.
std::string_view RootElement(std::string_view text);

// The media type of markup that says nothing of its own.
std::string_view MarkupMime(std::string_view bytes);

// Returns true iff bytes without a media type are XHTML: behind an XML
// declaration an element html of the namespace of XHTML. Looks at the first
// bytes alone.
bool DeclaresXhtml(std::string_view bytes);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_XML_PROLOG_H_
