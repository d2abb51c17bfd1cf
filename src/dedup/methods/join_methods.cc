// The complete join as a method: what finds pairs when none is named
// (docs/methods/complete.md).
#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "candidate/complete/prefix_join.h"
#include "methods/measures.h"
#include "methods/method_rows.h"
#include "methods/steps.h"
#include "options/parameters.h"

namespace twinset {

namespace {

JoinMeasure JoinMeasureOf(const MethodOptions& options) {
  switch (options.measure) {
    case Measure::kJaccard:
      return JoinMeasure::kJaccard;
    case Measure::kContainment:
      return JoinMeasure::kContainment;
    case Measure::kDice:
    case Measure::kS3:
      return JoinMeasure::kDice;
    case Measure::kCosine:
      return JoinMeasure::kCosine;
    case Measure::kEdit:
    case Measure::kEditChars:
      return JoinMeasure::kEdit;
    case Measure::kHamming:
    case Measure::kHammingChars:
      return JoinMeasure::kHamming;
    case Measure::kCosineTf:
    case Measure::kCosineTfIdf:
      break;
  }
  return JoinMeasure::kCosineTf;
}

// Keys by which single documents are looked up: two words each. Two documents
// with one in common are candidates; nothing is estimated.
class PrefixSketcher : public Sketcher {
 public:
  PrefixSketcher(const OverlapBounds& bounds, FeatureIdf idf)
      : bounds_(bounds), idf_(std::move(idf)) {}
  std::string name() const override { return "prefix"; }
  SketchLayout layout() const override {
    return {.comparison = SketchLayout::kAsSets, .value_bits = 64};
  }
  void Compute(std::string_view features, Sketch* sketch) const override {
    std::vector<uint64_t> keys;
    PrefixKeys(bounds_, idf_, features, &keys);
    sketch->clear();
    for (const uint64_t key : keys) {
      sketch->push_back(static_cast<uint32_t>(key));
      sketch->push_back(static_cast<uint32_t>(key >> 32));
    }
  }
  bool EstimatesSimilarity() const override { return false; }
  // 1 when they have a key in common, else 0: what the generator sees.
  double Estimate(SketchView a, SketchView b) const override {
    return CompareSketches(layout(), a, b).equal > 0 ? 1 : 0;
  }
  static std::vector<uint64_t> KeysOf(SketchView sketch) {
    std::vector<uint64_t> keys;
    for (size_t i = 0; i + 1 < sketch.size(); i += 2)
      keys.push_back(sketch[i] | uint64_t{sketch[i + 1]} << 32);
    return keys;
  }

 private:
  const OverlapBounds bounds_;
  const FeatureIdf idf_;
};

class PrefixKeyGenerator : public KeyGenerator {
 public:
  void Keys(std::span<const Sketch> sketches, uint64_t scope,
            std::vector<uint64_t>* keys) const override {
    for (const uint64_t key : PrefixSketcher::KeysOf(sketches[0]))
      keys->push_back(Mix64(key + Mix64(scope)));
  }
  Status Check(std::span<const SketchLayout> layouts) const override {
    return CheckLayout(layouts, 0,
                       {.comparison = SketchLayout::kAsSets, .value_bits = 64},
                       "the generator of prefixes");
  }
};

Result<MethodParts> MakeComplete(const MethodOptions& options,
                                 const FeatureIdf& idf) {
  const JoinMeasure measure = JoinMeasureOf(options);
  if (!options.verify) {
    return Fail(
        ErrorCode::kUsage, "the complete join has no estimates to report", "",
        "leave out --verify none, or name a method of sketches with --method");
  }
  MethodParts parts;
  parts.overlap = OverlapBounds(measure, options.threshold);
  parts.sketchers.push_back(
      std::make_unique<PrefixSketcher>(*parts.overlap, idf));
  parts.generator = std::make_unique<PrefixKeyGenerator>();
  parts.join = MakePrefixJoinFactory(measure, options.threshold, idf);
  parts.expected_recall = 1.0;
  parts.complete = true;
  return parts;
}

Method CompleteMethod() {
  MethodRow row;
  row.info.name = "complete";
  row.info.summary =
      "every pair at the threshold, provably: prefix filter, exact "
      "verification";
  row.info.source =
      "Chaudhuri, Ganti and Kaushik 2006; Bayardo, Ma and Srikant 2007; Xiao, "
      "Wang, Lin and Yu 2008";
  row.info.sketches = {"prefix"};
  row.info.generator = "prefix";
  row.info.filters = {"size", "position", "overlap"};
  row.info.verifier = "measure";
  AddReads(
      &row.info,
      {"threshold", "measure", {"generator", OneOf({"prefix"}), "prefix"}});
  row.info.complete = true;
  row.info.is_standard = true;
  row.info.why =
      "Complete: every true pair is among the candidates, whatever differs.";
  row.sketch_views =
      [](const MethodOptions& options) -> Result<std::vector<FeatureView>> {
    return std::vector<FeatureView>{MeasureView(options)};
  };
  row.make_weighted = MakeComplete;
  row.steps.before = AddPrefixSteps;
  return MakeMethod(row);
}

}  // namespace

std::vector<Method> JoinMethods() { return {CompleteMethod()}; }

}  // namespace twinset
