#include "documents/document_text.h"

#include <utility>

namespace twinset {

namespace {

void TakeFacts(PageFacts facts, DocumentText* text) {
  text->base = std::move(facts.base);
  text->robots = std::move(facts.robots);
  text->redirect = std::move(facts.redirect);
  text->redirect_seconds = facts.redirect_seconds;
  text->published = std::move(facts.published);
  text->modified = std::move(facts.modified);
  text->description = std::move(facts.description);
  text->author = std::move(facts.author);
  if (!facts.language.empty()) text->language_declared = facts.language;
  text->links = std::move(facts.links);
}

}  // namespace

DocumentText ToDocumentText(const Document& document, const std::string& source,
                            CleanText clean) {
  DocumentText text;
  text.id = document.id;
  text.text = std::move(clean.text);
  text.title = std::move(clean.title);
  text.language_declared = std::move(clean.language);
  text.canonical = std::move(clean.canonical);
  text.charset = std::move(clean.charset);
  TakeFacts(std::move(clean.facts), &text);
  text.blocks = std::move(clean.blocks);
  text.layout = std::move(clean.layout);
  text.page_kind = clean.page.kind;
  text.confidence = clean.page.confidence;
  text.unsure = clean.page.unsure;
  text.confidence_reason = std::move(clean.page.reason);
  text.url = document.provenance.url;
  text.date = document.provenance.date;
  text.source = source;
  text.ordinal = document.provenance.ordinal;
  text.used_fallback = clean.used_fallback;
  text.truncated = document.truncated;
  text.malformed_xml = clean.malformed_xml;
  return text;
}

std::optional<std::string> OtherTextOf(const Document& document,
                                       const TextOptions& options) {
  if (document.kind != ContentKind::kHtml ||
      options.content == ContentMode::kRaw) {
    return {};
  }
  TextOptions other;
  other.content = OtherMode(options.content);
  auto clean = ExtractText(document, other);
  if (!clean) return {};
  return std::move(clean->text);
}

}  // namespace twinset
