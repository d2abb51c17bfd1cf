// Markup to visible text (docs/methods/clean-text.md).
#ifndef TWINSET_SRC_TEXT_HTML_H_
#define TWINSET_SRC_TEXT_HTML_H_

#include <cstdint>
#include <string_view>

#include "text/clean_text.h"

namespace twinset {

// What the reference parser may be given. They depend on nothing but the
// markup, so the same document takes the same path on every machine.
inline constexpr size_t kMaxParserBytes = size_t{4} << 20;
inline constexpr uint64_t kMaxTreeBytes = uint64_t{48} << 20;
inline constexpr uint32_t kMaxOpenElements = 512;
inline constexpr uint32_t kMaxFormattingElements =
    64;  // open or waiting to be reopened
inline constexpr uint32_t kMaxAttributes =
    512;  // of one tag; of all html and body tags

// Fills text, offsets (into `utf8`), title, language, links and used_fallback
// of `out` from valid UTF-8 shorter than 4 GB. Linear time; memory:
// kMaxTreeBytes + the size of the text.
void ExtractHtml(std::string_view utf8, bool keep_offsets, CleanText* out);

// The steps of ExtractHtml, apart for tests.
//
// Simulates tree construction in constant memory, erring on the side of
// refusal: true promises that the tree of `utf8` stays near the bounds above.
bool WithinParserBounds(std::string_view utf8);
// Parses with gumbo. The tree lives in an arena; false (and `out` untouched) if
// it would need more than kMaxTreeBytes.
bool ParseHtml(std::string_view utf8, bool keep_offsets, CleanText* out);
// One pass over the tags, constant extra memory: the fallback.
void StripHtml(std::string_view utf8, bool keep_offsets, CleanText* out);

}  // namespace twinset

#endif  // TWINSET_SRC_TEXT_HTML_H_
