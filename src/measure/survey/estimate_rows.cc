#include "survey/estimate_rows.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "base/csv_row.h"
#include "base/stop.h"
#include "documents/pass_progress.h"
#include "documents/side_check.h"
#include "twinset/json.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

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
  std::vector<std::string> columns, cells;
  uint64_t draw = 0;
  return ForEachRowLine(
      path, [&](std::string_view text, const std::string& where) -> Status {
        if (text.empty()) return {};
        cells.clear();
        SplitCsvRow(text, ',', &cells);
        if (columns.empty()) {
          columns = cells;
          return {};
        }
        if (cells.size() != columns.size()) {
          return Fail(ErrorCode::kCorrupt,
                      std::to_string(cells.size()) +
                          " fields, the header has " +
                          std::to_string(columns.size()),
                      where);
        }
        SampleRow row;
        row.draw = draw++;
        for (size_t i = 0; i < cells.size(); ++i)
          TWINSET_TRY(SetCell(columns[i], cells[i], where, &row));
        return on_row(std::move(row), where);
      });
}

// Returns true iff the first line that is not blank opens a JSON object.
Result<bool> IsJson(const std::string& path) {
  std::optional<char> first;
  const Status read = ForEachRowLine(
      path, [&](std::string_view text, const std::string& where) -> Status {
        const size_t at = text.find_first_not_of(" \t\r");
        if (at == std::string::npos) return {};
        first = text[at];
        return Fail(ErrorCode::kInterrupted, "one line is enough", where);
      });
  if (!first) TWINSET_TRY(read);
  return first == '{';
}

}  // namespace

Result<SampleHeader> ReadTable(
    const EstimateOptions& options, size_t input,
    const std::function<Status(SampleRow row, const std::string& where)>&
        on_row) {
  const std::string& path = options.inputs[input];
  PassProgress progress(options.on_progress, "estimate", FileName(path),
                        "rows");
  TWINSET_ASSIGN(const bool json, IsJson(path));
  SideRead side{"", path, "row"};
  SampleHeader header{.sampler = "", .engine = "", .weights = "exact"};
  if (json) {
    TWINSET_ASSIGN(header, ReadSample(path, [&](SampleRow row) -> Status {
                     ++side.used;
                     progress.Add();
                     TWINSET_TRY(CheckStop(options.stop));
                     return on_row(std::move(row),
                                   path + ", row " + std::to_string(side.used));
                   }));
  } else {
    TWINSET_TRY(
        ReadCsv(path, [&](SampleRow row, const std::string& where) -> Status {
          ++side.used;
          progress.Add();
          TWINSET_TRY(CheckStop(options.stop));
          return on_row(std::move(row), where);
        }));
  }
  side.records = side.used;
  TWINSET_TRY(CheckSide(side));
  return header;
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
