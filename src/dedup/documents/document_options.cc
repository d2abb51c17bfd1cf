#include "documents/document_options.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/bytes.h"
#include "base/choice.h"
#include "read/utf8.h"
#include "text/content/content_kind.h"
#include "twinset/plain_words.h"

namespace twinset {

Status CheckFieldNames(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (IsUtf8(name)) continue;
    return Fail(ErrorCode::kUsage,
                "the name of a field is not UTF-8: " + NameText(name));
  }
  return {};
}

Result<ReadOptions> MakeReadOptions(const InputOptions& input) {
  TWINSET_TRY(CheckFieldNames({input.id_field, input.text_field,
                               input.html_field, input.url_field,
                               input.date_field, input.features_field}));
  const InputOptions standard;
  if (!input.html_field.empty() && input.text_field != standard.text_field)
    return Fail(ErrorCode::kUsage,
                "--text-field and --html-field each say where the text is", "",
                "give one of them");
  if (!input.features_field.empty() &&
      (!input.html_field.empty() || input.text_field != standard.text_field)) {
    return Fail(ErrorCode::kUsage,
                "--features-field says what is compared in place of a text", "",
                "leave out --text-field and --html-field");
  }
  ReadOptions read, preset;
  static_cast<RecordOptions&>(read) = input;
  if (input.preset) ApplyFieldPreset(*input.preset, &preset);
  read.fields = preset.fields;
  // What is named beside a preset counts more.
  for (const auto field :
       {&RecordOptions::id_field, &RecordOptions::text_field,
        &RecordOptions::url_field, &RecordOptions::date_field}) {
    if (read.*field == standard.*field) read.*field = preset.*field;
  }
  read.keep_truncated = input.truncated == TruncatedRule::kKeep;
  return read;
}

Result<std::shared_ptr<const TokenFilter>> MakeTokenFilter(
    const FeatureOptions& options) {
  return TokenFilter::Make(options.stop_words, options.stem, options.tokens);
}

Result<std::unique_ptr<FeatureExtractor>> MakeExtractor(
    const FeatureOptions& options, FeatureHash hash) {
  TWINSET_ASSIGN(auto kinds, ParseShingles(options.shingle));
  TWINSET_ASSIGN(auto filter, MakeTokenFilter(options));
  return std::make_unique<FeatureExtractor>(options.tokens, std::move(kinds),
                                            hash, std::move(filter));
}

Result<std::unique_ptr<FeatureExtractor>> MakeSecretExtractor(
    const FeatureOptions& options, const HashKey& key) {
  TWINSET_ASSIGN(auto kinds, ParseShingles(options.shingle));
  TWINSET_ASSIGN(auto filter, MakeTokenFilter(options));
  return std::make_unique<FeatureExtractor>(options.tokens, std::move(kinds),
                                            key, std::move(filter));
}

void AddTokenFilterJson(const FeatureOptions& options,
                        const TokenFilter* filter, Json* json) {
  const FeatureOptions standard;
  if (options.stop_words != standard.stop_words) {
    (*json)["stop_words"] = NameText(options.stop_words);
    (*json)["stop_words_hash"] = ToHex(filter->stop_words_hash());
  }
  if (options.stem != standard.stem) (*json)["stem"] = options.stem;
}

bool IsKindAsked(const std::vector<PageKind>& kinds, PageKind kind) {
  return kinds.empty() ||
         std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

}  // namespace twinset
