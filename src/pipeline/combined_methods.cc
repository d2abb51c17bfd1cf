// Rows of the registry: several sketches of a document together.
// See docs/methods/henzinger-combined.md.
#include "candidate/value_keys.h"
#include "core/fingerprint.h"
#include "pipeline/method_rows.h"
#include "pipeline/minhash_parts.h"
#include "pipeline/steps.h"
#include "sketch/simhash.h"

namespace twinset {

namespace {

// Algorithm B sees 8-shingles, algorithm C single tokens (Henzinger 2006).
constexpr char kShinglesOfB[] = "word:8";
constexpr char kFeaturesOfC[] = "word:1";

Result<std::vector<FeatureView>> ViewsOfBoth(const MethodOptions& options) {
  FeatureView b = SketchedFeatures(options, FeatureForm::kShingles);
  if (b.shingle.empty()) b.shingle = kShinglesOfB;
  // Equal bits of hashes are equal votes: C needs hashes whose bits are mixed.
  const bool unmixed = options.feature_hash == "rabin";
  FeatureView c{FeatureForm::kBag, kFeaturesOfC,
                unmixed ? "rabin-mixed" : options.feature_hash};
  if (options.weights == "set") {
    c.form = FeatureForm::kShingles;
  } else if (options.weights != "tf") {
    return Fail(
        ErrorCode::kUsage,
        "method henzinger-combined does not know --weights " + options.weights,
        "", "use set or tf");
  }
  return std::vector<FeatureView>{b, c};
}

Result<MethodParts> MakeCombined(const MethodOptions& options,
                                 const std::string*) {
  if (options.distance < 0 || options.distance >= options.bits) {
    return Fail(ErrorCode::kUsage, "--distance is " +
                                       std::to_string(options.distance) +
                                       " but must be from 0 to below --bits");
  }
  MethodParts parts;
  TWINSET_TRY(AddSuperShingles(options, &parts));
  TWINSET_ASSIGN(auto simhash, MakeSimHashSketcher(options.bits));
  parts.sketchers.push_back(std::move(simhash));
  parts.filter =
      MakeBothFilter(std::move(parts.filter),
                     MakeHammingFilter(1, options.bits, options.distance));
  parts.generator = MakeValueKeys(2, true);
  parts.expected_recall.reset();
  return parts;
}

MethodRow HenzingerCombinedRow() {
  MethodRow row;
  row.info.name = "henzinger-combined";
  row.info.summary =
      "super-shingle pairs that SimHash confirms: Henzinger's combination";
  row.info.source = "Henzinger 2006";
  row.info.sketches = {"super-shingles", "simhash"};
  row.info.generator = "equal super-shingles";
  row.info.filters = {"size", "agreement", "hamming"};
  row.info.verifier = "measure";
  row.info.parameters =
      WithMore(WithMore({ThresholdParameter(), MeasureParameter()},
                        SuperShingleParameters()),
               {{"sketch-shingle", kShinglesOfB, "as shingle",
                 "what super-shingles are made of"},
                FeatureHashParameter()});
  row.info.parameters.push_back({"bits", "64",
                                 "1.." + std::to_string(kMaxFingerprintBits),
                                 "of the SimHash"});
  row.info.parameters.push_back(
      {"distance", "3", "0..bits-1", "most bits that may differ"});
  row.info.parameters.push_back(
      {"weights", "tf", "set|tf", "how much a token counts in the SimHash"});
  row.info.parameters.push_back(BucketLimitParameter());
  row.info.parameters.push_back(SeedParameter());
  row.info.incremental = true;
  row.sketch_views = ViewsOfBoth;
  row.make = MakeCombined;
  row.steps.before = AddMinimaSteps;
  return row;
}

}  // namespace

std::vector<Method> CombinedMethods() {
  std::vector<Method> methods;
  methods.push_back(MakeMethod(HenzingerCombinedRow()));
  return methods;
}

}  // namespace twinset
