// What a saved run says of itself to the runs that ask it.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_SAVED_SAVED_OPTIONS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_SAVED_SAVED_OPTIONS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "pipeline/run/plan_options.h"
#include "store/saved_run.h"
#include "twinset/error.h"

namespace twinset {

// Options with which a run has these parameters (summary.json), without inputs
// and folders.
Result<PlanOptions> OptionsOfParameters(const Json& parameters);

// The parameters of the saved run as this build has them: one that came later
// than the build which saved it has its default.
Result<Json> SavedParameters(const SavedRun& saved);

// Options with which the saved run would be made again from its inputs. Its
// --write is left out.
Result<PlanOptions> SavedOptions(const SavedRun& saved);

// kUsage when one of the places (empty: none) is the folder or stands in it;
// `what` says of the folder that nothing is written there, not even beside its
// files.
Status CheckOutside(const std::string& folder, const std::string& what,
                    const std::vector<std::string>& places);

// CheckOutside of a saved run.
Status CheckPlaces(const SavedRun& saved,
                   const std::vector<std::string>& places);

// kUsage unless the saved run has kept what --kinds looks at.
Status CheckKeepsTexts(const SavedRun& saved);

// Where `fields` stand among the fields that documents of the saved run carry.
// kUsage names the first that they do not carry.
Result<std::vector<size_t>> PlacesOfFields(
    const SavedRun& saved, const std::vector<std::string>& fields);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_SAVED_SAVED_OPTIONS_H_
