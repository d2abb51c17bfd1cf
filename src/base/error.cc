#include "twinset/error.h"

namespace twinset {

std::string Error::ToString() const {
  std::string text = where.empty() ? message : where + ": " + message;
  if (!remedy.empty()) text += " (" + remedy + ")";
  return text;
}

}  // namespace twinset
