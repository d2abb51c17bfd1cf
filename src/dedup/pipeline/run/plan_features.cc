#include "pipeline/run/plan_features.h"

#include <algorithm>
#include <utility>

#include "options/parameters.h"
#include "pipeline/run/given_features.h"
#include "pipeline/run/run_key.h"

namespace twinset {
namespace {

// What makes `view` of a text; null where it is not made of hashes.
Result<std::unique_ptr<FeatureExtractor>> MakeViewExtractor(
    const FeatureOptions& options, const PlanFeatures& made,
    const FeatureView& view, const HashKey& key) {
  if (!IsHashed(view.form) && view.form != FeatureForm::kWeighted)
    return nullptr;
  TWINSET_ASSIGN(
      auto kinds,
      ParseShingles(view.shingle.empty() ? options.shingle : view.shingle));
  if (view.secret) {
    return std::make_unique<FeatureExtractor>(options.tokens, std::move(kinds),
                                              key, made.token_filter);
  }
  return std::make_unique<FeatureExtractor>(options.tokens, std::move(kinds),
                                            view.hash, made.token_filter);
}

// Frequent shingles are counted, listed and taken out of sketches by their
// public hashes.
void AddPublicView(const PlanOptions& options, PlanFeatures* made) {
  if (options.max_df == 0 || !made->views[0].secret) return;
  FeatureView open = made->views[0];
  open.secret = false;
  auto& views = made->views;
  made->public_view = static_cast<size_t>(
      std::find(views.begin(), views.end(), open) - views.begin());
  if (made->public_view == views.size()) views.push_back(std::move(open));
}

}  // namespace

Status SetKey(const PlanOptions& options, const HashKey& key,
              PlanFeatures* made) {
  made->key = key;
  made->extractors.clear();
  for (const FeatureView& view : made->views) {
    TWINSET_ASSIGN(auto extractor,
                   MakeViewExtractor(options.features, *made, view, key));
    made->extractors.push_back(std::move(extractor));
  }
  const auto& views = made->views;
  made->views_share_pass =
      views.size() > 1 && views[0].secret && IsHashed(views[1].form) &&
      !views[1].secret && views[1].hash == FeatureHash::kSpec &&
      made->extractors[0]->kinds() == made->extractors[1]->kinds();
  return {};
}

Status MakeViews(const PlanOptions& options, PlanFeatures* made) {
  TWINSET_ASSIGN(made->token_filter, MakeTokenFilter(options.features));
  TWINSET_ASSIGN(made->views, made->method->views(options.method));
  TWINSET_TRY(CheckWeightedViews(options, made->views));
  made->form = made->views[0].form;
  if (made->method->fingerprint)
    made->fingerprint = made->method->fingerprint(options.method);
  AddPublicView(options, made);
  if (made->key == HashKey()) {
    TWINSET_ASSIGN(made->key, DrawHashKey());
  }
  return SetKey(options, made->key, made);
}

Status MakeSketching(const PlanOptions& options, PlanFeatures* made) {
  const Method& method = *made->method;
  const bool learns = method.learns && method.learns(options.method);
  if (learns || options.max_df != 0 || made->views.size() == 1) return {};
  TWINSET_ASSIGN(MethodParts parts, method.make(options.method, nullptr));
  if (parts.sketchers.empty() || !parts.asked_sketchers.empty() ||
      parts.sketch_views.size() != parts.sketchers.size() ||
      std::find(parts.sketch_views.begin(), parts.sketch_views.end(), 0) !=
          parts.sketch_views.end()) {
    return {};
  }
  made->sketches_ignore_repeats = true;
  for (size_t i = 0; i < parts.sketchers.size(); ++i) {
    if (parts.sketch_views[i] == 1 && !parts.sketchers[i]->IgnoresRepeats())
      made->sketches_ignore_repeats = false;
    // The sketch of one shingle: longer sketches grow with the document, and no
    // more.
    alignas(8) constexpr char kOne[8] = {1};
    Sketch sketch;
    parts.sketchers[i]->Compute({kOne, sizeof kOne}, &sketch);
    made->sketch_bytes += 64 + sketch.size() * sizeof(uint32_t);
  }
  made->sketching = std::make_shared<const MethodParts>(std::move(parts));
  return {};
}

Result<PlanFeatures> MakeFeatures(const Method* method, PlanOptions* options) {
  PlanFeatures made;
  made.method = method;
  if (method == nullptr) {
    TWINSET_ASSIGN(made.method, FindMethod(options->method.name));
    options->method.name = made.method->info.name;
  }
  TWINSET_TRY(UseGivenFeatures(made.method->info, options));
  TWINSET_TRY(MakeExtractor(options->features));
  TWINSET_ASSIGN(made.key, GivenKey(options->resources));
  TWINSET_TRY(MakeViews(*options, &made));
  TWINSET_TRY(made.method->make(options->method, nullptr));
  if (!made.method->info.parameters.empty())
    TWINSET_TRY(CheckParameters(made.method->info, options->method));
  made.text.content = options->features.content;
  made.text.want_page = !options->input.page_kinds.empty();
  made.template_drop = options->features.template_blocks == TemplateRule::kDrop;
  return made;
}

}  // namespace twinset
