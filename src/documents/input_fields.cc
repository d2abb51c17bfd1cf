#include "documents/field_check.h"
#include "read/reader.h"
#include "twinset/fields.h"

namespace twinset::inline v1 {

std::vector<std::string> FieldNamesOfFiles(
    const std::vector<std::string>& paths) {
  const auto inputs = ListInputs(paths);
  if (!inputs) return {};
  return FieldNamesOf(*inputs, 0, inputs->size(), {});
}

}  // namespace twinset::inline v1
