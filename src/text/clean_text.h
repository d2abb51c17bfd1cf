// Document to clean text: what the document says, in UTF-8, with the way back
// to its source.
#ifndef TWINSET_SRC_TEXT_CLEAN_TEXT_H_
#define TWINSET_SRC_TEXT_CLEAN_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/document.h"
#include "twinset/error.h"

namespace twinset {

struct TextOptions {
  bool keep_offsets =
      false;  // fill CleanText::offsets (costs memory; off on the hot path)
};

// From clean position `clean` (bytes) on, source position is `source` + (p -
// clean) until the next entry; inside a decoded character reference or charset
// conversion it is the start of that piece.
struct OffsetEntry {
  uint32_t clean = 0;
  uint32_t source = 0;
};

struct CleanText {
  std::string text;  // valid UTF-8; blocks separated by line feeds
  std::vector<OffsetEntry>
      offsets;  // ascending in clean; empty unless asked for
  std::string title;
  std::string charset;    // canonical WHATWG name of what was decoded
  std::string language;   // declared (html lang), empty when none
  std::string canonical;  // href of the first link rel=canonical, as written
  std::vector<std::string> links;  // href values, as written
  bool used_fallback =
      false;               // markup beyond the bounds of the reference parser
  bool malformed = false;  // some bytes were replaced by U+FFFD
};

// Pure; safe to call from many threads. Fails (kUnsupported) for
// ContentKind::kBytes and for bytes that are no text (NUL-ridden binary
// declared as text): the caller quarantines the document.
Result<CleanText> ExtractText(const Document& document,
                              const TextOptions& options);

// Source position of clean position `clean`.
uint32_t SourceOffset(const CleanText& text, uint32_t clean);

}  // namespace twinset

#endif  // TWINSET_SRC_TEXT_CLEAN_TEXT_H_
