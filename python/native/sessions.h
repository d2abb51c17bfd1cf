// Sketches, similarities and saved runs, asked for single texts.
#ifndef TWINSET_PYTHON_NATIVE_SESSIONS_H_
#define TWINSET_PYTHON_NATIVE_SESSIONS_H_

#include <nanobind/nanobind.h>

namespace twinset::python {

void BindSessions(nanobind::module_& module);

}  // namespace twinset::python

#endif  // TWINSET_PYTHON_NATIVE_SESSIONS_H_
