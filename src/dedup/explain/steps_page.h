// The steps of a method as a page.
#ifndef TWINSET_SRC_DEDUP_EXPLAIN_STEPS_PAGE_H_
#define TWINSET_SRC_DEDUP_EXPLAIN_STEPS_PAGE_H_

#include <string>

#include "methods/registry.h"
#include "report/step_text.h"
#include "twinset/error.h"

namespace twinset {

// The steps with their drawings, then the curve of the law by which `method`
// proposes pairs, if it has one.
Result<std::string> StepsPage(const StepText& steps, const Method& method,
                              const MethodOptions& options);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_EXPLAIN_STEPS_PAGE_H_
