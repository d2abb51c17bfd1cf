#include "twinset/error.h"

#include "twinset/names.h"

namespace twinset {

std::string Error::ToString() const {
  std::string text = where.empty() ? message : NameText(where) + ": " + message;
  if (!remedy.empty()) text += " (" + remedy + ")";
  return text;
}

}  // namespace twinset
