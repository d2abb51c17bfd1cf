#include "read/rows/field_path.h"

#include <algorithm>
#include <charconv>

namespace twinset {

namespace {

// Cuts at every `separator` without a backslash in front of it.
std::vector<std::string> Cut(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == separator) {
      parts.emplace_back();
      continue;
    }
    parts.back() += text[i];
    if (text[i] == '\\' && i + 1 < text.size()) parts.back() += text[++i];
  }
  return parts;
}

std::string WithoutBackslashes(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    plain += text[i];
  }
  return plain;
}

PathStep StepOf(const std::string& text) {
  PathStep step;
  step.key = WithoutBackslashes(text);
  step.every = text == "*";
  size_t index = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, index);
  if (error == std::errc() && stop == end) step.index = index;
  return step;
}

}  // namespace

bool FieldPath::IsOneKey() const {
  if (parts.empty()) return true;
  return parts.size() == 1 && name.find('\\') == std::string::npos &&
         std::none_of(parts[0].begin(), parts[0].end(),
                      [](const PathStep& step) {
                        return step.every || step.index != PathStep::kNoIndex;
                      });
}

FieldPath ParseFieldPath(std::string_view name, bool several) {
  FieldPath path;
  path.name = name;
  if (name.find_first_of(several ? ".,\\" : ".\\") == std::string_view::npos)
    return path;
  const std::vector<std::string> names =
      several ? Cut(name, ',') : std::vector<std::string>{std::string(name)};
  for (const std::string& part : names) {
    std::vector<PathStep>& steps = path.parts.emplace_back();
    for (const std::string& step : Cut(part, '.'))
      steps.push_back(StepOf(step));
  }
  return path;
}

std::vector<std::string> SplitFieldNames(std::string_view names) {
  std::vector<std::string> split = Cut(names, ',');
  for (std::string& name : split) name = WithoutBackslashes(name);
  return split;
}

std::string EscapedFieldName(std::string_view name) {
  std::string escaped;
  for (const char c : name) {
    if (c == '.' || c == ',' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace twinset
