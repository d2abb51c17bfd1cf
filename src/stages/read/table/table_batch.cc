#include "read/table/table_batch.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/json_text.h"
#include "base/process/pipe_reply.h"

namespace twinset {

namespace {

constexpr uint64_t kMostRows = 1 << 20;

}  // namespace

Result<TableBatch> TableBatch::Make(const Json& reply, std::string body) {
  TableBatch batch;
  TWINSET_ASSIGN(batch.rows_, ReplyNumber(reply, "rows", kMostRows));
  TWINSET_ASSIGN(batch.first_, ReplyNumber(reply, "first", uint64_t{1} << 60));
  batch.body_ = std::move(body);
  const auto columns = reply.find("columns");
  if (columns == reply.end() || !columns->is_array())
    return BadReply("has no list \"columns\"");
  size_t at = 0;
  for (const Json& column : *columns) TWINSET_TRY(batch.Add(column, &at));
  if (at != batch.body_.size()) return BadReply("has more bytes than columns");
  if (const auto long_rows = reply.find("too_large");
      long_rows != reply.end() && long_rows->is_array()) {
    for (const Json& row : *long_rows) {
      if (row.size() != 2 || !row.front().is_number_unsigned())
        return BadReply("has no fitting \"too_large\"");
      batch.too_large_.emplace_back(row.front().get<uint64_t>(),
                                    row.back().get<uint64_t>());
    }
    std::sort(batch.too_large_.begin(), batch.too_large_.end());
  }
  return batch;
}

Status TableBatch::Add(const Json& said, size_t* at) {
  Column column;
  if (!said.is_object()) return BadReply("has a column that is no object");
  AppendJsonString(&column.key, said.value("name", ""));
  column.key += ':';
  column.is_text = said.value("kind", "") == "text";
  TWINSET_ASSIGN(const uint64_t data_bytes,
                 ReplyNumber(said, "data_bytes", body_.size()));
  const size_t left = body_.size() - *at;
  if (left < 9 * rows_ + 8 || left - 9 * rows_ - 8 < data_bytes)
    return BadReply("has fewer bytes than columns");
  column.valid = *at;
  column.places = *at + rows_;
  column.data = column.places + 8 * (rows_ + 1);
  *at = column.data + data_bytes;
  uint64_t before = 0;
  for (size_t i = 0; i <= rows_; ++i) {
    const uint64_t place = PlaceOf(column, i);
    if (place < before || place > data_bytes || (i == 0 && place != 0))
      return BadReply("has values outside of its bytes");
    before = place;
  }
  // A line is one row.
  if (!column.is_text &&
      std::string_view(body_).substr(column.data, data_bytes).find('\n') !=
          std::string_view::npos)
    return BadReply("has a line end in a value of JSON");
  columns_.push_back(std::move(column));
  return {};
}

uint64_t TableBatch::PlaceOf(const Column& column, size_t i) const {
  return LoadLE<uint64_t>(body_.data() + column.places + 8 * i);
}

std::string_view TableBatch::ValueOf(const Column& column, size_t i) const {
  const uint64_t begin = PlaceOf(column, i);
  return std::string_view(body_).substr(column.data + begin,
                                        PlaceOf(column, i + 1) - begin);
}

void TableBatch::AppendRow(size_t i, std::string* line) const {
  char before = '{';
  for (const Column& column : columns_) {
    *line += std::exchange(before, ',');
    *line += column.key;
    if (!IsThere(column, i)) {
      *line += "null";
    } else if (column.is_text) {
      AppendJsonString(line, ValueOf(column, i));
    } else {
      *line += ValueOf(column, i);
    }
  }
  *line += columns_.empty() ? "{}" : "}";
}

uint64_t TableBatch::TooLarge(size_t i) const {
  const auto found = std::lower_bound(too_large_.begin(), too_large_.end(),
                                      std::pair<size_t, uint64_t>(i, 0));
  return found != too_large_.end() && found->first == i ? found->second : 0;
}

}  // namespace twinset
