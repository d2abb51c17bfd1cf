#include "documents/page_text.h"

#include <utility>

#include "documents/document_options.h"
#include "documents/document_text.h"
#include "read/http_document.h"
#include "text/page/language.h"
#include "text/tokens/features.h"

namespace twinset {

struct TextReader::Parts {
  Parts(FeatureExtractor the_extractor, TextOptions the_options,
        ReadOptions the_read)
      : extractor(std::move(the_extractor)),
        options(the_options),
        read(std::move(the_read)) {}
  FeatureExtractor extractor;
  TextOptions options;
  ReadOptions read;
};

TextReader::TextReader(std::unique_ptr<Parts> parts)
    : parts_(std::move(parts)) {}
TextReader::TextReader(TextReader&&) noexcept = default;
TextReader& TextReader::operator=(TextReader&&) noexcept = default;
TextReader::~TextReader() = default;

Result<TextReader> TextReader::Make(const FeatureOptions& features) {
  // Pages are compared by equality alone; their writers do not know the secret.
  TWINSET_ASSIGN(const HashKey key, DrawHashKey());
  TWINSET_ASSIGN(auto extractor, MakeSecretExtractor(features, key));
  TextOptions options;
  options.content = features.content;
  TWINSET_ASSIGN(const ReadOptions read, MakeReadOptions(InputOptions()));
  return TextReader(
      std::make_unique<Parts>(std::move(*extractor), options, read));
}

Result<DocumentText> TextReader::Read(const FetchedPage& page,
                                      const TextDetails& details) const {
  ArchivedBlock block;
  block.bytes = page.body;
  block.real_bytes = page.body.size();
  block.may_be_http = false;
  block.content_type = page.content_type;
  Record record;
  record.document.id = page.url;
  record.document.provenance.url = page.url;
  record.document.provenance.date = page.date;
  JudgeBlock(std::move(block), parts_->read, &record);
  if (record.kind != RecordKind::kDocument) {
    return Fail(ErrorCode::kUnsupported,
                "no page of text: " + record.reason +
                    (record.detail.empty() ? "" : " (" + record.detail + ")"));
  }
  TextOptions options = parts_->options;
  options.want_facts = details.facts;
  options.want_blocks = details.blocks;
  options.want_layout = details.layout;
  TWINSET_ASSIGN(CleanText clean, ExtractText(record.document, options));
  DocumentText text = ToDocumentText(record.document, {}, std::move(clean));
  if (details.language) {
    text.language = IdentifyLanguage(text.text, text.language_declared).code;
  }
  if (details.tokens) text.tokens = Tokens(text.text);
  return text;
}

std::vector<std::string> TextReader::Tokens(std::string_view text) const {
  std::vector<std::string> tokens;
  ForEachToken(text,
               [&](std::string_view token) { tokens.emplace_back(token); });
  return tokens;
}

void TextReader::ForEachToken(
    std::string_view text,
    const std::function<void(std::string_view)>& body) const {
  parts_->extractor.ForEachToken(
      text, [&](const TokenView& token) { body(token.text); });
}

std::vector<uint64_t> TextReader::Shingles(std::string_view text) const {
  FeatureScratch scratch;
  Features features;
  parts_->extractor.Extract(text, &scratch, &features);
  return std::move(features.shingles);
}

double TextReader::Resemblance(std::string_view x, std::string_view y) const {
  return ResemblanceOfShingles(Shingles(x), Shingles(y));
}

double ResemblanceOfShingles(const std::vector<uint64_t>& a,
                             const std::vector<uint64_t>& b) {
  if (a.empty() || b.empty()) return 0;
  size_t i = 0, j = 0, common = 0;
  while (i < a.size() && j < b.size()) {
    common += a[i] == b[j];
    const bool step_a = a[i] <= b[j], step_b = b[j] <= a[i];
    i += step_a;
    j += step_b;
  }
  return static_cast<double>(common) /
         static_cast<double>(a.size() + b.size() - common);
}

}  // namespace twinset
