#include "sample/estimate_rows.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/csv_row.h"
#include "twinset/json.h"

namespace twinset {
namespace {

std::string Where(const std::string& path, uint64_t line) {
  return path + ":" + std::to_string(line);
}

std::string ToJson(const std::string& text) {
  const Json json = Json::Parse(text);
  if (json.is_number() || json.is_boolean()) return json.dump();
  // Spellings that JSON does not know: ".5", "05".
  double number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() &&
      std::isfinite(number))
    return Json(number).dump();
  return Json(text).dump();
}

Status SetCell(const std::string& column, const std::string& cell,
               const std::string& where, SampleRow* row) {
  if (cell.empty()) return {};
  if (column == "url") {
    row->url = cell;
    return {};
  }
  const std::string json = ToJson(cell);
  if (column == "weight") {
    const Json weight = Json::Parse(json);
    row->weight = weight.is_number() ? weight.get<double>() : 0;
    if (!(row->weight > 0) || !std::isfinite(row->weight))
      return Fail(ErrorCode::kCorrupt, "a weight that is not above 0", where);
    return {};
  }
  row->fields.emplace_back(column, json);
  return {};
}

Status ReadCsv(
    const std::string& path,
    const std::function<Status(SampleRow, const std::string&)>& on_row) {
  TWINSET_ASSIGN(std::ifstream file, OpenRows(path));
  std::vector<std::string> columns, cells;
  std::string text;
  uint64_t line = 0, draw = 0;
  while (NextRow(&file, &text)) {
    ++line;
    if (text.ends_with('\r')) text.pop_back();
    if (line == 1 && text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
    if (text.empty()) continue;
    if (text.size() > kMostRowBytes)
      return Fail(ErrorCode::kCorrupt, "a line of more than 16 MB",
                  Where(path, line));
    cells.clear();
    SplitCsvRow(text, ',', &cells);
    if (columns.empty()) {
      columns = cells;
      continue;
    }
    if (cells.size() != columns.size()) {
      return Fail(ErrorCode::kCorrupt,
                  std::to_string(cells.size()) + " fields, the header has " +
                      std::to_string(columns.size()),
                  Where(path, line));
    }
    SampleRow row;
    row.draw = draw++;
    for (size_t i = 0; i < cells.size(); ++i)
      TWINSET_TRY(SetCell(columns[i], cells[i], Where(path, line), &row));
    TWINSET_TRY(on_row(std::move(row), Where(path, line)));
  }
  if (file.bad()) return Fail(ErrorCode::kIo, "cannot be read", path);
  return {};
}

// Whether the first byte that is no space opens a JSON object.
Result<bool> IsJson(const std::string& path) {
  TWINSET_ASSIGN(std::ifstream file, OpenRows(path));
  char c = 0;
  while (file.get(c))
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') return c == '{';
  if (file.bad()) return Fail(ErrorCode::kIo, "cannot be read", path);
  return false;
}

}  // namespace

Result<SampleHeader> ReadTable(
    const std::string& path,
    const std::function<Status(SampleRow row, const std::string& where)>&
        on_row) {
  TWINSET_ASSIGN(const bool json, IsJson(path));
  if (!json) {
    TWINSET_TRY(ReadCsv(path, on_row));
    return SampleHeader{.sampler = "", .engine = "", .weights = "exact"};
  }
  uint64_t number = 0;
  return ReadSample(path, [&](SampleRow row) {
    ++number;
    return on_row(std::move(row), path + ", row " + std::to_string(number));
  });
}

const std::string* FindField(const SampleRow& row, std::string_view name) {
  const auto found =
      std::find_if(row.fields.begin(), row.fields.end(),
                   [&](const auto& field) { return field.first == name; });
  return found == row.fields.end() ? nullptr : &found->second;
}

std::string TextField(const SampleRow& row, std::string_view name) {
  const std::string* text = FindField(row, name);
  if (text == nullptr) return "";
  const Json json = Json::Parse(*text);
  return json.is_string() ? json.get<std::string>() : "";
}

Result<double> NumberField(const SampleRow& row, std::string_view name,
                           const std::string& where) {
  const std::string* text = FindField(row, name);
  const Json json = text == nullptr ? Json() : Json::Parse(*text);
  if (!json.is_number())
    return Fail(ErrorCode::kCorrupt,
                "there is no number '" + std::string(name) + "'", where);
  const double number = json.get<double>();
  if (!(number >= 0) || !std::isfinite(number))
    return Fail(ErrorCode::kCorrupt,
                "'" + std::string(name) + "' is below 0 or not finite", where);
  return number;
}

Result<uint64_t> CountField(const SampleRow& row, std::string_view name,
                            const std::string& where) {
  TWINSET_ASSIGN(const double number, NumberField(row, name, where));
  if (number != std::floor(number) || number > 0x1p53)
    return Fail(ErrorCode::kCorrupt,
                "'" + std::string(name) + "' is no whole number", where);
  return static_cast<uint64_t>(number);
}

EstimatedValue ToValue(std::string name, const Estimated& estimate) {
  EstimatedValue value{.name = std::move(name), .value = estimate.value};
  value.standard_error = estimate.standard_error;
  value.interval = EstimateRange{estimate.interval.low, estimate.interval.high};
  return value;
}

EstimatedValue ToValue(std::string name, const Estimated& estimate,
                       const Interval& bootstrap) {
  EstimatedValue value = ToValue(std::move(name), estimate);
  if (bootstrap.low != 0 || bootstrap.high != 0)
    value.bootstrap = EstimateRange{bootstrap.low, bootstrap.high};
  return value;
}

void Withhold(const std::string& why, EstimatedValue* value) {
  if (!value->interval && !value->bootstrap) return;
  value->interval.reset();
  value->bootstrap.reset();
  value->no_interval = why;
}

BootstrapOptions BootstrapOf(const EstimateOptions& options) {
  return {options.seed, options.replicas, 1};
}

}  // namespace twinset
