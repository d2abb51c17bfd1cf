// Bytes to UTF-8 by the WHATWG Encoding and HTML standards
// (docs/methods/clean-text.md).
#ifndef TWINSET_SRC_STAGES_TEXT_CHARSET_CHARSET_H_
#define TWINSET_SRC_STAGES_TEXT_CHARSET_CHARSET_H_

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

// The same without a copy where none is needed: `text` is a view of the bytes
// that were decoded or of the storage that the caller gave.
struct DecodedView {
  std::string_view text;     // valid UTF-8, without a byte order mark
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
// means UTF-8, x-user-defined in a <meta> windows-1252.
std::string_view CharsetForBom(std::string_view bytes);
std::string_view PrescanMarkup(std::string_view bytes);

// The encoding of XML without a byte order mark by its own first bytes: of its
// XML declaration, or UTF-16; empty where they do not say.
std::string_view XmlCharset(std::string_view bytes);

// What a <meta> of the whole document says, for documents in which the first
// 1024 bytes do not: where the standard would "change the encoding while
// parsing". Comments and the content of script, style, title and the like do
// not count. Linear; the usual cost is that of finding each `<`.
std::string_view LateMetaCharset(std::string_view bytes);

// The whole decision: byte order mark, `declared` label (HTTP), markup (when
// `is_html`), detection, which a late <meta> of a document that is not valid
// UTF-8, or is ASCII, goes before. Unknown labels are passed over. What is
// detected: UTF-16 if it is unmistakable, UTF-8 if the bytes are valid UTF-8
// (ISO-2022-JP if escape sequences say so), else what uchardet names of the
// 256 KB from the first byte >= 0x80 on, else windows-1252. Never empty. One
// validation is all that looks at the whole document.
std::string_view ChooseCharset(std::string_view bytes,
                               std::string_view declared, bool is_html);

// Decodes from the encoding with this canonical name, dropping its byte order
// mark. Bytes that are valid UTF-8 already (ASCII in nearly every encoding) are
// not copied; otherwise `*storage`, whose content is overwritten and whose
// capacity is reused, takes the text. `bytes` must not lie in it. Fails
// (kInternal) only for a name that CharsetForLabel does not return. Text is at
// most 3 bytes per byte, storage at most twice that. Thread-safe.
Result<DecodedView> DecodeInto(std::string_view charset, std::string_view bytes,
                               std::string* storage);
Result<DecodedText> DecodeFrom(std::string_view charset,
                               std::string_view bytes);

// ChooseCharset and DecodeInto, with one validation of undeclared UTF-8.
Result<DecodedView> DecodeDocument(std::string_view bytes,
                                   std::string_view declared, bool is_html,
                                   std::string* storage);

// Index of the first byte that is not part of valid UTF-8, or bytes.size().
size_t ValidUtf8Prefix(std::string_view bytes);
// Appends `bytes`, each maximal subpart of an ill-formed sequence replaced by
// U+FFFD (the Encoding Standard's UTF-8 decoder); true if all was well-formed.
bool AppendValidUtf8(std::string_view bytes, std::string* out);
// Appends one code point; surrogates and values above U+10FFFF become U+FFFD.
void AppendCodePoint(char32_t code_point, std::string* out);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_CHARSET_CHARSET_H_
