#include "report/annotation.h"

#include "base/json_text.h"
#include "report/splice.h"

namespace twinset {

std::string AnnotationJson(const Annotation& annotation) {
  JsonRow row;
  row.Text("cluster", annotation.cluster)
      .Integer("size", annotation.size)
      .Bool("is_representative", annotation.is_representative)
      .Number("similarity", annotation.similarity);
  if (annotation.contained) row.Number("contained", *annotation.contained);
  return row.Take();
}

std::string AnnotateJsonLine(std::string_view line,
                             const Annotation& annotation) {
  const size_t close = line.rfind('}');
  if (close == std::string_view::npos) return std::string(line);
  const size_t last =
      line.find_last_not_of(" \t\r\n", close == 0 ? 0 : close - 1);
  const bool is_empty = last != std::string_view::npos && line[last] == '{';
  std::string result;
  result.reserve(line.size() + annotation.cluster.size() + 128);
  result += line.substr(0, close);
  result += is_empty ? "\"twinset\":" : ",\"twinset\":";
  result += AnnotationJson(annotation);
  result += line.substr(close);
  return result;
}

std::string AnnotateWarcRecord(std::string_view raw,
                               const Annotation& annotation) {
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
  result += "Twinset-Cluster: " + AnnotationJson(annotation) + "\r\n";
  result += raw.substr(at);
  return result;
}

std::string AnnotateCsvHeader(std::string_view raw, CsvForm form,
                              size_t begin) {
  const CsvRowPlace row = FindCsvRow(raw, form, begin);
  std::string result(raw.substr(0, row.end));
  for (const char* name :
       {"cluster", "size", "is_representative", "similarity", "contained"})
    result.append(1, form.separator).append("twinset_").append(name);
  result += raw.substr(row.end);
  return result;
}

std::string AnnotateCsvRow(std::string_view raw, CsvForm form,
                           const Annotation& annotation) {
  const CsvRowPlace row = FindCsvRow(raw, form, 0);
  std::string result(raw.substr(0, row.end));
  result += form.separator;
  AppendField(&result, annotation.cluster, form, /*quoted=*/false);
  result.append(1, form.separator).append(std::to_string(annotation.size));
  result.append(1, form.separator)
      .append(annotation.is_representative ? "true" : "false");
  result += form.separator;
  AppendDouble(&result, annotation.similarity);
  result += form.separator;
  if (annotation.contained) AppendDouble(&result, *annotation.contained);
  result += raw.substr(row.end);
  return result;
}

}  // namespace twinset
