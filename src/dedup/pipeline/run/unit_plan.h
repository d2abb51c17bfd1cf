// What --unit makes of a plan, and what is cut is checked for.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RUN_UNIT_PLAN_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RUN_UNIT_PLAN_H_

#include <string>

#include "pipeline/run/plan.h"
#include "twinset/error.h"
#include "twinset/json.h"

namespace twinset {

// Checks the options of --unit and turns `plan` and its `parameters`, complete
// but for them, into those of a run over units. kUsage for what the user must
// change; so also a --write that would have to cut markup (opens the inputs).
Status PlanUnits(Plan* plan, Json* parameters);

// kUsage where a text of the inputs cannot be written anew: markup, of which
// cutting would leave pages that nobody wrote, and texts of several fields.
// Opens the inputs. `flag` asks for the cuts; `remedy` says what to do.
Status CheckTextsCanBeCut(const Plan& plan, const std::string& flag,
                          const std::string& remedy);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RUN_UNIT_PLAN_H_
