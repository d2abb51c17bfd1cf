// Rows of batches as the stages of engines take and give them.
#ifndef TWINSET_PYTHON_NATIVE_STAGED_ROWS_H_
#define TWINSET_PYTHON_NATIVE_STAGED_ROWS_H_

#include <nanobind/nanobind.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "arrow_in.h"
#include "column.h"
#include "twinset/document.h"
#include "twinset/error.h"
#include "twinset/options.h"
#include "twinset/stages.h"

namespace twinset::python {

using Words = std::vector<std::string>;
using Numbers = std::vector<int64_t>;
using Columns = std::vector<ArrowColumn>;

// Unsigned numbers, and the bits of doubles, come and go as signed ones.
uint64_t At(const Columns& columns, size_t i, int64_t row);
double RealAt(const Columns& columns, size_t i, int64_t row);
std::string TextAt(const Columns& columns, size_t i, int64_t row);
// The text of a document; null: it has none.
Document DocumentAt(const Columns& columns, size_t i, int64_t row);
inline int64_t Signed(uint64_t value) { return static_cast<int64_t>(value); }

// Calls `each` for every row of a table with these columns, without the GIL.
using EachRow = std::function<Status(const Columns& columns, int64_t row)>;
void ForEachRow(nanobind::object data, const Words& names, const EachRow& each);

// What records of a file have beside what is made of them.
struct RecordRows {
  static Words Names() {
    return {"ordinal", "id",    "url",     "date",
            "offset",  "stage", "read_id", "original_id"};
  }
  // Up to `most` records, each of which goes to `take`, without the GIL.
  void Read(StagedReader* reader, int64_t most,
            const std::function<Status(StagedRecord*)>& take);
  std::vector<Column> Take();

  Numbers ordinals, offsets;
  // `stages`: empty for a record that no quarantine has.
  TextValues ids, urls, dates, stages, read_ids, original_ids;
};

// A file as a tuple of staged_files().
StagedReader OpenFile(const InputOptions& input, nanobind::tuple of);
SecretBytes SecretOf(const nanobind::bytes& key);

// How files are read: what RecordOptions has.
bool IsOfFiles(std::string_view flag);
[[noreturn]] void RefuseFlag(const std::string& flag, const std::string& value);

}  // namespace twinset::python

#endif  // TWINSET_PYTHON_NATIVE_STAGED_ROWS_H_
