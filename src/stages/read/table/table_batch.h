// Rows of a table as a helper hands them over (docs/formats/tables.md).
#ifndef TWINSET_SRC_STAGES_READ_TABLE_TABLE_BATCH_H_
#define TWINSET_SRC_STAGES_READ_TABLE_TABLE_BATCH_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twinset/error.h"
#include "twinset/json.h"

namespace twinset {

// Some rows with the columns that were asked for. Made of untrusted bytes.
class TableBatch {
 public:
  // `reply`: what the helper says of the rows; `body`: the bytes behind it.
  // kCorrupt when they do not fit each other.
  static Result<TableBatch> Make(const Json& reply, std::string body);
  TableBatch() = default;
  // The memory of its bytes, to be used again. It has no rows then.
  std::string TakeBody() { return std::exchange(*this, TableBatch()).body_; }

  size_t rows() const { return rows_; }
  // The number of the first row in its table.
  uint64_t first() const { return first_; }
  // Adds row i to *line as an object of JSON, without a line end: texts as
  // strings, other values as they are, what is absent as null.
  void AppendRow(size_t i, std::string* line) const;
  // The bytes of a value of row i that was left out because it is too long; 0
  // where there is none.
  uint64_t TooLarge(size_t i) const;

 private:
  struct Column {
    std::string key;  // "name": as JSON, with the colon
    bool is_text = true;
    size_t valid = 0, places = 0, data = 0;  // where they begin in the body
  };
  Status Add(const Json& column, size_t* at);
  bool IsThere(const Column& column, size_t i) const {
    return body_[column.valid + i] != 0;
  }
  uint64_t PlaceOf(const Column& column, size_t i) const;
  std::string_view ValueOf(const Column& column, size_t i) const;

  std::string body_;
  size_t rows_ = 0;
  uint64_t first_ = 0;
  std::vector<Column> columns_;
  std::vector<std::pair<size_t, uint64_t>> too_large_;  // ascending by row
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_TABLE_TABLE_BATCH_H_
