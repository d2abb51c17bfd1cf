#include "pipeline/estimates.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "pipeline/ingest.h"
#include "pipeline/sketch_pass.h"

namespace twinset {

namespace {

// Of how many independent values that agree with the probability of the
// estimate the sketch is made: its standard error then is that of a share. 0:
// it follows another law.
uint64_t IndependentValues(const std::string& sketch, uint64_t words,
                           const MethodOptions& options) {
  if (sketch == "simhash") return static_cast<uint64_t>(options.bits);
  if (sketch == "rabin-minhash" || sketch.starts_with("minhash") ||
      sketch == "fss" || sketch == "one-permutation") {
    return std::min<uint64_t>(words,
                              static_cast<uint64_t>(options.permutations));
  }
  return 0;
}

double StandardError(double estimate, uint64_t values, int value_bits) {
  // Of b bits a value, 2^-b of those that differ agree by chance (Li and König
  // 2010).
  const double chance = value_bits < 32 ? std::ldexp(1.0, -value_bits) : 0;
  const double agree = estimate + (1 - estimate) * chance;
  return std::sqrt(agree * (1 - agree) / static_cast<double>(values)) /
         (1 - chance);
}

}  // namespace

Result<std::vector<Sketch>> SketchesOf(const Plan& plan,
                                       const MethodParts& parts,
                                       std::string_view text) {
  IngestScratch scratch;
  std::vector<std::string> stored;
  std::vector<std::string_view> views;
  for (size_t i = 0; i < plan.views.size(); ++i) {
    const bool payload = plan.views[i].form == FeatureForm::kPayload;
    stored.push_back(payload ? std::string(text)
                             : MakeView(plan, i, text, &scratch));
  }
  for (const std::string& view : stored) views.push_back(view);
  std::vector<Sketch> sketches;
  ComputeSketches(parts, views, &sketches);
  return sketches;
}

Result<std::vector<SketchEstimate>> EstimatesOf(std::string_view x,
                                                std::string_view y,
                                                const FeatureOptions& features,
                                                const MethodOptions& method) {
  std::vector<SketchEstimate> estimates;
  for (const Method& candidate : AllMethods()) {
    Plan plan;
    plan.options.features = features;
    plan.options.method = method;
    plan.options.method.name = candidate.info.name;
    plan.options.method.generator.clear();
    plan.options.method.exact = false;
    plan.method = &candidate;
    const MethodOptions& options = plan.options.method;
    if (candidate.info.complete) continue;
    if (candidate.learns && candidate.learns(options)) continue;
    if (!PlanViews(&plan)) continue;
    const auto parts = candidate.make(options, nullptr);
    if (!parts || parts->sketchers.empty()) continue;
    TWINSET_ASSIGN(const auto a, SketchesOf(plan, *parts, x));
    TWINSET_ASSIGN(const auto b, SketchesOf(plan, *parts, y));
    SketchEstimate estimate;
    estimate.method = candidate.info.name;
    estimate.estimate = parts->sketchers[0]->Estimate(a[0], b[0]);
    const uint64_t values =
        IndependentValues(parts->sketchers[0]->name(), a[0].size(), options);
    if (values > 0) {
      const bool is_minhash = parts->sketchers[0]->name() != "simhash";
      estimate.standard_error = StandardError(
          estimate.estimate, values, is_minhash ? options.value_bits : 32);
    }
    estimates.push_back(std::move(estimate));
  }
  return estimates;
}

}  // namespace twinset
