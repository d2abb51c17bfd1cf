// Document to clean text: what the document says, in UTF-8, with the way back
// to its source.
#ifndef TWINSET_SRC_STAGES_TEXT_PAGE_CLEAN_TEXT_H_
#define TWINSET_SRC_STAGES_TEXT_PAGE_CLEAN_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/document.h"
#include "text/page/page_facts.h"
#include "twinset/error.h"
#include "twinset/inspect.h"
#include "twinset/text_choices.h"

namespace twinset {

struct TextOptions {
  ContentMode content = ContentMode::kAll;
  // What to fill beside text, title and canonical; off on the hot path.
  bool keep_offsets = false;  // CleanText::offsets
  bool want_facts = false;    // CleanText::facts
  bool want_layout = false;   // CleanText::layout
  bool want_blocks = false;   // CleanText::blocks, and reasons of the page
  bool want_page = false;     // CleanText::page; content kMain fills it anyway
  bool want_parts = false;    // CleanText::parts, left_out
};

// From clean position `clean` (bytes) on, source position is `source` + (p -
// clean) until the next entry; the code points of a decoded character reference
// or charset conversion have an entry each, the start of that piece.
struct OffsetEntry {
  uint32_t clean = 0;
  uint32_t source = 0;
};

// What a page is, and how sure its main text is (docs/methods/content.md).
struct PageJudgement {
  PageKind kind = PageKind::kNone;
  int confidence = -1;  // in 1/1000; -1: main content was not looked for
  bool unsure = false;  // the text is all but what the page names as frame
  std::string reason;   // of the confidence, with want_blocks
};

// Where the text of one block of the page stands. White space in front of it
// that separates it from the text before may belong to it.
struct TextPart {
  uint32_t begin = 0, end = 0;  // bytes of CleanText::text, or of left_out
  bool kept = false;            // in CleanText::text
  bool likely = false;          // main content by the model, if that was asked
  bool framed = false;          // what its author names as frame, likewise
  bool linked = false;          // most of its words are in links, likewise
};

struct CleanText {
  std::string text;  // valid UTF-8; blocks separated by line feeds
  std::vector<OffsetEntry>
      offsets;  // ascending in clean; empty unless asked for
  std::string title;
  std::string charset;    // canonical WHATWG name of what was decoded
  std::string language;   // declared, empty when none
  std::string canonical;  // href of the first link rel=canonical
  // Markup beyond the bounds of the tree: the rest of the page was read without
  // one (docs/methods/html.md).
  bool used_fallback = false;
  bool malformed = false;      // some bytes were replaced by U+FFFD
  bool malformed_xml = false;  // XHTML not well-formed: read as HTML
  PageFacts facts;             // when asked for
  // In document order, when asked for (docs/methods/content.md).
  std::vector<DocumentBlock> blocks;
  PageJudgement page;
  // Every block of the page in document order, when asked for; none of what is
  // not HTML, of pages beyond the bounds of main content and of markup as it
  // is. Parts in `text` do not overlap.
  std::vector<TextPart> parts;
  std::string left_out;  // the texts of blocks that are not in `text`
  // Tag-path shingles of the page, ascending, distinct
  // (docs/methods/kinds.md): its appearance. When asked for; empty for what is
  // not HTML.
  std::vector<uint64_t> layout;
};

// Pure; safe to call from many threads. Fails (kUnsupported) for
// ContentKind::kBytes and for bytes that are no text (NUL-ridden binary
// declared as text): the caller quarantines the document.
Result<CleanText> ExtractText(const Document& document,
                              const TextOptions& options);
// The same for who needs the payload no more: plain text becomes the text
// without a copy.
Result<CleanText> ExtractText(Document* document, const TextOptions& options);

// Most bytes that ExtractText holds beside its result and the decoded text
// while it reads its markup; 0 for what has none.
uint64_t MarkupCost(const Document& document);

// Code points of UTF-8; of other bytes, those that continue none.
uint64_t CountCodePoints(std::string_view text);

// Source position of clean position `clean`, where a code point begins or the
// text ends.
uint32_t SourceOffset(const CleanText& text, uint32_t clean);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_PAGE_CLEAN_TEXT_H_
