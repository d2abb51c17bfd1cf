// Reading all records of bytes in memory, for tests.
#ifndef TWINSET_SRC_STAGES_READ_TEST_RECORDS_H_
#define TWINSET_SRC_STAGES_READ_TEST_RECORDS_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "read/reader.h"

namespace twinset::test {

// `parser`: parses rows that were put off; null: there are none.
inline std::vector<Record> DrainReader(RecordReader* reader,
                                       RowParser* parser = nullptr) {
  std::vector<Record> records;
  for (;;) {
    Record record;
    const Result<bool> more = reader->Next(&record);
    EXPECT_TRUE(more.has_value()) << more.error().ToString();
    if (!more || !*more) break;
    if (record.kind == RecordKind::kRow) {
      if (parser != nullptr) parser->Parse(std::string(record.row), &record);
      EXPECT_NE(record.kind, RecordKind::kRow);
    }
    EXPECT_EQ(record.document.provenance.ordinal, records.size());
    records.push_back(std::move(record));
  }
  return records;
}

// All that decides what becomes of a record.
inline auto ContentOf(const Record& record) {
  const Document& document = record.document;
  return std::tuple(record.kind, document.id, document.payload, document.kind,
                    document.mime, document.charset, document.fields,
                    document.provenance.url, document.provenance.date,
                    document.provenance.offset, record.reason, record.detail);
}

// Also reads with rows that are parsed later, which makes no difference.
inline std::vector<Record> ReadAll(std::string bytes, const std::string& name,
                                   ReadOptions options = {}) {
  const auto records =
      DrainReader(ReadRecordsFromMemory(bytes, name, options).get());
  options.defers_rows = true;
  options.keep_raw = false;
  RowParser parser(options);
  const auto later = DrainReader(
      ReadRecordsFromMemory(std::move(bytes), name, options).get(), &parser);
  EXPECT_EQ(later.size(), records.size());
  for (size_t i = 0; i < std::min(records.size(), later.size()); ++i)
    EXPECT_EQ(ContentOf(later[i]), ContentOf(records[i])) << "record " << i;
  return records;
}

// "id:payload" of a document, "!reason" of a quarantined record.
inline std::vector<std::string> Briefly(const std::vector<Record>& records) {
  std::vector<std::string> brief;
  for (const Record& record : records) {
    brief.push_back(record.kind == RecordKind::kDocument
                        ? record.document.id + ":" + record.document.payload
                        : std::string(1, '!').append(record.reason));
  }
  return brief;
}

inline std::string Raws(const std::vector<Record>& records) {
  std::string all;
  for (const Record& record : records) all += record.raw;
  return all;
}

}  // namespace twinset::test

#endif  // TWINSET_SRC_STAGES_READ_TEST_RECORDS_H_
