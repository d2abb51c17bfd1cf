// Structs with a list of fields (core/field_list.h) as rows of CSV and of
// tables.
#ifndef TWINSET_SRC_STAGES_REPORT_FIELD_ROWS_H_
#define TWINSET_SRC_STAGES_REPORT_FIELD_ROWS_H_

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/json_text.h"
#include "base/math/round_to.h"
#include "report/html_blocks.h"
#include "report/row_writer.h"
#include "twinset/choices.h"
#include "twinset/plain_words.h"
#include "twinset/results.h"

namespace twinset {

// A column of a table: which field it shows, below which heading.
struct FieldColumn {
  std::string_view field;
  std::string_view heading = {};  // empty: the name of the field in words
};

namespace field_rows {

// Calls `add(name, text for CSV, cell)` for each field of a row.
template <typename Add>
class Fields {
 public:
  explicit Fields(const Add& add) : add_(add) {}

  template <typename T>
  void operator()(const char* name, const T& value) {
    if constexpr (std::same_as<T, Share>) {
      std::string text;
      AppendDouble(&text, RoundTo(value.value(), 6));
      add_(name, text, html::Cell::Percent(value.part, value.whole));
    } else if constexpr (std::same_as<T, bool>) {
      add_(name, value ? "true" : "false",
           html::Cell::Text(value ? "yes" : "no"));
    } else if constexpr (ChoiceEnum<T>) {
      add_(name, std::string(ChoiceName(value)),
           html::Cell::Text(ChoiceName(value)));
    } else if constexpr (std::unsigned_integral<T>) {
      add_(name, std::to_string(value), html::Cell::Count(value));
    } else if constexpr (std::integral<T>) {
      add_(name, std::to_string(value),
           html::Cell::Number(static_cast<double>(value)));
    } else if constexpr (std::floating_point<T>) {
      std::string text;
      AppendDouble(&text, value);
      add_(name, text, html::Cell::Rounded(value));
    } else if constexpr (std::convertible_to<T, std::string_view>) {
      std::string text;
      AppendCsvField(&text, value);
      add_(name, text, html::Cell::Text(value));
    }
    // Lists and structs within a row have no cell.
  }
  template <typename T>
  void operator()(const char* name, const std::optional<T>& value) {
    if (value)
      (*this)(name, *value);
    else
      add_(name, "", html::Cell{"", std::is_arithmetic_v<T>});
  }
  void Rounded(const char* name, double value, int decimals) {
    (*this)(name, RoundTo(value, decimals));
  }
  template <typename T>
  void OrNull(const char* name, const std::optional<T>& value,
              int decimals = 0) {
    if constexpr (std::floating_point<T>) {
      if (decimals > 0 && value)
        return (*this)(name, RoundTo(*value, decimals));
    }
    (*this)(name, value);
  }
  template <ChoiceEnum T, size_t kSize>
  void ByChoice(const std::array<uint64_t, kSize>& counts) {
    for (const auto& choice : kChoices<T>)
      (*this)(std::string(choice.name).c_str(),
              counts[static_cast<size_t>(choice.value)]);
  }
  template <typename T>
  void Derived(const char* name, const T& value) {
    (*this)(name, value);
  }
  template <typename T>
  void Column(const char* name, const T& value) {
    (*this)(name, value);
  }

 private:
  const Add& add_;
};

template <typename Row, typename Add>
void ForEachField(const Row& row, const Add& add) {
  Fields<Add> fields(add);
  Row::Fields(row, fields);
}

}  // namespace field_rows

// The names of the fields, then a line for each row (RFC 4180).
template <typename Row>
std::string CsvOf(const std::vector<Row>& rows) {
  std::string csv;
  const auto line = [&csv](const Row& row, const auto& add) {
    bool is_first = true;
    field_rows::ForEachField(
        row, [&](const char* name, const std::string& text, const html::Cell&) {
          if (!std::exchange(is_first, false)) csv += ',';
          add(name, text);
        });
    csv += '\n';
  };
  line(Row{}, [&csv](const char* name, const std::string&) { csv += name; });
  for (const Row& row : rows)
    line(row, [&csv](const char*, const std::string& text) { csv += text; });
  return csv;
}

// The named fields of each row below each other.
template <typename Row>
html::Table TableOf(std::string caption,
                    const std::vector<FieldColumn>& columns,
                    const std::vector<Row>& rows) {
  html::Table table;
  table.caption = std::move(caption);
  const auto cells = [&columns](const Row& row) {
    std::vector<html::Cell> shown(columns.size());
    field_rows::ForEachField(
        row, [&](std::string_view name, const std::string&, html::Cell cell) {
          for (size_t i = 0; i < columns.size(); ++i)
            if (columns[i].field == name) shown[i] = cell;
        });
    return shown;
  };
  const std::vector<html::Cell> kinds = cells(Row{});
  for (size_t i = 0; i < columns.size(); ++i)
    table.columns.push_back({columns[i].heading.empty()
                                 ? WordsOf(std::string(columns[i].field))
                                 : std::string(columns[i].heading),
                             kinds[i].number});
  for (const Row& row : rows) table.rows.push_back(cells(row));
  return table;
}

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_REPORT_FIELD_ROWS_H_
