// Where a value stands in a row as it was written, so that it can be replaced
// and everything else stays byte for byte.
#ifndef TWINSET_SRC_STAGES_REPORT_SPLICE_H_
#define TWINSET_SRC_STAGES_REPORT_SPLICE_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/csv_row.h"

namespace twinset {

struct ValueRange {
  size_t begin = 0, end = 0;
};

// The string, with its quotes, at `path` of the first JSON object in `line`:
// a key, or keys joined by dots; the first of equal keys counts, and keys are
// equal once their escapes are undone. `line` must be valid JSON from there on.
// Nothing if there is no string. Linear time, constant memory.
std::optional<ValueRange> FindJsonString(std::string_view line,
                                         std::string_view path);

// Field `column` (from 0) of a row of CSV, with its quotes; `row` has no line
// end. Fields are those of SplitCsvRow (base/csv_row.h).
std::optional<ValueRange> FindCsvField(std::string_view row, CsvForm form,
                                       size_t column);

// Appends one field: quoted if `quoted` or if it holds a quote, CR, LF or the
// separator. Where nothing is quoted, CR, LF and separators become spaces.
void AppendField(std::string* to, std::string_view text, CsvForm form,
                 bool quoted);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_REPORT_SPLICE_H_
