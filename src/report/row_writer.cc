#include "report/row_writer.h"

namespace twinset::inline v1 {

void AppendCsvField(std::string* to, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    to->append(text);
    return;
  }
  *to += '"';
  for (const char c : text) {
    if (c == '"') *to += '"';
    *to += c;
  }
  *to += '"';
}

Result<RowWriter> RowWriter::Create(const std::string& directory,
                                    const std::string& name,
                                    OutputFormat format,
                                    const std::string& csv_header) {
  RowWriter writer;
  writer.csv_ = format == OutputFormat::kCsv;
  TWINSET_ASSIGN(writer.file_,
                 OutputFile::Create(directory + "/" + name + "." +
                                    std::string(ChoiceName(format))));
  if (writer.csv_) TWINSET_TRY(writer.file_.Write(csv_header + "\n"));
  return writer;
}

RowWriter& RowWriter::Text(std::string_view key, std::string_view value) {
  if (!csv_) {
    json_.Text(key, value);
  } else {
    Separate();
    // An empty first field still begins the line.
    if (line_.empty() && value.empty()) line_ += "\"\"";
    AppendCsvField(&line_, value);
  }
  return *this;
}

RowWriter& RowWriter::Integer(std::string_view key, uint64_t value) {
  if (!csv_) {
    json_.Integer(key, value);
  } else {
    Separate();
    line_ += std::to_string(value);
  }
  return *this;
}

RowWriter& RowWriter::Number(std::string_view key, double value) {
  if (!csv_) {
    json_.Number(key, value);
  } else {
    Separate();
    AppendDouble(&line_, value);
  }
  return *this;
}

RowWriter& RowWriter::Bool(std::string_view key, bool value) {
  if (!csv_) {
    json_.Bool(key, value);
  } else {
    Separate();
    line_ += value ? "true" : "false";
  }
  return *this;
}

Status RowWriter::EndRow() {
  if (!csv_) line_ = json_.Take();
  line_ += '\n';
  Status status = file_.Write(line_);
  line_.clear();
  return status;
}

}  // namespace twinset::inline v1
