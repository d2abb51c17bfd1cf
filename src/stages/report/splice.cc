#include "report/splice.h"

#include <algorithm>

#include "base/json_key.h"

namespace twinset {

namespace {

constexpr size_t kNone = std::string_view::npos;

size_t SkipSpace(std::string_view json, size_t at) {
  return std::min(json.find_first_not_of(" \t\r\n", at), json.size());
}

// Behind the string that begins at `at`.
size_t SkipString(std::string_view json, size_t at) {
  for (++at; at < json.size(); ++at) {
    if (json[at] == '"') return at + 1;
    if (json[at] == '\\') ++at;
  }
  return json.size();
}

// Behind the value that begins at `at`.
size_t SkipValue(std::string_view json, size_t at) {
  size_t depth = 0;
  while (at < json.size()) {
    switch (json[at]) {
      case '"':
        at = SkipString(json, at);
        break;
      case '{':
      case '[':
        ++depth;
        ++at;
        continue;
      case '}':
      case ']':
        if (depth == 0) return at;  // the end of what is around a scalar
        --depth;
        ++at;
        break;
      case ',':
        if (depth == 0) return at;
        ++at;
        continue;
      default:
        ++at;
        continue;
    }
    if (depth == 0) return at;
  }
  return json.size();
}

// Where the value of `key` begins in the object at `at`; kNone if it has none.
size_t FindKey(std::string_view json, size_t at, std::string_view key) {
  if (at >= json.size() || json[at] != '{') return kNone;
  at = SkipSpace(json, at + 1);
  while (at < json.size() && json[at] == '"') {
    const size_t end = SkipString(json, at);
    const bool found = JsonKeyIs(json.substr(at + 1), key);
    at = SkipSpace(json, end);  // the colon
    at = SkipSpace(json, std::min(at + 1, json.size()));
    if (found) return at;
    at = SkipSpace(json, SkipValue(json, at));  // a comma or the end
    if (at >= json.size() || json[at] != ',') return kNone;
    at = SkipSpace(json, at + 1);
  }
  return kNone;
}

}  // namespace

std::optional<ValueRange> FindJsonString(std::string_view line,
                                         std::string_view path) {
  const size_t object = line.find('{');
  size_t at = FindKey(line, object, path);
  if (at == kNone && path.find('.') != kNone) {
    at = object;
    for (bool more = true; more && at != kNone;) {
      const size_t dot = path.find('.');
      at = FindKey(line, at, path.substr(0, dot));
      more = dot != kNone;
      if (more) path.remove_prefix(dot + 1);
    }
  }
  if (at >= line.size() || line[at] != '"') return {};
  return ValueRange{at, SkipString(line, at)};
}

std::optional<ValueRange> FindCsvField(std::string_view row, CsvForm form,
                                       size_t column) {
  for (size_t at = 0;; ++at) {
    const size_t begin = at;
    if (form.quotes && at < row.size() && row[at] == '"') {
      for (++at;; at += 2) {
        at = std::min(row.find('"', at), row.size());
        if (row.substr(at, 2) != "\"\"") break;
      }
    }
    at = std::min(row.find(form.separator, at), row.size());
    if (column-- == 0) return ValueRange{begin, at};
    if (at == row.size()) return {};
  }
}

void AppendField(std::string* to, std::string_view text, CsvForm form,
                 bool quoted) {
  if (!form.quotes) {
    for (const char c : text)
      *to += c == '\r' || c == '\n' || c == form.separator ? ' ' : c;
    return;
  }
  const char special[] = {'"', '\r', '\n', form.separator};
  if (!quoted &&
      text.find_first_of(std::string_view(special, sizeof special)) == kNone) {
    *to += text;
    return;
  }
  *to += '"';
  for (const char c : text) {
    if (c == '"') *to += '"';
    *to += c;
  }
  *to += '"';
}

}  // namespace twinset
