#include "ads/csv_table.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/csv_row.h"
#include "base/lists/list_text.h"
#include "base/machine.h"

namespace twinset::ads {
namespace {

constexpr uint64_t kMemoryOfByte = 64;

std::string Joined(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

std::string_view WithoutLineEnd(std::string_view row) {
  if (!row.empty() && row.back() == '\n') row.remove_suffix(1);
  if (!row.empty() && row.back() == '\r') row.remove_suffix(1);
  return row;
}

// Names may have spaces around them and capitals.
std::string ColumnName(std::string_view field) {
  while (!field.empty() && field.front() == ' ') field.remove_prefix(1);
  while (!field.empty() && field.back() == ' ') field.remove_suffix(1);
  return ToLowerAscii(field);
}

// What of a name from outside stands in a message.
std::string Shown(std::string_view name) {
  std::string shown;
  for (const char c : name.substr(0, 40))
    shown += c >= ' ' && c < 127 ? c : '?';
  return shown;
}

// One row from `at` on: its bytes with the line end, quotes counted.
struct RawRow {
  std::string_view bytes;
  bool open_quote = false;
};

RawRow NextRow(std::string_view rest, CsvForm form) {
  CsvRowScanner scanner(form);
  const size_t size = scanner.Scan(rest);
  if (size > 0) return {rest.substr(0, size), false};
  return {rest, scanner.in_quotes()};
}

}  // namespace

std::string_view CsvRow::operator[](std::string_view column) const {
  const auto at = std::find(names_->begin(), names_->end(), column);
  return at == names_->end()
             ? std::string_view()
             : std::string_view(
                   fields_[static_cast<size_t>(at - names_->begin())]);
}

Result<CsvTable> CsvTable::Parse(std::string text, std::string where,
                                 const std::vector<std::string>& known) {
  CsvTable table;
  table.text_ = std::move(text);
  table.where_ = std::move(where);
  const std::string_view all = table.text_;
  if (all.find('\0') != std::string_view::npos)
    return tl::unexpected<Error>(table.RowError(1, "the file is not text"));
  size_t at = 0;
  while (at < all.size() && (all[at] == '\n' || all[at] == '\r'))
    table.rows_line_ += all[at++] == '\n';
  const size_t end = std::min(all.find('\n', at), all.size());
  if (all.substr(at, end - at).find('\t') != std::string_view::npos)
    table.separator_ = '\t';
  const RawRow header = NextRow(all.substr(at), table.separator_);
  if (header.open_quote || header.bytes.size() > kMostCsvRowBytes)
    return tl::unexpected<Error>(
        table.RowError(table.rows_line_, "the header has no end"));
  SplitCsvRow(WithoutLineEnd(header.bytes), table.separator_, &table.names_);
  for (std::string& name : table.names_) {
    name = ColumnName(name);
    const bool is_known =
        std::find(known.begin(), known.end(), name) != known.end();
    const auto same =
        std::count(table.names_.begin(), table.names_.end(), name);
    if (is_known && same == 1) continue;
    Error error = table.RowError(
        table.rows_line_,
        (is_known ? "two columns '" : "unknown column '") + Shown(name) + "'");
    error.remedy = "the first line names the columns, of " + Joined(known);
    return tl::unexpected<Error>(std::move(error));
  }
  table.rows_at_ = at + header.bytes.size();
  table.rows_line_ += static_cast<uint64_t>(
      std::count(header.bytes.begin(), header.bytes.end(), '\n'));
  return table;
}

Result<CsvTable> CsvTable::Read(const std::string& path,
                                const std::vector<std::string>& known,
                                uint64_t memory_bytes) {
  auto text = ReadListText(path, MemoryOr(memory_bytes) / kMemoryOfByte);
  if (!text) {
    if (text.error().code == ErrorCode::kUnsupported)
      text.error().remedy = "raise --memory, or give a part of the table";
    return tl::unexpected(text.error());
  }
  return Parse(*std::move(text), path, known);
}

bool CsvTable::Has(std::string_view column) const {
  return std::find(names_.begin(), names_.end(), column) != names_.end();
}

Status CsvTable::Require(std::string_view column) const {
  if (Has(column)) return {};
  return Fail(ErrorCode::kUsage,
              "the column '" + std::string(column) + "' is missing", where_,
              "name it in the first line");
}

Error CsvTable::RowError(uint64_t line, std::string reason) const {
  return {ErrorCode::kUsage, std::move(reason),
          where_ + " line " + std::to_string(line), ""};
}

Status CsvTable::ForEach(
    const std::function<Status(const CsvRow&)>& on_row,
    const std::function<Status(uint64_t line, std::string reason)>& on_bad)
    const {
  const std::string_view all = text_;
  size_t at = rows_at_;
  uint64_t line = rows_line_;
  CsvRow row;
  row.names_ = &names_;
  while (at < all.size()) {
    const RawRow raw = NextRow(all.substr(at), separator_);
    const std::string_view content = WithoutLineEnd(raw.bytes);
    const uint64_t first_line = line;
    at += raw.bytes.size();
    line += static_cast<uint64_t>(
        std::count(raw.bytes.begin(), raw.bytes.end(), '\n'));
    if (content.empty()) continue;
    if (raw.open_quote) {
      TWINSET_TRY(on_bad(first_line, "a quote is opened and never closed"));
      continue;
    }
    if (content.size() > kMostCsvRowBytes) {
      TWINSET_TRY(on_bad(first_line, "the row is longer than " +
                                         std::to_string(kMostCsvRowBytes) +
                                         " bytes"));
      continue;
    }
    SplitCsvRow(content, separator_, &row.fields_);
    row.line_ = first_line;
    if (row.fields_.size() != names_.size()) {
      TWINSET_TRY(on_bad(first_line, "the row has " +
                                         std::to_string(row.fields_.size()) +
                                         " fields, the header " +
                                         std::to_string(names_.size())));
      continue;
    }
    TWINSET_TRY(on_row(row));
  }
  return {};
}

}  // namespace twinset::ads
