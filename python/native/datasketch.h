// What twinset.compat.datasketch computes: sketches of sets of tokens.
#ifndef TWINSET_PYTHON_NATIVE_DATASKETCH_H_
#define TWINSET_PYTHON_NATIVE_DATASKETCH_H_

#include <nanobind/nanobind.h>

namespace twinset::python {

void BindDatasketch(nanobind::module_& module);

}  // namespace twinset::python

#endif  // TWINSET_PYTHON_NATIVE_DATASKETCH_H_
