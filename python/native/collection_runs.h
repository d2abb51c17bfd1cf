// dedup and match over documents that Python has.
#ifndef TWINSET_PYTHON_NATIVE_COLLECTION_RUNS_H_
#define TWINSET_PYTHON_NATIVE_COLLECTION_RUNS_H_

#include <nanobind/nanobind.h>

namespace twinset::python {

void BindCollectionRuns(nanobind::module_& module);

}  // namespace twinset::python

#endif  // TWINSET_PYTHON_NATIVE_COLLECTION_RUNS_H_
