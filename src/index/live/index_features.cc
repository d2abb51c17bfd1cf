#include "live/index_features.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "methods/measures.h"
#include "options/parameters.h"
#include "pipeline/pairs/sketch_pass.h"
#include "pipeline/saved/saved_options.h"
#include "segments/index_key.h"

namespace twinset {

namespace {

constexpr char kWay[] =
    "compare with what is stored by twinset dedup --save RUN, then twinset "
    "match INPUT --against RUN";

// Two documents alone must decide about their pair, by keys of each alone.
Status CheckServes(const Method& method, const MethodParts& parts,
                   const MethodOptions& options) {
  const std::string name = "method " + method.info.name;
  if (parts.join || parts.generator == nullptr ||
      (method.learns && method.learns(options))) {
    return Fail(ErrorCode::kUnsupported,
                name +
                    " chooses what it looks for by all documents together, "
                    "and an index never has them all",
                "", kWay);
  }
  const char* why = !options.verify       ? "without verification"
                    : options.verify_text ? "that compares texts too"
                    : options.measure == Measure::kContainment
                        ? "by containment, which no key of one document tells"
                    : MeasureLearns(options)
                        ? "that weighs features by all documents"
                        : nullptr;
  if (why == nullptr) return {};
  return Fail(ErrorCode::kUnsupported, std::string("there is no index ") + why);
}

uint64_t EqualityIndexKey(const Hash128Value& fingerprint) {
  return IndexKey::OfHash(IndexKey::kFeatures, Mix64(EqualityKey(fingerprint)));
}

}  // namespace

Result<IndexFeatures> IndexFeatures::Make(const ComparisonOptions& options,
                                          const HashKey& key) {
  IndexFeatures made(key);
  PlanOptions& plan = made.plan_.options;
  plan.features = options.features;
  plan.method = options.method;
  plan.max_df = 0;
  // A document is compared by itself, whatever its site shows later.
  plan.features.template_blocks = TemplateRule::kKeep;
  TWINSET_ASSIGN(const Method* method, FindSketchMethod(plan.method.name));
  plan.method.name = method->info.name;
  TWINSET_ASSIGN(made.plan_.features, MakeFeatures(method, &plan));
  TWINSET_ASSIGN(made.parts_, method->make(plan.method, nullptr));
  TWINSET_TRY(CheckServes(*method, made.parts_, plan.method));
  TWINSET_TRY(SetKey(plan, key, &made.plan_.features));
  TWINSET_TRY(MakeSketching(plan, &made.plan_.features));
  made.options_ = {plan.features, plan.method, 0};
  // So that the text is handed on with its features.
  plan.method.verify_text = true;
  made.plan_.inputs.files.Add("documents", "", "documents");
  return made;
}

std::vector<uint64_t> IndexFeatures::Keys(const std::vector<Sketch>& sketches,
                                          uint64_t equality_key) const {
  std::vector<uint64_t> keys;
  parts_.generator->Keys(sketches, kNoScope.low, &keys);
  for (uint64_t& key : keys) key = IndexKey::OfHash(IndexKey::kFeatures, key);
  keys.push_back(equality_key);
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

IndexedText IndexFeatures::Take(Document* document) const {
  thread_local IngestScratch scratch;
  IndexedText taken;
  if (!document->has_text) {
    taken.rejected = "no-text-field";
    taken.detail = "the document has no text";
    return taken;
  }
  document->provenance.source = 0;
  Ingested made = Ingest(plan_, {}, document, &scratch);
  if (!made.quarantine_reason.empty() || !made.skip_reason.empty()) {
    taken.rejected = made.quarantine_reason.empty() ? made.skip_reason
                                                    : made.quarantine_reason;
    taken.detail = made.quarantine_detail;
    return taken;
  }
  const std::string_view bytes = made.FeatureBytes();
  taken.features = bytes;
  taken.text =
      IsHashed(plan_.features.form) ? std::move(made.text) : std::string(bytes);
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
  TWINSET_TRY(StoredSketches(plan_, parts_, taken->features, made.views,
                             &taken->sketches));
  taken->equality_key = EqualityIndexKey(made.info.fingerprint);
  taken->keys = Keys(taken->sketches, taken->equality_key);
  return {};
}

IndexedText IndexFeatures::TakeStored(std::string text) const {
  thread_local IngestScratch scratch;
  Ingested made;
  TakeText(plan_, {}, text, &scratch, &made);
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
  if (!IsHashed(plan_.features.form)) return std::string(text);
  thread_local IngestScratch scratch;
  return twinset::FeaturesOf(plan_, {}, text, &scratch);
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
  if (IsHashed(plan_.features.form)) {
    TakeText(plan_, {}, std::string(text), &scratch, &made);
  } else {
    made.features = text;
    made.info.empty = text.empty();
    if (!text.empty()) made.info.fingerprint = FingerprintOf(plan_, text);
  }
  if (made.info.empty) return std::vector<uint64_t>();
  std::vector<Sketch> sketches;
  TWINSET_TRY(StoredSketches(plan_, parts_, made.FeatureBytes(), made.views,
                             &sketches));
  return Keys(sketches, EqualityIndexKey(made.info.fingerprint));
}

Result<Verifier::Verdict> IndexFeatures::Compare(
    const IndexedText& a, std::string_view b_text,
    std::string* b_features) const {
  *b_features = FeaturesOf(b_text);
  // Equal features are a pair whatever a filter says of their sketches.
  if (parts_.filter != nullptr && *b_features != a.features) {
    thread_local IngestScratch scratch;
    Ingested made;
    TakeText(plan_, {}, std::string(b_text), &scratch, &made);
    std::vector<Sketch> sketches;
    TWINSET_TRY(
        StoredSketches(plan_, parts_, *b_features, made.views, &sketches));
    const std::vector<SketchView> x(a.sketches.begin(), a.sketches.end()),
        y(sketches.begin(), sketches.end());
    if (!parts_.filter->Passes(x, y)) return Verifier::Verdict();
  }
  Verifier::Verdict verdict = parts_.verifier->Compare(a.features, *b_features);
  // What bytes share is all or nothing.
  if (verdict.accepted && verdict.shared.a == 0)
    verdict.shared = {1, 1, verdict.score == 1 ? uint64_t{1} : uint64_t{0}};
  return verdict;
}

Json IndexFeatures::Parameters() const {
  PlanOptions shown = plan_.options;
  shown.method.verify_text = false;
  Json json;
  AddParametersJson({ParameterGroup::kSearch, ParameterGroup::kMethod}, shown,
                    &json);
  json["method"] = shown.method.name;
  AddParametersJson({ParameterGroup::kFeatures}, shown, &json);
  AddTokenFilterJson(shown.features, plan_.features.token_filter.get(), &json);
  return json;
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
