#include "live/index_features.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "options/parameters.h"
#include "pipeline/pairs/sketch_pass.h"
#include "pipeline/saved/saved_options.h"
#include "segments/index_key.h"

namespace twinset {

namespace {

constexpr char kWay[] =
    "compare with what is stored by twinset dedup --save RUN, then twinset "
    "match INPUT --against RUN";

uint64_t EqualityIndexKey(const Hash128Value& fingerprint) {
  return IndexKey::OfHash(IndexKey::kFeatures, Mix64(EqualityKey(fingerprint)));
}

}  // namespace

Result<IndexFeatures> IndexFeatures::Make(const ComparisonOptions& options,
                                          const HashKey& key) {
  TWINSET_ASSIGN(LoneDocuments lone,
                 LoneDocuments::Make(options, key, {"an index", kWay}));
  // So that the text is handed on with its features.
  lone.plan.options.method.verify_text = true;
  return IndexFeatures(std::move(lone), key);
}

Status IndexFeatures::Keys(const Ingested& made, uint64_t equality_key,
                           std::vector<Sketch>* sketches,
                           std::vector<uint64_t>* keys) const {
  TWINSET_TRY(lone_.Keys(made, sketches, keys));
  for (uint64_t& key : *keys) key = IndexKey::OfHash(IndexKey::kFeatures, key);
  keys->push_back(equality_key);
  std::sort(keys->begin(), keys->end());
  keys->erase(std::unique(keys->begin(), keys->end()), keys->end());
  return {};
}

IndexedText IndexFeatures::Take(Document* document) const {
  Ingested made = lone_.Take(document);
  IndexedText taken;
  if (!made.quarantine_reason.empty()) {
    taken.rejected = made.quarantine_reason;
    taken.detail = made.quarantine_detail;
    return taken;
  }
  const std::string_view bytes = made.FeatureBytes();
  taken.features = bytes;
  taken.text = stores_texts() ? std::move(made.text) : std::string(bytes);
  if (const Status done = AddKeys(made, &taken); !done) {
    taken.rejected = "no-sketch";
    taken.detail = done.error().message;
  }
  return taken;
}

Status IndexFeatures::AddKeys(const Ingested& made, IndexedText* taken) const {
  taken->feature_count = made.info.feature_count;
  if (made.info.empty) {
    taken->features.clear();
    return {};
  }
  taken->equality_key = EqualityIndexKey(made.info.fingerprint);
  return Keys(made, taken->equality_key, &taken->sketches, &taken->keys);
}

IndexedText IndexFeatures::TakeStored(std::string text) const {
  thread_local IngestScratch scratch;
  Ingested made;
  TakeText(lone_.plan, {}, text, &scratch, &made);
  IndexedText taken;
  taken.features = made.FeatureBytes();
  taken.text = std::move(text);
  if (const Status done = AddKeys(made, &taken); !done) {
    taken.rejected = "no-sketch";
    taken.detail = done.error().message;
  }
  return taken;
}

std::string IndexFeatures::FeaturesOf(std::string_view text) const {
  if (!IsHashed(lone_.plan.features.form)) return std::string(text);
  thread_local IngestScratch scratch;
  return twinset::FeaturesOf(lone_.plan, {}, text, &scratch);
}

uint64_t IndexFeatures::HashOfContent(std::string_view id,
                                      std::string_view text) const {
  std::string both;
  both.reserve(sizeof(uint64_t) + id.size() + text.size());
  AppendLE<uint64_t>(&both, id.size());
  both += id;
  both += text;
  return ids_.Short(both);
}

Result<std::vector<uint64_t>> IndexFeatures::KeysOf(
    std::string_view text) const {
  thread_local IngestScratch scratch;
  Ingested made;
  if (IsHashed(lone_.plan.features.form)) {
    TakeText(lone_.plan, {}, std::string(text), &scratch, &made);
  } else {
    made.features = text;
    made.info.empty = text.empty();
    if (!text.empty()) made.info.fingerprint = FingerprintOf(lone_.plan, text);
  }
  if (made.info.empty) return std::vector<uint64_t>();
  std::vector<Sketch> sketches;
  std::vector<uint64_t> keys;
  TWINSET_TRY(
      Keys(made, EqualityIndexKey(made.info.fingerprint), &sketches, &keys));
  return keys;
}

Result<Verifier::Verdict> IndexFeatures::Compare(
    const IndexedText& a, std::string_view b_text,
    std::string* b_features) const {
  *b_features = FeaturesOf(b_text);
  // Equal features are a pair whatever a filter says of their sketches.
  if (lone_.parts.filter != nullptr && *b_features != a.features) {
    thread_local IngestScratch scratch;
    Ingested made;
    TakeText(lone_.plan, {}, std::string(b_text), &scratch, &made);
    std::vector<Sketch> sketches;
    TWINSET_TRY(StoredSketches(lone_.plan, lone_.parts, *b_features, made.views,
                               &sketches));
    const std::vector<SketchView> x(a.sketches.begin(), a.sketches.end()),
        y(sketches.begin(), sketches.end());
    if (!lone_.parts.filter->Passes(x, y)) return Verifier::Verdict();
  }
  Verifier::Verdict verdict =
      lone_.parts.verifier->Compare(a.features, *b_features);
  // What bytes share is all or nothing.
  if (verdict.accepted && verdict.shared.a == 0)
    verdict.shared = {1, 1, verdict.score == 1 ? uint64_t{1} : uint64_t{0}};
  return verdict;
}

Result<ComparisonOptions> IndexComparison(const Json& parameters) {
  TWINSET_ASSIGN(const PlanOptions options, OptionsOfParameters(parameters));
  return ComparisonOptions{options.features, options.method, 0};
}

Result<ComparisonOptions> ChangedComparison(
    const ComparisonOptions& options,
    const std::vector<std::pair<std::string, std::string>>& changed) {
  ParameterValues values;
  static_cast<ComparisonOptions&>(values) = options;
  for (const auto& [name, value] : changed)
    if (const Parameter* parameter = FindParameter(name))
      TWINSET_TRY(SetParameter(*parameter, value, &values));
  return static_cast<const ComparisonOptions&>(values);
}

Status CheckExpected(
    const ComparisonOptions& options,
    const std::vector<std::pair<std::string, std::string>>& expected,
    const std::string& folder) {
  ParameterValues values;
  static_cast<ComparisonOptions&>(values) = options;
  for (const auto& [name, value] : expected) {
    const Parameter* parameter = FindParameter(name);
    if (parameter == nullptr) continue;
    ParameterValues asked = values;
    TWINSET_TRY(SetParameter(*parameter, value, &asked));
    const std::string has = ParameterText(*parameter, values);
    if (ParameterText(*parameter, asked) == has) continue;
    return Fail(ErrorCode::kUsage,
                "the index was made with --" + name + " " + has + ", and --" +
                    name + " " + value + " was asked for",
                folder, "leave it out, or make another index");
  }
  return {};
}

}  // namespace twinset
