// Classes of bytes of the HTML tokenizer. CR is white space: the standard's
// tokenizer sees it as LF.
#ifndef TWINSET_SRC_STAGES_TEXT_HTML_HTML_TOKENIZER_CHARS_H_
#define TWINSET_SRC_STAGES_TEXT_HTML_HTML_TOKENIZER_CHARS_H_

#include "base/ascii.h"
#include "text/html/html_scan.h"

namespace twinset {

inline bool EndsHtmlTagName(char c) {
  return c == '>' || c == '/' || IsAsciiSpace(c);
}

inline bool EndsUnquotedValue(char c) { return c == '>' || IsAsciiSpace(c); }

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_HTML_HTML_TOKENIZER_CHARS_H_
