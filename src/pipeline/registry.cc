#include "pipeline/registry.h"

#include "sketch/simd_target.h"
#include "verify/measures.h"

namespace twinset {

namespace {

Status CheckThreshold(const MethodOptions& options) {
  if (options.threshold > 0 && options.threshold <= 1) return {};
  return Fail(ErrorCode::kUsage, "--threshold must be above 0 and at most 1");
}

Result<MethodParts> MakeMinHash(const MethodOptions& options,
                                const CorpusModel*) {
  TWINSET_TRY(CheckThreshold(options));
  TWINSET_ASSIGN(const Measure measure, ParseMeasure(options.measure));
  MethodParts parts;
  TWINSET_ASSIGN(auto sketcher,
                 MakeMinHashSketcher(options.permutations, options.seed));
  parts.sketchers.push_back(std::move(sketcher));
  parts.bands = options.bands;
  parts.rows = options.rows;
  if ((options.bands == 0) != (options.rows == 0)) {
    return Fail(ErrorCode::kUsage, "--bands and --rows must be given together");
  }
  if (options.bands == 0) {
    TWINSET_ASSIGN(const BandPlan plan,
                   PlanBands(options.threshold, options.permutations, 0.99));
    parts.bands = plan.bands;
    parts.rows = plan.rows;
  }
  TWINSET_ASSIGN(parts.generator,
                 MakeBandKeys(parts.bands, parts.rows, options.permutations));
  // Bands see resemblance: only for it does the threshold say how many pairs
  // they find.
  if (measure == Measure::kJaccard) {
    parts.expected_recall =
        BandRecall(options.threshold, parts.bands, parts.rows);
  }
  parts.verifier = MakeSetVerifier(measure, options.threshold);
  return parts;
}

Method MinHashRow() {
  Method method;
  method.info.name = "minhash";
  method.info.summary =
      "near-duplicates: MinHash sketches, bands, exact verification";
  method.info.source = "Broder 1997; Indyk and Motwani 1998";
  method.info.sketches = {"minhash"};
  method.info.generator = "bands";
  method.info.filters = {"size"};
  method.info.verifier = "set overlap";
  method.info.parameters = {
      {"threshold", "0.8", "(0, 1]", "smallest similarity of a reported pair"},
      {"measure", "jaccard", "jaccard|containment|dice|cosine|s3",
       "what similarity means"},
      {"permutations", "128", "8..4096, multiple of 8", "values of a sketch"},
      {"bands", "derived", ">= 1", "keys of a document"},
      {"rows", "derived", ">= 1", "values of a key"},
      {"bucket-limit", "4096", ">= 0",
       "members a band bucket may have before leaders stand in"},
      {"seed", "1", "any", "of the hash functions"}};
  method.info.incremental = true;
  method.form = [](const MethodOptions&) -> Result<FeatureForm> {
    return FeatureForm::kShingles;
  };
  method.make = MakeMinHash;
  return method;
}

Result<FeatureForm> ExactForm(const MethodOptions& options) {
  if (options.level == "bytes") return FeatureForm::kPayload;
  if (options.level == "text") return FeatureForm::kText;
  if (options.level == "tokens") return FeatureForm::kTokens;
  return Fail(ErrorCode::kUsage,
              "--level does not know '" + options.level + "'", "",
              "use bytes, text or tokens");
}

Result<MethodParts> MakeExact(const MethodOptions& options,
                              const CorpusModel*) {
  TWINSET_TRY(ExactForm(options));
  MethodParts parts;
  parts.sketchers.push_back(MakeRabinSketcher());
  parts.generator = MakeWholeSketchKeys();
  parts.verifier = MakeBytesVerifier();
  parts.expected_recall = 1.0;
  return parts;
}

Method ExactRow() {
  Method method;
  method.info.name = "exact";
  method.info.summary = "copies: equal Rabin fingerprints, then equal bytes";
  method.info.source =
      "Rabin 1981; Broder 1993; Heydon and Najork 1999 (content-seen test)";
  method.info.sketches = {"rabin"};
  method.info.generator = "equal fingerprints";
  method.info.verifier = "equal bytes";
  method.info.parameters = {
      {"level", "bytes", "bytes|text|tokens",
       "what must be equal: payload, clean text, tokens"}};
  method.info.incremental = true;
  method.info.complete = true;
  method.form = ExactForm;
  method.make = MakeExact;
  return method;
}

}  // namespace

const std::vector<Method>& AllMethods() {
  static const std::vector<Method> methods = {ExactRow(), MinHashRow()};
  return methods;
}

Result<const Method*> FindMethod(std::string_view name) {
  std::string known;
  for (const Method& method : AllMethods()) {
    if (method.info.name == name) return &method;
    known += (known.empty() ? "" : ", ") + method.info.name;
  }
  return Fail(ErrorCode::kUsage,
              "no method is called '" + std::string(name) + "'", "",
              "use one of: " + known);
}

std::vector<MethodInfo> Methods() {
  std::vector<MethodInfo> rows;
  for (const Method& method : AllMethods()) rows.push_back(method.info);
  return rows;
}

std::vector<std::string> SimdTargets() { return ListSimdTargets(); }

}  // namespace twinset
