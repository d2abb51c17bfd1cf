#include "staged_rows.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <utility>

#include "documents.h"
#include "served_call.h"

namespace nb = nanobind;

namespace twinset::python {

uint64_t At(const Columns& columns, size_t i, int64_t row) {
  return static_cast<uint64_t>(columns[i].Number(row).value_or(0));
}
double RealAt(const Columns& columns, size_t i, int64_t row) {
  return std::bit_cast<double>(At(columns, i, row));
}
std::string TextAt(const Columns& columns, size_t i, int64_t row) {
  return columns[i].Text(row).value_or("");
}
Document DocumentAt(const Columns& columns, size_t i, int64_t row) {
  Document document;
  auto text = columns[i].Text(row);
  document.has_text = text.has_value();
  if (text) document.payload = *std::move(text);
  return document;
}

void ForEachRow(nb::object data, const Words& names, const EachRow& each) {
  const auto table = TableOf(std::move(data), names);
  Take(WithoutGil([&]() -> Status {
    for (;;) {
      TWINSET_ASSIGN(const bool more, table->Next());
      if (!more) return {};
      for (int64_t row = 0; row < table->rows(); ++row)
        TWINSET_TRY(each(table->columns(), row));
    }
  }));
}

void RecordRows::Read(StagedReader* reader, int64_t most,
                      const std::function<Status(StagedRecord*)>& take) {
  python::Take(WithoutGil([&]() -> Status {
    StagedRecord record;
    while (static_cast<int64_t>(ordinals.size()) < most) {
      TWINSET_ASSIGN(const bool more, reader->Next(&record));
      if (!more) break;
      ordinals.push_back(Signed(record.ordinal));
      ids.Add(record.id);
      urls.Add(record.url);
      dates.Add(record.date);
      offsets.push_back(Signed(record.offset));
      read_ids.Add(record.read_id);
      original_ids.Add(record.original_id);
      const bool is_unread = !record.rejected.empty();
      stages.Add(record.is_skipped ? "" : is_unread ? "read" : "text");
      TWINSET_TRY(take(&record));
    }
    return {};
  }));
}

std::vector<Column> RecordRows::Take() {
  return {Column(std::move(ordinals)), Column(std::move(ids)),
          Column(std::move(urls)),     Column(std::move(dates)),
          Column(std::move(offsets)),  Column(std::move(stages)),
          Column(std::move(read_ids)), Column(std::move(original_ids))};
}

SecretBytes SecretOf(const nb::bytes& key) {
  SecretBytes secret = {};
  std::memcpy(secret.data(), key.c_str(), std::min(key.size(), secret.size()));
  return secret;
}

bool IsOfFiles(std::string_view flag) {
  constexpr std::string_view kFlags[] = {
      "--input-format", "--preset",    "--id-field",   "--text-field",
      "--html-field",   "--url-field", "--date-field", "--status",
      "--mime",         "--max-field", "--max-ratio",  "--max-window",
      "--quoting",      "--revisions"};
  return std::find(std::begin(kFlags), std::end(kFlags), flag) !=
         std::end(kFlags);
}

void RefuseFlag(const std::string& flag, const std::string& value) {
  Raise({ErrorCode::kUnsupported,
         flag + " " + value + " does not go with Spark" +
             (IsOfFiles(flag) ? " where documents come as rows" : ""),
         {},
         "leave it out, or run the command twinset"});
}

}  // namespace twinset::python
