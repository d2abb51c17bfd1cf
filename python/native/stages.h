// The stages of twinset/stages.h over batches of Arrow.
#ifndef TWINSET_PYTHON_NATIVE_STAGES_H_
#define TWINSET_PYTHON_NATIVE_STAGES_H_

#include <nanobind/nanobind.h>

namespace twinset::python {

void BindStages(nanobind::module_& module);
// Those of twinset/corpora/leak_stages.h.
void BindLeakStages(nanobind::module_& module);

}  // namespace twinset::python

#endif  // TWINSET_PYTHON_NATIVE_STAGES_H_
