// Rows of the registry: several sketches of a document together.
// See docs/methods/henzinger-combined.md.
#include "candidate/value_keys.h"
#include "methods/method_rows.h"
#include "methods/minhash_parts.h"
#include "methods/steps.h"
#include "options/parameters.h"
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
  const bool unmixed = options.feature_hash == FeatureHash::kRabin;
  FeatureView c{FeatureForm::kBag, kFeaturesOfC,
                unmixed ? FeatureHash::kRabinMixed : options.feature_hash};
  if (options.weights == FeatureWeights::kSet) c.form = FeatureForm::kShingles;
  return std::vector<FeatureView>{b, c};
}

Result<MethodParts> MakeCombined(const MethodOptions& options,
                                 const std::string*) {
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
  AddReads(&row.info, {"threshold", "measure"});
  ReadSuperShingles(&row.info);
  AddReads(&row.info,
           {{"sketch-shingle", kShinglesOfB},
            "feature-hash",
            "bits",
            "distance",
            {"weights", OneOf({FeatureWeights::kSet, FeatureWeights::kTf})},
            "bucket-limit",
            "seed"});
  row.info.why =
      "What both kinds of sketch say: the pairs of one template that SimHash "
      "names lack common shingles, and the short ones that super-shingles name "
      "lack common votes. More precise than either, and never finds more.";
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
