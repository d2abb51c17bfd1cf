#include "text/page/clean_text.h"

#include <algorithm>
#include <utility>

#include "kernels/kernels.h"
#include "text/charset/charset.h"
#include "text/content/content.h"
#include "text/content/page_blocks.h"
#include "text/html/html_tree.h"
#include "text/html/xhtml.h"
#include "text/page/html_text.h"
#include "text/page/layout.h"

namespace twinset {
namespace {

constexpr uint64_t kMaxTextBytes = uint64_t{1} << 30;  // times 3 fits an offset

// Binary data declared as text: more than one character in 32, and at least
// four, are NULs or control characters that no text has. (Bytes drawn at random
// have one in nine; a text in the wrong charset has none.)
bool IsBinary(std::string_view text) {
  const kernels::CharacterCounts counts = kernels::CountCharacters(text);
  return counts.controls >= 4 && counts.controls * 32 > counts.code_points;
}

void TakeBlocks(std::string_view utf8, const HtmlTree& tree,
                MainContent& content, CleanText* clean) {
  for (ContentBlock& block : content.blocks) {
    DocumentBlock& taken = clean->blocks.emplace_back();
    AppendNodeText(utf8, tree, block.first_node, block.end_node, &taken.text);
    taken.source_begin = tree.nodes[block.first_node].begin;
    taken.source_end = tree.nodes[block.end_node - 1].end;
    taken.kept = block.kept;
    taken.framed = block.framed;
    taken.score = block.score;
    taken.reason = std::move(block.reason);
  }
}

void ExtractHtml(std::string_view utf8, const TextOptions& options,
                 CleanText* clean) {
  HtmlTree tree;
  BuildHtmlTree(utf8, &tree);
  clean->facts = ReadPageFacts(
      utf8, tree, options.want_facts ? FactsWanted::kAll : FactsWanted::kHead);
  clean->title = clean->facts.title;
  clean->language = clean->facts.language;
  clean->canonical = clean->facts.canonical;
  if (options.want_layout) clean->layout = LayoutShingles(tree);
  const bool judges =
      options.content == ContentMode::kMain || options.want_blocks;
  if (options.want_page && !judges) clean->page.kind = KindOfPage(utf8, tree);
  if (options.content == ContentMode::kRaw) {
    clean->text = utf8;
    if (options.keep_offsets) clean->offsets.push_back({0, 0});
    return;
  }
  clean->used_fallback = tree.cut_short;
  MainContent content;
  if (judges) {
    content = FindMainContent(utf8, tree, options.want_blocks);
    clean->page = {content.kind, content.confidence, content.unsure,
                   std::move(content.reason)};
  }
  if (options.want_blocks) TakeBlocks(utf8, tree, content, clean);
  const bool is_main = options.content == ContentMode::kMain;
  if (options.want_parts && !is_main && !options.want_blocks)
    content.blocks = FindPageBlocks(utf8, tree);
  if (!is_main) content.keep_node.clear();
  if (options.want_parts && !options.keep_offsets) {
    return RenderParts(utf8, tree, content.keep_node, content.blocks, clean);
  }
  RenderText(utf8, tree, content.keep_node, options.keep_offsets, clean);
}

// Returns true iff the media type of markup says XML. Markup that is not
// well-formed is read as HTML.
bool IsXhtml(const Document& document) {
  return document.kind == ContentKind::kHtml &&
         document.mime == "application/xhtml+xml";
}

// The label by which XML is decoded: what was declared, else what its own
// declaration says, else UTF-8 where it is that.
std::string_view XhtmlLabel(const Document& document) {
  const std::string& bytes = document.payload;
  if (!CharsetForBom(bytes).empty() ||
      !CharsetForLabel(document.charset).empty())
    return document.charset;
  if (const std::string_view own = XmlCharset(bytes); !own.empty()) return own;
  return ValidUtf8Prefix(bytes) == bytes.size() ? "UTF-8" : "";
}

// Places in the HTML that was made of a page become those of the page.
void MovePlaces(const std::vector<XhtmlPlace>& places, uint32_t size,
                CleanText* clean) {
  for (DocumentBlock& block : clean->blocks) {
    block.source_begin =
        SourceOfHtml(places, static_cast<uint32_t>(block.source_begin), size);
    block.source_end =
        SourceOfHtml(places, static_cast<uint32_t>(block.source_end), size);
  }
  std::vector<OffsetEntry> moved;
  const std::vector<OffsetEntry>& offsets = clean->offsets;
  for (size_t i = 0; i < offsets.size(); ++i) {
    const OffsetEntry& entry = offsets[i];
    const uint32_t end = i + 1 < offsets.size()
                             ? offsets[i + 1].clean
                             : static_cast<uint32_t>(clean->text.size());
    moved.push_back({entry.clean, SourceOfHtml(places, entry.source, size)});
    auto place = std::upper_bound(
        places.begin(), places.end(), entry.source,
        [](uint32_t at, const XhtmlPlace& p) { return at < p.html; });
    for (; place != places.end() &&
           place->html - entry.source < end - entry.clean;
         ++place)
      moved.push_back(
          {entry.clean + (place->html - entry.source), place->source});
  }
  clean->offsets = std::move(moved);
}

void ExtractXhtml(const DecodedView& decoded, const TextOptions& options,
                  CleanText* clean) {
  const bool want_places = options.keep_offsets || options.want_blocks;
  XhtmlAsHtml as_html;
  clean->malformed_xml =
      decoded.malformed || !XhtmlToHtml(decoded.text, want_places, &as_html);
  if (clean->malformed_xml) return ExtractHtml(decoded.text, options, clean);
  ExtractHtml(as_html.html, options, clean);
  if (options.content == ContentMode::kRaw) {
    clean->text = decoded.text;
    if (options.keep_offsets) clean->offsets = {{0, 0}};
  } else if (want_places) {
    MovePlaces(as_html.places, static_cast<uint32_t>(decoded.text.size()),
               clean);
  }
}

// Makes the clean text of plain text, which is valid UTF-8.
Result<CleanText> PlainText(std::string text, bool malformed,
                            const TextOptions& options) {
  if (IsBinary(text)) {
    return Fail(ErrorCode::kUnsupported, "binary data declared as text");
  }
  CleanText clean;
  clean.charset = "UTF-8";
  clean.text = std::move(text);
  clean.malformed = malformed;
  if (options.keep_offsets) clean.offsets.push_back({0, 0});
  return clean;
}

}  // namespace

Result<CleanText> ExtractText(Document* document, const TextOptions& options) {
  std::string& payload = document->payload;
  if (document->kind == ContentKind::kText && payload.size() <= kMaxTextBytes &&
      ValidUtf8Prefix(payload) == payload.size()) {
    return PlainText(std::move(payload), /*malformed=*/false, options);
  }
  return ExtractText(*document, options);
}

Result<CleanText> ExtractText(const Document& document,
                              const TextOptions& options) {
  if (document.kind == ContentKind::kBytes) {
    return Fail(ErrorCode::kUnsupported,
                "no text can be made of type " +
                    (document.mime.empty() ? "unknown" : document.mime));
  }
  if (document.payload.size() > kMaxTextBytes) {
    return Fail(ErrorCode::kUnsupported, "documents above 1 GB have no text");
  }
  if (document.kind == ContentKind::kText) {
    std::string text;
    text.reserve(document.payload.size());
    const bool valid = AppendValidUtf8(document.payload, &text);
    return PlainText(std::move(text), !valid, options);
  }
  CleanText clean;
  const bool is_html = document.kind == ContentKind::kHtml;
  const bool is_xhtml = IsXhtml(document);
  std::string storage;
  TWINSET_ASSIGN(
      const DecodedView decoded,
      DecodeDocument(document.payload,
                     is_xhtml ? XhtmlLabel(document) : document.charset,
                     is_html, &storage));
  if (IsBinary(decoded.text)) {
    return Fail(ErrorCode::kUnsupported, "binary data declared as text");
  }
  clean.charset = decoded.charset;
  clean.malformed = decoded.malformed;
  if (is_xhtml) {
    ExtractXhtml(decoded, options, &clean);
  } else if (is_html) {
    ExtractHtml(decoded.text, options, &clean);
  } else {
    clean.text = decoded.text;
    if (options.keep_offsets) clean.offsets.push_back({0, 0});
  }
  return clean;
}

uint64_t MarkupCost(const Document& document) {
  if (document.kind != ContentKind::kHtml) return 0;
  const uint64_t payload_bytes = document.payload.size();
  // A node takes 12 bytes, and as much again while the list grows; four bytes
  // of the densest markup make three of them. Content adds a byte and a share
  // of a block to a node.
  return std::min<uint64_t>(24 * payload_bytes, 24 * kMaxHtmlNodes) +
         (IsXhtml(document) ? MostXhtmlBytes(payload_bytes) : 0);
}

uint64_t CountCodePoints(std::string_view text) {
  return kernels::CountCharacters(text).code_points;
}

uint32_t SourceOffset(const CleanText& text, uint32_t clean) {
  const auto after =
      std::upper_bound(text.offsets.begin(), text.offsets.end(), clean,
                       [](uint32_t position, const OffsetEntry& entry) {
                         return position < entry.clean;
                       });
  if (after == text.offsets.begin()) return clean;
  const OffsetEntry& entry = *(after - 1);
  return entry.source + (clean - entry.clean);
}

}  // namespace twinset
