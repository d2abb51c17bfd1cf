#include "transfer/study_numbers.h"

#include "report/row_writer.h"

namespace twinset {
namespace {

void Append(const Json& json, const std::string& path, std::string* csv) {
  if (json.is_object() || json.is_array()) {
    size_t place = 0;
    for (const auto& member : json.items()) {
      const std::string name =
          json.is_array() ? std::to_string(place++) : member.key;
      Append(member.value, path.empty() ? name : path + "." + name, csv);
    }
    return;
  }
  AppendCsvField(csv, path);
  *csv += ',';
  if (const std::string* text = json.if_string())
    AppendCsvField(csv, *text);
  else if (!json.is_null())
    *csv += json.dump();
  *csv += '\n';
}

}  // namespace

std::string NumbersCsv(const Json& json) {
  std::string csv = "name,value\n";
  Append(json, "", &csv);
  return csv;
}

}  // namespace twinset
