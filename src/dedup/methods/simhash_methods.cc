// Rows of the registry: fingerprints whose equality or nearness in bits is the
// event (docs/methods/simhash.md, tables.md, fuzzy.md).
#include "candidate/hamming_join.h"
#include "candidate/psm.h"
#include "candidate/sketch_lookup.h"
#include "candidate/tables.h"
#include "candidate/value_keys.h"
#include "methods/measures.h"
#include "methods/method_rows.h"
#include "methods/steps.h"
#include "options/parameters.h"
#include "sketch/fuzzy.h"
#include "sketch/simhash.h"

namespace twinset {

namespace {

using Views = Result<std::vector<FeatureView>>;

constexpr char kOfVotes[] =
    "Every feature votes by its weight, so a rare change anywhere is outvoted "
    "and one in a short text is not: changed URLs, dates and numbers are few "
    "votes and are found, inserted blocks move many. Order within a text "
    "counts only as far as a feature holds more than one word: reordered text "
    "looks equal. Pairs of one template share most votes and are named "
    "though their content differs.";

// ---- simhash ----

bool WeighsByIdf(const MethodOptions& options) {
  return options.weights == FeatureWeights::kTfIdf;
}

bool WeighsByField(const MethodOptions& options) {
  return options.weights == FeatureWeights::kField;
}

Views SimHashViews(const MethodOptions& options) {
  // The weights of single occurrences do not depend on their order; equal ones
  // side by side are looked up once.
  FeatureForm form = FeatureForm::kSequence;
  if (options.weights == FeatureWeights::kSet) form = FeatureForm::kShingles;
  if (WeighsByIdf(options)) form = FeatureForm::kBag;
  if (WeighsByField(options)) form = FeatureForm::kWeighted;
  return std::vector<FeatureView>{SketchedFeatures(options, form)};
}

// --generator: how fingerprints that differ in few bits are found. With a join,
// the tables stand in where memory is short, if they find the same pairs.
Status SetGenerator(const MethodOptions& options, MethodParts* parts) {
  TWINSET_ASSIGN(
      const TableDesign design,
      ParseTableDesign(options.tables, options.bits, options.distance));
  parts->filter = MakeHammingFilter(0, options.bits, options.distance);
  parts->ignores_threshold = true;
  if (options.probes == 0 || options.generator != "psm") {
    if (options.bits <= 64) parts->lookup = MakeCompressedLookup(design, 0);
    parts->work = TableWork(design, options.bucket_limit);
    parts->generator = MakeTableKeys(design, 0);
  }
  if (options.generator.empty() || options.generator == "tables") return {};
  if (options.bits > 128) {
    return Fail(ErrorCode::kUsage,
                "--generator " + options.generator +
                    " takes up to --bits 128, not " +
                    std::to_string(options.bits),
                "", "use --generator tables");
  }
  if (options.generator == "psm") {
    parts->join =
        MakePsmJoinFactory(0, options.bits, options.distance, options.probes);
    parts->work = PsmWork(options.bits, options.distance, options.probes);
  } else {
    parts->join = MakeHammingJoinFactory(0, options.bits, options.distance);
    parts->work = HammingJoinWork(options.bits, options.distance);
  }
  return {};
}

Result<MethodParts> MakeSimHash(const MethodOptions& options,
                                const std::string* model) {
  std::shared_ptr<const FrequencyTable> idf;
  if (model != nullptr) {
    TWINSET_ASSIGN(FrequencyTable table, FrequencyTable::Decode(*model));
    idf = std::make_shared<const FrequencyTable>(std::move(table));
  }
  MethodParts parts;
  const bool votes = options.generator == "psm";
  const auto make = votes ? MakeVoteSketcher : MakeSimHashSketcher;
  TWINSET_ASSIGN(auto sketcher,
                 WeighsByField(options)
                     ? MakeWeightedSimHashSketcher(options.bits, votes)
                     : make(options.bits, std::move(idf)));
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
  AddReads(&row.info,
           {"threshold",
            "measure",
            "bits",
            "distance",
            "weights",
            {"tables", "distance + 1 blocks"},
            {"generator", OneOf({"tables", "hamming", "psm"}), "tables"},
            "probes",
            "sketch-shingle",
            // Not those of 32 bits: the leading half of every vote would be -1.
            {"feature-hash",
             OneOf({FeatureHash::kSpec, FeatureHash::kMd5, FeatureHash::kMd5Low,
                    FeatureHash::kSha1_64, FeatureHash::kXxh3,
                    FeatureHash::kRabin, FeatureHash::kRabinMixed,
                    FeatureHash::kBinary, FeatureHash::kDecimal})},
            "bucket-limit"});
  row.info.why = kOfVotes;
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
  AddReads(&row.info, {"threshold", "measure", "bucket-limit"});
  row.info.why = kOfVotes;
  row.info.incremental = true;
  row.sketch_views = [](const MethodOptions&) -> Views {
    return std::vector<FeatureView>{
        {FeatureForm::kTokens, "", FeatureHash::kSpec}};
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
