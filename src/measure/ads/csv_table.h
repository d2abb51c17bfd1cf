// Small tables as CSV: bids, factors, trademarks, landing pages.
#ifndef TWINSET_SRC_MEASURE_ADS_CSV_TABLE_H_
#define TWINSET_SRC_MEASURE_ADS_CSV_TABLE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/error.h"

namespace twinset::ads {

// Rows of more bytes are refused.
inline constexpr uint64_t kMostCsvRowBytes = 1 << 20;

// One row by the names of the header.
class CsvRow {
 public:
  // The field, or "" where the file has no such column.
  std::string_view operator[](std::string_view column) const;
  uint64_t line() const { return line_; }  // from 1

 private:
  friend class CsvTable;
  const std::vector<std::string>* names_ = nullptr;
  std::vector<std::string> fields_;
  uint64_t line_ = 0;
};

// A table whose header and encoding were checked. RFC 4180, separated by
// commas, or by tabs if the header has one; a byte order mark and empty lines
// are passed over.
class CsvTable {
 public:
  // `known` columns, each at most once, in any order; others are refused, so
  // that no misspelt one is passed over. kUsage names the line and the remedy.
  static Result<CsvTable> Parse(std::string text, std::string where,
                                const std::vector<std::string>& known);
  // A table takes up to 64 times its file: one that may not fit into
  // `memory_bytes` (MemoryOr) is refused.
  static Result<CsvTable> Read(const std::string& path,
                               const std::vector<std::string>& known,
                               uint64_t memory_bytes);

  bool Has(std::string_view column) const;
  // kUsage unless the column is there.
  Status Require(std::string_view column) const;
  // Calls on_row for each row, on_bad for each with another number of fields
  // than the header, an open quote or too many bytes; stops at the first error
  // that either returns.
  Status ForEach(const std::function<Status(const CsvRow&)>& on_row,
                 const std::function<Status(uint64_t line, std::string reason)>&
                     on_bad) const;
  // The error of a bad row of this table.
  Error RowError(uint64_t line, std::string reason) const;
  const std::string& where() const { return where_; }

 private:
  std::string text_, where_;
  std::vector<std::string> names_;
  char separator_ = ',';
  size_t rows_at_ = 0;
  uint64_t rows_line_ = 1;
};

}  // namespace twinset::ads

#endif  // TWINSET_SRC_MEASURE_ADS_CSV_TABLE_H_
