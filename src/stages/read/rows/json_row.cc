#include "read/rows/json_row.h"

#include <simdjson.h>

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/free_string.h"
#include "base/json_key.h"
#include "base/lists/list_text.h"
#include "read/json_check.h"
#include "read/record_base.h"
#include "read/rows/field_path.h"
#include "read/rows/given_features.h"
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

}  // namespace

struct JsonRowParser::Parts {
  explicit Parts(const ReadOptions& options)
      : paths(options), row(paths.Longest()) {}

  // Strings, numbers and truth values; anything else counts as missing.
  void Simple(const FieldPath& field, std::string* value) {
    if (field.name.empty()) return;
    const JsonRow::Type type = row.Find(field, value);
    if (type == JsonRow::Type::kJson) value->clear();
  }

  const RowPaths paths;
  JsonRow row;
  GivenFeatures features;
  bool has_row = false;  // `row` holds the one parsed last
};

JsonRowParser::JsonRowParser(const ReadOptions& options)
    : options_(Bounded(options)), parts_(std::make_unique<Parts>(options)) {}

JsonRowParser::~JsonRowParser() = default;

std::vector<std::string> JsonRowParser::FieldNames() const {
  return parts_->has_row ? parts_->row.Paths() : std::vector<std::string>();
}

void JsonRowParser::Parse(std::string_view row, Record* record) {
  std::string error = parts_->row.Parse(row);
  parts_->has_row = error.empty();
  if (!error.empty())
    return QuarantineRecord(record, "bad-json", std::move(error));
  Fill(record);
  parts_->row.Release();
}

void JsonRowParser::Fill(Record* record) {
  Document& document = record->document;
  parts_->Simple(parts_->paths.id, &document.id);
  parts_->Simple(parts_->paths.url, &document.provenance.url);
  parts_->Simple(parts_->paths.date, &document.provenance.date);
  const bool html = !options_.html_field.empty();
  const std::string& field = parts_->paths.text.name;
  const JsonRow::Type type =
      parts_->row.Find(parts_->paths.text, &document.payload);
  const bool given = !options_.features_field.empty();
  if (given && type == JsonRow::Type::kJson) {
    const std::string json = std::move(document.payload);
    std::string why = parts_->features.Read(json, &document.payload);
    if (!why.empty()) return QuarantineRecord(record, "bad-features", why);
  } else if (given && type != JsonRow::Type::kMissing) {
    FreeString(&document.payload);
    return QuarantineRecord(
        record, "bad-features",
        "field \"" + field + "\" is " +
            (type == JsonRow::Type::kNull
                 ? "null"
                 : "neither an object of weights nor a list"));
  } else if (type != JsonRow::Type::kString) {
    QuarantineRecord(
        record, "no-text-field",
        type == JsonRow::Type::kMissing
            ? "no field \"" + field + "\"; the row has " + parts_->row.Names()
            : "field \"" + field + "\" is " +
                  (type == JsonRow::Type::kNull ? "null" : "not a string"));
    return;
  }
  document.kind = html ? ContentKind::kHtml : ContentKind::kText;
  document.mime = html ? MarkupMime(document.payload) : "text/plain";
  document.charset = "utf-8";
  for (const FieldPath& field_path : parts_->paths.fields) {
    document.fields.emplace_back(field_path.name, "");
    parts_->row.Find(field_path, &document.fields.back().second);
  }
  FinishDocument(options_, record);
}

RowParser::RowParser(const ReadOptions& options)
    : max_field_bytes_(options.max_field_bytes),
      parser_(std::make_unique<JsonRowParser>(options)) {}

RowParser::~RowParser() = default;

void RowParser::Parse(std::string_view row, Record* record) {
  record->row = {};
  parser_->Parse(row, record);
  BoundFields(max_field_bytes_, record);
}

}  // namespace twinset
