#include "pipeline/report/result_rows.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <vector>

#include "base/csv_row.h"
#include "base/file.h"
#include "base/json_text.h"
#include "documents/text_lines.h"

namespace twinset {

namespace {

// Ids, addresses and fields have bounds of their own (--max-field).
constexpr uint64_t kMostRowBytes = 8 << 20;

tl::unexpected<Error> NoRow(const std::string& path, const TextLine& line) {
  return Fail(ErrorCode::kCorrupt,
              "line " + std::to_string(line.number) + " is no row of results" +
                  (line.problem.empty() ? "" : ": " + line.problem),
              path, "run the command again");
}

// What CSV writes of a value that is no text.
Json ValueOf(const std::string& column, const std::string& field) {
  constexpr std::string_view kTexts[] = {
      "id", "a", "b", "url", "source", "cluster", "text", "date", "first_id"};
  if (std::find(std::begin(kTexts), std::end(kTexts), column) !=
      std::end(kTexts))
    return field;
  const Json value = Json::Parse(field);
  const bool plain = value.is_number() || value.is_boolean();
  return plain ? value : Json(field);
}

class CsvRows {
 public:
  CsvRows(std::string path, const std::function<bool(const Json&)>& body)
      : path_(std::move(path)), body_(body) {}

  Status Read() {
    TextLine last;
    TWINSET_TRY(ForEachTextLine(
        path_,
        [&](const TextLine& line) {
          last.number = line.number;
          // Names may hold NUL bytes.
          const bool is_read = line.problem.empty() || !line.raw.empty();
          if (!is_read || row_.size() > kMostRowBytes) return Refuse(line);
          row_ += line.raw;
          row_ += '\n';
          return scanner_->Scan(row_) == 0 || Take(line);
        },
        kMostRowBytes));
    // Quotes that nothing closes hold the rest of the file.
    if (status_ && !row_.empty()) Refuse(last);
    return status_;
  }

 private:
  bool Refuse(const TextLine& line) {
    status_ = NoRow(path_, line);
    return false;
  }

  bool Take(const TextLine& line) {
    std::vector<std::string> fields;
    row_.pop_back();
    SplitCsvRow(row_, ',', &fields);
    row_.clear();
    scanner_.emplace(',');
    if (columns_.empty()) {
      columns_ = std::move(fields);
      return true;
    }
    if (fields.size() != columns_.size()) return Refuse(line);
    Json row = Json::object();
    for (size_t i = 0; i < fields.size(); ++i)
      row[columns_[i]] = ValueOf(columns_[i], fields[i]);
    return body_(row);
  }

  const std::string path_;
  const std::function<bool(const Json&)>& body_;
  std::string row_;
  std::optional<CsvRowScanner> scanner_{std::in_place, ','};
  std::vector<std::string> columns_;
  Status status_;
};

}  // namespace

Status ForEachResultRow(const std::string& folder, const std::string& name,
                        const std::function<bool(const Json&)>& body) {
  return ForEachRowWith(folder, name, {}, body);
}

Status ForEachRowWith(const std::string& folder, const std::string& name,
                      std::string_view text,
                      const std::function<bool(const Json&)>& body) {
  const std::string lines = folder + "/" + name + ".jsonl",
                    csv = folder + "/" + name + ".csv";
  if (!FileExists(lines))
    return FileExists(csv) ? CsvRows(csv, body).Read() : Status();
  std::string written;  // as rows write the value
  if (!text.empty()) AppendJsonString(&written, text);
  Status status;
  TWINSET_TRY(ForEachTextLine(
      lines,
      [&](const TextLine& line) {
        if (line.problem.empty() && line.text.find(written) == line.text.npos)
          return true;
        const Json row = Json::Parse(line.text);
        if (line.problem.empty() && row.is_object()) return body(row);
        status = NoRow(lines, line);
        return false;
      },
      kMostRowBytes));
  return status;
}

Status ForEachResultNumber(const std::string& folder, const std::string& name,
                           const std::string& key,
                           const std::function<void(double)>& body) {
  const std::string path = folder + "/" + name + ".jsonl";
  if (!FileExists(path)) {
    return ForEachResultRow(folder, name, [&](const Json& row) {
      body(row[key].get<double>());
      return true;
    });
  }
  // Quotes inside of strings are escaped, so this stands before a value only.
  const std::string before = "\"" + key + "\":";
  Status status;
  TWINSET_TRY(ForEachTextLine(
      path,
      [&](const TextLine& line) {
        if (!line.problem.empty() || line.text.empty() ||
            line.text.back() != '}') {
          status = NoRow(path, line);
          return false;
        }
        const size_t at = line.text.find(before);
        double value = 0;
        if (at != line.text.npos) {
          const char* begin = line.text.data() + at + before.size();
          std::from_chars(begin, line.text.data() + line.text.size(), value);
        }
        body(value);
        return true;
      },
      kMostRowBytes));
  return status;
}

}  // namespace twinset
