// Markup to visible text by an independent parser, gumbo: the reference of the
// fast path (docs/methods/html.md).
#ifndef TWINSET_SRC_TEXT_PAGE_HTML_REFERENCE_H_
#define TWINSET_SRC_TEXT_PAGE_HTML_REFERENCE_H_

#include <cstdint>
#include <string_view>

#include "text/page/clean_text.h"

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

// Simulates tree construction in constant memory, erring on the side of
// refusal: true promises that the tree of `utf8` stays near the bounds above.
bool WithinParserBounds(std::string_view utf8);

// Fills text, offsets (into `utf8`, if `keep_offsets`), title, language,
// canonical and the targets in facts.links of `out` from gumbo's tree of `utf8`
// (valid UTF-8). The tree lives in an arena; false (and `out` untouched) if it
// would need more than kMaxTreeBytes. For markup that is WithinParserBounds: on
// other markup the parser's time is not bounded.
bool ParseHtml(std::string_view utf8, bool keep_offsets, CleanText* out);

}  // namespace twinset

#endif  // TWINSET_SRC_TEXT_PAGE_HTML_REFERENCE_H_
