#include "explain/row_file.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/json_text.h"

namespace twinset {

namespace {

// As for lists that are read front to back (pipeline/report/result_rows.cc).
constexpr uint64_t kMostRowBytes = 8 << 20;
constexpr uint64_t kFirstBytes = 4 << 10, kBlockBytes = 1 << 20;

// Where the value of `key` begins; npos: there is none. Quotes inside of
// strings are escaped, so this stands before a value only.
size_t BeginOfValue(std::string_view row, std::string_view key) {
  std::string before = "\"";
  before += key;
  before += "\":";
  const size_t at = row.find(before);
  return at == row.npos ? row.npos : at + before.size();
}

}  // namespace

Result<RowFile> RowFile::Open(const std::string& path) {
  RowFile rows;
  rows.path_ = path;
  if (!FileExists(path)) return rows;
  TWINSET_ASSIGN(rows.file_, File::OpenRead(path));
  TWINSET_ASSIGN(rows.bytes_, rows.file_.Size());
  return rows;
}

Status RowFile::CheckPlace(uint64_t offset) const {
  char before = '\n';
  if (offset > 0 && offset <= bytes_)
    TWINSET_TRY(file_.ReadAt(offset - 1, &before, 1));
  if (before == '\n' && offset <= bytes_) return {};
  return Fail(ErrorCode::kUsage, "no row begins at this place");
}

Result<std::string> RowFile::At(uint64_t offset) const {
  TWINSET_TRY(CheckPlace(offset));
  std::string row;
  for (uint64_t most = kFirstBytes; row.size() < kMostRowBytes; most *= 8) {
    const uint64_t have = row.size();
    const uint64_t all = std::min(most, bytes_ - offset);
    if (all == have) break;
    row.resize(all);
    TWINSET_TRY(file_.ReadAt(offset + have, row.data() + have, all - have));
    const size_t end = row.find('\n', have);
    if (end == row.npos) continue;
    row.resize(end);
    return row;
  }
  return Fail(ErrorCode::kCorrupt, "a row has no end", path_,
              "run the command again");
}

Status RowFile::ForEach(
    uint64_t from,
    const std::function<Result<bool>(uint64_t, std::string_view)>& body) const {
  TWINSET_TRY(CheckPlace(from));
  std::string held;  // from `from` on
  for (uint64_t at = from; at < bytes_;) {
    const uint64_t more = std::min(kBlockBytes, bytes_ - at);
    const size_t have = held.size();
    held.resize(have + more);
    TWINSET_TRY(file_.ReadAt(at, held.data() + have, more));
    at += more;
    size_t begin = 0;
    for (size_t end = held.find('\n', have); end != held.npos;
         end = held.find('\n', begin)) {
      const std::string_view row(held.data() + begin, end - begin);
      TWINSET_ASSIGN(const bool goes_on, body(from + begin, row));
      if (!goes_on) return {};
      begin = end + 1;
    }
    held.erase(0, begin);
    from += begin;
    if (held.size() > kMostRowBytes) break;
  }
  if (held.empty()) return {};
  return Fail(ErrorCode::kCorrupt, "a row has no end", path_,
              "run the command again");
}

std::optional<std::string_view> WrittenText(std::string_view row,
                                            std::string_view key) {
  size_t begin = BeginOfValue(row, key);
  if (begin >= row.size() || row[begin] != '"') return {};
  ++begin;
  for (size_t end = begin; end < row.size(); ++end) {
    if (row[end] == '"') return row.substr(begin, end - begin);
    if (row[end] == '\\') ++end;
  }
  return {};
}

std::string AsWritten(std::string_view text) {
  std::string written;
  AppendJsonString(&written, text);
  return written.substr(1, written.size() - 2);
}

double WrittenNumber(std::string_view row, std::string_view key) {
  const size_t begin = BeginOfValue(row, key);
  double value = 0;
  if (begin < row.size())
    std::from_chars(row.data() + begin, row.data() + row.size(), value);
  return value;
}

}  // namespace twinset
