// Documents that Python has, as a source of the library.
#ifndef TWINSET_PYTHON_NATIVE_DOCUMENTS_H_
#define TWINSET_PYTHON_NATIVE_DOCUMENTS_H_

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <vector>

#include "arrow_in.h"
#include "column.h"
#include "served_call.h"
#include "twinset/collection.h"

namespace twinset::python {

// What the columns of documents are, in their order. Text is the first.
struct ColumnRoles {
  bool is_html = false;  // the text is markup
  // "id", "url", "date", or "field:NAME".
  std::vector<std::string> others;
};

// The table of an object with __arrow_c_stream__ that has columns of these
// names. Throws for one that is not there.
std::unique_ptr<ArrowTable> TableOf(nanobind::object data,
                                    const std::vector<std::string>& names);

// A source of an object with __arrow_c_stream__ that has columns of these
// `names`: text first, then as the roles say. Throws for a column that is not
// there. The stream is read without the GIL. What stands in the column "id"
// goes to *ids.
std::unique_ptr<Source> FromArrow(nanobind::object data,
                                  const std::vector<std::string>& names,
                                  ColumnRoles roles, IdValues* ids);

// A source of what `next` returns: lists of equal length, one a column, whose
// elements are str, or what str() makes of them, or None; None at the end. It
// is called by `call`.
std::unique_ptr<Source> FromBatches(nanobind::object next, ColumnRoles roles,
                                    ServedCall* call, IdValues* ids);

// The UTF-8 of a str, in which lone surrogates stand as U+FFFD. Needs the GIL.
std::string Utf8(nanobind::handle text);

}  // namespace twinset::python

#endif  // TWINSET_PYTHON_NATIVE_DOCUMENTS_H_
