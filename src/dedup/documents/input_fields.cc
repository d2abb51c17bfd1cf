#include <algorithm>
#include <utility>

#include "documents/field_check.h"
#include "read/reader.h"
#include "twinset/inspect.h"

namespace twinset {

std::vector<std::string> v1::FieldNamesOfFiles(
    const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  for (const std::string& path : paths) {
    const auto inputs = ListInputs({path});
    if (!inputs) continue;  // names what others have
    for (std::string& name : FieldNamesOf(*inputs, 0, inputs->size(), {})) {
      if (std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(std::move(name));
    }
  }
  return names;
}

}  // namespace twinset
