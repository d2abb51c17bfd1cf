// The configuration of a study: any bytes are a plan or an error, never more.
#include <cstddef>
#include <cstdint>
#include <string>

#include "target.h"
#include "transfer/study_plan.h"

TWINSET_FUZZ_TARGET(study_plan) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto plan = twinset::ParseStudyPlan(text, "STUDY.toml", "");
  if (plan && (plan->a.inputs.empty() || plan->content.empty() ||
               plan->candidates.mixes.empty()))
    __builtin_trap();
  if (!plan && plan.error().message.empty()) __builtin_trap();
  return 0;
}
