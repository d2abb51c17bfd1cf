// JSON Lines: a row per line; blank lines are not rows. And a JSON array of
// rows.
#include <memory>
#include <optional>
#include <utility>

#include "base/lists/list_text.h"
#include "read/line_reader.h"
#include "read/record_base.h"
#include "read/rows/json_array.h"
#include "read/rows/json_row.h"

namespace twinset {
namespace {

class JsonlReader : public ReaderBase {
 public:
  JsonlReader(StreamPtr stream, const InputFile& input, uint32_t source,
              const ReadOptions& options, bool is_array)
      : ReaderBase(std::move(stream), input, source, options,
                   InputFormat::kJsonl),
        lines_(stream_.get(), MaxRawBytes(options_), options_.max_skip_bytes),
        elements_(is_array ? std::make_optional<JsonArrayReader>(
                                 stream_.get(), MaxRawBytes(options_),
                                 options_.max_skip_bytes)
                           : std::nullopt),
        parser_(options) {}

  Result<bool> Next(Record* record) override {
    std::string before;  // raw of blank lines in front of the first row
    TWINSET_ASSIGN(LineReader::Line line, NextRow(&before));
    if (line.kind == LineReader::Line::kEnd) return false;
    Read(line, record);
    if (!options_.keep_raw) return true;
    if (line.kind != LineReader::Line::kTooLong) {
      record->raw = std::move(before);
      record->raw += line.text;
    }
    // Blank lines belong to the row in front of them.
    held_ = NextRow(&record->raw);
    return true;
  }

  void PassOver(uint64_t ordinal) override { passed_ = ordinal; }

  std::vector<std::string> FieldNames() const override {
    return parser_.FieldNames();
  }

 private:
  // The next line that is not blank; blank ones go to `raw` as long as they are
  // few.
  Result<LineReader::Line> NextRow(std::string* raw) {
    if (held_) {
      Result<LineReader::Line> line = *std::move(held_);
      held_.reset();
      return line;
    }
    for (;;) {
      TWINSET_ASSIGN(const LineReader::Line line,
                     elements_ ? elements_->Next() : lines_.Next());
      if (line.kind != LineReader::Line::kLine || !Row(line).empty()) {
        return line;
      }
      if (options_.keep_raw && raw->size() < kMaxBlank) *raw += line.text;
    }
  }

  static std::string_view Row(const LineReader::Line& line) {
    std::string_view text = line.text;
    text = WithoutMark(text);  // also where files were joined
    const size_t begin = text.find_first_not_of(" \t\r\n");
    return begin == std::string_view::npos ? "" : WithoutLineEnd(text);
  }

  void Read(const LineReader::Line& line, Record* record) {
    if (line.kind == LineReader::Line::kFault) {
      BeginFault(record, line.fault, line.text);
      return;
    }
    Begin(record, line.offset);
    if (line.kind == LineReader::Line::kBad) {
      Quarantine(record, "bad-json", line.fault.detail);
      return;
    }
    if (line.kind == LineReader::Line::kTooLong) {
      Quarantine(record, "too-large",
                 "a line of " + std::to_string(line.size) + " bytes");
      return;
    }
    if (record->document.provenance.ordinal < passed_) {
      record->kind = RecordKind::kPassed;
      return;
    }
    // With the raws the next line is read too, and this one is gone.
    if (!options_.defers_rows || options_.keep_raw ||
        line.text.size() > kMostDeferredBytes)
      return parser_.Parse(Row(line), record);
    record->kind = RecordKind::kRow;
    record->document.kind =
        options_.html_field.empty() ? ContentKind::kText : ContentKind::kHtml;
    record->row = Row(line);
  }

  static constexpr size_t kMaxBlank = 1 << 20;
  LineReader lines_;
  std::optional<JsonArrayReader> elements_;  // in place of lines_
  JsonRowParser parser_;
  uint64_t passed_ = 0;  // rows with a smaller ordinal are not parsed
  std::optional<Result<LineReader::Line>>
      held_;  // with keep_raw: the row behind blank lines
};

}  // namespace

RowReaderPtr MakeJsonReader(StreamPtr stream, const InputFile& input,
                            uint32_t source, const ReadOptions& options,
                            bool is_array) {
  return std::make_unique<JsonlReader>(std::move(stream), input, source,
                                       options, is_array);
}

}  // namespace twinset
