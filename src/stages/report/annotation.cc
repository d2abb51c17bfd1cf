#include "report/annotation.h"

#include "base/json_text.h"
#include "report/splice.h"

namespace twinset {

const AnnotationForm& ClusterForm() {
  static const AnnotationForm form = {
      "clusters",
      "Twinset-Cluster",
      {"twinset_cluster", "twinset_size", "twinset_is_representative",
       "twinset_similarity", "twinset_contained"},
      "--attributes writes it beside them"};
  return form;
}

AnnotationValues ValuesOf(const Annotation& annotation) {
  AnnotationValues values;
  JsonRow row;
  row.Text("cluster", annotation.cluster)
      .Integer("size", annotation.size)
      .Bool("is_representative", annotation.is_representative)
      .Number("similarity", annotation.similarity);
  if (annotation.contained) row.Number("contained", *annotation.contained);
  values.json = row.Take();
  std::string similarity, contained;
  AppendDouble(&similarity, annotation.similarity);
  if (annotation.contained) AppendDouble(&contained, *annotation.contained);
  values.id = annotation.id;
  values.columns = {annotation.cluster, std::to_string(annotation.size),
                    annotation.is_representative ? "true" : "false", similarity,
                    contained};
  return values;
}

std::string JsonForTable(const AnnotationValues& values) {
  if (values.id.empty()) return values.json;
  JsonRow row;
  std::string json = row.Text("id", values.id).Take();
  json.back() = ',';
  return json.append(values.json, 1);
}

std::string AnnotateJsonLine(std::string_view line, std::string_view json) {
  const size_t close = line.rfind('}');
  if (close == std::string_view::npos) return std::string(line);
  const size_t last =
      line.find_last_not_of(" \t\r\n", close == 0 ? 0 : close - 1);
  const bool is_empty = last != std::string_view::npos && line[last] == '{';
  std::string result;
  result.reserve(line.size() + json.size() + 16);
  result += line.substr(0, close);
  result += is_empty ? "\"twinset\":" : ",\"twinset\":";
  result += json;
  result += line.substr(close);
  return result;
}

std::string AnnotateWarcRecord(std::string_view raw, std::string_view field,
                               std::string_view json) {
  // The blank line that ends the header; none ends one that is cut off.
  size_t at = raw.find_first_not_of("\r\n");
  for (size_t end; at < raw.size(); at = end + 1) {
    end = raw.find('\n', at);
    if (end == std::string_view::npos) return std::string(raw);
    const std::string_view line = raw.substr(at, end - at);
    if (line.empty() || line == "\r") break;
  }
  if (at >= raw.size()) return std::string(raw);
  std::string result(raw.substr(0, at));
  result.append(field).append(": ").append(json).append("\r\n");
  result += raw.substr(at);
  return result;
}

std::string AnnotateCsvHeader(std::string_view raw, CsvForm form, size_t begin,
                              const std::vector<std::string_view>& columns) {
  const CsvRowPlace row = FindCsvRow(raw, form, begin);
  std::string result(raw.substr(0, row.end));
  for (const std::string_view name : columns)
    result.append(1, form.separator).append(name);
  result += raw.substr(row.end);
  return result;
}

std::string AnnotateCsvRow(std::string_view raw, CsvForm form,
                           const std::vector<std::string>& columns) {
  const CsvRowPlace row = FindCsvRow(raw, form, 0);
  std::string result(raw.substr(0, row.end));
  for (const std::string& value : columns) {
    result += form.separator;
    AppendField(&result, value, form, /*quoted=*/false);
  }
  result += raw.substr(row.end);
  return result;
}

}  // namespace twinset
