// Small tables that estimates are made of (docs/methods/relative-size.md), and
// what the estimators of the command share.
#ifndef TWINSET_SRC_MEASURE_SURVEY_ESTIMATE_ROWS_H_
#define TWINSET_SRC_MEASURE_SURVEY_ESTIMATE_ROWS_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "estimate/weighted.h"
#include "sample/sample_rows.h"
#include "twinset/error.h"
#include "twinset/measure/estimate.h"

namespace twinset {

// Rows of JSON lines (ReadSample), or of CSV whose first line names the
// columns: a field that spells a JSON number or truth value is one, an empty
// one is left out, all else is text. kCorrupt names file and line.
Result<SampleHeader> ReadTable(
    const EstimateOptions& options, size_t input,
    const std::function<Status(SampleRow row, const std::string& where)>&
        on_row);

// A number in a field of a row; kCorrupt when it is not there or no number, or
// below 0.
Result<double> NumberField(const SampleRow& row, std::string_view name,
                           const std::string& where);
Result<uint64_t> CountField(const SampleRow& row, std::string_view name,
                            const std::string& where);
// The JSON text of a field; nullptr when the row has none.
const std::string* FindField(const SampleRow& row, std::string_view name);
// A field that is a text, "" when it is not there or none.
std::string TextField(const SampleRow& row, std::string_view name);

EstimatedValue ToValue(std::string name, const Estimated& estimate);
EstimatedValue ToValue(std::string name, const Estimated& estimate,
                       const Interval& bootstrap);
// Takes the intervals away from a value; the first reason stands.
void Withhold(const std::string& why, EstimatedValue* value);
BootstrapOptions BootstrapOf(const EstimateOptions& options);

// Why an interval from draws of walks would be wrong too often to be called one
// of 95 % (docs/studies/sampling-walks.md); empty: it would not. `chains`: the
// chain of each draw.
std::string WhyNoInterval(const std::vector<WeightedValue>& draws,
                          const std::vector<uint64_t>& chains,
                          const WeightedEstimate& estimate);

// One of `what`, by file.
Result<EstimateResult> EstimateCaptures(const EstimateOptions& options);
Result<EstimateResult> EstimateSchnabel(const EstimateOptions& options);
Result<EstimateResult> EstimateRelative(const EstimateOptions& options);
Result<EstimateResult> EstimateCoverage(const EstimateOptions& options);
Result<EstimateResult> EstimateSize(const EstimateOptions& options);
Result<EstimateResult> EstimateRatio(const EstimateOptions& options);
Result<EstimateResult> EstimateServers(const EstimateOptions& options);
Result<EstimateResult> EstimateStatistic(const EstimateOptions& options);
Result<EstimateResult> EstimateWalk(const EstimateOptions& options);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_SURVEY_ESTIMATE_ROWS_H_
