#include "pipeline/run/plan_machine.h"

#include "documents/document_pass.h"
#include "options/resources.h"
#include "pipeline/run/run_folders.h"

namespace twinset {

Result<PlanMachine> MakeMachine(const PlanOptions& options) {
  PlanMachine made;
  made.window_bytes = WindowMemory(options.input);
  TWINSET_ASSIGN(made.memory_bytes,
                 WorkingMemory(options.resources, options.input));
  made.threads = ResolveThreads(options.resources.threads, made.memory_bytes);
  TWINSET_ASSIGN(made.simd, SimdTargetHold::Take(options.resources.simd));
  TWINSET_ASSIGN(made.work, WorkFolderOf(options.out, options.resources.tmp));
  return made;
}

}  // namespace twinset
