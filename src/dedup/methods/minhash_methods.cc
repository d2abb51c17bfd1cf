// Rows of the registry: MinHash and its kin.
#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

#include "candidate/complete/overlap_bounds.h"
#include "candidate/value_keys.h"
#include "methods/method_rows.h"
#include "methods/minhash_parts.h"
#include "methods/steps.h"
#include "options/parameters.h"
#include "sketch/minhash_family.h"
#include "sketch/peer_minhash.h"

namespace twinset {

namespace {

// ---- sketches of values, place by place -------------------------------------

using MakeSketcher =
    std::function<Result<std::unique_ptr<Sketcher>>(const MethodOptions&)>;

// A value agrees with the probability of the resemblance, and if not, its kept
// bits do by chance.
double AgreeingShare(const MethodOptions& options) {
  if (options.value_bits >= 32) return options.threshold;
  const double chance =
      1.0 / static_cast<double>(uint64_t{1} << options.value_bits);
  return options.threshold + (1 - options.threshold) * chance;
}

std::unique_ptr<KeyGenerator> OverValues(const MethodOptions& options,
                                         std::unique_ptr<KeyGenerator> keys) {
  if (options.value_bits >= 32) return keys;
  return MakePackedKeys(std::move(keys),
                        static_cast<size_t>(options.permutations),
                        options.value_bits);
}

std::unique_ptr<PairFilter> AgreeingValues(const MethodOptions& options,
                                           int agree) {
  if (options.value_bits >= 32)
    return MakeAgreementFilter(0, 1, static_cast<size_t>(agree));
  return MakePackedAgreementFilter(0, static_cast<size_t>(options.permutations),
                                   options.value_bits,
                                   static_cast<size_t>(agree));
}

Status AddBands(const MethodOptions& options, MethodParts* parts) {
  if ((options.bands == 0) != (options.rows == 0)) {
    return Fail(ErrorCode::kUsage, "--bands and --rows must be given together");
  }
  const double share = AgreeingShare(options);
  parts->bands = options.bands;
  parts->rows = options.rows;
  if (options.bands == 0) {
    TWINSET_ASSIGN(const BandPlan plan,
                   PlanBands(share, options.permutations, 0.99));
    parts->bands = plan.bands;
    parts->rows = plan.rows;
  }
  TWINSET_ASSIGN(auto keys,
                 MakeBandKeys(parts->bands, parts->rows, options.permutations));
  parts->generator = OverValues(options, std::move(keys));
  if (options.agree == 0) {
    parts->expected_recall = BandRecall(share, parts->bands, parts->rows);
  }
  return {};
}

// Keys and filter of sketches whose values are compared place by place.
Status AddPlaceGenerator(const MethodOptions& options, MethodParts* parts) {
  int agree = options.agree;
  if (options.generator == "sorted") {
    const double share = AgreeingShare(options);
    if (agree == 0) agree = LeastAgreement(share, options.permutations);
    parts->generator = OverValues(options, MakeValueKeys(1, true));
    parts->expected_recall =
        AgreementProbability(share, options.permutations, agree);
  } else {
    TWINSET_TRY(AddBands(options, parts));
  }
  if (agree > 0) parts->filter = AgreeingValues(options, agree);
  return {};
}

MethodRow PlaceRow(std::string name, MakeSketcher make) {
  MethodRow row;
  row.info.name = std::move(name);
  row.info.sketches = {row.info.name};
  row.info.generator = "bands|sorted";
  row.info.filters = {"size", "agreement"};
  row.info.verifier = "measure";
  AddReads(&row.info, {"threshold",
                       "measure",
                       "permutations",
                       "value-bits",
                       {"generator", OneOf({"bands", "sorted"}), "bands"},
                       "bands",
                       "rows",
                       {"agree", UpTo(0, "permutations"),
                        "any (sorted: the threshold's share)"},
                       "bucket-limit",
                       "seed",
                       "sketch-shingle",
                       "feature-hash"});
  row.info.why =
      "Values agree as often as shingles do, so what counts is the share of "
      "shingles that changed, not where or why. One changed word alters as "
      "many shingles as a shingle has words: scattered changes (dates, "
      "numbers) cost more than one inserted block of the same length. What is "
      "found beside the true pairs lies just below the threshold, where the "
      "S-curve of the bands has not fallen yet.";
  row.info.incremental = true;
  row.steps.after = AddBandSteps;
  row.law = CandidateLaw::kBands;
  row.sketch_views = SketchedShingles;
  row.make = [make = std::move(make)](
                 const MethodOptions& options,
                 const std::string*) -> Result<MethodParts> {
    MethodParts parts;
    TWINSET_ASSIGN(auto sketcher, make(options));
    TWINSET_ASSIGN(auto kept, MakeValueBitsSketcher(std::move(sketcher),
                                                    options.permutations,
                                                    options.value_bits));
    parts.sketchers.push_back(std::move(kept));
    TWINSET_TRY(AddPlaceGenerator(options, &parts));
    return parts;
  };
  return row;
}

MethodRow MinHashRow() {
  MethodRow row = PlaceRow("minhash", [](const MethodOptions& options) {
    return options.hash_family == HashFamily::kSpec
               ? MakeMinHashSketcher(options.permutations, options.seed)
               : MakePeerMinHashSketcher(options.hash_family,
                                         options.permutations, options.seed);
  });
  row.info.summary =
      "near-duplicates: MinHash sketches, bands, exact verification";
  row.steps.before = AddFunctionSteps;
  row.info.source = "Broder 1997; Indyk and Motwani 1998";
  row.info.is_standard_sketch = true;
  AddReads(&row.info,
           {{"hash-family",
             OneOf({HashFamily::kSpec, HashFamily::kDatasketch,
                    HashFamily::kDatasketch2, HashFamily::kTextDedup})}});
  return row;
}

MethodRow FastSimilarityRow() {
  MethodRow row = PlaceRow("fss", [](const MethodOptions& options) {
    return MakeFastSimilaritySketcher(options.permutations, options.seed);
  });
  row.info.summary = "as minhash, in one step a shingle, with less variance";
  row.info.source = "Dahlgaard, Knudsen and Thorup 2017";
  row.steps.before = PlaceSteps(
      "In each round every feature falls into one place, in the first rounds "
      "a random one, then the places in turn, until all are taken. A place "
      "keeps the least of the earliest round: its value.");
  return row;
}

MethodRow OnePermutationRow() {
  MethodRow row = PlaceRow("one-permutation", [](const MethodOptions& options) {
    return MakeOnePermutationSketcher(options.permutations, options.seed);
  });
  row.info.summary =
      "as minhash, by one function and bins, with optimal densification";
  row.info.source = "Li, Owen and Zhang 2012; Shrivastava 2017";
  row.steps.before = PlaceSteps(
      "One hash function puts every feature into one place, which keeps the "
      "least; an empty place takes the value of a random one that is not.");
  return row;
}

MethodRow RabinMinHashRow() {
  MethodRow row = PlaceRow(
      "rabin-minhash",
      [](const MethodOptions& options) -> Result<std::unique_ptr<Sketcher>> {
        return MakeRabinMinHashSketcher(
            options.permutations, options.seed,
            options.hash_family == HashFamily::kMixed);
      });
  row.info.summary = "as minhash, by remainders of random primes";
  row.info.source = "Sauerhoff 2007 (RABIN-MIN-HASHING); Rabin 1981";
  row.steps.before = PlaceSteps(
      "Each value is the least remainder of the features modulo a random "
      "prime below 2^32.");
  AddReads(&row.info,
           {{"hash-family", OneOf({HashFamily::kSpec, HashFamily::kMixed})}});
  return row;
}

// ---- sets of values ---------------------------------------------------------

// The least resemblance of two sets that reach `threshold` by the measure; 0
// where there is none. A derived one is lower by a hair, so that no rounding
// loses a pair. For containment, the threshold itself: mod-m sketches estimate
// it.
double LeastShare(const MethodOptions& options) {
  const double t = options.threshold;
  switch (options.measure) {
    case Measure::kJaccard:
    case Measure::kContainment:
      return t;
    case Measure::kDice:
    case Measure::kS3:
      return t / (2 - t) * OverlapBounds::kSafely;
    case Measure::kCosine:
      return t * t * OverlapBounds::kSafely;
    default:
      return 0;
  }
}

Result<MethodParts> MakeModShingles(const MethodOptions& options, SetShare of) {
  MethodParts parts;
  TWINSET_ASSIGN(auto sketcher, MakeModShingleSketcher(options.modulus, of));
  parts.sketchers.push_back(std::move(sketcher));
  parts.generator = MakeValueKeys(2, false);
  parts.filter =
      MakeOverlapFilter(0, static_cast<size_t>(std::max(1, options.agree)),
                        LeastShare(options), of);
  return parts;
}

MethodRow ModShinglesRow() {
  MethodRow row;
  row.info.name = "mod-m";
  row.info.summary = "sketches of the shingles whose hash is a multiple of m";
  row.info.source = "Broder, Glassman, Manasse and Zweig 1997";
  row.info.sketches = {"mod-shingles"};
  row.steps.before = AddModulusSteps;
  row.info.generator = "sorted";
  row.info.filters = {"size", "overlap"};
  row.info.verifier = "measure";
  AddReads(&row.info, {"threshold",
                       "measure",
                       "modulus",
                       {"generator", OneOf({"sorted"}), "sorted"},
                       "agree",
                       "bucket-limit",
                       "sketch-shingle",
                       "feature-hash"});
  row.info.why =
      "A sample of the shingles: short documents may keep none of them, and "
      "are missed whatever their difference.";
  row.info.incremental = true;
  row.sketch_views = SketchedShingles;
  row.make = [](const MethodOptions& options, const std::string*) {
    return MakeModShingles(options, options.measure == Measure::kContainment
                                        ? SetShare::kSmaller
                                        : SetShare::kUnion);
  };
  row.make_directed = [](const MethodOptions& options, const std::string*) {
    return MakeModShingles(options, SetShare::kFirst);
  };
  row.steps.scores = ContainmentEstimates;
  return row;
}

// ---- super-shingles ---------------------------------------------------------

Result<MethodParts> MakeSuperShingles(const MethodOptions& options,
                                      const std::string*) {
  MethodParts parts;
  TWINSET_TRY(AddSuperShingles(options, &parts));
  parts.generator = MakeValueKeys(2, true);
  return parts;
}

Result<MethodParts> MakeMegaShingles(const MethodOptions& options,
                                     const std::string*) {
  if (SuperShinglesToAgree(options) != 2) {
    return Fail(ErrorCode::kUsage,
                "mega-shingles are pairs of super-shingles: --agree " +
                    std::to_string(options.agree) + " is not theirs",
                "", "use --agree 2, or --method super-shingle");
  }
  MethodParts parts;
  TWINSET_TRY(AddSuperShingles(options, &parts));
  parts.generator = MakeValuePairKeys(2);
  return parts;
}

MethodRow SuperShingleRow() {
  MethodRow row;
  row.info.name = "super-shingle";
  row.info.summary =
      "near-duplicates: 2 of 6 super-shingles of 14 values agree";
  row.info.source = "Broder 2000; Fetterly, Manasse and Najork 2003";
  row.info.sketches = {"super-shingles"};
  row.info.generator = "equal super-shingles";
  row.info.filters = {"size", "agreement"};
  row.info.verifier = "measure";
  AddReads(&row.info, {"threshold", "measure"});
  ReadSuperShingles(&row.info);
  AddReads(&row.info,
           {"sketch-shingle", "feature-hash", "bucket-limit", "seed"});
  row.info.why =
      "A group of values must agree as a whole, so recall falls steeply with "
      "each change: near copies only. A pair that differs in many small places "
      "is missed first.";
  row.info.incremental = true;
  row.steps.before = AddMinimaSteps;
  row.steps.after = AddSuperShingleSteps;
  row.law = CandidateLaw::kGroups;
  row.sketch_views = SketchedShingles;
  row.make = MakeSuperShingles;
  return row;
}

MethodRow MegaShingleRow() {
  MethodRow row = SuperShingleRow();
  row.info.name = "mega-shingle";
  row.info.summary =
      "super-shingle by one look-up: keys are pairs of super-shingles";
  row.info.generator = "equal mega-shingles";
  row.make = MakeMegaShingles;
  return row;
}

}  // namespace

std::vector<Method> MinHashMethods() {
  std::vector<Method> methods;
  for (const MethodRow& row : std::vector<MethodRow>{
           MinHashRow(), FastSimilarityRow(), OnePermutationRow(),
           RabinMinHashRow(), ModShinglesRow(), SuperShingleRow(),
           MegaShingleRow()}) {
    methods.push_back(MakeMethod(row));
  }
  return methods;
}

}  // namespace twinset
