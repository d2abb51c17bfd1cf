// What an element can mean for the visible text and for the parser's stack;
// which means what is in html_tag_list.inc.
#ifndef TWINSET_SRC_STAGES_TEXT_HTML_HTML_TAGS_H_
#define TWINSET_SRC_STAGES_TEXT_HTML_HTML_TAGS_H_

#include <cstdint>

namespace twinset {

enum TagFlag : uint32_t {
  // Text rules (docs/methods/clean-text.md).
  kTagBlock = 1 << 0,     // a line of its own
  kTagCell = 1 << 1,      // set off by a tab
  kTagPreserve = 1 << 2,  // keeps white space
  kTagDrop = 1 << 3,      // leaves neither text nor links
  kTagMute = 1 << 4,      // leaves no text; links inside count
  // Tokenizer rules.
  kTagVoid = 1 << 5,
  kTagRaw = 1 << 6,  // content runs to the end tag, references are not decoded
  kTagRcdata = 1 << 7,  // content runs to the end tag, references are decoded
  kTagScript = 1 << 8,  // raw, with the comment escapes of scripts
  kTagPlaintext = 1 << 9,  // content runs to the end of the document
  // Tree construction (HTML standard, section 13.2).
  kTagFormatting = 1 << 10,
  kTagSpecial = 1 << 11,
  kTagClosesP = 1 << 12,
  kTagScope = 1 << 13,   // ends "has an element in scope"
  kTagMarker = 1 << 14,  // puts a marker on the list of formatting elements
  kTagHeading = 1 << 15,
  kTagBlockEnd = 1 << 16,  // its end tag closes everything up to it in scope
  kTagBreakout = 1 << 17,  // its start tag ends foreign content
};

inline constexpr uint32_t kTagAnyRaw =
    kTagRaw | kTagRcdata | kTagScript | kTagPlaintext;

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_HTML_HTML_TAGS_H_
