// Tables: Parquet, Arrow, Feather and ORC, whose rows a helper reads. A row
// becomes a line of JSON with the columns that are asked for, and then what
// such a line becomes.
#include <algorithm>
#include <optional>
#include <utility>

#include "read/record_base.h"
#include "read/rows/field_path.h"
#include "read/rows/json_row.h"
#include "read/table/table_batch.h"
#include "read/table_helpers.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

// A path of a row, for the helper.
Json WantedJson(const FieldPath& path) {
  Json wanted;
  wanted["name"] = path.name;
  wanted["paths"] = Json::array();
  for (const std::vector<PathStep>& steps : path.parts) {
    Json keys = Json::array();
    for (const PathStep& step : steps) keys.push_back(step.key);
    wanted["paths"].push_back(std::move(keys));
  }
  return wanted;
}

// The columns that are asked for.
struct Asked {
  explicit Asked(const ReadOptions& options)
      : text(ParseFieldPath(
            PayloadField(options),
            options.html_field.empty() && options.features_field.empty())),
        id(ParseFieldPath(options.id_field, false)) {
    columns = Json::array({WantedJson(text), WantedJson(id)});
    for (const std::string* name : {&options.url_field, &options.date_field})
      columns.push_back(WantedJson(ParseFieldPath(*name, false)));
    for (const std::string& name : options.fields)
      columns.push_back(WantedJson(ParseFieldPath(name, false)));
    has_to_have_id =
        !options.id_field.empty() && options.id_field != ReadOptions().id_field;
  }

  FieldPath text, id;
  bool has_to_have_id = false;
  Json columns;
};

// The column of a path, or that which its first name leads to. `told`:
// "columns" of those that are there, and all "fields".
Status CheckColumn(const Json& told, const FieldPath& path,
                   const std::string& table) {
  for (const Json& column : told["columns"]) {
    const std::string name = column.get<std::string>();
    if (name == path.name) return {};
    for (const std::vector<PathStep>& steps : path.parts)
      if (steps.front().key == name) return {};
  }
  std::string names;
  std::vector<std::string> fields;
  for (const Json& field : told["fields"]) {
    fields.push_back(field.get<std::string>());
    if (names.size() < 500)
      names += (names.empty() ? "" : ", ") + fields.back();
  }
  std::string remedy = DidYouMean(path.name, fields);
  if (!remedy.empty()) remedy += " ";
  return Fail(ErrorCode::kUsage, "no column \"" + path.name + "\"", table,
              remedy + "its columns are: " + names);
}

Status CheckColumns(const Json& told, const Asked& asked,
                    const std::string& table) {
  TWINSET_TRY(CheckColumn(told, asked.text, table));
  return asked.has_to_have_id ? CheckColumn(told, asked.id, table) : Status();
}

class TableReader : public ReaderBase {
 public:
  TableReader(StreamPtr nothing, HeldHelper helper, const InputFile& input,
              uint32_t source, const ReadOptions& options)
      : ReaderBase(std::move(nothing), input, source, options,
                   InputFormat::kTable),
        helper_(std::move(helper)),
        parser_(options) {}

  // Asks for the table. A table that cannot be read is one quarantined record;
  // kUsage when it lacks a column that was asked for.
  Status Open() {
    Json request;
    request["op"] = "open";
    request["path"] = input_.path;
    request["most_bytes"] = MaxRawBytes(options_);
    Asked asked(options_);
    request["columns"] = std::move(asked.columns);
    auto reply = helper_->Ask(std::move(request), options_.stop);
    if (!reply && reply.error().code == ErrorCode::kCorrupt) {
      refusal_ = reply.error().message;
      return {};
    }
    TWINSET_TRY(reply.map([](const Json&) {}));
    for (const Json& name : (*reply)["fields"])
      fields_.push_back(name.get<std::string>());
    rows_ = reply->value("rows", uint64_t{0});
    TWINSET_TRY(CheckColumns(*reply, asked, input_.path));
    return AskForRows();
  }

  std::vector<std::string> FieldNames() const override { return fields_; }
  void PassOver(uint64_t ordinal) override { passed_ = ordinal; }
  // As if all rows had one length.
  uint64_t consumed_bytes() const override {
    return rows_ == 0 ? input_.state.size
                      : static_cast<uint64_t>(
                            static_cast<double>(input_.state.size) *
                            std::min(1.0, static_cast<double>(next_) /
                                              static_cast<double>(rows_)));
  }

  Result<bool> Next(Record* record) override {
    if (refusal_) {
      Begin(record, 0);
      Quarantine(record, "bad-table", *std::exchange(refusal_, std::nullopt));
      is_ended_ = true;
      return true;
    }
    while (at_ == batch_.rows()) {
      if (is_ended_) return false;
      TWINSET_ASSIGN(const bool is_record, Fetch(record));
      if (is_record) return true;
    }
    Row(at_++, record);
    return true;
  }

 private:
  Status AskForRows() {
    Json request;
    request["op"] = "rows";
    return helper_->Send(std::move(request), options_.stop);
  }

  // The next rows, or a record of rows that cannot be read.
  Result<bool> Fetch(Record* record) {
    std::string body = batch_.TakeBody();
    at_ = 0;
    TWINSET_ASSIGN(const Json reply, helper_->Receive(&body));
    if (const std::string damage = reply.value("damage", ""); !damage.empty()) {
      const auto lost = reply.value("damaged_rows", uint64_t{0});
      BeginRow(reply.value("first", uint64_t{0}), record);
      Quarantine(
          record, "bad-table",
          damage + (lost == 0 ? std::string()
                              : ": " + std::to_string(lost) +
                                    (lost == 1 ? " row is" : " rows are") +
                                    " not read"));
      TWINSET_TRY(AskForRows());
      return true;
    }
    if (reply.value("rows", uint64_t{0}) == 0) {
      is_ended_ = true;
      TWINSET_TRY(CheckStateOf(reply, input_));
      return false;
    }
    auto batch = TableBatch::Make(reply, std::move(body));
    if (!batch) return tl::unexpected(batch.error());
    batch_ = *std::move(batch);
    // It makes the next ones while these are worked on.
    TWINSET_TRY(AskForRows());
    return false;
  }

  void BeginRow(uint64_t number, Record* record) {
    Begin(record, number);
    record->is_table_row = true;
  }

  void Row(size_t i, Record* record) {
    const uint64_t number = batch_.first() + i;
    next_ = number + 1;
    BeginRow(number, record);
    if (options_.keep_raw)
      record->raw = "{\"row\":" + std::to_string(number) + "}\n";
    if (const uint64_t bytes = batch_.TooLarge(i); bytes > 0) {
      return Quarantine(record, "too-large",
                        "a value of " + std::to_string(bytes) + " bytes");
    }
    if (record->document.provenance.ordinal < passed_) {
      record->kind = RecordKind::kPassed;
      return;
    }
    line_.clear();
    batch_.AppendRow(i, &line_);
    if (!options_.defers_rows || options_.keep_raw ||
        line_.size() > kMostDeferredBytes)
      return parser_.Parse(line_, record);
    record->kind = RecordKind::kRow;
    record->document.kind =
        options_.html_field.empty() ? ContentKind::kText : ContentKind::kHtml;
    record->row = line_;
  }

  HeldHelper helper_;
  JsonRowParser parser_;
  std::vector<std::string> fields_;
  std::optional<std::string> refusal_;
  uint64_t rows_ = 0;    // of the table, as far as it says
  uint64_t passed_ = 0;  // rows with a smaller ordinal are not parsed
  TableBatch batch_;
  size_t at_ = 0;      // of batch_
  uint64_t next_ = 0;  // row of the table
  bool is_ended_ = false;
  std::string line_;
};

}  // namespace

Status CheckTables(const std::vector<std::string>& paths,
                   const std::shared_ptr<TableHelpers>& helpers,
                   const ReadOptions& options) {
  auto helper = HeldHelper::Take(helpers);
  if (!helper) return {};
  const Asked asked(options);
  Json request;
  request["op"] = "schemas";
  request["paths"] = paths;
  request["columns"] = asked.columns;
  const auto reply = (*helper)->Ask(std::move(request), options.stop);
  if (!reply) {
    return reply.error().code == ErrorCode::kInterrupted
               ? tl::unexpected(reply.error())
               : Status();
  }
  for (const Json& schema : (*reply)["schemas"])
    TWINSET_TRY(CheckColumns(schema, asked, schema.value("path", "")));
  return {};
}

Result<RowReaderPtr> MakeTableReader(const InputFile& input, uint32_t source,
                                     const ReadOptions& options) {
  TWINSET_ASSIGN(HeldHelper helper, HeldHelper::Take(input.helpers));
  auto reader = std::make_unique<TableReader>(
      ByteStreamFromMemory("", {}), std::move(helper), input, source, options);
  TWINSET_TRY(reader->Open());
  return reader;
}

}  // namespace twinset
