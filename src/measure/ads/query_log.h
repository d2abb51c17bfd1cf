// How often queries are asked, and by whom the rare ones are
// (docs/methods/auction.md).
#ifndef TWINSET_SRC_MEASURE_ADS_QUERY_LOG_H_
#define TWINSET_SRC_MEASURE_ADS_QUERY_LOG_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "twinset/error.h"
#include "twinset/measure/query_log.h"

namespace twinset::ads {

// Counts queries one by one. Memory: about 100 bytes and its text for each
// distinct query and user, 8 bytes for each pair of them that occurs.
class QueryCounter {
 public:
  explicit QueryCounter(uint64_t memory_bytes) : memory_bytes_(memory_bytes) {}

  // `query` normalised; `user` may be empty: then the row counts for the tail
  // and not for users. kMemory when it does not fit.
  Status Add(std::string_view user, std::string_view query, uint64_t count);

  // All but rows and empty. Takes O(types log types + replications * pairs).
  QueryLogResult Finish(const QueryLogOptions& options) &&;

 private:
  using Ids = std::unordered_map<std::string, uint32_t>;

  Result<uint32_t> IdOf(std::string_view text, Ids* ids);
  void Compact();

  const uint64_t memory_bytes_;
  uint64_t text_bytes_ = 0;
  Ids types_, users_;
  std::vector<uint64_t> counts_;  // by type
  std::vector<uint64_t> pairs_;   // user << 32 | type; unique up to compact_
  size_t compact_ = 0;
};

// One row of a log. `where`: line, for messages.
struct LogRow {
  std::string_view user, query;
  uint64_t count = 1;
};

// Splits a log given in pieces of any size into rows. The first line decides: a
// header with a column `query` makes it a table (tabs, else RFC 4180), and
// columns user or anonid and count are used; else every line is a query.
class LogParser {
 public:
  using OnRow = std::function<Status(const LogRow&)>;

  explicit LogParser(std::string where) : where_(std::move(where)) {}
  // kUsage, with the line, for a row without its fields, a count that is none,
  // or a line beyond 1 MB.
  Status Add(std::string_view bytes, const OnRow& on_row);
  Status Finish(const OnRow& on_row);

 private:
  static constexpr size_t kNone = SIZE_MAX;

  Status Drain(bool at_end, const OnRow& on_row);
  Status TakeLine(std::string_view line, const OnRow& on_row);
  bool TakeHeader(std::string_view line);
  Error RowError(std::string reason) const;

  const std::string where_;
  std::string buffer_;
  std::vector<std::string> fields_;
  bool started_ = false, table_ = false;
  char separator_ = '\t';
  size_t query_at_ = 0, user_at_ = kNone, count_at_ = kNone;
  uint64_t line_ = 0;  // of the row being taken, from 1
  uint64_t next_line_ = 1;
};

}  // namespace twinset::ads

#endif  // TWINSET_SRC_MEASURE_ADS_QUERY_LOG_H_
