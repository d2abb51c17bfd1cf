#include "pipeline/pairs/lone_documents.h"

#include "methods/measures.h"
#include "options/parameters.h"
#include "pipeline/pairs/sketch_pass.h"

namespace twinset {

namespace {

// Two documents alone must decide about their pair, by keys of each alone.
Status CheckServes(const Method& method, const MethodParts& parts,
                   const MethodOptions& options,
                   const LoneDocuments::Asker& asker) {
  if (parts.join || parts.generator == nullptr ||
      (method.learns && method.learns(options))) {
    return Fail(ErrorCode::kUnsupported,
                "method " + method.info.name +
                    " chooses what it looks for by all documents together, "
                    "and " +
                    asker.name + " never has them all",
                "", asker.way);
  }
  const char* why = !options.verify       ? "without verification"
                    : options.verify_text ? "that compares texts too"
                    : options.measure == Measure::kContainment
                        ? "by containment, which no key of one document tells"
                    : MeasureLearns(options)
                        ? "that weighs features by all documents"
                        : nullptr;
  if (why == nullptr) return {};
  return Fail(ErrorCode::kUnsupported, asker.name + " cannot be had " + why);
}

}  // namespace

Result<LoneDocuments> LoneDocuments::Make(const ComparisonOptions& options,
                                          const HashKey& key,
                                          const Asker& asker) {
  LoneDocuments made;
  PlanOptions& plan = made.plan.options;
  plan.features = options.features;
  plan.method = options.method;
  plan.max_df = 0;
  // A document is compared by itself, whatever its site shows later.
  plan.features.template_blocks = TemplateRule::kKeep;
  TWINSET_ASSIGN(const Method* method, FindSketchMethod(plan.method.name));
  plan.method.name = method->info.name;
  TWINSET_ASSIGN(made.plan.features, MakeFeatures(method, &plan));
  TWINSET_ASSIGN(made.parts, method->make(plan.method, nullptr));
  TWINSET_TRY(CheckServes(*method, made.parts, plan.method, asker));
  TWINSET_TRY(SetKey(plan, key, &made.plan.features));
  TWINSET_TRY(MakeSketching(plan, &made.plan.features));
  made.options = {plan.features, plan.method, 0};
  made.plan.inputs.files.Add("documents", "", "documents");
  return made;
}

Ingested LoneDocuments::Take(Document* document) const {
  thread_local IngestScratch scratch;
  if (!document->has_text) {
    Ingested rejected;
    rejected.quarantine_reason = "no-text-field";
    rejected.quarantine_detail = "the document has no text";
    return rejected;
  }
  document->provenance.source = 0;
  Ingested made = Ingest(plan, {}, document, &scratch);
  if (made.quarantine_reason.empty()) made.quarantine_reason = made.skip_reason;
  return made;
}

Status LoneDocuments::Keys(const Ingested& made, std::vector<Sketch>* sketches,
                           std::vector<uint64_t>* keys) const {
  TWINSET_TRY(
      StoredSketches(plan, parts, made.FeatureBytes(), made.views, sketches));
  parts.generator->Keys(*sketches, kNoScope.low, keys);
  return {};
}

const char* LoneDocuments::WhyNotStaged(const ComparisonOptions& asked) const {
  return asked.max_df != 0 ? "--max-df counts over all documents"
         : parts.filter != nullptr
             ? "the method has a filter that compares sketches"
         : !IsHashed(plan.features.form) ? "the method compares bytes"
                                         : nullptr;
}

Json LoneDocuments::Parameters() const {
  PlanOptions shown = plan.options;
  shown.method.verify_text = false;
  Json json;
  AddParametersJson({ParameterGroup::kSearch, ParameterGroup::kMethod}, shown,
                    &json);
  json["method"] = shown.method.name;
  AddParametersJson({ParameterGroup::kFeatures}, shown, &json);
  AddTokenFilterJson(shown.features, plan.features.token_filter.get(), &json);
  return json;
}

}  // namespace twinset
