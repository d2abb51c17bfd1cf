// Columns of a table that another package has, read by the Arrow C data
// interface.
#ifndef TWINSET_PYTHON_NATIVE_ARROW_IN_H_
#define TWINSET_PYTHON_NATIVE_ARROW_IN_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arrow.h"
#include "twinset/error.h"

namespace twinset::python {

// A column of one batch. Values are read as text: strings as they are, whole
// numbers in decimal, other numbers so that they read back as they were, truth
// values as true and false, dates and times as ISO 8601 has them.
class ArrowColumn {
 public:
  // kUnsupported for a type that has no text. Both outlive the column, whose
  // row 0 is row `first` of the array.
  static Result<ArrowColumn> Make(const ArrowSchema& schema,
                                  const ArrowArray& array, int64_t first = 0);

  // Nothing where the value is null.
  std::optional<std::string> Text(int64_t row) const;
  // It holds strings, as they are or by a dictionary.
  bool IsText() const;
  // The value of a column of whole numbers; nothing where it is null, the
  // column another, or the number above 2^63 - 1.
  std::optional<int64_t> Number(int64_t row) const;

 private:
  enum class Kind {
    kText32,
    kText64,
    kTextView,
    kSigned,
    kUnsigned,
    kFloat,
    kDouble,
    kBool,
    kDays,
    kTime,
    kNull,
    kDictionary
  };

  bool IsNull(int64_t at) const;
  int64_t SignedAt(int64_t at) const;
  uint64_t UnsignedAt(int64_t at) const;
  std::string View(int64_t at) const;

  const ArrowArray* array_ = nullptr;
  Kind kind_ = Kind::kNull;
  int64_t first_ = 0;
  int width_ = 0;                 // bytes of a number
  int64_t units_per_second_ = 1;  // of a time
  std::shared_ptr<ArrowColumn> dictionary_;
};

// A table as a stream of batches, of which some columns are read.
class ArrowTable {
 public:
  // Takes over the stream, whose release is then null.
  explicit ArrowTable(ArrowArrayStream* stream);
  ~ArrowTable();
  ArrowTable(const ArrowTable&) = delete;
  ArrowTable& operator=(const ArrowTable&) = delete;

  // Reads the schema and looks for the columns. kUsage, with the names that are
  // there, for one that is not; of a stream that is no table its one column.
  Status Choose(const std::vector<std::string>& names);
  // The next batch; false at the end. The columns of the last one are gone.
  Result<bool> Next();
  int64_t rows() const { return rows_; }
  // In the order of the names.
  const std::vector<ArrowColumn>& columns() const { return columns_; }

 private:
  Status StreamError(int code) const;

  ArrowArrayStream stream_;
  ArrowSchema schema_ = {};
  ArrowArray batch_ = {};
  std::vector<int64_t> chosen_;  // children; -1: the array itself
  std::vector<ArrowColumn> columns_;
  int64_t rows_ = 0;
};

}  // namespace twinset::python

#endif  // TWINSET_PYTHON_NATIVE_ARROW_IN_H_
