// The lists of a result folder, read again row by row.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_REPORT_RESULT_ROWS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_REPORT_RESULT_ROWS_H_

#include <functional>
#include <string>
#include <string_view>

#include "twinset/error.h"
#include "twinset/json.h"

namespace twinset {

// Calls `body` with every row of FOLDER/NAME.jsonl, or else of NAME.csv, as an
// object, until it returns false. A list that is not there has no rows.
// kCorrupt for a row that is none. Memory: one row.
Status ForEachResultRow(const std::string& folder, const std::string& name,
                        const std::function<bool(const Json&)>& body);

// The same for rows that name `text` as a value, and perhaps others: lines that
// cannot be such a row are not parsed.
Status ForEachRowWith(const std::string& folder, const std::string& name,
                      std::string_view text,
                      const std::function<bool(const Json&)>& body);

// The same for one number of each row, in a fraction of the time: 0 where there
// is none. `key` is a name without signs.
Status ForEachResultNumber(const std::string& folder, const std::string& name,
                           const std::string& key,
                           const std::function<void(double)>& body);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_REPORT_RESULT_ROWS_H_
