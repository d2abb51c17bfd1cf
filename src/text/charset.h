// Bytes to UTF-8 by the WHATWG Encoding and HTML standards
// (docs/methods/clean-text.md).
#ifndef TWINSET_SRC_TEXT_CHARSET_H_
#define TWINSET_SRC_TEXT_CHARSET_H_

#include <string>
#include <string_view>

#include "twinset/error.h"

namespace twinset {

// Text in UTF-8 and where it came from.
struct DecodedText {
  std::string text;          // valid UTF-8, without a byte order mark
  std::string_view charset;  // canonical name, static storage
  bool malformed = false;    // something was replaced by U+FFFD
};

// The canonical name of the encoding a label stands for (white space around it
// and case do not count), or empty if the standard has no such label. Static
// storage.
std::string_view CharsetForLabel(std::string_view label);

// The encoding that a byte order mark, an XML declaration or a <meta> within
// the first 1024 bytes declares, canonical, or empty. PrescanMarkup follows
// "prescan a byte stream" of the HTML standard: UTF-16 in ASCII-readable markup
// means UTF-8, x-user-defined windows-1252.
std::string_view CharsetForBom(std::string_view bytes);
std::string_view PrescanMarkup(std::string_view bytes);

// A guess from the bytes alone: UTF-8 if they are valid UTF-8 (ISO-2022-JP if
// escape sequences say so), else what uchardet names, else windows-1252. Never
// empty. Looks at no more than the first 256 KB from the first byte >= 0x80 on.
std::string_view DetectCharset(std::string_view bytes);

// The whole decision: byte order mark, `declared` label (HTTP), markup (when
// `is_html`), detection. Unknown labels are passed over.
std::string_view ChooseCharset(std::string_view bytes,
                               std::string_view declared, bool is_html);

// Decodes from the encoding with this canonical name, dropping its byte order
// mark. Fails (kInternal) only for a name that CharsetForLabel does not return
// or if ICU lacks its data. Output is at most 3 bytes a byte; beyond it memory
// is constant. Thread-safe.
Result<DecodedText> DecodeFrom(std::string_view charset,
                               std::string_view bytes);

// Index of the first byte that is not part of valid UTF-8, or bytes.size().
size_t ValidUtf8Prefix(std::string_view bytes);
// Appends `bytes`, each maximal subpart of an ill-formed sequence replaced by
// U+FFFD (the Encoding Standard's UTF-8 decoder); true if all was well-formed.
bool AppendValidUtf8(std::string_view bytes, std::string* out);
// Appends one code point; surrogates and values above U+10FFFF become U+FFFD.
void AppendCodePoint(char32_t code_point, std::string* out);

}  // namespace twinset

#endif  // TWINSET_SRC_TEXT_CHARSET_H_
