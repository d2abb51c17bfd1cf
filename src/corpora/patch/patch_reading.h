// How the records of a patch are read, as its head says it.
#ifndef TWINSET_SRC_CORPORA_PATCH_PATCH_READING_H_
#define TWINSET_SRC_CORPORA_PATCH_PATCH_READING_H_

#include <string>
#include <vector>

#include "pipeline/run/plan_options.h"
#include "twinset/error.h"
#include "twinset/json.h"

namespace twinset {

// The `parameters`, as in summary.json, by which records are read, and the
// fields that are read with them: nothing that names a file.
Json ReadingJson(const Json& parameters,
                 const std::vector<std::string>& fields);

// Back: options with these, and the fields. Everything else that `reading`
// holds is ignored. kCorrupt for values that no run has.
Result<PlanOptions> OptionsOfReading(const Json& reading);
Result<std::vector<std::string>> FieldsOfReading(const Json& reading);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_PATCH_PATCH_READING_H_
