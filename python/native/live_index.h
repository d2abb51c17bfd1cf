// Live indexes (twinset/index.h).
#ifndef TWINSET_PYTHON_NATIVE_LIVE_INDEX_H_
#define TWINSET_PYTHON_NATIVE_LIVE_INDEX_H_

#include <nanobind/nanobind.h>

namespace twinset::python {

void BindLiveIndex(nanobind::module_& module);

}  // namespace twinset::python

#endif  // TWINSET_PYTHON_NATIVE_LIVE_INDEX_H_
