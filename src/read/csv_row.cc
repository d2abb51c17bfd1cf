#include "read/csv_row.h"

#include <algorithm>

namespace twinset {

size_t CsvRowScanner::Scan(std::string_view view) {
  while (at_ < view.size()) {
    const char c = view[at_];
    switch (state_) {
      case State::kFieldStart:
        if (c == '"') {
          state_ = State::kQuoted;
          quote_at_ = at_;
          break;
        }
        state_ = State::kPlain;
        continue;
      case State::kQuoted:
        at_ = std::min(view.find('"', at_), view.size());
        if (at_ == view.size()) return 0;
        state_ = State::kQuoteSeen;
        break;
      case State::kQuoteSeen:
        state_ = c == '"' ? State::kQuoted : State::kPlain;
        if (c != '"') continue;
        break;
      case State::kPlain:
        if (c == '\n') return at_ + 1;
        if (c == separator_) state_ = State::kFieldStart;
        break;
    }
    ++at_;
  }
  return 0;
}

void SplitCsvRow(std::string_view row, char separator,
                 std::vector<std::string>* fields) {
  fields->clear();
  for (size_t at = 0;; ++at) {
    std::string& field = fields->emplace_back();
    if (at < row.size() && row[at] == '"') {
      for (++at; at < row.size(); ++at) {
        const size_t quote = std::min(row.find('"', at), row.size());
        field.append(row.substr(at, quote - at));
        at = quote;
        if (at + 1 >= row.size() || row[at + 1] != '"') break;
        field += '"';
        ++at;
      }
      at = std::min(at + 1, row.size());
    }
    const size_t end = std::min(row.find(separator, at), row.size());
    field.append(row.substr(at, end - at));
    if (end == row.size()) return;
    at = end;
  }
}

}  // namespace twinset
