// JSON Lines: a row a line. Blank lines are not rows.
#include <simdjson.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "base/free_string.h"
#include "read/json_check.h"
#include "read/line_reader.h"
#include "read/record_base.h"
#include "read/utf8.h"

namespace twinset::inline v1 {
namespace {

namespace ondemand = simdjson::ondemand;
using simdjson::SUCCESS;

constexpr size_t kKeptCapacity = 1 << 20;  // of the parser, between rows

// One row, parsed as far as it is asked.
class JsonRow {
 public:
  // Longest name that Find will be asked for.
  explicit JsonRow(size_t longest_path) : longest_path_(longest_path) {}

  // An empty string, or why `line` is not a JSON object.
  std::string Parse(std::string_view line) {
    JsonCheck check = CheckJson(line);
    if (!check.ok) {
      return std::string(check.message) + " in column " +
             std::to_string(check.error_at + 1);
    }
    if (line[line.find_first_not_of(" \t\r\n")] != '{') return "not an object";
    if (!parser_) parser_ = std::make_unique<ondemand::parser>();
    buffer_ = line;
    MakeUtf8(&buffer_);
    if (check.lone_surrogate) ReplaceLoneSurrogates(&buffer_);
    const size_t size = buffer_.size();
    // find_field compares as many bytes as the name has, even at the end of the
    // row.
    buffer_.append(simdjson::SIMDJSON_PADDING + longest_path_, '\0');
    const auto error =
        parser_->iterate(buffer_.data(), size, buffer_.size()).get(row_);
    return error == SUCCESS ? "" : simdjson::error_message(error);
  }

  // Gives back what a large row took; nothing can be found any more.
  void Release() {
    if (buffer_.size() <= kKeptCapacity) return;
    row_ = ondemand::document();
    parser_.reset();
    FreeString(&buffer_);
  }

  enum class Type { kMissing, kNull, kString, kScalar, kJson };

  // The value at `path`: a key, or keys joined by dots. The first of equal keys
  // counts. Strings are unescaped, everything else is as written.
  Type Find(std::string_view path, std::string* value) {
    value->clear();
    ondemand::value found;
    row_.rewind();
    if (row_.find_field_unordered(path).get(found) != SUCCESS &&
        !Walk(path, &found)) {
      return Type::kMissing;
    }
    return Read(found, value);
  }

  // The first names of the row, for people.
  std::string Names() {
    constexpr size_t kMost = 12, kLongest = 60;
    std::string names;
    size_t count = 0;
    ondemand::object object;
    row_.rewind();
    if (row_.get_object().get(object) != SUCCESS) return names;
    for (auto field : object) {
      std::string_view name;
      if (field.unescaped_key().get(name) != SUCCESS) break;
      if (count++ == kMost) return names + ", ...";
      names += names.empty() ? "" : ", ";
      names += ReplaceMalformedUtf8(name.substr(0, kLongest));
    }
    return names.empty() ? "none" : names;
  }

 private:
  bool Walk(std::string_view path, ondemand::value* found) {
    size_t dot = path.find('.');
    if (dot == std::string_view::npos) return false;
    row_.rewind();
    if (row_.find_field_unordered(path.substr(0, dot)).get(*found) != SUCCESS) {
      return false;
    }
    while (dot != std::string_view::npos) {
      path.remove_prefix(dot + 1);
      dot = path.find('.');
      ondemand::object object;
      if (found->get_object().get(object) != SUCCESS) return false;
      if (object.find_field_unordered(path.substr(0, dot)).get(*found) !=
          SUCCESS) {
        return false;
      }
    }
    return true;
  }

  static Type Read(ondemand::value found, std::string* value) {
    ondemand::json_type type;
    if (found.type().get(type) != SUCCESS) return Type::kMissing;
    std::string_view text;
    switch (type) {
      case ondemand::json_type::null:
        return Type::kNull;
      case ondemand::json_type::string:
        if (found.get_string().get(text) != SUCCESS) return Type::kMissing;
        *value = text;
        return Type::kString;
      case ondemand::json_type::object: {
        ondemand::object object;
        if (found.get_object().get(object) == SUCCESS &&
            object.raw_json().get(text) == SUCCESS) {
          *value = Trimmed(text);
        }
        return Type::kJson;
      }
      case ondemand::json_type::array: {
        ondemand::array array;
        if (found.get_array().get(array) == SUCCESS &&
            array.raw_json().get(text) == SUCCESS) {
          *value = Trimmed(text);
        }
        return Type::kJson;
      }
      default:
        *value = Trimmed(found.raw_json_token());
        return Type::kScalar;
    }
  }

  static std::string_view Trimmed(std::string_view text) {
    const size_t end = text.find_last_not_of(" \t\r\n");
    return text.substr(0, end == std::string_view::npos ? 0 : end + 1);
  }

  const size_t longest_path_;
  std::unique_ptr<ondemand::parser> parser_;
  ondemand::document row_;
  std::string buffer_;
};

size_t LongestPath(const ReadOptions& options) {
  size_t longest = 0;
  for (const std::string* name :
       {&options.id_field, &options.text_field, &options.url_field,
        &options.date_field, &options.html_field}) {
    longest = std::max(longest, name->size());
  }
  for (const std::string& name : options.fields) {
    longest = std::max(longest, name.size());
  }
  return longest;
}

class JsonlReader : public ReaderBase {
 public:
  JsonlReader(StreamPtr stream, const InputFile& input, uint32_t source,
              const ReadOptions& options)
      : ReaderBase(std::move(stream), input, source, options,
                   InputFormat::kJsonl),
        lines_(stream_.get(), MaxRawBytes(options_), options_.max_skip_bytes),
        row_(LongestPath(options)) {}

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
      TWINSET_ASSIGN(const LineReader::Line line, lines_.Next());
      if (line.kind != LineReader::Line::kLine || !Row(line).empty()) {
        return line;
      }
      if (options_.keep_raw && raw->size() < kMaxBlank) *raw += line.text;
    }
  }

  static std::string_view Row(const LineReader::Line& line) {
    std::string_view text = line.text;
    if (line.offset == 0 && text.starts_with(kUtf8Bom)) text.remove_prefix(3);
    const size_t begin = text.find_first_not_of(" \t\r\n");
    return begin == std::string_view::npos ? "" : WithoutLineEnd(text);
  }

  void Read(const LineReader::Line& line, Record* record) {
    if (line.kind == LineReader::Line::kFault) {
      BeginFault(record, line.fault, line.text);
      return;
    }
    Begin(record, line.offset);
    if (line.kind == LineReader::Line::kTooLong) {
      Quarantine(record, "too-large",
                 "a line of " + std::to_string(line.size) + " bytes");
      return;
    }
    std::string error = row_.Parse(Row(line));
    if (!error.empty()) {
      Quarantine(record, "bad-json", std::move(error));
      return;
    }
    Fill(record);
    row_.Release();
  }

  void Fill(Record* record) {
    Document& document = record->document;
    Simple(options_.id_field, &document.id);
    Simple(options_.url_field, &document.provenance.url);
    Simple(options_.date_field, &document.provenance.date);
    const bool html = !options_.html_field.empty();
    const std::string& field = html ? options_.html_field : options_.text_field;
    const JsonRow::Type type = row_.Find(field, &document.payload);
    if (type != JsonRow::Type::kString) {
      Quarantine(record, "no-text-field",
                 type == JsonRow::Type::kMissing
                     ? "no field \"" + field + "\"; the row has " + row_.Names()
                     : "field \"" + field + "\" is not a string");
      return;
    }
    document.kind = html ? ContentKind::kHtml : ContentKind::kText;
    document.mime = html ? "text/html" : "text/plain";
    document.charset = "utf-8";
    for (const std::string& name : options_.fields) {
      document.fields.emplace_back(name, "");
      row_.Find(name, &document.fields.back().second);
    }
    Finish(record);
  }

  // Strings, numbers and truth values; anything else counts as missing.
  void Simple(const std::string& field, std::string* value) {
    if (field.empty()) return;
    const JsonRow::Type type = row_.Find(field, value);
    if (type == JsonRow::Type::kJson) value->clear();
  }

  static constexpr size_t kMaxBlank = 1 << 20;
  LineReader lines_;
  JsonRow row_;
  std::optional<Result<LineReader::Line>>
      held_;  // with keep_raw: the row behind blank lines
};

}  // namespace

ReaderPtr MakeJsonlReader(StreamPtr stream, const InputFile& input,
                          uint32_t source, const ReadOptions& options) {
  return std::make_unique<JsonlReader>(std::move(stream), input, source,
                                       options);
}

}  // namespace twinset::inline v1
