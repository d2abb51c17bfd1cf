// One side of a run over documents that Python has.
#ifndef TWINSET_PYTHON_NATIVE_SIDES_H_
#define TWINSET_PYTHON_NATIVE_SIDES_H_

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <vector>

#include "column.h"
#include "documents.h"
#include "served_call.h"
#include "twinset/collection.h"

namespace twinset::python {

// An object with its columns, or a function that gives batches.
struct SideData {
  nanobind::object data;
  bool is_arrow = false;
  std::vector<std::string> names;  // of the columns of an Arrow table
  ColumnRoles roles;
};

// As Side.native() of the package has it.
SideData SideOf(nanobind::dict said);

// A side while a run reads it.
struct OpenSide {
  OpenSide(SideData data, ServedCall* call);

  IdValues ids;
  std::unique_ptr<Source> source;
};

}  // namespace twinset::python

#endif  // TWINSET_PYTHON_NATIVE_SIDES_H_
