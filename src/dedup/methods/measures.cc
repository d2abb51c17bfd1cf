#include "methods/measures.h"

#include "sketch/sketcher.h"
#include "store/counts/frequency_counter.h"

namespace twinset {

FeatureView MeasureView(const MethodOptions& options) {
  const Measure measure = options.measure;
  if (IsSetMeasure(measure))
    return {FeatureForm::kShingles, "", FeatureHash::kSpec, true};
  if (measure == Measure::kCosineTf || measure == Measure::kCosineTfIdf)
    return {FeatureForm::kBag, "", FeatureHash::kSpec, true};
  const bool of_characters =
      measure == Measure::kEditChars || measure == Measure::kHammingChars;
  return {FeatureForm::kSequence, of_characters ? "char:1" : "word:1",
          FeatureHash::kSpec, true};
}

bool MeasureLearns(const MethodOptions& options) {
  return options.measure == Measure::kCosineTfIdf;
}

Result<std::string> LearnMeasure(const MethodOptions&,
                                 const PrepareContext& context) {
  ExternalSortOptions sort;
  sort.directory = context.directory;
  sort.name = "document-frequency";
  sort.memory_bytes = context.memory_bytes;
  sort.parameters_hash = context.parameters_hash;
  sort.threads = context.threads;
  FrequencyCounter counter(sort, context.budget);
  TWINSET_TRY(context.pass(
      [&](DocumentViews views) { return counter.Add(AsHashes(views[0])); }));
  TWINSET_ASSIGN(const FrequencyTable table, counter.Finish());
  return table.Encode();
}

Result<FeatureIdf> MeasureIdf(const std::string& model) {
  TWINSET_ASSIGN(const FrequencyTable table, FrequencyTable::Decode(model));
  return std::make_shared<const OnePlusIdf>(table);
}

Result<std::unique_ptr<Verifier>> MeasureVerifier(const MethodOptions& options,
                                                  const FeatureIdf& idf) {
  const double threshold = options.threshold;
  if (!(threshold > 0 && threshold <= 1)) {
    return Fail(ErrorCode::kUsage, "--threshold must be above 0 and at most 1");
  }
  switch (options.measure) {
    case Measure::kCosineTf:
      return MakeCosineTfVerifier(threshold);
    case Measure::kCosineTfIdf:
      return MakeCosineTfIdfVerifier(idf, threshold);
    case Measure::kEdit:
    case Measure::kEditChars:
      return MakeEditVerifier(threshold);
    case Measure::kHamming:
    case Measure::kHammingChars:
      return MakeHammingVerifier(threshold);
    default:
      return MakeSetVerifier(options.measure, threshold);
  }
}

}  // namespace twinset
