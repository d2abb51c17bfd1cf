// explain --steps: the documents, and which steps a method has.
#include <algorithm>
#include <charconv>
#include <iterator>
#include <set>

#include "base/choice.h"
#include "base/hash.h"
#include "base/stop.h"
#include "documents/document_options.h"
#include "documents/find_document.h"
#include "documents/read_outcome.h"
#include "explain/sketch_steps.h"
#include "explain/steps_page.h"
#include "methods/steps.h"
#include "twinset/steps.h"

namespace twinset {

namespace {

constexpr size_t kMostDocuments = 64;

Result<StepDocument> MakeDocument(const std::string& name,
                                  const InputOptions& in,
                                  const FeatureOptions& features,
                                  const FeatureExtractor& extractor,
                                  const PassWatch& watch) {
  TWINSET_ASSIGN(DocumentText found, FindDocument(name, in, features, watch));
  StepDocument document;
  document.name = name;
  document.text = std::move(found.text);
  document.payload = std::move(found.payload);
  document.tokens = extractor.Tokens(document.text);
  for (const Token& token : document.tokens)
    document.token_hashes.push_back(Hash64(token.text));
  for (const ShingleSpan& span : extractor.Spans(document.text)) {
    document.windows.push_back({span.hash, span.begin, span.end});
    document.set.push_back(span.hash);
  }
  std::sort(document.set.begin(), document.set.end());
  document.set.erase(std::unique(document.set.begin(), document.set.end()),
                     document.set.end());
  if (document.set.empty()) {
    return Fail(ErrorCode::kUsage,
                "the document '" + name + "' is empty: it has no features", "",
                "leave it out");
  }
  return document;
}

Status CheckDocuments(const StepInput& input) {
  std::set<std::string> names;
  for (const StepDocument& document : input.documents) {
    if (!names.insert(document.name).second)
      return Fail(ErrorCode::kUsage,
                  "the document '" + document.name + "' is named twice");
    const bool one = document.tokens.size() == 1;
    if (input.is_fingerprints() && !one)
      return Fail(ErrorCode::kUsage,
                  "the document '" + document.name +
                      "' is not one fingerprint of digits 0 and 1",
                  "", "--feature-hash binary is for such; leave it out");
  }
  return {};
}

Result<StepInput> MakeInput(const std::vector<std::string>& names,
                            const InputOptions& in,
                            const FeatureOptions& features,
                            const MethodOptions& method,
                            const StepOptions& steps, const PassWatch& watch) {
  StepInput input{features, method, steps, in, {}, {}};
  if (!method.sketch_shingle.empty())
    input.features.shingle = method.sketch_shingle;
  if (names.empty() || names.size() + steps.queries.size() > kMostDocuments) {
    return Fail(ErrorCode::kUsage, "the steps are for 1 to " +
                                       std::to_string(kMostDocuments) +
                                       " documents");
  }
  TWINSET_ASSIGN(const auto extractor,
                 MakeExtractor(input.features, method.feature_hash));
  for (const auto* list : {&names, &steps.queries}) {
    for (const std::string& name : *list) {
      TWINSET_ASSIGN(StepDocument document,
                     MakeDocument(name, in, input.features, *extractor, watch));
      document.is_query = list == &steps.queries;
      for (size_t i = 0; i < document.windows.size(); ++i)
        input.places.emplace(document.windows[i].hash,
                             std::pair(input.documents.size(), i));
      input.documents.push_back(std::move(document));
    }
  }
  TWINSET_TRY(CheckDocuments(input));
  return input;
}

Status AddAllSteps(const Method& method, const StepInput& input,
                   const PassWatch& watch, StepText* text) {
  const StepOptions& steps = input.steps;
  if (!steps.queries.empty()) {
    return Fail(ErrorCode::kUsage, "--query is for look-up tables", "",
                "add --method " + MethodsWith([](const Method& other) {
                  return other.law == CandidateLaw::kDistance;
                }));
  }
  if (!input.is_fingerprints() && input.Shows(StepPart::kFeatures))
    AddShingleSteps(input, text);
  if (input.Shows(StepPart::kRows)) AddMembershipSteps(input, text);
  if (input.Shows(StepPart::kMeasures)) AddMeasureSteps(input, text);
  if (!input.Shows(StepPart::kSketch)) return {};
  if (!steps.images.empty()) TWINSET_TRY(AddImageSteps(input, text));
  if (!steps.orders.empty()) TWINSET_TRY(AddOrderSteps(input, text));
  if (!steps.functions.empty()) TWINSET_TRY(AddSlotSteps(input, text));
  if (!steps.images.empty() || !steps.orders.empty() ||
      !steps.functions.empty())
    return {};
  return AddSketchSteps(method, input, watch, text);
}

}  // namespace

Result<ExplainedSteps> v1::ExplainSteps(const std::vector<std::string>& names,
                                        const InputOptions& in,
                                        const FeatureOptions& features,
                                        const MethodOptions& method,
                                        const StepOptions& steps) try {
  CutOffs cut_offs;
  const PassWatch watch = {.cut_offs = &cut_offs};
  TWINSET_ASSIGN(const StepInput input,
                 MakeInput(names, in, features, method, steps, watch));
  TWINSET_ASSIGN(const Method* row, FindSketchMethod(method.name));
  StepText text(steps.most_rows);
  bool added = false;
  if (row->steps.instead) {
    TWINSET_ASSIGN(added, row->steps.instead(input, &text));
  }
  if (!added) TWINSET_TRY(AddAllSteps(*row, input, watch, &text));
  TWINSET_ASSIGN(std::string page, StepsPage(text, *row, method));
  return ExplainedSteps{text.Written(), std::move(page), cut_offs.Warnings()};
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
