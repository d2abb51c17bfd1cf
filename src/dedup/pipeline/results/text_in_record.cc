#include "pipeline/results/text_in_record.h"

#include <algorithm>
#include <vector>

#include "base/json_text.h"
#include "read/utf8.h"
#include "report/splice.h"

namespace twinset {

void TextInRecord::BeginSource(InputFormat format) {
  format_ = format;
  has_header_ = false;
  if (IsCsv()) form_ = CsvFormOf(format, read_);
}

size_t TextInRecord::HeaderIn(std::string_view raw) {
  if (!IsCsv() || has_header_ || raw.empty()) return 0;
  has_header_ = true;
  const size_t mark = raw.starts_with(kUtf8Bom) ? kUtf8Bom.size() : 0;
  const CsvRowPlace row = FindCsvRow(raw, form_, mark);
  std::vector<std::string> names;
  SplitCsvRow(raw.substr(row.begin, row.end - row.begin), form_, &names);
  for (std::string& name : names) MakeUtf8(&name);
  column_ = static_cast<size_t>(
      std::find(names.begin(), names.end(), read_.text_field) - names.begin());
  return row.behind;
}

std::optional<std::string> TextInRecord::Replaced(std::string_view raw,
                                                  size_t header,
                                                  std::string_view text) const {
  if (format_ == InputFormat::kText) return std::string(text);
  if (format_ == InputFormat::kTable) return InTable(raw, text);
  return IsCsv() ? InCsv(raw, header, text) : InJson(raw, text);
}

// What names the row says which column has another value.
std::string TextInRecord::InTable(std::string_view raw,
                                  std::string_view text) const {
  const size_t close = raw.rfind('}');
  std::string changed(raw.substr(0, close));
  changed += ",\"set\":{";
  AppendJsonString(&changed, read_.text_field);
  changed += ':';
  AppendJsonString(&changed, text);
  changed += '}';
  changed += raw.substr(close);
  return changed;
}

std::optional<std::string> TextInRecord::InCsv(std::string_view raw, size_t at,
                                               std::string_view text) const {
  const CsvRowPlace row = FindCsvRow(raw, form_, at);
  const auto field =
      FindCsvField(raw.substr(row.begin, row.end - row.begin), form_, column_);
  if (!field) return {};
  const size_t begin = row.begin + field->begin;
  std::string changed(raw.substr(0, begin));
  AppendField(&changed, text, form_,
              field->begin < field->end && raw[begin] == '"');
  changed += raw.substr(begin + (field->end - field->begin));
  return changed;
}

std::optional<std::string> TextInRecord::InJson(std::string_view raw,
                                                std::string_view text) const {
  const auto value = FindJsonString(raw, read_.text_field);
  if (!value) return {};
  std::string changed(raw.substr(0, value->begin));
  AppendJsonString(&changed, text);
  changed += raw.substr(value->end);
  return changed;
}

}  // namespace twinset
