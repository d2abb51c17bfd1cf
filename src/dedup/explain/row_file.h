// The rows of one list of a result folder by their places in its file.
#ifndef TWINSET_SRC_DEDUP_EXPLAIN_ROW_FILE_H_
#define TWINSET_SRC_DEDUP_EXPLAIN_ROW_FILE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/file.h"
#include "twinset/error.h"

namespace twinset {

// JSON lines that twinset has written. Whoever replaces the file meanwhile does
// not change what is read. Thread-safe.
class RowFile {
 public:
  // A file that is not there has no rows.
  static Result<RowFile> Open(const std::string& path);

  // The row that begins at `offset`, without its line end; kUsage where none
  // does.
  Result<std::string> At(uint64_t offset) const;
  // Calls `body` with every row from that one on and its place, until it
  // returns false. kCorrupt for a line that is longer than a row can be.
  // Memory: 1 MB and one row.
  Status ForEach(uint64_t from,
                 const std::function<Result<bool>(uint64_t, std::string_view)>&
                     body) const;
  uint64_t bytes() const { return bytes_; }

 private:
  Status CheckPlace(uint64_t offset) const;

  File file_;
  std::string path_;
  uint64_t bytes_ = 0;
};

// The string at `key` of a row as it is written, without its quotes; nothing
// where there is none.
std::optional<std::string_view> WrittenText(std::string_view row,
                                            std::string_view key);
// A text as rows write it, without quotes.
std::string AsWritten(std::string_view text);
// The number at `key`; 0 where there is none.
double WrittenNumber(std::string_view row, std::string_view key);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_EXPLAIN_ROW_FILE_H_
