// Classes of bytes of the HTML tokenizer. CR is white space: the standard's
// tokenizer sees it as LF.
#ifndef TWINSET_SRC_TEXT_HTML_TOKENIZER_CHARS_H_
#define TWINSET_SRC_TEXT_HTML_TOKENIZER_CHARS_H_

#include "base/ascii.h"
#include "text/html_scan.h"

namespace twinset {

inline bool IsHtmlLetter(char c) {
  const unsigned char lower = static_cast<unsigned char>(c) | 0x20;
  return lower >= 'a' && lower <= 'z';
}

inline bool EndsHtmlTagName(char c) {
  return c == '>' || c == '/' || IsHtmlSpace(c);
}

inline bool EndsUnquotedValue(char c) { return c == '>' || IsHtmlSpace(c); }

}  // namespace twinset

#endif  // TWINSET_SRC_TEXT_HTML_TOKENIZER_CHARS_H_
