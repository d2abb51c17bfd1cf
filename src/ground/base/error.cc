#include "twinset/error.h"

#include "twinset/plain_words.h"

namespace twinset {

std::string Error::ToString() const {
  std::string text = where.empty() ? message : NameText(where) + ": " + message;
  if (!remedy.empty()) text += " (" + remedy + ")";
  return text;
}

}  // namespace twinset
