// --measure: what is stored of a document to be compared, what the measure
// learns from the corpus, and what compares (docs/methods/measures.md).
#ifndef TWINSET_SRC_DEDUP_METHODS_MEASURES_H_
#define TWINSET_SRC_DEDUP_METHODS_MEASURES_H_

#include <memory>
#include <string>

#include "methods/registry.h"
#include "twinset/error.h"
#include "twinset/options.h"
#include "verify/verifier.h"

namespace twinset {

// View 0 of a method with this --measure: sets of --shingle for the set
// measures, bags of it for the cosines of frequencies, the sequence of tokens
// for edit and hamming, of characters for edit-chars and hamming-chars; all
// under the run's secret. Shingle sets for an unknown measure, which
// MeasureVerifier refuses.
FeatureView MeasureView(const MethodOptions& options);

// Does the measure weigh features by their document frequencies?
bool MeasureLearns(const MethodOptions& options);

// The encoded FrequencyTable of the first view of the pass: view 0 for a
// measure that learns; rows of methods may learn that of their sketches by it
// too.
Result<std::string> LearnMeasure(const MethodOptions& options,
                                 const PrepareContext& context);

// The IDF of what LearnMeasure returned.
Result<FeatureIdf> MeasureIdf(const std::string& model);

// `idf`: null when the measure does not learn, and when options are only
// checked. kUsage for an unknown measure or a threshold out of (0, 1].
Result<std::unique_ptr<Verifier>> MeasureVerifier(const MethodOptions& options,
                                                  const FeatureIdf& idf);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_METHODS_MEASURES_H_
