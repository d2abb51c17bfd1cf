// What each element means for the visible text and for the parser's stack: one
// table for the reference parser's tree, the fallback stripper and the bounds
// pre-scan.
#ifndef TWINSET_SRC_TEXT_HTML_TAGS_H_
#define TWINSET_SRC_TEXT_HTML_TAGS_H_

#include <cstdint>
#include <string_view>

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
  kTagBlockEnd = 1 << 16,   // its end tag closes everything up to it in scope
  kTagForeign = 1 << 17,    // svg, math
  kTagBreakout = 1 << 18,   // its start tag ends foreign content
  kTagOptional = 1 << 19,   // end tag may be left out: ends at a sibling or its
                            // container's end
  kTagContainer = 1 << 20,  // holds elements with optional end tags
};

inline constexpr uint32_t kTagAnyRaw =
    kTagRaw | kTagRcdata | kTagScript | kTagPlaintext;

// FNV-1a of the name in ASCII lower case: identity of a tag, known or not.
uint64_t TagKey(std::string_view name);
constexpr uint64_t TagKeyOf(const char* lower) {
  uint64_t key = 0xcbf29ce484222325u;
  for (; *lower != 0; ++lower) {
    key = (key ^ static_cast<unsigned char>(*lower)) * 0x100000001b3u;
  }
  return key;
}

// Flags of the element with this key; 0 for unknown elements, which are plain
// inline ones. A full table look-up by hash: O(1). Thread-safe.
uint32_t TagFlags(uint64_t key);

// True if the rel attribute value names "canonical" among its words.
bool IsCanonicalRel(std::string_view rel);

}  // namespace twinset

#endif  // TWINSET_SRC_TEXT_HTML_TAGS_H_
