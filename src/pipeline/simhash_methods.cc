// Rows of the registry: fingerprints whose equality or nearness in bits is the
// event (docs/methods/simhash.md, tables.md, fuzzy.md).
#include "candidate/hamming_join.h"
#include "candidate/psm.h"
#include "candidate/tables.h"
#include "candidate/value_keys.h"
#include "pipeline/measures.h"
#include "pipeline/method_rows.h"
#include "pipeline/steps.h"
#include "sketch/fuzzy.h"
#include "sketch/simhash.h"

namespace twinset {

namespace {

using Views = Result<std::vector<FeatureView>>;

// ---- simhash ----

bool WeighsByIdf(const MethodOptions& options) {
  return options.weights == "tf-idf";
}

Views SimHashViews(const MethodOptions& options) {
  // The weights of single occurrences do not depend on their order; equal ones
  // side by side are looked up once.
  FeatureForm form = FeatureForm::kSequence;
  if (options.weights == "set") form = FeatureForm::kShingles;
  if (WeighsByIdf(options)) form = FeatureForm::kBag;
  return std::vector<FeatureView>{SketchedFeatures(options, form)};
}

Status CheckSimHash(const MethodOptions& options) {
  if (options.weights != "set" && options.weights != "tf" &&
      !WeighsByIdf(options)) {
    return Fail(ErrorCode::kUsage, "--weights is '" + options.weights +
                                       "' but must be set, tf or tf-idf");
  }
  // Their values have 32 bits: the leading half of every vote would be -1.
  if (options.feature_hash == "sha1-32" || options.feature_hash == "xxh3-32") {
    return Fail(ErrorCode::kUsage,
                "--feature-hash " + options.feature_hash +
                    " has 32 bits, simhash votes with 64",
                "", "use --feature-hash sha1-64 or xxh3");
  }
  return {};
}

// --generator: how fingerprints that differ in few bits are found. With a join,
// the tables stand in where memory is short, if they find the same pairs.
Status SetGenerator(const MethodOptions& options, MethodParts* parts) {
  TWINSET_ASSIGN(
      TableDesign design,
      ParseTableDesign(options.tables, options.bits, options.distance));
  parts->filter = MakeHammingFilter(0, options.bits, options.distance);
  if (options.probes == 0 || options.generator != "psm") {
    parts->generator = MakeTableKeys(std::move(design), 0);
  }
  if (options.generator.empty() || options.generator == "tables") return {};
  if (options.generator != "hamming" && options.generator != "psm") {
    return Fail(ErrorCode::kUsage,
                "simhash does not take --generator " + options.generator, "",
                "use tables, hamming or psm");
  }
  if (options.bits > 128) {
    return Fail(ErrorCode::kUsage,
                "--generator " + options.generator +
                    " takes up to --bits 128, not " +
                    std::to_string(options.bits),
                "", "use --generator tables");
  }
  parts->join = options.generator == "psm"
                    ? MakePsmJoinFactory(0, options.bits, options.distance,
                                         options.probes)
                    : MakeHammingJoinFactory(0, options.bits, options.distance);
  return {};
}

Result<MethodParts> MakeSimHash(const MethodOptions& options,
                                const std::string* model) {
  TWINSET_TRY(CheckSimHash(options));
  std::shared_ptr<const FrequencyTable> idf;
  if (model != nullptr) {
    TWINSET_ASSIGN(FrequencyTable table, FrequencyTable::Decode(*model));
    idf = std::make_shared<const FrequencyTable>(std::move(table));
  }
  MethodParts parts;
  const auto make =
      options.generator == "psm" ? MakeVoteSketcher : MakeSimHashSketcher;
  TWINSET_ASSIGN(auto sketcher, make(options.bits, std::move(idf)));
  parts.sketchers.push_back(std::move(sketcher));
  TWINSET_TRY(SetGenerator(options, &parts));
  return parts;
}

MethodRow SimHashRow() {
  MethodRow row;
  row.info.name = "simhash";
  row.info.summary =
      "fingerprints that differ in few bits: SimHash and permuted tables";
  row.info.source =
      "Charikar 2002; Henzinger 2006; Manku, Jain and Das Sarma 2007";
  row.info.prepare = {"document frequencies, with --weights tf-idf"};
  row.info.sketches = {"simhash"};
  row.info.generator = "tables|hamming|psm";
  row.info.filters = {"hamming"};
  row.info.verifier = "measure";
  row.info.parameters = {
      ThresholdParameter(),
      MeasureParameter(),
      {"bits", "64", "1..384", "length of a fingerprint"},
      {"distance", "3", "0..bits - 1", "most bits that may differ"},
      {"weights", "tf", "set|tf|tf-idf", "how much a feature counts"},
      {"tables", "distance + 1 blocks",
       "blocks, their sizes, LEVEL/LEVEL, manku-20|16|10|4",
       "design of the permuted tables"},
      {"generator", "tables", "tables|hamming|psm",
       "how near fingerprints are found"},
      {"probes", "0", ">= 0", "psm: look-ups a document; 0: all"},
      {"sketch-shingle", "as shingle", "as shingle",
       "features of the fingerprint; word:2+word:3 mixes"},
      {"feature-hash", "spec",
       "spec|md5|md5-low|sha1-64|xxh3|rabin|rabin-mixed|binary|decimal",
       "how a feature becomes a number"},
      BucketLimitParameter()};
  row.info.incremental = true;
  row.sketch_views = SimHashViews;
  row.learns = WeighsByIdf;
  row.prepare = LearnMeasure;
  row.make = MakeSimHash;
  row.steps.instead = AddSimHashSteps;
  row.law = CandidateLaw::kDistance;
  return row;
}

// ---- fuzzy ----

MethodRow FuzzyRow() {
  MethodRow row;
  row.info.name = "fuzzy";
  row.steps.before = AddFuzzySteps;
  row.info.summary =
      "equal fuzzy-fingerprints: deviations of word beginnings from the usual";
  row.info.source = "Stein 2005";
  row.info.sketches = {"fuzzy"};
  row.info.generator = "equal values at the same place";
  row.info.verifier = "measure";
  row.info.parameters = {ThresholdParameter(), MeasureParameter(),
                         BucketLimitParameter()};
  row.info.incremental = true;
  row.sketch_views = [](const MethodOptions&) -> Views {
    return std::vector<FeatureView>{{FeatureForm::kTokens, "", "spec"}};
  };
  row.make = [](const MethodOptions&,
                const std::string*) -> Result<MethodParts> {
    MethodParts parts;
    parts.sketchers.push_back(MakeFuzzySketcher());
    parts.generator = MakeValueKeys(2, /*by_place=*/true);
    return parts;
  };
  return row;
}

}  // namespace

std::vector<Method> SimHashMethods() {
  std::vector<Method> methods;
  methods.push_back(MakeMethod(SimHashRow()));
  methods.push_back(MakeMethod(FuzzyRow()));
  return methods;
}

}  // namespace twinset
