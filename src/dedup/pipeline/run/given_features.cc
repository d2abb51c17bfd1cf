#include "pipeline/run/given_features.h"

#include <algorithm>

#include "options/parameters.h"

namespace twinset {

namespace {

constexpr char kOneFeature[] = "word:1";

// What does not go with given features, or null.
const char* WhatNeedsText(const PlanOptions& options) {
  const FeatureOptions& features = options.features;
  const FeatureOptions standard;
  if (features.tokens != standard.tokens &&
      features.tokens != TokenRule::kFeatures) {
    return "--tokens";
  }
  if (features.shingle != standard.shingle && features.shingle != kOneFeature)
    return "--shingle";
  if (!options.method.sketch_shingle.empty()) return "--sketch-shingle";
  if (features.stop_words != standard.stop_words) return "--stop-words";
  if (features.stem != standard.stem) return "--stem";
  if (!options.input.languages.empty()) return "--language";
  if (!options.input.page_kinds.empty()) return "--page-kind";
  if (options.within == "language" || options.across == "language")
    return "a scope by language";
  if (options.kinds) return "--kinds";
  return nullptr;
}

bool IsOfSets(Measure measure) {
  return measure == Measure::kJaccard || measure == Measure::kContainment ||
         measure == Measure::kDice || measure == Measure::kCosine ||
         measure == Measure::kS3;
}

}  // namespace

Status UseGivenFeatures(const MethodInfo& method, PlanOptions* options) {
  if (options->input.features_field.empty()) return {};
  if (const char* flag = WhatNeedsText(*options)) {
    return Fail(ErrorCode::kUsage,
                std::string(flag) +
                    " is about texts: with --features-field the features of a "
                    "row are compared as they are");
  }
  MethodOptions& options_of_method = options->method;
  if (!IsOfSets(options_of_method.measure)) {
    return Fail(ErrorCode::kUsage,
                "--measure " +
                    std::string(ChoiceName(options_of_method.measure)) +
                    " compares the tokens of texts: with --features-field only "
                    "sets of features are compared",
                "", "use jaccard, containment, dice, cosine or s3");
  }
  options->features.tokens = TokenRule::kFeatures;
  options->features.shingle = kOneFeature;
  const auto& given = options_of_method.given;
  const bool chosen =
      std::find(given.begin(), given.end(), "weights") != given.end() ||
      options_of_method.weights != MethodOptions().weights;
  const auto* weights = [&]() -> const MethodParameter* {
    for (const MethodParameter& read : method.parameters)
      if (read.name == "weights") return &read;
    return nullptr;
  }();
  const std::string_view by_field = ChoiceName(FeatureWeights::kField);
  if (!chosen && weights != nullptr &&
      std::find(weights->range.choices.begin(), weights->range.choices.end(),
                by_field) != weights->range.choices.end()) {
    options_of_method.weights = FeatureWeights::kField;
  }
  return {};
}

Status CheckWeightedViews(const PlanOptions& options,
                          const std::vector<FeatureView>& views) {
  const bool weighted =
      std::any_of(views.begin(), views.end(), [](const FeatureView& view) {
        return view.form == FeatureForm::kWeighted;
      });
  if (!weighted) return {};
  if (options.max_df != 0 || !options.ignore.empty()) {
    return Fail(ErrorCode::kUsage,
                std::string(options.max_df != 0 ? "--max-df" : "--ignore") +
                    " leaves features out, and --weights field does not",
                "", "use --weights tf, set or tf-idf");
  }
  if (!options.input.features_field.empty()) return {};
  return Fail(ErrorCode::kUsage,
              "--weights field takes the weights of a field of features, and "
              "none is named",
              "", "use --weights tf, set or tf-idf");
}

}  // namespace twinset
