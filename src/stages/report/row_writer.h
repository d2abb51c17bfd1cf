// Rows of result files, as JSON lines or CSV.
#ifndef TWINSET_SRC_STAGES_REPORT_ROW_WRITER_H_
#define TWINSET_SRC_STAGES_REPORT_ROW_WRITER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/file.h"
#include "base/json_text.h"
#include "base/memory_budget.h"
#include "twinset/error.h"
#include "twinset/method_choices.h"

namespace twinset {

// The text of rows. A row is the same sequence of field calls each time, then
// EndRow. Not thread-safe.
class RowText {
 public:
  explicit RowText(OutputFormat format) : csv_(format == OutputFormat::kCsv) {}
  RowText& Text(std::string_view key, std::string_view value);
  RowText& Integer(std::string_view key, uint64_t value);
  RowText& Number(std::string_view key, double value);
  RowText& Bool(std::string_view key, bool value);
  // In JSON only where it is true.
  RowText& Flag(std::string_view key, bool value) {
    return value || csv_ ? Bool(key, value) : *this;
  }
  void EndRow();
  // The rows since Clear.
  std::string_view text() const { return csv_ ? lines_ : json_.text(); }
  void Clear();

 private:
  // What AppendDouble makes of the numbers written last: similarities are few,
  // and finding the shortest form takes as long as all else of a row.
  class NumberTexts {
   public:
    std::string_view Of(double value);

   private:
    struct Entry {
      double value = 0;
      uint8_t length = 0;  // 0: empty
      char text[31];
    };
    std::array<Entry, 256> entries_;
  };

  void Separate() {
    if (lines_.size() > row_begin_) lines_ += ',';
  }
  bool csv_;
  JsonRow json_;
  std::string lines_;  // of CSV
  size_t row_begin_ = 0;
  NumberTexts numbers_;
};

// Writes NAME.jsonl or NAME.csv; `csv_header` names the fields in the order of
// the calls. Not thread-safe.
class RowWriter {
 public:
  static Result<RowWriter> Create(const std::string& directory,
                                  const std::string& name, OutputFormat format,
                                  const std::string& csv_header);
  // Calls format(i, text) for each i below `count`, which writes row i and ends
  // it, on up to `threads` threads, and writes the rows in order. Memory: 128
  // KB for each of at most twice as many parts of the work, from `budget`.
  Status WriteRows(size_t count, int threads, MemoryBudget* budget,
                   const std::function<void(size_t, RowText*)>& format);
  Status Commit() { return file_.Commit(); }

 private:
  explicit RowWriter(OutputFormat format) : format_(format) {}
  OutputFormat format_;
  OutputFile file_;
};

// RFC 4180 quoting of one field.
void AppendCsvField(std::string* to, std::string_view text);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_REPORT_ROW_WRITER_H_
