// How a finished run read its inputs, by its summary.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_REPORT_RUN_READING_H_
#define TWINSET_SRC_DEDUP_PIPELINE_REPORT_RUN_READING_H_

#include <string>
#include <vector>

#include "pipeline/report/texts_again.h"
#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/results.h"

namespace twinset {

// Two collections were compared.
inline bool IsMatch(const Json& summary) {
  return summary["documents"].contains("a");
}

// The summary of a finished run over documents or units. kUsage, with `remedy`,
// when the folder holds none.
Result<Json> ReadRunSummary(const std::string& folder,
                            const std::string& remedy);

// Where the inputs of the run were, as they were given.
std::vector<std::string> InputsOfRun(const Json& summary);

// `options`: of the parameters of `summary` (OptionsOfParameters). kUsage for
// inputs that cannot be listed, kCorrupt for a summary that is damaged.
Result<RunReading> ReadingOfRun(const Json& summary, const PlanOptions& options,
                                const InputsNow& now);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_REPORT_RUN_READING_H_
