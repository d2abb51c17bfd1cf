// Where a row of CSV (RFC 4180) or TSV ends, and what its fields are.
#ifndef TWINSET_SRC_GROUND_BASE_CSV_ROW_H_
#define TWINSET_SRC_GROUND_BASE_CSV_ROW_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace twinset {

// How rows are written. Where quotes count, a field is quoted if its first byte
// is a quote; in it two quotes stand for one, and separators and line ends are
// its own; what follows the closing quote up to the separator is taken as it
// is. Elsewhere a quote is a byte like any other. Between tabs nothing is
// quoted unless somebody says so (IANA, text/tab-separated-values).
struct CsvForm {
  constexpr CsvForm(char s) : separator(s), quotes(s != '\t') {}  // NOLINT
  constexpr CsvForm(char s, bool q) : separator(s), quotes(q) {}
  char separator;
  bool quotes;
};

// Finds the end of one row in a view that may grow.
class CsvRowScanner {
 public:
  explicit CsvRowScanner(CsvForm form) : form_(form) {}

  // Goes on where the last call stopped; `view` begins with the row. Returns
  // the size of the row with its '\n', or 0 if it does not end in the view.
  size_t Scan(std::string_view view);
  // Returns true iff the scanned bytes end inside quotes, and where those were
  // opened.
  bool in_quotes() const { return state_ == State::kQuoted; }
  size_t quote_at() const { return quote_at_; }

 private:
  enum class State { kFieldStart, kPlain, kQuoted, kQuoteSeen };
  const CsvForm form_;
  State state_ = State::kFieldStart;
  size_t at_ = 0, quote_at_ = 0;
};

// A row without its line end, and where the next one begins.
struct CsvRowPlace {
  size_t begin = 0, end = 0, behind = 0;
};
// The first row of `bytes` from `at` on that is not blank; a blank one when
// there is no other. The last may lack its line end.
CsvRowPlace FindCsvRow(std::string_view bytes, CsvForm form, size_t at);

// The fields of a whole row without its line end, quotes undone: the first
// `most` of them. Returns how many there are.
size_t SplitCsvRow(std::string_view row, CsvForm form,
                   std::vector<std::string>* fields, size_t most = SIZE_MAX);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_CSV_ROW_H_
