// JSON Lines: a row per line; blank lines are not rows. And a JSON array of
// rows.
#include <simdjson.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "base/free_string.h"
#include "base/json_key.h"
#include "base/lists/list_text.h"
#include "read/json_check.h"
#include "read/line_reader.h"
#include "read/record_base.h"
#include "read/rows/field_path.h"
#include "read/rows/given_features.h"
#include "read/rows/json_array.h"
#include "read/utf8.h"
#include "read/xml_prolog.h"

namespace twinset {
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
    escaped_keys_ = check.escaped_key;
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

  // The value at `path`. The first of equal keys counts. Strings are unescaped,
  // everything else is as written. Of several values those that are neither
  // missing nor null are joined; kJson if any is no scalar, kScalar if any is
  // no string.
  Type Find(const FieldPath& path, std::string* value) {
    value->clear();
    ondemand::value found;
    if (MemberOfRow(path.name, &found)) return Read(found, value);
    Type type = Type::kMissing;
    for (const auto& steps : path.parts)
      if (MemberOfRow(steps[0].key, &found))
        Collect(found, steps, 1, &type, value);
    return type;
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

  // Paths of the first values of the row.
  std::vector<std::string> Paths() {
    std::vector<std::string> paths;
    if (!parser_) return paths;
    ondemand::object object;
    row_.rewind();
    if (row_.get_object().get(object) == SUCCESS) AddPaths(object, "", &paths);
    return paths;
  }

 private:
  bool MemberOfRow(const std::string& name, ondemand::value* found) {
    ondemand::object object;
    row_.rewind();
    return row_.get_object().get(object) == SUCCESS &&
           Member(object, name, found);
  }

  // The first member called `name` once escapes are undone, of an object whose
  // members were not looked at yet. simdjson compares names as they are
  // written, which is the same only where no name has a backslash.
  bool Member(ondemand::object object, const std::string& name,
              ondemand::value* found) const {
    if (!escaped_keys_) {
      return !NeedsEscape(name) &&
             object.find_field_unordered(name).get(*found) == SUCCESS;
    }
    for (auto field : object) {
      ondemand::raw_json_string key;
      if (field.key().get(key) != SUCCESS) return false;
      const std::string_view rest(
          key.raw(),
          static_cast<size_t>(buffer_.data() + buffer_.size() - key.raw()));
      if (JsonKeyIs(rest, name)) return field.value().get(*found) == SUCCESS;
    }
    return false;
  }

  // Returns true iff JSON cannot write a name without a backslash.
  static bool NeedsEscape(std::string_view name) {
    return std::any_of(name.begin(), name.end(), [](char c) {
      return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20;
    });
  }

  static void AddPaths(ondemand::object object, const std::string& above,
                       std::vector<std::string>* paths) {
    constexpr size_t kMost = 60, kLongest = 200;
    for (auto field : object) {
      std::string_view name;
      ondemand::value value;
      if (paths->size() >= kMost ||
          field.unescaped_key().get(name) != SUCCESS ||
          field.value().get(value) != SUCCESS)
        return;
      const std::string path = above + EscapedFieldName(name);
      if (path.size() <= kLongest)
        AddPathsOf(value, ReplaceMalformedUtf8(path), paths);
    }
  }

  // Those of the first element stand for all of an array.
  static void AddPathsOf(ondemand::value value, const std::string& path,
                         std::vector<std::string>* paths) {
    const size_t before = paths->size();
    ondemand::json_type type;
    ondemand::object object;
    ondemand::array array;
    if (value.type().get(type) != SUCCESS) return;
    if (type == ondemand::json_type::object) {
      if (value.get_object().get(object) == SUCCESS)
        AddPaths(object, path + ".", paths);
    } else if (type == ondemand::json_type::array) {
      if (value.get_array().get(array) != SUCCESS) return;
      for (auto element : array) {
        ondemand::value first;
        if (element.get(first) == SUCCESS && path.size() < 100)
          AddPathsOf(first, path + ".*", paths);
        break;
      }
    }
    if (paths->size() == before) paths->push_back(path);
  }

  // Joins what `steps` reach from `from` on to `value`, whose type is `type`.
  void Collect(ondemand::value from, const std::vector<PathStep>& steps,
               size_t at, Type* type, std::string* value) const {
    if (at == steps.size()) return Join(from, type, value);
    const PathStep& step = steps[at];
    ondemand::json_type kind;
    if (from.type().get(kind) != SUCCESS) return;
    ondemand::value next;
    if (kind == ondemand::json_type::object) {
      ondemand::object object;
      if (from.get_object().get(object) == SUCCESS &&
          Member(object, step.key, &next))
        Collect(next, steps, at + 1, type, value);
    } else if (kind == ondemand::json_type::array) {
      ondemand::array array;
      if (from.get_array().get(array) != SUCCESS) return;
      size_t number = 0;
      for (auto element : array) {
        if (element.get(next) != SUCCESS) return;
        const bool is_meant = step.every || number++ == step.index;
        if (is_meant) Collect(next, steps, at + 1, type, value);
        if (is_meant && !step.every) return;
      }
    }
  }

  static void Join(ondemand::value found, Type* type, std::string* value) {
    std::string one;
    const Type of_one = Read(found, &one);
    if (of_one == Type::kMissing) return;
    if (of_one != Type::kNull) {
      if (!value->empty() && !one.empty()) *value += kTextJoint;
      *value += one;
    }
    *type = std::max(*type, of_one);
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
          *value = Trim(text);
        }
        return Type::kJson;
      }
      case ondemand::json_type::array: {
        ondemand::array array;
        if (found.get_array().get(array) == SUCCESS &&
            array.raw_json().get(text) == SUCCESS) {
          *value = Trim(text);
        }
        return Type::kJson;
      }
      default:
        *value = Trim(found.raw_json_token());
        return Type::kScalar;
    }
  }

  const size_t longest_path_;
  std::unique_ptr<ondemand::parser> parser_;
  ondemand::document row_;
  std::string buffer_;
  bool escaped_keys_ = false;  // some name in the row has a backslash
};

// Where a row has what becomes of it.
struct RowPaths {
  explicit RowPaths(const ReadOptions& options)
      : id(ParseFieldPath(options.id_field, false)),
        text(ParseFieldPath(
            PayloadField(options),
            options.html_field.empty() && options.features_field.empty())),
        url(ParseFieldPath(options.url_field, false)),
        date(ParseFieldPath(options.date_field, false)) {
    for (const std::string& name : options.fields)
      fields.push_back(ParseFieldPath(name, false));
  }

  size_t Longest() const {
    size_t longest = std::max(
        {id.name.size(), text.name.size(), url.name.size(), date.name.size()});
    for (const FieldPath& field : fields)
      longest = std::max(longest, field.name.size());
    return longest;
  }

  const FieldPath id, text, url, date;
  std::vector<FieldPath> fields;
};

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
        paths_(options),
        row_(paths_.Longest()) {}

  Result<bool> Next(Record* record) override {
    std::string before;  // raw of blank lines in front of the first row
    TWINSET_ASSIGN(LineReader::Line line, NextRow(&before));
    if (line.kind == LineReader::Line::kEnd) return false;
    Read(line, record);
    has_row_ = record->kind == RecordKind::kDocument ||
               record->reason == "no-text-field";
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
    return has_row_ ? row_.Paths() : std::vector<std::string>();
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
    Simple(paths_.id, &document.id);
    Simple(paths_.url, &document.provenance.url);
    Simple(paths_.date, &document.provenance.date);
    const bool html = !options_.html_field.empty();
    const std::string& field = paths_.text.name;
    const JsonRow::Type type = row_.Find(paths_.text, &document.payload);
    const bool given = !options_.features_field.empty();
    if (given && type == JsonRow::Type::kJson) {
      const std::string json = std::move(document.payload);
      std::string why = features_.Read(json, &document.payload);
      if (!why.empty()) return Quarantine(record, "bad-features", why);
    } else if (given && type != JsonRow::Type::kMissing) {
      FreeString(&document.payload);
      return Quarantine(
          record, "bad-features",
          "field \"" + field + "\" is neither an object of weights nor a list");
    } else if (type != JsonRow::Type::kString) {
      Quarantine(record, "no-text-field",
                 type == JsonRow::Type::kMissing
                     ? "no field \"" + field + "\"; the row has " + row_.Names()
                     : "field \"" + field + "\" is not a string");
      return;
    }
    document.kind = html ? ContentKind::kHtml : ContentKind::kText;
    document.mime = html ? MarkupMime(document.payload) : "text/plain";
    document.charset = "utf-8";
    for (const FieldPath& field_path : paths_.fields) {
      document.fields.emplace_back(field_path.name, "");
      row_.Find(field_path, &document.fields.back().second);
    }
    Finish(record);
  }

  // Strings, numbers and truth values; anything else counts as missing.
  void Simple(const FieldPath& field, std::string* value) {
    if (field.name.empty()) return;
    const JsonRow::Type type = row_.Find(field, value);
    if (type == JsonRow::Type::kJson) value->clear();
  }

  static constexpr size_t kMaxBlank = 1 << 20;
  LineReader lines_;
  std::optional<JsonArrayReader> elements_;  // in place of lines_
  const RowPaths paths_;
  GivenFeatures features_;
  uint64_t passed_ = 0;   // rows with a smaller ordinal are not parsed
  mutable JsonRow row_;   // a look at it moves its cursor
  bool has_row_ = false;  // row_ holds the row read last
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
