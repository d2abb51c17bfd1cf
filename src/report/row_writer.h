// Rows of result files, as JSON lines or CSV.
#ifndef TWINSET_SRC_REPORT_ROW_WRITER_H_
#define TWINSET_SRC_REPORT_ROW_WRITER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/json_text.h"
#include "twinset/error.h"
#include "twinset/method_choices.h"

namespace twinset::inline v1 {

// Writes NAME.jsonl or NAME.csv. A row is the same sequence of field calls each
// time, then EndRow; `csv_header` names the fields in that order. Not
// thread-safe.
class RowWriter {
 public:
  static Result<RowWriter> Create(const std::string& directory,
                                  const std::string& name, OutputFormat format,
                                  const std::string& csv_header);
  RowWriter& Text(std::string_view key, std::string_view value);
  RowWriter& Integer(std::string_view key, uint64_t value);
  RowWriter& Number(std::string_view key, double value);
  RowWriter& Bool(std::string_view key, bool value);
  // In JSON only where it is true.
  RowWriter& Flag(std::string_view key, bool value) {
    return value || csv_ ? Bool(key, value) : *this;
  }
  Status EndRow();
  Status Commit() { return file_.Commit(); }

 private:
  RowWriter() = default;
  void Separate() {
    if (!line_.empty()) line_ += ',';
  }
  OutputFile file_;
  bool csv_ = false;
  JsonRow json_;
  std::string line_;
};

// RFC 4180 quoting of one field.
void AppendCsvField(std::string* to, std::string_view text);

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_REPORT_ROW_WRITER_H_
