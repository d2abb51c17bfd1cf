#include "twinset/inspect.h"

#include "pipeline/document_pass.h"
#include "pipeline/document_text.h"
#include "pipeline/field_text.h"
#include "pipeline/plan.h"
#include "text/clean_text.h"
#include "text/language.h"

namespace twinset {

namespace {

// The text of a page by the other content mode. There is none of the source,
// and none that the reference parser could tell from all.
void AddOtherText(const Document& document, const TextOptions& options,
                  DocumentText* text) {
  if (document.kind != ContentKind::kHtml || options.reference_parser ||
      options.content == ContentMode::kRaw) {
    return;
  }
  TextOptions other;
  other.content = options.content == ContentMode::kMain ? ContentMode::kAll
                                                        : ContentMode::kMain;
  auto clean = ExtractText(document, other);
  if (!clean) return;
  text->other_text = std::move(clean->text);
  text->has_other = true;
}

}  // namespace

Status ForEachText(const InputOptions& input, const FeatureOptions& features,
                   const TextDetails& details,
                   const std::function<bool(const DocumentText&)>& on_document,
                   const RejectedSink& on_rejected) {
  return ForEachTextWithFields(
      input, features, details, {},
      [&](const DocumentText& text, const FieldValues&) {
        return on_document(text);
      },
      on_rejected);
}

Status ForEachTextWithFields(
    const InputOptions& input, const FeatureOptions& features,
    const TextDetails& details, const std::vector<std::string>& names,
    const std::function<bool(const DocumentText&, const FieldValues&)>&
        on_document,
    const RejectedSink& on_rejected) {
  TWINSET_ASSIGN(const auto extractor, MakeExtractor(features));
  TWINSET_ASSIGN(TextOptions options, MakeTextOptions(features));
  TWINSET_ASSIGN(const auto languages, ParseLanguageRanges(input.languages));
  options.want_facts = details.facts;
  options.want_blocks = details.blocks;
  options.want_layout = details.layout;
  return ForEachInputDocument(
      input, names,
      [&](Record* record, const std::string& source) -> Result<bool> {
        auto clean = ExtractText(record->document, options);
        if (!clean) {
          if (on_rejected) {
            on_rejected(Reject(*record, source, "text", "no-text",
                               clean.error().message, true));
          }
          return true;
        }
        DocumentText text =
            ToDocumentText(record->document, source, *std::move(clean));
        if (details.payload) text.payload = record->document.payload;
        if (details.other) AddOtherText(record->document, options, &text);
        if (details.language || !languages.empty()) {
          text.language =
              IdentifyLanguage(text.text, text.language_declared).code;
        }
        if (!LanguageInRanges(text.language, languages)) {
          if (on_rejected) {
            on_rejected(Reject(*record, source, "text", "language",
                               text.language, /*quarantined=*/false));
          }
          return true;
        }
        if (details.tokens) {
          extractor->ForEachToken(text.text, [&](const TokenView& token) {
            text.tokens.emplace_back(token.text);
          });
        }
        return on_document(text, record->document.fields);
      },
      on_rejected);
}

}  // namespace twinset
