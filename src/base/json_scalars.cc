#include "base/json_scalars.h"

#include <algorithm>

namespace twinset::inline v1 {

std::string ScalarsAsText(std::string_view json) {
  constexpr std::string_view kMarks = "{}[]:, \t\r\n";
  std::string text;
  for (size_t at = 0; at < json.size();) {
    size_t end = at + 1;
    if (json[at] == '"') {
      while (end < json.size() && json[end] != '"')
        end += json[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, json.size());
      text += json.substr(at, end - at);
    } else if (kMarks.find(json[at]) != std::string_view::npos) {
      text += json[at];
    } else {
      end = std::min(json.find_first_of(kMarks, at), json.size());
      const std::string_view scalar = json.substr(at, end - at);
      const bool is_null = scalar == "null";
      if (!is_null) text += '"';
      text += scalar;
      if (!is_null) text += '"';
    }
    at = end;
  }
  return text;
}

}  // namespace twinset::inline v1
