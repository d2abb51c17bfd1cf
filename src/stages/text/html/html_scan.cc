#include "text/html/html_scan.h"

#include <algorithm>
#include <cstddef>

#include "base/ascii.h"

namespace twinset {
namespace {

constexpr size_t kNone = std::string_view::npos;

}  // namespace

bool IsHidingAttribute(std::string_view name, std::string_view value) {
  if (EqualsIgnoreCase(name, "hidden")) return true;
  if (!EqualsIgnoreCase(name, "style")) return false;
  bool none = false;  // by the last declaration of display
  while (!value.empty()) {
    const size_t end = std::min(value.find(';'), value.size());
    const std::string_view declaration = value.substr(0, end);
    value.remove_prefix(std::min(end + 1, value.size()));
    const size_t colon = declaration.find(':');
    if (colon == kNone ||
        !EqualsIgnoreCase(Trim(declaration.substr(0, colon)), "display")) {
      continue;
    }
    std::string_view what = declaration.substr(colon + 1);
    what = Trim(what.substr(0, what.find('!')));
    none = EqualsIgnoreCase(what, "none");
  }
  return none;
}

}  // namespace twinset
