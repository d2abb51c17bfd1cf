#include "documents/text_stage.h"

#include <utility>

#include "documents/document_options.h"
#include "documents/document_pass.h"
#include "documents/document_text.h"

namespace twinset {

Result<TextStage> TextStage::Make(const InputOptions& input,
                                  const FeatureOptions& features,
                                  const TextDetails& details) {
  TextStage stage;
  TWINSET_ASSIGN(stage.extractor_, MakeExtractor(features));
  stage.options_.content = features.content;
  TWINSET_ASSIGN(stage.languages_, ParseLanguageRanges(input.languages));
  stage.page_kinds_ = input.page_kinds;
  stage.options_.want_page = true;
  stage.options_.want_facts = details.facts;
  stage.options_.want_blocks = details.blocks;
  stage.options_.want_layout = details.layout;
  stage.details_ = details;
  return stage;
}

bool TextStage::Show(const Record& record, const std::string& source,
                     DocumentText* text, RejectedRecord* rejected) const {
  const Document& document = record.document;
  auto clean = ExtractText(document, options_);
  if (!clean) {
    *rejected =
        Reject(record, source, "text", "no-text", clean.error().message, true);
    return false;
  }
  *text = ToDocumentText(document, source, *std::move(clean));
  text->original_id = record.original_id;
  text->quoted_fields = record.quoted_fields;
  text->has_rows_in_field = record.has_rows_in_field;
  if (details_.payload) text->payload = document.payload;
  if (details_.other) {
    if (auto other = OtherTextOf(document, options_)) {
      text->other_text = *std::move(other);
      text->has_other = true;
    }
  }
  if (details_.language || !languages_.empty()) {
    text->language = IdentifyLanguage(text->text, text->language_declared).code;
  }
  if (!LanguageInRanges(text->language, languages_)) {
    *rejected = Reject(record, source, "text", "language", text->language,
                       /*quarantined=*/false);
    return false;
  }
  if (!IsKindAsked(page_kinds_, text->page_kind)) {
    *rejected = Reject(record, source, "text", "page-kind",
                       std::string(ChoiceName(text->page_kind)),
                       /*quarantined=*/false);
    return false;
  }
  if (details_.tokens) {
    extractor_->ForEachToken(text->text, [&](const TokenView& token) {
      text->tokens.emplace_back(token.text);
    });
  }
  return true;
}

uint64_t TextStage::Cost(const Document& document) const {
  // The page in UTF-8, its text, facts, blocks and layout; a token, which has
  // two bytes with what separates it, takes 32.
  const uint64_t bytes = document.payload.size();
  const uint64_t times = 6 + 2 * (details_.blocks + details_.layout) +
                         3 * details_.other + details_.payload +
                         16 * details_.tokens;
  return (64 << 10) + times * bytes + MarkupCost(document);
}

}  // namespace twinset
