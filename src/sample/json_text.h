// JSON from elsewhere.
#ifndef TWINSET_SRC_SAMPLE_JSON_TEXT_H_
#define TWINSET_SRC_SAMPLE_JSON_TEXT_H_

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace twinset {

// Parses without exceptions; what is no JSON, or nested deeper than 100 levels
// (code that visits values does so recursively), is "discarded".
inline nlohmann::ordered_json ParseJson(std::string_view text) {
  using Json = nlohmann::ordered_json;
  constexpr int kDeepest = 100;
  int depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') in_string = !in_string;
    if (in_string) {
      if (c == '\\') ++i;
      continue;
    }
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > kDeepest) return Json(Json::value_t::discarded);
  }
  return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

// As text; bytes that are no UTF-8 are replaced.
inline std::string JsonText(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false,
                   nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace twinset

#endif  // TWINSET_SRC_SAMPLE_JSON_TEXT_H_
