#include "base/csv_row.h"

#include <algorithm>

namespace twinset {

size_t CsvRowScanner::Scan(std::string_view view) {
  while (at_ < view.size()) {
    const char c = view[at_];
    switch (state_) {
      case State::kFieldStart:
        if (c == '"' && form_.quotes) {
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
        if (c == form_.separator) state_ = State::kFieldStart;
        break;
    }
    ++at_;
  }
  return 0;
}

CsvRowPlace FindCsvRow(std::string_view bytes, CsvForm form, size_t at) {
  for (;;) {
    CsvRowScanner scanner(form);
    const std::string_view rest = bytes.substr(at);
    size_t size = scanner.Scan(rest);
    if (size == 0) size = rest.size();
    std::string_view row = rest.substr(0, size);
    if (row.ends_with('\n')) row.remove_suffix(1);
    if (row.ends_with('\r')) row.remove_suffix(1);
    if (!row.empty() || at + size >= bytes.size())
      return {at, at + row.size(), at + size};
    at += size;
  }
}

namespace {

// Appends the quoted text from `at` on; the position behind its closing quote.
size_t UnquoteField(std::string_view row, size_t at, std::string* field) {
  for (;;) {
    const size_t quote = std::min(row.find('"', at), row.size());
    field->append(row.substr(at, quote - at));
    if (row.substr(quote, 2) != "\"\"") return std::min(quote + 1, row.size());
    *field += '"';
    at = quote + 2;
  }
}

}  // namespace

size_t SplitCsvRow(std::string_view row, CsvForm form,
                   std::vector<std::string>* fields, size_t most) {
  fields->clear();
  std::string beyond;
  size_t count = 0;
  for (size_t at = 0;; ++at) {
    beyond.clear();
    std::string& field = count++ < most ? fields->emplace_back() : beyond;
    if (form.quotes && at < row.size() && row[at] == '"')
      at = UnquoteField(row, at + 1, &field);
    const size_t end = std::min(row.find(form.separator, at), row.size());
    field.append(row.substr(at, end - at));
    if (end == row.size()) return count;
    at = end;
  }
}

}  // namespace twinset
